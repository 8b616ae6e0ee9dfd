//! The `.way` file: a whole mesh, exactly as it is.
//!
//! ```text
//!   head          magic, version, length; layout, user id, counts             all numbers little-endian
//!   slots         (slot, salt, retired) of empty slots that were used before
//!   tiles         slot, salt, tile head, arrays one after the other, by slot
//!   connections   (index, salt, retired) of empty ones, then the connections
//!   checksum      XXH3-64 of everything before it
//! ```
//!
//! What can be derived — search graphs, trees, links — is not stored. Slots, salts, the state of every polygon beside the
//! state it was made with, and connections are, so a mesh that was saved and loaded is the same mesh: same references, same
//! answers, same bytes. Any altered bit, missing or surplus byte is refused; so is data that is sound byte by byte but not
//! as a mesh.
//!
//! Cost: writing copies the arrays; reading copies, checks and derives.

mod read;
mod tile_bytes;
mod write;

#[cfg(test)]
mod tests;

pub use read::ReadError;
pub(super) use tile_bytes::tile_digest;

const MAGIC: [u8; 8] = *b"WAYFARE\n";
/// The version that is written. Older ones stay readable.
const VERSION: u32 = 1;
const CHECKSUM_BYTES: usize = 8;

/// Whether these bytes look like a `.way` file.
#[must_use]
pub fn is_way_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
