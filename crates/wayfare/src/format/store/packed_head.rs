//! Writes a store in one file in place, so that it stays readable whenever its writer is killed.
//!
//! ```text
//!   | magic, version | slot A | slot B | record | record | index block | record | … | index block |
//!                      ^^^^^^^^^^^^^^^   appended, never changed                      ^^^^^^^^^^^^^
//!                      written in turn; the later sound one counts: it says where the last block is
//! ```
//!
//! A commit appends the records and a block that lists them, then writes the older of the two slots. If the writer is
//! killed before that, the other slot is valid, and the next writer cuts off what was appended; if it is killed while
//! writing the slot, the slot's checksum is wrong and the other one is used. In a finished store both slots are equal.
//!
//! Each record has its own head with a mark and checksums, so that a lost index can be rebuilt from the records.
//!
//! Sources: two alternating heads are those of LMDB (Howard Chu, 2011).

use super::{BlockRange, IndexError};
use crate::math::bytes::{Reader, Writer};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"WAYWORLD";
const VERSION: u32 = 1;
const SLOT_BYTES: usize = 7 * 8;
const SLOTS_AT: usize = MAGIC.len() + 2 * 4;
const SLOTS: usize = 2;

/// Whether these bytes look like a store in one file.
#[must_use]
pub fn is_packed_store(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// A slot at the beginning of a packed store, which says where everything else is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedHead {
    /// Number of commits; the slot with the higher number is the later one.
    pub sequence: u64,
    /// The last block of the index.
    pub index: BlockRange,
    /// The record of the store's head.
    pub head: BlockRange,
    /// Where the committed part of the file ends.
    pub end: u64,
}

impl PackedHead {
    /// Number of bytes in the file before the first record.
    pub const BYTES: usize = SLOTS_AT + SLOTS * SLOT_BYTES;

    /// The beginning of a file in which both slots are equal.
    #[must_use]
    pub fn file_begin(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes.extend_from_slice(&MAGIC);
        out.u32(VERSION);
        out.u32(0);
        let slot = self.slot_bytes();
        (0..SLOTS).for_each(|_| out.bytes.extend_from_slice(&slot));
        out.bytes
    }

    /// Its bytes, and their offsets in the file: first those of the older of the two slots, then those of the later
    /// one, which is not changed until the store is finished.
    #[must_use]
    pub fn slots(&self) -> [(u64, Vec<u8>); SLOTS] {
        let turn = (self.sequence % SLOTS as u64) as usize;
        [turn, 1 - turn].map(|slot| ((SLOTS_AT + slot * SLOT_BYTES) as u64, self.slot_bytes()))
    }

    fn slot_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        for value in [self.sequence, self.index.offset, self.index.length, self.head.offset, self.head.length, self.end]
        {
            out.u64(value);
        }
        out.u64(xxh3_64(&out.bytes));
        out.bytes
    }

    /// Reads the beginning of a file: the slots with valid checksums, the latest first.
    ///
    /// # Errors
    /// [`IndexError`] if it is not a store, or no slot is valid.
    pub fn read(bytes: &[u8]) -> Result<Vec<Self>, IndexError> {
        if !is_packed_store(bytes) {
            return Err(IndexError::NoStore);
        }
        let mut reader = Reader::new(bytes);
        reader.take(MAGIC.len())?;
        let version = reader.u32()?;
        if version != VERSION {
            return Err(IndexError::Version { version });
        }
        if reader.u32()? != 0 {
            return Err(IndexError::Damaged);
        }
        let mut heads = Vec::new();
        for _ in 0..SLOTS {
            heads.extend(Self::read_slot(reader.take(SLOT_BYTES)?)?);
        }
        heads.sort_by_key(|head| core::cmp::Reverse(head.sequence));
        if heads.is_empty() { Err(IndexError::Damaged) } else { Ok(heads) }
    }

    fn read_slot(slot: &[u8]) -> Result<Option<Self>, IndexError> {
        let mut reader = Reader::new(slot);
        let head = Self {
            sequence: reader.u64()?,
            index: BlockRange { offset: reader.u64()?, length: reader.u64()? },
            head: BlockRange { offset: reader.u64()?, length: reader.u64()? },
            end: reader.u64()?,
        };
        let checksum = reader.u64()?;
        let is_sound = slot.split_last_chunk::<8>().is_some_and(|(body, _)| xxh3_64(body) == checksum);
        Ok(is_sound.then_some(head))
    }
}

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// A tile.
    Tile,
    /// The head of the store.
    Head,
}

impl RecordKind {
    const ALL: [(Self, [u8; 8]); 2] = [(Self::Tile, *b"WAYTILE\n"), (Self::Head, *b"WAYHEAD\n")];
}

/// The header of a record in a packed store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordHead {
    /// The kind of the content.
    pub kind: RecordKind,
    /// Length of the content in bytes.
    pub length: u64,
    /// XXH3-64 of the content.
    pub digest: u64,
}

impl RecordHead {
    /// Number of its bytes.
    pub const BYTES: usize = 8 + 3 * 8;

    /// The header for this content.
    #[must_use]
    pub fn of(kind: RecordKind, bytes: &[u8]) -> Self {
        Self { kind, length: bytes.len() as u64, digest: xxh3_64(bytes) }
    }

    /// Its bytes.
    #[must_use]
    pub fn to_bytes(self) -> Vec<u8> {
        let mut out = Writer::default();
        let mark = RecordKind::ALL.into_iter().find(|(kind, _)| *kind == self.kind);
        out.bytes.extend(mark.into_iter().flat_map(|(_, mark)| mark));
        out.u64(self.length);
        out.u64(self.digest);
        out.u64(xxh3_64(&out.bytes));
        out.bytes
    }

    /// Reads a header; `None` if the bytes are not one.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.first_chunk::<{ Self::BYTES }>()?;
        let (kind, _) = RecordKind::ALL.into_iter().find(|(_, mark)| bytes.starts_with(mark))?;
        let mut reader = Reader::new(&bytes[8..]);
        let mut next = || reader.u64().ok();
        let length = next()?;
        let digest = next()?;
        let checksum = next()?;
        (xxh3_64(&bytes[..Self::BYTES - 8]) == checksum).then_some(Self { kind, length, digest })
    }

    /// The next offset in these bytes at which a record may begin.
    #[must_use]
    pub fn find(bytes: &[u8]) -> Option<usize> {
        let marks = RecordKind::ALL.map(|(_, mark)| mark);
        bytes.windows(8).position(|window| window.starts_with(b"WAY") && marks.iter().any(|mark| window == mark))
    }

    /// Whether this is the content that follows it.
    #[must_use]
    pub fn is_of(&self, bytes: &[u8]) -> bool {
        self.length == bytes.len() as u64 && self.digest == xxh3_64(bytes)
    }
}
