//! A mesh that a writer changes while others read it.
//!
//! Readers hold a snapshot each, and look once a frame whether there is a newer one: that is one atomic load, no lock,
//! and no counter that the readers' processors would pass around. Only who finds that something was published takes a
//! lock, for as long as it takes to clone a snapshot, which is a few pointers. A writer edits its own clone; readers go
//! on meanwhile with what they have.
//!
//! ```text
//!   writer   clone ── edit ── edit ──> publish            version 6 → 7, under the lock
//!   reader   6 · 6 · 6 · 6 · 6 · 6 · 6 · 6 · (look: 7) · 7 · 7 · 7
//! ```
//!
//! Cost: a look without news a nanosecond or so; one with news a clone of the mesh.
//!
//! Sources: own; Paul McKenney and John Slingwine, "Read-Copy Update", 1998, has the idea that readers keep what they
//! have.

use super::NavMesh;
use std::sync::{Arc, PoisonError};

#[cfg(test)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(test)]
use loom::sync::{Mutex, MutexGuard};
#[cfg(not(test))]
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(test))]
use std::sync::{Mutex, MutexGuard};

/// The newest version of something, and its number.
#[derive(Debug)]
struct Published<T> {
    /// Held by a writer while it edits, so that no writer's changes are lost.
    writing: Mutex<()>,
    /// Held while the newest version is put or cloned.
    newest: Mutex<T>,
    /// Changes only while `newest` is held.
    version: AtomicU64,
}

/// Whoever panicked while holding a lock left a whole version behind: a version is put in one assignment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Clone> Published<T> {
    fn new(first: T) -> Self {
        Self { writing: Mutex::new(()), newest: Mutex::new(first), version: AtomicU64::new(0) }
    }

    fn newest(&self) -> (T, u64) {
        let newest = lock(&self.newest);
        (newest.clone(), self.version.load(Ordering::Relaxed))
    }

    fn publish(&self, next: T) {
        let old = {
            let mut newest = lock(&self.newest);
            let old = core::mem::replace(&mut *newest, next);
            self.version.fetch_add(1, Ordering::Release);
            old
        };
        // Given back outside of the lock: the last holder of a tile frees it.
        drop(old);
    }

    fn edit<R>(&self, edit: impl FnOnce(&mut T) -> R) -> R {
        let writing = lock(&self.writing);
        let (mut next, _) = self.newest();
        let answer = edit(&mut next);
        self.publish(next);
        drop(writing);
        answer
    }

    /// Brings a version up to date. Whether it was not.
    fn refresh(&self, held: &mut T, version: &mut u64) -> bool {
        if self.version.load(Ordering::Acquire) == *version {
            return false;
        }
        (*held, *version) = self.newest();
        true
    }
}

/// A mesh of which writers publish versions and [readers](MeshReader) on any number of threads take them up. Clones are
/// the same mesh.
///
/// ```
/// use wayfare::Vec3;
/// use wayfare::mesh::{NavMesh, SharedMesh};
/// use wayfare::tile::TileLayout;
///
/// let layout = TileLayout { origin: Vec3::ZERO, tile_width: 8.0, tile_depth: 8.0 };
/// let shared = SharedMesh::new(NavMesh::new(layout));
/// let mut reader = shared.reader();
/// std::thread::scope(|scope| {
///     scope.spawn(|| shared.edit(|mesh| mesh.set_user_id(7)));
///     // At the beginning of a frame; until the next look nothing changes.
///     let mesh = reader.latest();
///     assert!(mesh.user_id() == 0 || mesh.user_id() == 7);
/// });
/// assert_eq!(reader.latest().user_id(), 7);
/// ```
#[derive(Clone, Debug)]
pub struct SharedMesh(Arc<Published<NavMesh>>);

impl SharedMesh {
    /// A shared mesh whose first version this is.
    #[must_use]
    pub fn new(mesh: NavMesh) -> Self {
        Self(Arc::new(Published::new(mesh)))
    }

    /// The newest version.
    #[must_use]
    pub fn newest(&self) -> NavMesh {
        self.0.newest().0
    }

    /// Puts a version in the place of the newest, whatever that is: for one writer, who works on a clone of its own. A
    /// mesh that is no clone of an earlier version begins its references anew: what those of before mean there is
    /// chance. A level that was baked anew comes in tile by tile ([`NavMesh::replace_tile`]).
    pub fn publish(&self, mesh: NavMesh) {
        self.0.publish(mesh);
    }

    /// Changes a clone of the newest version and publishes it, even where `edit` answers with an error: what it changed
    /// before is there. Of several writers each waits for the others; readers wait for none. Within `edit`, neither
    /// edit nor publish the same shared mesh: that would wait for itself.
    pub fn edit<R>(&self, edit: impl FnOnce(&mut NavMesh) -> R) -> R {
        self.0.edit(edit)
    }

    /// A reader that holds the newest version.
    #[must_use]
    pub fn reader(&self) -> MeshReader {
        let (mesh, version) = self.0.newest();
        MeshReader { shared: Arc::clone(&self.0), mesh, version }
    }
}

/// One thread's view of a [`SharedMesh`]. What it holds does not change by itself; references into an older version are
/// [stale](super::StaleRef) in a newer one if their tile is gone, and never mean anything else as long as every version
/// is an edited clone of one before.
#[derive(Clone, Debug)]
pub struct MeshReader {
    shared: Arc<Published<NavMesh>>,
    mesh: NavMesh,
    version: u64,
}

impl MeshReader {
    /// Takes up the newest version, if it is newer than the one held, and gives it. Takes no lock if there is nothing
    /// new.
    pub fn latest(&mut self) -> &NavMesh {
        self.shared.refresh(&mut self.mesh, &mut self.version);
        &self.mesh
    }

    /// The version held, which [`latest`](Self::latest) gave last.
    #[must_use]
    pub fn held(&self) -> &NavMesh {
        &self.mesh
    }
}

/// Every interleaving of a few threads, and every order in which memory may show what they wrote, tried by a model
/// checker. The versions are pairs that must fit together. What the real mesh does under threads is tested in
/// `wayfare-testkit/tests/snapshots.rs`.
#[cfg(test)]
mod models {
    use super::*;
    use loom::thread;

    type Pair = (u64, u64);

    fn pair(n: u64) -> Pair {
        (n, n * 7)
    }

    #[test]
    fn readers_see_whole_versions_in_their_order_and_at_last_the_newest() {
        loom::model(|| {
            let shared = Arc::new(Published::new(pair(0)));
            let writer = {
                let shared = Arc::clone(&shared);
                thread::spawn(move || (1..=2).for_each(|n| shared.publish(pair(n))))
            };
            let (mut held, mut version) = shared.newest();
            for _ in 0..2 {
                let before = held;
                let news = shared.refresh(&mut held, &mut version);
                assert_eq!(held, pair(held.0), "half of a version");
                assert!(if news { held.0 > before.0 } else { held == before }, "{before:?} {held:?}");
            }
            writer.join().unwrap();
            shared.refresh(&mut held, &mut version);
            assert_eq!((held, shared.refresh(&mut held.clone(), &mut version)), (pair(2), false));
        });
    }

    #[test]
    fn no_edit_of_two_writers_is_lost() {
        loom::model(|| {
            let shared = Arc::new(Published::new(pair(0)));
            let writers: Vec<_> = (0..2)
                .map(|_| {
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || shared.edit(|value| *value = pair(value.0 + 1)))
                })
                .collect();
            for writer in writers {
                writer.join().unwrap();
            }
            assert_eq!(shared.newest(), (pair(2), 2));
        });
    }
}
