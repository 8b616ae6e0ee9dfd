//! A store of either form, distinguished by what is on disk.

use crate::failure::failed;
use crate::folder_store::{self, is_folder_store};
use crate::{FolderStore, PackedStore};
use std::fs::File;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;
use wayfare::format::{ReadError, StoreError, StoreHead, StoreIndex, StoreRecord, WorldStore, is_packed_store};
use wayfare::tile::TileCoord;

/// The form of a store on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreForm {
    /// One file.
    Packed,
    /// A folder with one file per tile.
    Folder,
}

impl StoreForm {
    /// The form of the store at a path, or of a new store there: a folder if there is a folder, or if the path ends
    /// with a slash.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let ends_open = path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
        if path.is_dir() || ends_open { Self::Folder } else { Self::Packed }
    }
}

/// A store in a file or a folder.
#[derive(Debug)]
pub enum Store {
    /// In one file.
    Packed(PackedStore),
    /// In a folder.
    Folder(FolderStore),
}

/// Whether there is a store at a path.
#[must_use]
pub fn is_store(path: &Path) -> bool {
    if path.is_dir() {
        return is_folder_store(path);
    }
    let mut begin = [0; 8];
    // Pipes are never stores, and must not be read to find out.
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
        && is_packed_store(&begin)
}

/// Opens a store for reading. Later commits are not seen: a [packed](StoreForm::Packed) store stays readable as it was;
/// of a [folder](StoreForm::Folder), tiles that are written later are [replaced](StoreError::Replaced), and those that
/// are removed are [missing](StoreError::Missing), until it is opened again.
///
/// # Errors
/// [`StoreError`] if it cannot be opened, is no store, or its index is damaged.
pub fn open(path: &Path) -> Result<Store, StoreError> {
    match StoreForm::of(path) {
        StoreForm::Packed => PackedStore::open(path).map(Store::Packed),
        StoreForm::Folder => FolderStore::open(path).map(Store::Folder),
    }
}

/// Opens a store for writing; if there is none, creates it with this head.
///
/// # Errors
/// Like [`open`]; also if another process is writing to it.
pub fn open_to_write(path: &Path, head: &StoreHead) -> Result<Store, StoreError> {
    match StoreForm::of(path) {
        StoreForm::Packed => PackedStore::open_to_write(path, head).map(Store::Packed),
        StoreForm::Folder => FolderStore::open_to_write(path, head).map(Store::Folder),
    }
}

/// Removes a store from disk if nothing was committed to it.
pub(crate) fn remove_unused(path: &Path) -> std::io::Result<()> {
    match StoreForm::of(path) {
        StoreForm::Packed if PackedStore::open(path).is_ok_and(|store| store.index().is_empty()) => {
            std::fs::remove_file(path)
        }
        StoreForm::Packed => Ok(()),
        StoreForm::Folder => folder_store::remove_unused(path),
    }
}

/// The faults of a store's tiles: all are read and checked.
#[must_use]
pub fn check(store: &dyn WorldStore) -> Vec<StoreError> {
    let listed = store.index().iter().filter_map(|entry| store.read_tile(entry.coord).err());
    store.unlisted().iter().cloned().chain(listed).collect()
}

impl Store {
    /// Ends writing: completes the index, so that the store opens quickly. Returns its size, as [`size`](Self::size).
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] or [`StoreError::Failed`].
    pub fn finish(self) -> Result<u64, StoreError> {
        match self {
            Self::Packed(store) => store.finish(),
            Self::Folder(store) => store.finish(),
        }
    }

    /// Removes a store without tiles from disk, such as one that was created and not filled. One with tiles stays.
    ///
    /// # Errors
    /// [`StoreError::Failed`].
    pub fn discard(self, path: &Path) -> Result<(), StoreError> {
        if !self.index().is_empty() {
            return Ok(());
        }
        match self {
            Self::Packed(store) => {
                std::fs::remove_file(path).map_err(|e| failed(path, &e))?;
                drop(store);
            }
            Self::Folder(store) => store.discard()?,
        }
        Ok(())
    }

    fn inner(&self) -> &dyn WorldStore {
        match self {
            Self::Packed(store) => store,
            Self::Folder(store) => store,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn WorldStore {
        match self {
            Self::Packed(store) => store,
            Self::Folder(store) => store,
        }
    }

    /// The size of a store on disk: that of the file, or of all tiles and the head.
    ///
    /// # Errors
    /// [`StoreError::Failed`].
    pub fn size(&self, path: &Path) -> Result<u64, StoreError> {
        match self {
            Self::Packed(_) => std::fs::metadata(path).map(|about| about.len()).map_err(|e| failed(path, &e)),
            Self::Folder(store) => Ok(store.size()),
        }
    }
}

impl WorldStore for Store {
    fn head(&self) -> &StoreHead {
        self.inner().head()
    }

    fn index(&self) -> &StoreIndex {
        self.inner().index()
    }

    fn unlisted(&self) -> &[StoreError] {
        self.inner().unlisted()
    }

    fn read_bytes(&self, coord: TileCoord, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
        self.inner().read_bytes(coord, range)
    }

    fn broken(&self, coord: TileCoord, why: ReadError) -> StoreError {
        self.inner().broken(coord, why)
    }

    fn write(&mut self, record: &StoreRecord) -> Result<(), StoreError> {
        self.inner_mut().write(record)
    }

    fn remove(&mut self, coord: TileCoord) -> Result<(), StoreError> {
        self.inner_mut().remove(coord)
    }

    fn set_head(&mut self, head: StoreHead) -> Result<(), StoreError> {
        self.inner_mut().set_head(head)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.inner_mut().commit()
    }
}
