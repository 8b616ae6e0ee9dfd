//! One writer per store, across processes: a system lock on a file beside it, which ends with the process that holds
//! it, however that ends. So the next writer can take over the lock of a killed bake.

use crate::failure::failed;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use wayfare::format::StoreError;

/// The right to write to a store, as long as it lives.
#[derive(Debug)]
pub(crate) struct StoreLock {
    path: PathBuf,
    _file: File,
}

impl StoreLock {
    /// Takes the lock file at `path` for the store with this name in messages.
    pub(crate) fn take(path: PathBuf, name: &Path) -> Result<Self, StoreError> {
        // The previous holder may remove the file between opening and locking it here: then this lock is void.
        for _ in 0..100 {
            let options = File::options().create(true).truncate(false).read(true).write(true).open(&path);
            let file = options.map_err(|e| failed(&path, &e))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Failed(format!(
                        "{}: another process is writing to this store: wait for it, or end it; what it has committed can be \
                         read",
                        name.display()
                    )));
                }
                Err(TryLockError::Error(e)) => return Err(failed(&path, &e)),
            }
            if is_at(&file, &path) {
                return Ok(Self { path, _file: file });
            }
        }
        Err(StoreError::Failed(format!(
            "{}: other processes begin to write to this store all the time",
            name.display()
        )))
    }
}

/// Whether the file at a path is this one.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let same = |a: std::fs::Metadata, b: std::fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().and_then(|a| Ok(same(a, std::fs::metadata(path)?))).unwrap_or(false)
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        // On other systems an open lock file cannot be distinguished from a removed one, so it stays.
        if cfg!(unix) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
