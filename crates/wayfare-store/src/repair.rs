//! Rebuilds a lost index from the tiles.
//!
//! ```text
//!   | ????? | record | record | ?? | record | ????? | new index |      every record has a mark and checksums: what is
//!             kept     kept          kept                              whole is kept, the later of two for one place
//! ```
//!
//! If the index can be read, only what it lists is checked: tiles that were removed do not return, and neither does
//! what was never committed. The new index is appended, and the head refers to it once it is on the disk. So a repair
//! that is killed, or finds the disk full, leaves a store that can be read as readable as it was.
//!
//! Cost: reads the bytes of the store once; those searched for records without an index, at most twice.

use crate::StoreForm;
use crate::failure::failed;
use crate::file_bytes::{beside, read_at, write_at};
use crate::folder_store::{self, check_index_version, is_newer, list_tiles, read_head, write_index};
use crate::lock::StoreLock;
use crate::packed_index::PackedIndex;
use crate::packed_store::lock_path;
use std::fs::File;
use std::io;
use std::path::Path;
use wayfare::format::{
    BlockRange, IndexBlock, IndexError, PackedHead, ReadError, RecordHead, RecordKind, StoreEntry, StoreError,
    StoreHead, StoreIndex, StoreRecord,
};
use wayfare::tile::TileLayout;

/// The result of a repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Complete tiles, including places without a walkable surface.
    pub tiles: usize,
    /// Broken records, and those that do not belong where they are: they are left out, and the next bake replaces them.
    pub broken: usize,
}

/// Rebuilds the index of a store from its tiles. Broken ones are left out, as are those of another layout or place.
/// Nothing is deleted: in a file their bytes stay until it is [compacted](crate::compact()), in a folder their files
/// get the ending `.broken`.
///
/// # Errors
/// [`StoreError`] if it cannot be read or written, another process is writing to it, its head is lost, or a newer
/// program has written it or any of its tiles. The store is then unchanged.
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
    let head = read_head(path)?;
    check_index_version(path)?;
    let listed = list_tiles(path, head.layout())?;
    listed.check_versions()?;
    for (file, _) in &listed.broken {
        put_aside(file).map_err(|e| failed(file, &e))?;
    }
    write_index(path, &listed.index)?;
    Ok(Repaired { tiles: listed.index.len(), broken: listed.broken.len() })
}

/// Renames a file so that no reader takes it for a tile.
fn put_aside(file: &Path) -> io::Result<()> {
    let mut aside = beside(file, "broken");
    while aside.exists() {
        aside = beside(&aside, "broken");
    }
    std::fs::rename(file, aside)
}

fn repair_packed(path: &Path) -> Result<Repaired, StoreError> {
    let file = File::options().read(true).write(true).open(path).map_err(|e| failed(path, &e))?;
    let _lock = StoreLock::take(lock_path(path), path)?;
    let failed = |e| failed(path, &e);
    let length = file.metadata().map_err(failed)?.len();
    let read = |offset, length| read_at(&file, offset, length);
    let found = match PackedIndex::read(&file, path) {
        Ok(listed) => Found::listed(&listed, read),
        Err(e @ StoreError::Index(IndexError::Version { .. })) => return Err(e),
        Err(_) => Found::searched(length, read),
    };
    let found = found.map_err(failed)?;
    if let Some(why) = found.newer {
        return Err(StoreError::Failed(format!("{}: {why}", path.display())));
    }
    let head = found.head.ok_or_else(|| {
        StoreError::Failed(format!("{}: nothing of a tile store is left in this file: bake again", path.display()))
    })?;
    let index: StoreIndex = found.entries.into_iter().collect();
    let entries: Vec<StoreEntry> = index.iter().copied().collect();
    let tiles = entries.len();
    let bytes = IndexBlock { before: None, entries }.to_bytes();
    let index = BlockRange { offset: length, length: bytes.len() as u64 };
    write_at(&file, index.offset, &bytes).and_then(|()| file.sync_data()).map_err(failed)?;
    let begin = read(0, PackedHead::BYTES as u64).map_err(failed)?;
    write_head(&file, &begin, PackedHead { sequence: 0, index, head, end: length + index.length }).map_err(failed)?;
    Ok(Repaired { tiles, broken: found.broken })
}

/// Makes both slots of a file that begins with these bytes refer to a new index: one after the other, so that one of
/// them is valid at any moment if one was.
fn write_head(file: &File, begin: &[u8], head: PackedHead) -> io::Result<()> {
    let Some(latest) = PackedHead::read(begin).ok().and_then(|heads| heads.first().map(|latest| latest.sequence))
    else {
        write_at(file, 0, &PackedHead { sequence: 1, ..head }.file_begin())?;
        return file.sync_all();
    };
    for (offset, slot) in (PackedHead { sequence: latest.saturating_add(1), ..head }).slots() {
        write_at(file, offset, &slot)?;
        file.sync_all()?;
    }
    Ok(())
}

/// What is whole of a file.
#[derive(Default)]
struct Found {
    /// In the order in which they were found: of several for one place the last counts.
    entries: Vec<StoreEntry>,
    head: Option<BlockRange>,
    /// That of all tiles in the index, and of the head.
    layout: Option<TileLayout>,
    broken: usize,
    /// Why a record that is whole cannot be read: a newer program has written it.
    newer: Option<ReadError>,
}

/// Number of bytes that are read at once, or more for longer records.
const PIECE: u64 = 1 << 16;

impl Found {
    /// What is whole of the tiles that an index lists.
    fn listed(known: &PackedIndex, read: impl Fn(u64, u64) -> io::Result<Vec<u8>>) -> io::Result<Self> {
        let layout = Some(known.head.layout());
        let mut found = Self { head: Some(known.packed.head), layout, ..Self::default() };
        for entry in known.index.iter() {
            let bytes = read(entry.offset, entry.length)?;
            let about = RecordHead { kind: RecordKind::Tile, length: entry.length, digest: entry.digest };
            let is_whole = about.is_of(&bytes);
            match StoreRecord::from_bytes(bytes) {
                Ok(record) if StoreEntry { offset: entry.offset, ..record.entry() } == *entry => {
                    found.add(&record, entry.offset);
                }
                Err(why) if is_whole => found.fail(why),
                _ => found.broken += 1,
            }
        }
        Ok(found)
    }

    /// The records that are found in a file of this length by their marks.
    fn searched(length: u64, read: impl Fn(u64, u64) -> io::Result<Vec<u8>>) -> io::Result<Self> {
        let mut found = Self::default();
        let mut window = Window { read, start: 0, bytes: Vec::new() };
        let mut at = PackedHead::BYTES as u64;
        while at + RecordHead::BYTES as u64 <= length {
            let piece = window.bytes_at(at, RecordHead::BYTES as u64)?;
            let start = at + RecordHead::BYTES as u64;
            let about = RecordHead::read(piece).filter(|about| about.length <= length - start);
            let Some(about) = about else {
                // Not here: continues where the next may begin, keeping the rest for the next piece in case a mark
                // crosses its end.
                let skip = RecordHead::find(piece.get(1..).unwrap_or(&[])).map(|k| k as u64 + 1);
                at += skip.unwrap_or((piece.len() as u64).saturating_sub(7).max(1));
                continue;
            };
            let bytes = window.bytes_at(start, about.length)?;
            let bytes = usize::try_from(about.length).ok().and_then(|length| bytes.get(..length));
            found.take(about, start, bytes.unwrap_or(&[]));
            at = start + about.length;
        }
        Ok(found)
    }

    fn take(&mut self, about: RecordHead, offset: u64, bytes: &[u8]) {
        if !about.is_of(bytes) {
            self.broken += 1;
            return;
        }
        match about.kind {
            RecordKind::Head => match StoreHead::read(bytes) {
                Ok(head) => self.set_head(&head, BlockRange { offset, length: about.length }),
                Err(why) => self.fail(why),
            },
            RecordKind::Tile => match StoreRecord::from_bytes(bytes.to_vec()) {
                Ok(record) => self.add(&record, offset),
                Err(why) => self.fail(why),
            },
        }
    }

    /// Notes a record whose bytes are those that were written, but cannot be read.
    fn fail(&mut self, why: ReadError) {
        self.broken += 1;
        self.newer = self.newer.take().or(Some(why).filter(is_newer));
    }

    /// The head of another layout begins another world: the tiles before it were removed, though their records are
    /// still there.
    fn set_head(&mut self, head: &StoreHead, range: BlockRange) {
        if self.layout != Some(head.layout()) {
            self.entries.clear();
        }
        self.layout = Some(head.layout());
        self.head = Some(range);
    }

    /// Adds a tile; one of another layout does not belong here, and its own head is lost.
    fn add(&mut self, record: &StoreRecord, offset: u64) {
        if *self.layout.get_or_insert(record.layout()) == record.layout() {
            self.entries.push(StoreEntry { offset, ..record.entry() });
        } else {
            self.broken += 1;
        }
    }
}

/// The piece of a file that was read last: the records in it are not read again one by one.
struct Window<R> {
    read: R,
    start: u64,
    bytes: Vec<u8>,
}

impl<R: Fn(u64, u64) -> io::Result<Vec<u8>>> Window<R> {
    /// The bytes from an offset on: at least so many, if the file has them.
    fn bytes_at(&mut self, offset: u64, least: u64) -> io::Result<&[u8]> {
        let end = self.start + self.bytes.len() as u64;
        if offset < self.start || offset.saturating_add(least) > end {
            self.bytes = (self.read)(offset, least.max(PIECE))?;
            self.start = offset;
        }
        let skip = usize::try_from(offset - self.start).unwrap_or(usize::MAX);
        Ok(self.bytes.get(skip..).unwrap_or(&[]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use wayfare::Vec3;
    use wayfare::format::{Sections, WayEnd};
    use wayfare::tile::TileCoord;

    #[test]
    fn a_search_for_records_reads_no_byte_more_than_twice() {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
        let head = StoreHead::new(layout, WayEnd::default()).unwrap();
        let mut file = vec![0; PackedHead::BYTES];
        let mut add = |kind, bytes: &[u8], gap: usize| {
            file.extend(RecordHead::of(kind, bytes).to_bytes());
            file.extend(bytes);
            file.extend(vec![0x57; gap]);
        };
        add(RecordKind::Head, head.bytes(), 0);
        for x in 0..2000_usize {
            // Small and large ones, some with damage behind them.
            let mut beside = Sections::EMPTY;
            beside.set("notes", 1, vec![1; if x % 100 == 0 { 100_000 } else { x }]);
            let coord = TileCoord { x: x as i32, z: 0, layer: 0 };
            let record = StoreRecord::new(&head, coord, 1, None, &beside).unwrap();
            add(RecordKind::Tile, record.bytes(), if x % 7 == 0 { x } else { 0 });
        }
        let (total, length) = (Cell::new(0), file.len() as u64);
        let read = |offset: u64, length: u64| {
            let bytes = file[offset as usize..].iter().copied().take(length as usize).collect::<Vec<u8>>();
            total.set(total.get() + bytes.len() as u64);
            Ok(bytes)
        };
        let found = Found::searched(length, read).unwrap();
        assert_eq!((found.entries.len(), found.broken), (2000, 0));
        assert!(total.get() <= 2 * length, "{} of {length}", total.get());
    }
}
