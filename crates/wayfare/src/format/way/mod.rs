//! The `.way` file: a whole mesh, exactly as it is.
//!
//! ```text
//!   head          magic, version; user id, layout                             all numbers little-endian
//!   tiles         slot, salt, tile head, arrays one after the other, by slot
//!   slots         (slot, salt, retired) of empty slots that were used before
//!   connections   (index, salt, retired) of empty ones, then the connections
//!   area types    (number, cost, name)
//!   keys          (column, row, layer, key) of what the tiles were baked from
//!   tail          how many of each, length, mark, XXH3-64 of everything before it
//! ```
//!
//! Counts and checksum stand at the end, so a mesh can be written tile by tile as it is baked, into a pipe as well as
//! into a file, and never has to be in memory: [`WayStream`].
//!
//! What can be derived — search graphs, trees, links — is not stored. Slots, salts, the state of every polygon beside
//! the state it was made with, and connections are, so a mesh that was saved and loaded is the same mesh: same
//! references, same answers, same bytes. Any altered bit, missing or surplus byte is refused; so is data that is sound
//! byte by byte but not as a mesh.
//!
//! Cost: writing copies the arrays; reading copies, checks and derives.

mod read;
mod read_error;
mod sections;
mod stream;
mod tile_bytes;
mod way_file;
mod write;

#[cfg(test)]
mod tests;

pub use read_error::ReadError;
pub use stream::{WayEnd, WayStream, WriteError};
pub(super) use tile_bytes::tile_digest;
pub use way_file::WayFile;
use write::digest_of;

const MAGIC: [u8; 8] = *b"WAYFARE\n";
/// The version that is written. Older ones stay readable.
const VERSION: u32 = 1;
/// What stands before the checksum, to tell a file that was cut short.
const MARK: [u8; 8] = *b"END WAY\n";
const CHECKSUM_BYTES: usize = 8;
/// Counts, length, mark and checksum.
const TAIL_BYTES: usize = 6 * 4 + 8 + MARK.len() + CHECKSUM_BYTES;

/// Whether these bytes look like a `.way` file.
#[must_use]
pub fn is_way_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
