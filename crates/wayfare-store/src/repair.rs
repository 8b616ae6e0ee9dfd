//! Rebuilds a lost index from the tiles.
//!
//! ```text
//!   | ????? | record | record | ?? | record | ????? |      every record has a mark and checksums: what is whole is kept,
//!             kept     kept          kept                  the later of two for one place
//! ```
//!
//! Cost: reads the bytes of the store once.

use crate::StoreForm;
use crate::failure::failed;
use crate::file_bytes::{read_at, write_at};
use crate::folder_store::{self, list_tiles, write_index};
use crate::lock::StoreLock;
use crate::packed_index::PackedIndex;
use crate::packed_store::lock_path;
use std::fs::File;
use std::path::Path;
use wayfare::format::{
    BlockRange, IndexBlock, IndexError, PackedHead, RecordHead, RecordKind, StoreEntry, StoreError, StoreHead,
    StoreIndex, StoreRecord,
};

/// The result of a repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Complete tiles, including places without a walkable surface.
    pub tiles: usize,
    /// Broken records: they are left out, and the next bake replaces them.
    pub broken: usize,
}

/// Rebuilds the index of a store from its tiles. Broken ones are left out.
///
/// # Errors
/// [`StoreError`] if it cannot be read or written, another process is writing to it, or its head is lost.
pub fn repair(path: &Path) -> Result<Repaired, StoreError> {
    match StoreForm::of(path) {
        StoreForm::Packed => repair_packed(path),
        StoreForm::Folder => repair_folder(path),
    }
}

fn repair_folder(path: &Path) -> Result<Repaired, StoreError> {
    if !folder_store::is_folder_store(path) {
        return Err(IndexError::NoStore.into());
    }
    let _lock = StoreLock::take(folder_store::lock_path(path), path)?;
    let listed = list_tiles(path)?;
    for file in &listed.broken {
        std::fs::remove_file(file).map_err(|e| failed(file, &e))?;
    }
    write_index(path, &listed.index)?;
    Ok(Repaired { tiles: listed.index.len(), broken: listed.broken.len() })
}

fn repair_packed(path: &Path) -> Result<Repaired, StoreError> {
    let file = File::options().read(true).write(true).open(path).map_err(|e| failed(path, &e))?;
    let _lock = StoreLock::take(lock_path(path), path)?;
    let found = Found::in_file(&file, path)?;
    // A tile that was removed on purpose is not restored if the index still says so.
    let index = match PackedIndex::read(&file, path) {
        Ok(known) => found.index.iter().filter(|entry| known.index.get(entry.coord).is_some()).copied().collect(),
        Err(_) => found.index,
    };
    let head = found.head.ok_or_else(|| {
        StoreError::Failed(format!("{}: nothing of a tile store is left in this file: bake again", path.display()))
    })?;
    let entries: Vec<StoreEntry> = index.iter().copied().collect();
    let tiles = entries.len();
    let bytes = IndexBlock { before: None, entries }.to_bytes();
    let range = BlockRange { offset: found.end, length: bytes.len() as u64 };
    let failed = |e| failed(path, &e);
    write_at(&file, range.offset, &bytes).map_err(failed)?;
    let end = range.offset + range.length;
    file.set_len(end).and_then(|()| file.sync_data()).map_err(failed)?;
    // Later than all commits that may be in it.
    let sequence = found.sequence + 1;
    write_at(&file, 0, &PackedHead { sequence, index: range, head, end }.file_begin()).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    Ok(Repaired { tiles, broken: found.broken })
}

/// The result of scanning a file.
#[derive(Default)]
struct Found {
    index: StoreIndex,
    head: Option<BlockRange>,
    broken: usize,
    end: u64,
    sequence: u64,
}

/// Number of bytes in which the next record is searched at once.
const PIECE: u64 = 1 << 16;

impl Found {
    fn in_file(file: &File, path: &Path) -> Result<Self, StoreError> {
        let read = |offset, length| read_at(file, offset, length).map_err(|e| failed(path, &e));
        let length = file.metadata().map_err(|e| failed(path, &e))?.len();
        let begin = read(0, PackedHead::BYTES as u64)?;
        let mut found = Self { end: PackedHead::BYTES as u64, ..Self::default() };
        found.sequence = PackedHead::read(&begin).ok().and_then(|heads| heads.first().map(|h| h.sequence)).unwrap_or(0);
        let mut at = PackedHead::BYTES as u64;
        while at + RecordHead::BYTES as u64 <= length {
            let piece = read(at, PIECE)?;
            let start = at + RecordHead::BYTES as u64;
            let about = RecordHead::read(&piece).filter(|about| about.length <= length - start);
            let Some(about) = about else {
                // Not here: continues where the next may begin, keeping the rest for the next piece in case a mark
                // crosses its end.
                let skip = RecordHead::find(piece.get(1..).unwrap_or(&[])).map(|k| k as u64 + 1);
                at += skip.unwrap_or((piece.len() as u64).saturating_sub(7).max(1));
                continue;
            };
            found.take(about, start, read(start, about.length)?);
            at = start + about.length;
            found.end = at;
        }
        Ok(found)
    }

    fn take(&mut self, about: RecordHead, offset: u64, bytes: Vec<u8>) {
        let is_whole = about.is_of(&bytes);
        match about.kind {
            RecordKind::Head if is_whole && StoreHead::read(&bytes).is_ok() => {
                self.head = Some(BlockRange { offset, length: about.length });
            }
            RecordKind::Tile if is_whole => match StoreRecord::from_bytes(bytes) {
                Ok(record) => self.index.set(StoreEntry { offset, ..record.entry() }),
                Err(_) => self.broken += 1,
            },
            _ => self.broken += 1,
        }
    }
}
