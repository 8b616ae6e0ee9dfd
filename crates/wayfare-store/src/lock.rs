//! One writer per store, across processes: a system lock on a file beside it, which ends with the process that holds
//! it, however that ends. So the next writer can take over the lock of a killed bake.
//!
//! What a writer would leave if its process ended now is listed beside its lock, so that a program that is interrupted
//! can tidy up.

use crate::failure::failed;
use crate::store::remove_unused;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use wayfare::format::StoreError;

/// The right to write to a store, as long as it lives.
#[derive(Debug)]
pub(crate) struct StoreLock {
    path: PathBuf,
    _file: File,
}

/// What the holder of a lock would leave.
#[derive(Debug, Default)]
struct Held {
    lock: PathBuf,
    /// A copy that is of no use until it is complete.
    part: Option<PathBuf>,
    /// A store that was created under this lock.
    new: Option<PathBuf>,
}

static HELD: Mutex<Vec<Held>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what the writers of this process would leave if it ended now: locks, copies that are not complete, and new
/// stores in which nothing was committed. For handlers of signals that end the program: from then on, any thread that
/// opens or closes a store for writing waits forever.
pub fn abandon_writers() {
    let mut held = held();
    // The last first: it may lie in the folder of another.
    held.drain(..).rev().for_each(Held::tidy);
    core::mem::forget(held);
}

impl Held {
    fn tidy(self) {
        let _ = self.part.map(std::fs::remove_file);
        // The lock of a folder lies in it.
        remove_lock(&self.lock);
        let _ = self.new.map(|store| remove_unused(&store));
    }
}

fn remove_lock(path: &Path) {
    // On other systems an open lock file cannot be distinguished from a removed one, so it stays.
    if cfg!(unix) {
        let _ = std::fs::remove_file(path);
    }
}

impl StoreLock {
    /// Notes that this copy is of no use until it is complete.
    pub(crate) fn begins(&self, part: &Path) {
        self.note(|held| held.part = Some(part.to_owned()));
    }

    /// Notes that this store is created.
    pub(crate) fn creates(&self, store: &Path) {
        self.note(|held| held.new = Some(store.to_owned()));
    }

    fn note(&self, change: impl FnOnce(&mut Held)) {
        let mut held = held();
        if let Some(own) = held.iter_mut().find(|held| held.lock == self.path) {
            change(own);
        }
    }

    /// Takes the lock file at `path` for the store with this name in messages.
    pub(crate) fn take(path: PathBuf, name: &Path) -> Result<Self, StoreError> {
        // Listed in the same step, so that an interrupted program removes it.
        let mut held = held();
        // The previous holder may remove the file between opening and locking it here: then this lock is void.
        for _ in 0..100 {
            let options = File::options().create(true).truncate(false).read(true).write(true).open(&path);
            let file = options.map_err(|e| failed(&path, &e))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if held.iter().any(|held| held.lock == path) => {
                    return Err(StoreError::Failed(format!(
                        "{}: this program itself has this store open to write: finish it first",
                        name.display()
                    )));
                }
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
                held.push(Held { lock: path.clone(), ..Held::default() });
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
        let mut held = held();
        remove_lock(&self.path);
        held.retain(|held| held.lock != self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open_to_write;
    use wayfare::Vec3;
    use wayfare::format::{Sections, StoreHead, StoreRecord, WayEnd, WorldStore as _};
    use wayfare::tile::{TileCoord, TileLayout};

    #[test]
    fn an_interrupted_writer_leaves_what_it_committed_and_nothing_else() {
        let head =
            StoreHead::new(TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 }, WayEnd::default());
        let head = head.unwrap();
        let record = StoreRecord::new(&head, TileCoord { x: 0, z: 0, layer: 0 }, 1, None, &Sections::EMPTY).unwrap();
        for name in ["world.wayworld", "tiles/"] {
            for is_committed in [false, true] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join(name);
                let mut store = open_to_write(&path, &head).unwrap();
                if is_committed {
                    store.write(&record).unwrap();
                    store.commit().unwrap();
                }
                let part = folder.path().join("copy.part");
                std::fs::write(&part, "half").unwrap();
                let is_ours = |held: &Held| held.lock.starts_with(folder.path());
                let mut held = held().extract_if(.., |held| is_ours(held)).collect::<Vec<_>>();
                assert_eq!((held.len(), held[0].new.as_ref()), (1, Some(&path)));
                held[0].part = Some(part.clone());
                held.into_iter().for_each(Held::tidy);
                assert!(!part.exists());
                assert_eq!(path.exists(), is_committed, "{name}");
                let left = |path: &Path| path.join("lock").exists() || path.with_extension("wayworld.lock").exists();
                assert!(!left(&path), "{name}");
            }
        }
    }
}
