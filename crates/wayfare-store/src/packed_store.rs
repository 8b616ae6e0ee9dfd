//! A store in one file.
//!
//! [`PackedHead`] describes the layout, and how complete data is found after an interruption.
//!
//! Cost: opening reads the index; reading a tile is one read of the file, writing one a write.

use crate::failure::failed;
use crate::file_bytes::{beside, read_at, replace, write_at};
use crate::lock::StoreLock;
use crate::packed_index::PackedIndex;
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use wayfare::format::{
    BlockRange, IndexBlock, PackedHead, RecordHead, RecordKind, StoreEntry, StoreError, StoreHead, StoreIndex,
    StoreRecord, WorldStore,
};
use wayfare::tile::TileCoord;

/// A tile store in one file.
#[derive(Debug)]
pub struct PackedStore {
    path: PathBuf,
    file: File,
    head: StoreHead,
    index: StoreIndex,
    writing: Option<Writing>,
}

/// The additional state of a writer.
#[derive(Debug)]
struct Writing {
    packed: PackedHead,
    /// Offset of the next record.
    end: u64,
    /// Changes since the last commit; entries of length 0 were removed.
    pending: BTreeMap<TileCoord, StoreEntry>,
    has_new_head: bool,
    /// Whether what is committed of the index is one block.
    is_one_block: bool,
    _lock: Option<StoreLock>,
}

impl PackedStore {
    /// Opens a store for reading. Later commits are not seen.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, is no store, or its index is damaged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::open(path).map_err(|e| failed(path, &e))?;
        let PackedIndex { head, index, .. } = PackedIndex::read(&file, path)?;
        Ok(Self { path: path.to_owned(), file, head, index, writing: None })
    }

    /// Opens a store for writing; if there is none, creates it with this head. Data that a killed writer had not
    /// committed is cut off.
    ///
    /// # Errors
    /// Like [`open`](Self::open); also if another process is writing to it.
    pub fn open_to_write(path: &Path, head: &StoreHead) -> Result<Self, StoreError> {
        let lock = StoreLock::take(lock_path(path), path)?;
        if !path.exists() {
            lock.creates(path);
            replace(path, &new_file(head)).map_err(|e| failed(path, &e))?;
        }
        Self::go_on(path, Some(lock))
    }

    /// Creates a new file, not visible to others, that replaces the existing one.
    pub(crate) fn create(path: &Path, head: &StoreHead) -> Result<Self, StoreError> {
        std::fs::write(path, new_file(head)).map_err(|e| failed(path, &e))?;
        Self::go_on(path, None)
    }

    fn go_on(path: &Path, lock: Option<StoreLock>) -> Result<Self, StoreError> {
        let file = File::options().read(true).write(true).open(path).map_err(|e| failed(path, &e))?;
        let PackedIndex { packed, head, index, is_one_block } = PackedIndex::read(&file, path)?;
        file.set_len(packed.end).map_err(|e| failed(path, &e))?;
        let pending = BTreeMap::new();
        let writing = Writing { packed, end: packed.end, pending, has_new_head: false, is_one_block, _lock: lock };
        Ok(Self { path: path.to_owned(), file, head, index, writing: Some(writing) })
    }

    /// Commits, and writes the whole index as one block, so that the store opens quickly. The file is then complete,
    /// even if the machine loses power. Returns its size in bytes.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] or [`StoreError::Failed`].
    pub fn finish(mut self) -> Result<u64, StoreError> {
        self.commit()?;
        let writing = self.writing.as_mut().ok_or(StoreError::ReadOnly)?;
        let failed = |e| failed(&self.path, &e);
        if !writing.is_one_block {
            let entries = self.index.iter().copied().collect();
            append_index(&self.file, writing, &IndexBlock { before: None, entries }).map_err(failed)?;
        }
        self.file.sync_data().map_err(failed)?;
        for (offset, slot) in writing.packed.slots() {
            write_at(&self.file, offset, &slot).map_err(failed)?;
        }
        self.file.sync_all().map_err(failed)?;
        Ok(writing.packed.end)
    }
}

/// The lock file of a packed store.
pub(crate) fn lock_path(path: &Path) -> PathBuf {
    beside(path, "lock")
}

/// The bytes of a store without tiles.
fn new_file(head: &StoreHead) -> Vec<u8> {
    let bytes = head.bytes();
    let offset = (PackedHead::BYTES + RecordHead::BYTES) as u64;
    let range = BlockRange { offset, length: bytes.len() as u64 };
    let end = offset + range.length;
    let mut file = PackedHead { sequence: 0, index: BlockRange::default(), head: range, end }.file_begin();
    file.extend(RecordHead::of(RecordKind::Head, bytes).to_bytes());
    file.extend_from_slice(bytes);
    file
}

/// Appends a record and returns its location.
fn append(file: &File, writing: &mut Writing, kind: RecordKind, bytes: &[u8]) -> std::io::Result<BlockRange> {
    let mut record = RecordHead::of(kind, bytes).to_bytes();
    record.extend_from_slice(bytes);
    write_at(file, writing.end, &record)?;
    let offset = writing.end + RecordHead::BYTES as u64;
    writing.end += record.len() as u64;
    Ok(BlockRange { offset, length: bytes.len() as u64 })
}

/// Appends an index block, and makes it the current one.
fn append_index(file: &File, writing: &mut Writing, block: &IndexBlock) -> std::io::Result<()> {
    let bytes = block.to_bytes();
    write_at(file, writing.end, &bytes)?;
    let index = BlockRange { offset: writing.end, length: bytes.len() as u64 };
    let end = writing.end + index.length;
    let packed = PackedHead { sequence: writing.packed.sequence + 1, index, end, ..writing.packed };
    let [(offset, slot), _] = packed.slots();
    write_at(file, offset, &slot)?;
    writing.packed = packed;
    writing.is_one_block = block.before.is_none();
    writing.end = end;
    Ok(())
}

impl WorldStore for PackedStore {
    fn head(&self) -> &StoreHead {
        &self.head
    }

    fn index(&self) -> &StoreIndex {
        &self.index
    }

    fn read_bytes(&self, coord: TileCoord, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
        let entry = self.index.get(coord).ok_or(StoreError::Missing { coord })?;
        let want = range.end.saturating_sub(range.start);
        if range.end > entry.length {
            return Err(entry.too_short(entry.length));
        }
        let offset = entry.offset.saturating_add(range.start);
        let bytes = read_at(&self.file, offset, want).map_err(|e| failed(&self.path, &e))?;
        if bytes.len() as u64 == want { Ok(bytes) } else { Err(entry.too_short(range.start + bytes.len() as u64)) }
    }

    fn write(&mut self, record: &StoreRecord) -> Result<(), StoreError> {
        let writing = self.writing.as_mut().ok_or(StoreError::ReadOnly)?;
        let range =
            append(&self.file, writing, RecordKind::Tile, record.bytes()).map_err(|e| failed(&self.path, &e))?;
        let entry = StoreEntry { offset: range.offset, ..record.entry() };
        writing.pending.insert(entry.coord, entry);
        self.index.set(entry);
        Ok(())
    }

    fn remove(&mut self, coord: TileCoord) -> Result<(), StoreError> {
        let writing = self.writing.as_mut().ok_or(StoreError::ReadOnly)?;
        if let Some(entry) = self.index.remove(coord) {
            writing.pending.insert(coord, StoreEntry { offset: 0, length: 0, ..entry });
        }
        Ok(())
    }

    fn set_head(&mut self, head: StoreHead) -> Result<(), StoreError> {
        if head.layout() != self.head.layout() {
            self.remove_where(&|_| true)?;
        }
        let writing = self.writing.as_mut().ok_or(StoreError::ReadOnly)?;
        let range = append(&self.file, writing, RecordKind::Head, head.bytes()).map_err(|e| failed(&self.path, &e))?;
        writing.packed.head = range;
        writing.has_new_head = true;
        self.head = head;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let writing = self.writing.as_mut().ok_or(StoreError::ReadOnly)?;
        if writing.pending.is_empty() && !writing.has_new_head {
            return Ok(());
        }
        let before = (writing.packed.index.length > 0).then_some(writing.packed.index);
        let entries = writing.pending.values().copied().collect();
        append_index(&self.file, writing, &IndexBlock { before, entries }).map_err(|e| failed(&self.path, &e))?;
        writing.pending.clear();
        writing.has_new_head = false;
        Ok(())
    }
}
