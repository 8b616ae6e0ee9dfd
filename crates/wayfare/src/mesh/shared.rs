//! A mesh that a writer changes while others read it.
//!
//! Each reader holds a snapshot and checks once a frame whether there is a newer one: one atomic load, no lock, and no
//! counter for the readers' processors to contend for. Only a reader that finds a new version takes a lock, for as long
//! as it takes to clone a snapshot, which is a few pointers. A writer edits its own clone; meanwhile readers keep using
//! theirs.
//!
//! ```text
//!   writer   clone ── edit ── edit ──> publish            version 6 → 7, under the lock
//!   reader   6 · 6 · 6 · 6 · 6 · 6 · 6 · 6 · (look: 7) · 7 · 7 · 7
//! ```
//!
//! With several writers a clone may be outdated when it is published, and what the others have changed meanwhile would
//! be lost. A mesh knows which versions it was made from, so such a clone is refused.
//!
//! Cost: a check without a new version takes about a nanosecond; with one, a clone of the mesh.
//!
//! Sources: own; the idea that readers keep their version is from Paul McKenney and John Slingwine, "Read-Copy Update",
//! 1998.

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
    /// Held while the newest version is stored or cloned.
    newest: Mutex<T>,
    /// Changes only while `newest` is held.
    version: AtomicU64,
}

/// A panic while a lock is held leaves a complete version behind: a version is stored in one assignment.
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

    /// For a writer that holds `writing`.
    fn store(&self, next: T) {
        let old = {
            let mut newest = lock(&self.newest);
            let old = core::mem::replace(&mut *newest, next);
            self.version.fetch_add(1, Ordering::Release);
            old
        };
        // Dropped outside of the lock: the last holder of a tile frees it.
        drop(old);
    }

    fn edit<R>(&self, edit: impl FnOnce(&mut T) -> R) -> R {
        let writing = lock(&self.writing);
        let (mut next, _) = self.newest();
        let answer = edit(&mut next);
        self.store(next);
        drop(writing);
        answer
    }

    /// Stores a version if it continues the newest one. Returns whether it does.
    fn publish(&self, next: T, continues: impl FnOnce(&T, &T) -> bool) -> bool {
        let writing = lock(&self.writing);
        let is_next = continues(&next, &lock(&self.newest));
        if is_next {
            self.store(next);
        }
        drop(writing);
        is_next
    }

    /// Brings a held version up to date. Returns whether it was outdated.
    fn refresh(&self, held: &mut T, version: &mut u64) -> bool {
        if self.version.load(Ordering::Acquire) == *version {
            return false;
        }
        (*held, *version) = self.newest();
        true
    }
}

/// A mesh that was not made from the newest version cannot replace it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "another writer has changed the shared mesh since this one was cloned from it, or it is no clone: change the mesh within `edit`, or make the same changes in a new clone"
)]
pub struct Outdated;

/// A mesh whose versions are published by writers and taken up by [readers](MeshReader) on any number of threads.
/// Clones share the same mesh.
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
    /// A shared mesh with this first version.
    #[must_use]
    pub fn new(mesh: NavMesh) -> Self {
        Self(Arc::new(Published::new(mesh)))
    }

    /// The newest version.
    #[must_use]
    pub fn newest(&self) -> NavMesh {
        self.0.newest().0
    }

    /// Replaces the newest version by an edited clone of it: for long work on a clone, during which other writers need
    /// not wait. If nobody else changes the mesh, a writer may also keep one clone, and publish clones of that. Check
    /// and replacement are one step.
    ///
    /// # Errors
    /// [`Outdated`] if another writer has changed the mesh since the clone was made, or if `mesh` is no clone at all.
    /// Nothing is published: what the other writer changed would be lost.
    pub fn publish(&self, mesh: NavMesh) -> Result<(), Outdated> {
        if self.0.publish(mesh, NavMesh::continues) { Ok(()) } else { Err(Outdated) }
    }

    /// Replaces the newest version, whatever it is. What others have changed in it is lost. In a mesh that is not a
    /// clone of an earlier version, references start anew, and old references may match unrelated polygons. To bring in
    /// a newly baked level, replace tile by tile ([`NavMesh::replace_tile`]) within [`edit`](Self::edit).
    pub fn replace(&self, mesh: NavMesh) {
        self.0.publish(mesh, |_, _| true);
    }

    /// Edits a clone of the newest version and publishes it, even if `edit` returns an error: what it changed before
    /// that is published. Writers wait for each other, so do long work beforehand; readers never wait. Do not edit,
    /// publish or replace the same shared mesh within `edit`: that would deadlock.
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

/// One thread's view of a [`SharedMesh`]. The version it holds does not change by itself. References into an older
/// version are [stale](super::StaleRef) in a newer one if their tile is gone, and never match anything else as long as
/// every version is an edited clone of an earlier one.
#[derive(Clone, Debug)]
pub struct MeshReader {
    shared: Arc<Published<NavMesh>>,
    mesh: NavMesh,
    version: u64,
}

impl MeshReader {
    /// The newest version, which replaces the one held if it is newer. Takes no lock if there is nothing new.
    pub fn latest(&mut self) -> &NavMesh {
        self.shared.refresh(&mut self.mesh, &mut self.version);
        &self.mesh
    }

    /// The version held: the one that [`latest`](Self::latest) returned last.
    #[must_use]
    pub fn held(&self) -> &NavMesh {
        &self.mesh
    }
}

/// A model checker tries every interleaving of a few threads, and every order in which memory may show their writes.
/// The versions are pairs that must match. `wayfare-testkit/tests/snapshots.rs` tests the real mesh under threads.
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
                thread::spawn(move || (1..=2).for_each(|n| _ = shared.publish(pair(n), |_, _| true)))
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

    /// One writer edits, the other publishes a clone. Either that is outdated, or nothing was lost.
    #[test]
    fn a_clone_replaces_only_what_it_was_made_from() {
        loom::model(|| {
            let shared = Arc::new(Published::new(pair(0)));
            let other = {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.edit(|value| *value = pair(value.0 + 10)))
            };
            let (clone, _) = shared.newest();
            let is_published = shared.publish(pair(clone.0 + 1), |_, newest| *newest == clone);
            other.join().unwrap();
            assert_eq!(shared.newest().0, pair(if is_published { 11 } else { 10 }));
        });
    }
}
