//! Detour's files: read, and written back.
//!
//! Two forms are in use: the demo's *set* (`MSET`: parameters of the mesh, then tiles with their references) and the
//! bare data of one tile (`DNAV`, what `dtCreateNavMeshData` makes). References in a set have 32 or 64 bits; nothing in
//! the file says which, but only one reading finds a tile's magic number at the head of every tile.
//!
//! ```text
//!   set     [ magic version tiles | origin width depth max_tiles max_polys ] { [ reference size ] tile }…
//!   tile    [ head 100 bytes ][ verts ][ polys ][ links ][ details ][ detail verts ][ detail tris ][ tree ][ connections ]
//! ```
//!
//! Slots and salts are kept, so references stored elsewhere keep their meaning. Off-mesh connections, which Detour
//! hides among a tile's polygons, are lifted out into the mesh, and put back when writing. Links and trees are always
//! derived anew.
//!
//! Sources: the layout of the structures of Detour 1.x (`DT_NAVMESH_VERSION` 7), Mikko Mononen, 2009–2023.

mod read;
mod read_tile;
mod write;
mod write_connection;
mod write_tile;
mod write_tree;

#[cfg(test)]
mod tests;

pub use read::DetourReadError;
pub use read_tile::DetourTileError;
pub use write::DetourWriteError;

const SET_MAGIC: u32 = u32::from_be_bytes(*b"MSET");
const SET_VERSION: u32 = 1;
const TILE_MAGIC: u32 = u32::from_be_bytes(*b"DNAV");
const TILE_VERSION: u32 = 7;
/// Corners a polygon can have in this format.
const MAX_CORNERS: usize = 6;
const HEAD_BYTES: u64 = 100;
const EXTERNAL: u16 = 0x8000;

/// How many bits a reference has in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefBits {
    /// Detour as it comes: salt, tile and polygon share 32 bits.
    #[default]
    Bits32,
    /// Detour built with `DT_POLYREF64`.
    Bits64,
}

impl RefBits {
    /// Size of a stored link.
    const fn link_bytes(self) -> u64 {
        match self {
            Self::Bits32 => 12,
            Self::Bits64 => 16,
        }
    }
}

/// The widths of the fields of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RefWidths {
    salt: u32,
    tile: u32,
    poly: u32,
}

impl RefWidths {
    /// As Detour computes them from the capacity of the mesh.
    fn of(bits: RefBits, max_tiles: u32, max_polys: u32) -> Self {
        if bits == RefBits::Bits64 {
            return Self { salt: 16, tile: 28, poly: 20 };
        }
        let width = |count: u32| count.max(1).checked_next_power_of_two().map_or(32, u32::trailing_zeros);
        let (tile, poly) = (width(max_tiles), width(max_polys));
        Self { salt: 32_u32.saturating_sub(tile + poly).min(31), tile, poly }
    }

    /// Salt and tile of a reference.
    fn decode(self, reference: u64) -> (u64, u64) {
        let tile = reference >> self.poly & ((1 << self.tile) - 1);
        let salt = reference >> (self.poly + self.tile) & ((1 << self.salt) - 1);
        (salt, tile)
    }

    fn encode(self, salt: u16, tile: u32) -> u64 {
        u64::from(salt) << (self.poly + self.tile) | u64::from(tile) << self.poly
    }
}

/// Whether these bytes look like a Detour file.
#[must_use]
pub fn is_detour_file(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|magic| [SET_MAGIC, TILE_MAGIC].contains(&u32::from_le_bytes(*magic)))
}
