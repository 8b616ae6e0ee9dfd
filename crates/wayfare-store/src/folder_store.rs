//! A store in a folder: one file per tile.
//!
//! ```text
//!   NAME/head.way                what no tile holds: a .way file without tiles
//!   NAME/tiles/0_1/7_70_0.way    the tile at column 7, row 70, layer 0; a folder holds 64 by 64 of them
//!   NAME/index                   what a finished bake has written: while it is not there, the folders are listed
//!   NAME/journal/RUN/…           what a bake by tasks writes down: whoever else writes to the store removes it
//!   NAME/tiles/…/….way.broken    what a repair has put aside: nobody reads it
//! ```
//!
//! Each file is written under another name and renamed, so it is complete or absent, whenever the writer is killed. A
//! writer removes the index before it changes anything: then the tiles themselves define the content.
//!
//! Cost: opening reads the index or, if there is none, all tiles.

use crate::failure::failed;
use crate::file_bytes::{part_of, read_at, replace};
use crate::lock::StoreLock;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use wayfare::format::{
    FilePart, IndexBlock, IndexError, ReadError, StoreError, StoreHead, StoreIndex, StoreRecord, WorldStore,
};
use wayfare::tile::{TileCoord, TileLayout};

/// A tile store in a folder.
#[derive(Debug)]
pub struct FolderStore {
    path: PathBuf,
    head: StoreHead,
    index: StoreIndex,
    /// What was found without an index, and cannot be read.
    unlisted: Vec<StoreError>,
    /// Held by a writer.
    lock: Option<StoreLock>,
}

const HEAD: &str = "head.way";
const INDEX: &str = "index";
const TILES: &str = "tiles";
/// What a bake by tasks that was stopped has written down: a folder for each run.
const JOURNAL: &str = "journal";
/// Tiles along each side of the square that one folder holds.
const SIDE: i32 = 64;

impl FolderStore {
    /// Opens a store to read it. If another process writes to it, tiles that have changed since then are
    /// [replaced](StoreError::Replaced) or [missing](StoreError::Missing).
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, is no store, or its index is damaged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let head = read_head(path)?;
        let (index, unlisted) = match std::fs::read(path.join(INDEX)) {
            Ok(bytes) => (IndexBlock::read(&bytes)?.entries.into_iter().collect(), Vec::new()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let Listed { index, broken } = list_tiles(path, head.layout())?;
                (index, broken.into_iter().map(|(file, why)| fault(path, &file, why)).collect())
            }
            Err(e) => return Err(failed(&path.join(INDEX), &e)),
        };
        Ok(Self { path: path.to_owned(), head, index, unlisted, lock: None })
    }

    /// Opens a store for writing; if there is none, creates it with this head.
    ///
    /// # Errors
    /// Like [`open`](Self::open); also if another process is writing to it, or the folder contains other files.
    pub fn open_to_write(path: &Path, head: &StoreHead) -> Result<Self, StoreError> {
        if !is_folder_store(path) && holds_other_files(path) {
            return Err(StoreError::Failed(format!(
                "{}: this folder holds other files: give a new or an empty one",
                path.display()
            )));
        }
        std::fs::create_dir_all(path.join(TILES)).map_err(|e| failed(path, &e))?;
        let lock = StoreLock::take(lock_path(path), path)?;
        if !is_folder_store(path) {
            lock.creates(path);
            replace(&path.join(HEAD), head.bytes()).map_err(|e| failed(path, &e))?;
        }
        let mut store = Self::open(path)?;
        store.remove_index()?;
        remove_journals(path).map_err(|e| failed(&path.join(JOURNAL), &e))?;
        store.lock = Some(lock);
        Ok(store)
    }

    /// Writes the index, so that the store opens quickly. Returns the size of all tiles and the head in bytes.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] or [`StoreError::Failed`].
    pub fn finish(self) -> Result<u64, StoreError> {
        if self.lock.is_none() {
            return Err(StoreError::ReadOnly);
        }
        write_index(&self.path, &self.index)?;
        Ok(self.size())
    }

    /// Removes a store without tiles; the folder, too, if it is empty then.
    pub(crate) fn discard(self) -> Result<(), StoreError> {
        let path = self.path.clone();
        std::fs::remove_file(path.join(HEAD)).map_err(|e| failed(&path, &e))?;
        // Folders that hold anything else stay.
        let _ = std::fs::remove_dir(path.join(TILES));
        drop(self);
        let _ = std::fs::remove_dir(&path);
        Ok(())
    }

    /// The size of all tiles and the head in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.index.iter().map(|entry| entry.length).sum::<u64>() + self.head.bytes().len() as u64
    }

    fn remove_index(&self) -> Result<(), StoreError> {
        let path = self.path.join(INDEX);
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed(&path, &e)),
            _ => Ok(()),
        }
    }
}

/// Removes what stopped bakes by tasks have written down: once somebody else writes tiles, it is not true any more.
/// Folders with other names than theirs, 24 hexadecimal digits, stay.
fn remove_journals(path: &Path) -> io::Result<()> {
    let runs = match std::fs::read_dir(path.join(JOURNAL)) {
        Ok(runs) => runs,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(e),
    };
    for run in runs {
        let run = run?;
        let name = run.file_name();
        let name = name.as_encoded_bytes();
        if name.len() == 24 && name.iter().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')) {
            std::fs::remove_dir_all(run.path())?;
        }
    }
    Ok(())
}

/// Removes a store that has never had a tile; the folder, too, if it is empty then.
pub(crate) fn remove_unused(path: &Path) -> io::Result<()> {
    // Fails if there is anything in it.
    std::fs::remove_dir(path.join(TILES))?;
    std::fs::remove_file(path.join(HEAD))?;
    std::fs::remove_dir(path)
}

/// Whether a folder is a store.
pub(crate) fn is_folder_store(path: &Path) -> bool {
    path.join(HEAD).is_file()
}

/// Whether a folder holds anything but what a writer leaves that was killed before the head was there.
fn holds_other_files(path: &Path) -> bool {
    let is_empty = |folder: &Path| std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_none());
    let is_left_over = |file: PathBuf| {
        file == path.join(TILES) && is_empty(&file)
            || file == lock_path(path) && file.metadata().is_ok_and(|about| about.len() == 0)
            || file == part_of(&path.join(HEAD))
    };
    let is_other = |file: io::Result<std::fs::DirEntry>| !file.is_ok_and(|file| is_left_over(file.path()));
    std::fs::read_dir(path).is_ok_and(|mut files| files.any(is_other))
}

/// The lock file of a store in a folder.
pub(crate) fn lock_path(path: &Path) -> PathBuf {
    path.join("lock")
}

pub(crate) fn read_head(path: &Path) -> Result<StoreHead, StoreError> {
    if !is_folder_store(path) {
        return Err(IndexError::NoStore.into());
    }
    let bytes = std::fs::read(path.join(HEAD)).map_err(|e| failed(path, &e))?;
    StoreHead::read(&bytes).map_err(StoreError::Head)
}

/// Fails if a newer program has written the index: then it may mean more than the tiles say.
pub(crate) fn check_index_version(path: &Path) -> Result<(), StoreError> {
    match std::fs::read(path.join(INDEX)).map(|bytes| IndexBlock::read(&bytes)) {
        Ok(Err(e @ IndexError::Version { .. })) => Err(e.into()),
        _ => Ok(()),
    }
}

pub(crate) fn write_index(path: &Path, index: &StoreIndex) -> Result<(), StoreError> {
    let block = IndexBlock { before: None, entries: index.iter().copied().collect() };
    replace(&path.join(INDEX), &block.to_bytes()).map_err(|e| failed(path, &e))
}

/// The name of a tile's file in the folder of its store: for those who keep the files of a folder elsewhere, as in an
/// object store.
#[must_use]
pub fn tile_name(TileCoord { x, z, layer }: TileCoord) -> String {
    format!("{TILES}/{}_{}/{x}_{z}_{layer}.way", x.div_euclid(SIDE), z.div_euclid(SIDE))
}

fn tile_path(path: &Path, coord: TileCoord) -> PathBuf {
    tile_name(coord).split('/').fold(path.to_owned(), |path, part| path.join(part))
}

/// The fault of a file that is no tile of its store.
fn fault(path: &Path, file: &Path, why: ReadError) -> StoreError {
    let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let mut numbers = name.split('_');
    let mut next = || numbers.next().unwrap_or_default();
    if let (Ok(x), Ok(z), Ok(layer)) = (next().parse(), next().parse(), next().parse()) {
        let coord = TileCoord { x, z, layer };
        if tile_path(path, coord) == file {
            return StoreError::Broken { coord, why };
        }
    }
    StoreError::Failed(format!("{}: {why}", file.display()))
}

/// The content of a folder according to its tiles.
pub(crate) struct Listed {
    pub(crate) index: StoreIndex,
    /// Files that are not complete tiles of this store, or not in the right place, and why.
    pub(crate) broken: Vec<(PathBuf, ReadError)>,
}

impl Listed {
    /// Fails if a newer program has written one of the tiles: this one cannot judge it.
    pub(crate) fn check_versions(&self) -> Result<(), StoreError> {
        let newer = self.broken.iter().find(|(_, why)| is_newer(why));
        newer.map_or(Ok(()), |(file, why)| Err(StoreError::Failed(format!("{}: {why}", file.display()))))
    }
}

/// Whether only a newer program can read what this one cannot.
pub(crate) fn is_newer(why: &ReadError) -> bool {
    matches!(why, ReadError::Version { .. } | ReadError::SectionVersion { .. })
}

/// Reads all tiles of a folder. What another process removes meanwhile is absent.
pub(crate) fn list_tiles(path: &Path, layout: TileLayout) -> Result<Listed, StoreError> {
    let (mut entries, mut broken) = (Vec::new(), Vec::new());
    for folder in paths_in(&path.join(TILES))? {
        if !folder.is_dir() {
            continue;
        }
        for file in paths_in(&folder)? {
            if file.extension().is_none_or(|ending| ending != "way") {
                continue;
            }
            let bytes = match std::fs::read(&file) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                bytes => bytes.map_err(|e| failed(&file, &e))?,
            };
            let record = StoreRecord::from_bytes(bytes).and_then(|record| record.check_layout(layout));
            match record.map(|record| record.entry()) {
                Ok(entry) if tile_path(path, entry.coord) == file => entries.push(entry),
                Ok(entry) => broken.push((file, ReadError::Place { coord: entry.coord })),
                Err(why) => broken.push((file, why)),
            }
        }
    }
    Ok(Listed { index: entries.into_iter().collect(), broken })
}

fn paths_in(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let listed = match std::fs::read_dir(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        listed => listed.and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect()),
    };
    let mut paths: Vec<PathBuf> = listed.map_err(|e| failed(folder, &e))?;
    paths.sort();
    Ok(paths)
}

impl WorldStore for FolderStore {
    fn head(&self) -> &StoreHead {
        &self.head
    }

    fn index(&self) -> &StoreIndex {
        &self.index
    }

    fn unlisted(&self) -> &[StoreError] {
        &self.unlisted
    }

    fn read_bytes(&self, coord: TileCoord, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
        let entry = self.index.get(coord).ok_or(StoreError::Missing { coord })?;
        let path = tile_path(&self.path, coord);
        let file = match File::open(&path) {
            // The file was removed.
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(StoreError::Missing { coord }),
            file => file.map_err(|e| failed(&path, &e))?,
        };
        let want = range.end.saturating_sub(range.start);
        let bytes = read_at(&file, range.start, want).map_err(|e| failed(&path, &e))?;
        if bytes.len() as u64 == want {
            return Ok(bytes);
        }
        let (part, have) = (FilePart::Tile { coord }, range.start + bytes.len() as u64);
        Err(self.broken(coord, ReadError::PartLength { part, have, want: entry.length }))
    }

    fn broken(&self, coord: TileCoord, why: ReadError) -> StoreError {
        // Files are replaced as a whole: one that is sound, but not the one that is listed, is a later one.
        let there = std::fs::read(tile_path(&self.path, coord)).ok();
        let there = there.and_then(|bytes| StoreRecord::from_bytes(bytes).ok()).map(|record| record.entry());
        let listed = self.index.get(coord).copied();
        match there.zip(listed) {
            Some((there, listed)) if there.coord == coord && there != listed => StoreError::Replaced { coord },
            _ => StoreError::Broken { coord, why },
        }
    }

    fn write(&mut self, record: &StoreRecord) -> Result<(), StoreError> {
        if self.lock.is_none() {
            return Err(StoreError::ReadOnly);
        }
        let path = tile_path(&self.path, record.entry().coord);
        let folder = path.parent().unwrap_or(&self.path);
        std::fs::create_dir_all(folder).map_err(|e| failed(folder, &e))?;
        replace(&path, record.bytes()).map_err(|e| failed(&path, &e))?;
        self.index.set(record.entry());
        let coord = record.entry().coord;
        self.unlisted.retain(|fault| !matches!(fault, StoreError::Broken { coord: at, .. } if *at == coord));
        Ok(())
    }

    fn remove(&mut self, coord: TileCoord) -> Result<(), StoreError> {
        if self.lock.is_none() {
            return Err(StoreError::ReadOnly);
        }
        let path = tile_path(&self.path, coord);
        self.index.remove(coord);
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed(&path, &e)),
            _ => Ok(()),
        }
    }

    fn set_head(&mut self, head: StoreHead) -> Result<(), StoreError> {
        if head.layout() != self.head.layout() {
            self.remove_where(&|_| true)?;
        }
        if self.lock.is_none() {
            return Err(StoreError::ReadOnly);
        }
        replace(&self.path.join(HEAD), head.bytes()).map_err(|e| failed(&self.path, &e))?;
        self.head = head;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        // Each tile is in place as soon as it is written.
        Ok(())
    }
}
