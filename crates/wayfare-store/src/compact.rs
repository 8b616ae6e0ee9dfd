//! Removes unused space from stores.
//!
//! Afterwards, two packed stores with the same tiles have the same bytes, whatever their history.
//!
//! Cost: each tile is read, checked and written once. A packed store is written to a new file beside the old one, so it
//! temporarily takes twice the space.

use crate::failure::failed;
use crate::file_bytes::beside;
use crate::folder_store::{self, list_tiles, write_index};
use crate::join::whole_record;
use crate::lock::StoreLock;
use crate::packed_store::lock_path;
use crate::{FolderStore, PackedStore, StoreForm};
use std::path::Path;
use wayfare::format::{StoreError, WorldStore};

/// Rewrites a packed store in the order of its tiles, without gaps; for a folder, rewrites the index from its files.
///
/// # Errors
/// [`StoreError::Broken`] for a broken tile: [`repair`](crate::repair()) leaves it out. The store is then unchanged.
pub fn compact(path: &Path) -> Result<(), StoreError> {
    match StoreForm::of(path) {
        StoreForm::Packed => compact_packed(path),
        StoreForm::Folder => compact_folder(path),
    }
}

fn compact_packed(path: &Path) -> Result<(), StoreError> {
    // Before the lock, so that nothing is created beside something that is not a store.
    drop(PackedStore::open(path)?);
    let lock = StoreLock::take(lock_path(path), path)?;
    let old = PackedStore::open(path)?;
    let part = beside(path, "part");
    lock.begins(&part);
    let mut new = PackedStore::create(&part, old.head())?;
    let copied = old.index().iter().try_for_each(|entry| new.write(&whole_record(&old, entry)?));
    let finished = copied.and_then(|()| new.finish());
    let renamed = finished.and_then(|_| std::fs::rename(&part, path).map_err(|e| failed(path, &e)));
    if renamed.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    renamed
}

fn compact_folder(path: &Path) -> Result<(), StoreError> {
    let layout = FolderStore::open(path)?.head().layout();
    let _lock = StoreLock::take(folder_store::lock_path(path), path)?;
    let listed = list_tiles(path, layout)?;
    listed.check_versions()?;
    match listed.broken.first() {
        Some((file, why)) => Err(StoreError::Failed(format!(
            "{}: this tile is broken ({why}): `wayfare store repair` puts it aside",
            file.display()
        ))),
        None => write_index(path, &listed.index),
    }
}
