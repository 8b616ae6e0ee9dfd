//! The `.way` file: a whole mesh, exactly as it is, with data that other modules keep beside it.
//!
//! ```text
//!   head          magic, version                                              all numbers little-endian
//!   tiles         the block of a tile, as it is in memory, the state of its polygons where that has changed, and then
//!                 the tile's sections, by slot
//!   sections      of places without a tile, by place; then of the mesh
//!   mesh part     counts; empty slots that were used before, empty connections, connections, area types
//!   directory     user id, layout, counts; length and XXH3-64 of the mesh part;
//!                 of each tile: slot, salt, place, number of sections, length, XXH3-64;
//!                 of each place without a tile: place, number of sections;
//!                 of each section: version, name, length, XXH3-64
//!   trailer       length of the directory and of the file, version, mark, XXH3-64 from the directory to here
//! ```
//!
//! The parts follow each other without gaps in the order of the directory, so only their lengths are stored and ranges
//! cannot overlap. [`WayDirectory`] reads the directory alone, and then any single tile or section.
//!
//! The directory is at the end because a mesh is written tile by tile as it is baked, possibly into a pipe, and lengths
//! and checksums are only known then: [`WayStream`] appends and never seeks back.
//!
//! Sections are opaque: each module encodes its own. Unknown sections are kept when a file is read and written.
//!
//! Data that can be derived (edge tables, trees, links) is not stored. Slots, salts, connections, and both the
//! current and the original state of every polygon are, so a mesh that was saved and loaded is the same mesh: same
//! references, same answers, same bytes. Any altered bit, missing or surplus byte is refused; so are bytes that are
//! intact but do not form a valid mesh.
//!
//! Cost: writing copies the blocks; reading copies, checks and links them. Reading one tile reads the directory, 40
//! bytes a tile, and that tile.

mod directory;
mod directory_writer;
mod file_part;
mod mesh_part;
mod read;
mod read_error;
mod section;
mod slot_list;
mod stream;
mod tile_bytes;
mod way_file;
mod write;

#[cfg(test)]
mod directory_tests;
#[cfg(test)]
pub(super) mod seal;
#[cfg(test)]
mod tests;

pub use directory::{FileRange, SectionEntry, TileEntry, WayDirectory};
pub use file_part::FilePart;
pub use read_error::ReadError;
pub use section::{Section, Sections, TileSections};
pub use slot_list::{MeshSlots, SlotEntry, SlotListError};
pub use stream::{WayEnd, WayStream, WriteError};
pub(crate) use tile_bytes::tile_digest;
pub use way_file::WayFile;
pub use write::digest_of;

const MAGIC: [u8; 8] = *b"WAYFARE\n";
/// The version that is written, and read.
const VERSION: u32 = 3;
/// Magic and version.
const HEAD_BYTES: usize = MAGIC.len() + 4;
/// Precedes the checksum, to detect a truncated file.
const MARK: [u8; 8] = *b"WAY END\n";
const CHECKSUM_BYTES: usize = 8;
/// Two lengths, version, mark and checksum.
const TRAILER_BYTES: usize = 2 * 8 + 4 + MARK.len() + CHECKSUM_BYTES;

/// Whether these bytes look like a `.way` file.
#[must_use]
pub fn is_way_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
