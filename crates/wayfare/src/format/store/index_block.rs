//! The bytes of an index: all entries, or those added since an earlier block.
//!
//! ```text
//!   | mark | version | count | block before: offset, length | entries, by place | XXH3-64 |
//! ```
//!
//! While a store is written, each commit appends a block with the new entries; the blocks form a chain back to the
//! first. A finished store has one block.

use super::StoreEntry;
use crate::math::bytes::{Reader, Truncated, Writer};
use xxhash_rust::xxh3::xxh3_64;

const MARK: [u8; 8] = *b"WAYINDX\n";
const VERSION: u32 = 1;
const HEAD_BYTES: usize = MARK.len() + 2 * 4 + 2 * 8;
const CHECKSUM_BYTES: usize = 8;

/// The location of a block in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockRange {
    /// Offset of its first byte.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
}

/// A part of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexBlock {
    /// The previous block in the chain.
    pub before: Option<BlockRange>,
    /// Its entries. An entry of length 0 removes the tile that an earlier block has there.
    pub entries: Vec<StoreEntry>,
}

/// Why the index of a store cannot be used. The tiles may all be intact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// Not a store.
    #[error(
        "not a tile store; if it was one, its first bytes are damaged, and `wayfare store repair` finds what is left"
    )]
    NoStore,
    /// Written by a newer version of this library.
    #[error("the store has version {version} of the format, but this program knows version {VERSION}: use a newer one")]
    Version {
        /// The version found.
        version: u32,
    },
    /// A byte of it was altered, or it was cut short.
    #[error("the store's index is damaged: rebuild it from the tiles with `wayfare store repair`")]
    Damaged,
    /// The file ends before tiles that its index lists.
    #[error(
        "the store has {have} bytes, but its index speaks of {want}: it was cut short; `wayfare store repair` keeps the \
         tiles that are there"
    )]
    Short {
        /// Number of bytes present.
        have: u64,
        /// Number of bytes expected.
        want: u64,
    },
}

impl From<Truncated> for IndexError {
    fn from(_: Truncated) -> Self {
        Self::Damaged
    }
}

impl IndexBlock {
    /// Its bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes.reserve(HEAD_BYTES + self.entries.len() * StoreEntry::BYTES + CHECKSUM_BYTES);
        out.bytes.extend_from_slice(&MARK);
        out.u32(VERSION);
        out.u32(self.entries.len() as u32);
        let before = self.before.unwrap_or_default();
        out.u64(before.offset);
        out.u64(before.length);
        self.entries.iter().for_each(|entry| entry.write(&mut out));
        out.u64(xxh3_64(&out.bytes));
        out.bytes
    }

    /// Reads a block. The memory used is a small multiple of the bytes.
    ///
    /// # Errors
    /// [`IndexError`] for anything but what [`to_bytes`](Self::to_bytes) wrote.
    pub fn read(bytes: &[u8]) -> Result<Self, IndexError> {
        let (body, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(IndexError::Damaged)?;
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(IndexError::Damaged);
        }
        let mut reader = Reader::new(body);
        if reader.take(MARK.len())? != MARK {
            return Err(IndexError::Damaged);
        }
        let version = reader.u32()?;
        if version != VERSION {
            return Err(IndexError::Version { version });
        }
        let count = reader.u32()? as usize;
        let before = BlockRange { offset: reader.u64()?, length: reader.u64()? };
        let records = reader.records::<{ StoreEntry::BYTES }>(count)?;
        if !reader.is_empty() {
            return Err(IndexError::Damaged);
        }
        let entries = records.iter().map(StoreEntry::read).collect::<Result<Vec<_>, _>>()?;
        if entries.windows(2).any(|pair| pair[0].coord >= pair[1].coord) {
            return Err(IndexError::Damaged);
        }
        Ok(Self { before: (before.length > 0).then_some(before), entries })
    }
}
