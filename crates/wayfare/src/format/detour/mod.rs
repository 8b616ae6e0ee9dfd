//! Reads and writes Detour's files.
//!
//! There are two forms: the demo's *set* (`MSET`: parameters of the mesh, then tiles with their references) and the
//! bare data of one tile (`DNAV`, as made by `dtCreateNavMeshData`). References in a set have 32 or 64 bits; the file
//! does not say which, but with only one of them a tile's magic number is found at the start of every tile.
//!
//! ```text
//!   set     [ magic version tiles | origin width depth max_tiles max_polys ] { [ reference size ] tile }…
//!   tile    [ head 100 bytes ][ verts ][ polys ][ links ][ details ][ detail verts ][ detail tris ][ tree ][ connections ]
//! ```
//!
//! Slots and salts are kept. So are the capacities that determine the widths of 32-bit references, if the writer is
//! given those of the file that was read ([`DetourRefs`]): references stored elsewhere then stay valid. Off-mesh
//! connections, which Detour stores as polygons of a tile, are moved into the mesh, and put back when writing. Links
//! and trees are always recomputed.
//!
//! Sources: the layout of the structures of Detour 1.x (`DT_NAVMESH_VERSION` 7), Mikko Mononen, 2009–2023.

mod read;
mod read_tile;
mod refs;
mod write;
mod write_connection;
mod write_error;
mod write_tile;
mod write_tree;

#[cfg(test)]
mod tests;

pub use read::DetourReadError;
pub use read_tile::DetourTileError;
pub use refs::{DetourRefs, RefBits};
pub use write_error::DetourWriteError;

const SET_MAGIC: u32 = u32::from_be_bytes(*b"MSET");
const SET_VERSION: u32 = 1;
const TILE_MAGIC: u32 = u32::from_be_bytes(*b"DNAV");
const TILE_VERSION: u32 = 7;
/// The most corners a polygon can have in this format.
const MAX_CORNERS: usize = 6;
const HEAD_BYTES: u64 = 100;
const EXTERNAL: u16 = 0x8000;

/// Whether these bytes look like a Detour file.
#[must_use]
pub fn is_detour_file(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|magic| [SET_MAGIC, TILE_MAGIC].contains(&u32::from_le_bytes(*magic)))
}
