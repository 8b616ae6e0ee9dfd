//! Reads the index of a packed store.
//!
//! Cost: the bytes of the index, 64 a tile, and one read for each commit since the store was last finished.

use crate::failure::failed;
use crate::file_bytes::read_at;
use std::fs::File;
use std::path::Path;
use wayfare::format::{
    BlockRange, IndexBlock, IndexError, PackedHead, RecordHead, RecordKind, StoreError, StoreHead, StoreIndex,
};

/// The beginning of a packed store, and the index that it refers to.
pub(crate) struct PackedIndex {
    pub(crate) packed: PackedHead,
    pub(crate) head: StoreHead,
    pub(crate) index: StoreIndex,
    /// Whether the whole index is one block.
    pub(crate) is_one_block: bool,
}

impl PackedIndex {
    /// Reads it by the later of the two heads, or by the other one if what the later refers to is incomplete.
    pub(crate) fn read(file: &File, path: &Path) -> Result<Self, StoreError> {
        let begin = read_at(file, 0, PackedHead::BYTES as u64).map_err(|e| failed(path, &e))?;
        let length = file.metadata().map_err(|e| failed(path, &e))?.len();
        let mut first_error = None;
        for packed in PackedHead::read(&begin)? {
            match Self::follow(file, path, length, packed) {
                Ok(found) => return Ok(found),
                Err(e) => first_error = first_error.or(Some(e)),
            }
        }
        Err(first_error.unwrap_or(IndexError::Damaged.into()))
    }

    fn follow(file: &File, path: &Path, length: u64, packed: PackedHead) -> Result<Self, StoreError> {
        if packed.end > length {
            return Err(IndexError::Short { have: length, want: packed.end }.into());
        }
        let read = |range: BlockRange| {
            let end = range.offset.checked_add(range.length).filter(|end| *end <= packed.end);
            let start = end.map(|_| range.offset).filter(|start| *start >= PackedHead::BYTES as u64);
            let start = start.ok_or(IndexError::Damaged)?;
            read_at(file, start, range.length).map_err(|e| failed(path, &e))
        };
        let record = BlockRange {
            offset: packed.head.offset.saturating_sub(RecordHead::BYTES as u64),
            length: packed.head.length.saturating_add(RecordHead::BYTES as u64),
        };
        let record = read(record)?;
        let (about, bytes) = record.split_at_checked(RecordHead::BYTES).ok_or(IndexError::Damaged)?;
        let about = RecordHead::read(about).filter(|about| about.kind == RecordKind::Head && about.is_of(bytes));
        about.ok_or(IndexError::Damaged)?;
        let head = StoreHead::read(bytes).map_err(StoreError::Head)?;
        let mut blocks = Vec::new();
        let mut next = (packed.index.length > 0).then_some(packed.index);
        while let Some(range) = next {
            let block = IndexBlock::read(&read(range)?)?;
            // The chain leads back to the beginning of the file, so it ends.
            next = block.before;
            if next.is_some_and(|before| before.offset.saturating_add(before.length) > range.offset) {
                return Err(IndexError::Damaged.into());
            }
            blocks.push(block);
        }
        let is_one_block = blocks.len() == 1;
        let mut entries = blocks.pop().unwrap_or_default().entries;
        blocks.into_iter().rev().for_each(|block| entries.extend(block.entries));
        let lies_within = |end: Option<u64>| end.is_some_and(|end| end <= packed.end);
        if !entries.iter().all(|entry| lies_within(entry.offset.checked_add(entry.length))) {
            return Err(IndexError::Damaged.into());
        }
        let index: StoreIndex = entries.into_iter().collect();
        check_apart(&index)?;
        Ok(Self { packed, head, index, is_one_block })
    }
}

/// Checks that no two tiles share bytes: otherwise a small file could cause its bytes to be read again and again.
fn check_apart(index: &StoreIndex) -> Result<(), StoreError> {
    let mut ranges: Vec<[u64; 2]> = index.iter().map(|entry| [entry.offset, entry.offset + entry.length]).collect();
    ranges.sort_unstable();
    let overlap = ranges.windows(2).any(|pair| pair[0][1] > pair[1][0]);
    if overlap { Err(IndexError::Damaged.into()) } else { Ok(()) }
}
