//! The change feed of a mesh: a list of its last edits, from which other code learns what has changed since it last
//! looked.
//!
//! Components, corridors, crowds and hierarchies are derived from a mesh and must follow it. The mesh does not call
//! them: changes are pulled, not pushed. Code that keeps something in step with a mesh remembers the mesh's
//! [version](super::NavMesh::version), and later asks what has [changed since](super::NavMesh::changes_since).
//!
//! ```text
//!   versions    a ────────────> b ────────────> c        c: the current mesh
//!   steps         tile s1:t4      tile s2:t4             since a: both; since b: the second; since another: unknown
//!                 gone, s2:t4     has other flags
//!                 has come
//! ```
//!
//! A version is identified by a counted pointer. While only the mesh itself holds that pointer, nobody can ask about
//! the version, so changes are appended to the last step, or dropped if no step is kept: a mesh being baked or loaded
//! pays nothing. Otherwise the next change starts a new version and a new step. Two snapshots that are both edited
//! diverge here: each gets versions of its own. The steps of versions that nobody holds any more are merged with the
//! step before.
//!
//! No version number appears in answers or in saved bytes. Who holds which version affects only how edits are grouped
//! into steps, never what is reported.
//!
//! Cost: nothing while nobody holds a version; otherwise a few tens of nanoseconds a change. Memory: the last 1024
//! changes, or as many as the mesh has tiles. A reader that has missed more must look at the whole mesh. The steps
//! themselves stay, so the mesh still knows which versions it was made from.
//!
//! Sources: none needed.

use super::{Change, MeshVersion};
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Weak};

/// At least this many changes are kept.
const CHANGES: usize = 1024;
/// At most this many steps are kept before those that nobody can ask for are merged.
const STEPS: usize = 64;

/// The version of a mesh, and the steps that led to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeFeed {
    pub(super) now: MeshVersion,
    /// Oldest first. Each step leads to the version at which the next begins; the last leads to the current version.
    pub(super) steps: Arc<VecDeque<FeedStep>>,
}

/// What changed from one version to the next.
#[derive(Clone, Debug)]
pub(super) struct FeedStep {
    from: Weak<()>,
    /// `None` once there were too many to remember.
    changes: Option<Arc<BTreeSet<Change>>>,
}

impl FeedStep {
    /// What is remembered of the changes.
    pub(super) fn changes(&self) -> impl Iterator<Item = Change> + '_ {
        self.changes.iter().flat_map(|changes| changes.iter().copied())
    }

    fn count(&self) -> usize {
        self.changes.as_ref().map_or(0, |changes| changes.len())
    }
}

impl ChangeFeed {
    /// Starts a new version for a change that no reader follows: of names, rules or the user's number. Returns whether
    /// anybody could ask about the version before.
    pub(super) fn note_unlisted(&mut self) -> bool {
        let is_asked = Arc::get_mut(&mut self.now.0).is_none();
        if is_asked {
            self.begin();
        }
        is_asked
    }

    /// Records a change in a mesh of `tiles` tiles. Returns whether this starts a new version or drops old changes.
    #[inline]
    pub(super) fn note(&mut self, change: Change, tiles: u32) -> bool {
        let is_asked = Arc::get_mut(&mut self.now.0).is_none();
        if is_asked {
            self.begin();
        } else if self.steps.is_empty() {
            return false;
        }
        self.write(change, CHANGES.max(tiles as usize)) || is_asked
    }

    #[cold]
    fn begin(&mut self) {
        let from = Arc::downgrade(&self.now.0);
        self.now = MeshVersion::default();
        let steps = Arc::make_mut(&mut self.steps);
        if steps.len() >= STEPS {
            join_unheld(steps);
            // A holder of so old a version has not asked for a long time.
            steps.drain(..steps.len().saturating_sub(STEPS / 2));
        }
        steps.push_back(FeedStep { from, changes: Some(Arc::default()) });
    }

    /// Appends a change to the last step. Returns whether old changes were forgotten to make room.
    #[cold]
    fn write(&mut self, change: Change, most: usize) -> bool {
        let steps = Arc::make_mut(&mut self.steps);
        if let Some(changes) = steps.back_mut().and_then(|last| last.changes.as_mut()) {
            Arc::make_mut(changes).insert(change);
        }
        let count = |steps: &VecDeque<FeedStep>| steps.iter().map(FeedStep::count).sum::<usize>();
        if count(steps) <= most {
            return false;
        }
        join_unheld(steps);
        let mut left = count(steps);
        for step in steps.iter_mut() {
            if left <= most {
                break;
            }
            left -= step.count();
            step.changes = None;
        }
        true
    }

    /// Whether the changes since a version are known.
    pub(crate) fn knows(&self, seen: &MeshVersion) -> bool {
        self.first_since(seen).is_some()
    }

    /// The first step that led on from a version, if the changes since are known.
    pub(super) fn first_since(&self, seen: &MeshVersion) -> Option<usize> {
        let first = self.first_from(seen)?;
        self.steps.range(first..).all(|step| step.changes.is_some()).then_some(first)
    }

    /// Whether the mesh was made from a version: that is its own, or one it had.
    pub(super) fn is_made_from(&self, version: &MeshVersion) -> bool {
        self.first_from(version).is_some()
    }

    fn first_from(&self, version: &MeshVersion) -> Option<usize> {
        if self.now == *version {
            return Some(self.steps.len());
        }
        self.steps.iter().rposition(|step| core::ptr::eq(step.from.as_ptr(), Arc::as_ptr(&version.0)))
    }
}

/// Merges the steps of versions that nobody holds with those before, and drops them where there is none.
fn join_unheld(steps: &mut VecDeque<FeedStep>) {
    let mut held: VecDeque<FeedStep> = VecDeque::with_capacity(steps.len());
    for step in steps.drain(..) {
        if step.from.strong_count() > 0 {
            held.push_back(step);
        } else if let Some(before) = held.back_mut() {
            match (&mut before.changes, &step.changes) {
                (Some(changes), Some(more)) => Arc::make_mut(changes).extend(more.iter()),
                (changes, _) => *changes = None,
            }
        }
    }
    *steps = held;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::math::Rng;
    use crate::mesh::OffMeshConnection;
    use crate::mesh::{ChangesUnknown, NavMesh, Outdated, TileRef};
    use crate::tile::test_sketch::sketch;
    use crate::tile::{TileCoord, TileData, TileLayout};
    use glam::Vec3;

    fn tile(x: i32) -> TileData {
        sketch(TileCoord { x, z: 0, layer: 0 }, "aa\naa")
    }

    fn row(tiles: i32) -> NavMesh {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
        NavMesh::from_tiles(layout, (0..tiles).map(tile).collect()).unwrap()
    }

    fn at(salt: u16, slot: u32) -> TileRef {
        TileRef::new(salt, slot).unwrap()
    }

    fn since(mesh: &NavMesh, seen: &MeshVersion) -> Vec<Change> {
        mesh.changes_since(seen).unwrap().collect()
    }

    fn close(mesh: &mut NavMesh, slot: u32) {
        let tile = mesh.tiles().find(|tile| tile.slot().get() == slot).unwrap();
        mesh.set_flags(tile.reference(0), PolyFlags::NONE).unwrap();
    }

    #[test]
    fn every_kind_of_change_is_told() {
        let mut mesh = row(3);
        let seen = mesh.version().clone();
        assert_eq!(since(&mesh, &seen), []);
        mesh.replace_tile(at(1, 1), tile(1)).unwrap();
        let links = [at(1, 0), at(1, 2)].map(Change::TileLinks);
        let replaced = [Change::TileRemoved(at(1, 1)), Change::TileAdded(at(2, 1)), links[0], links[1]];
        assert_eq!(since(&mesh, &seen), replaced);

        let seen = mesh.version().clone();
        mesh.announce(&[at(1, 0), at(1, 1)]);
        assert_eq!(since(&mesh, &seen), [Change::TileAnnounced(at(1, 0))], "the other is gone");

        let seen = mesh.version().clone();
        let [start, end] = [0.5, 4.5].map(|x| Vec3::new(x, 0.0, 0.5));
        let area = AreaId::WALKABLE;
        let flags = PolyFlags::WALK;
        let jump = OffMeshConnection { start, end, radius: 0.3, two_way: false, area, flags, user_id: 0 };
        let jump = mesh.add_connection(jump).unwrap();
        let ends = Change::ConnectionEnds(jump);
        assert_eq!(since(&mesh, &seen), [Change::TileLinks(at(1, 0)), Change::ConnectionAdded(jump), ends]);

        let seen = mesh.version().clone();
        mesh.set_flags(jump, PolyFlags::NONE).unwrap();
        assert_eq!(since(&mesh, &seen), [Change::ConnectionState(jump)]);
        let seen = mesh.version().clone();
        mesh.remove_connection(jump).unwrap();
        assert_eq!(since(&mesh, &seen), [Change::TileLinks(at(1, 0)), Change::ConnectionRemoved(jump)]);
    }

    #[test]
    fn nothing_is_noted_while_nobody_has_asked() {
        let mut mesh = row(3);
        mesh.replace_tile(at(1, 1), tile(1)).unwrap();
        close(&mut mesh, 0);
        assert!(mesh.feed.steps.is_empty());
        let seen = mesh.version().clone();
        for _ in 0..100 {
            close(&mut mesh, 0);
            close(&mut mesh, 2);
        }
        assert_eq!(mesh.feed.steps.len(), 1, "nobody has looked meanwhile");
        assert_eq!(since(&mesh, &seen), [at(1, 0), at(1, 2)].map(Change::TileState));
    }

    #[test]
    fn clones_that_went_separate_ways_are_not_taken_for_each_other() {
        let mut mesh = row(3);
        let mut other = mesh.clone();
        let first = mesh.version().clone();
        assert_eq!(other.version(), &first);
        close(&mut mesh, 0);
        close(&mut other, 1);
        assert_eq!(since(&mesh, &first), [Change::TileState(at(1, 0))]);
        assert_eq!(since(&other, &first), [Change::TileState(at(1, 1))]);
        for (one, two) in [(&mesh, &other), (&other, &mesh), (&mesh, &row(3))] {
            assert_eq!(one.changes_since(two.version()).err(), Some(ChangesUnknown));
        }
    }

    #[test]
    fn who_has_missed_too_much_is_told_so_and_memory_stays_bounded() {
        let mut mesh = row(4);
        let first = mesh.version().clone();
        let mut last = first.clone();
        for round in 0..5000 {
            mesh.replace_tile(at(1 + round, 1), tile(1)).unwrap();
            assert!(mesh.changes_since(&last).unwrap().any(|change| change == Change::TileAdded(at(2 + round, 1))));
            last = mesh.version().clone();
            assert!(mesh.feed.steps.len() <= STEPS, "{round}");
            assert!(mesh.feed.steps.iter().map(FeedStep::count).sum::<usize>() <= CHANGES, "{round}");
        }
        assert_eq!(mesh.changes_since(&first).err(), Some(ChangesUnknown));
    }

    #[test]
    fn a_mesh_goes_on_as_an_edited_clone_unless_it_has_changed_itself() {
        let mut mesh = row(4);
        let mut edited = mesh.clone();
        edited.set_user_id(1);
        let mut late = mesh.clone();
        late.set_user_id(2);
        mesh.take_over(edited).unwrap();
        assert_eq!((mesh.take_over(late), mesh.take_over(row(4))), (Err(Outdated), Err(Outdated)));
        assert_eq!(mesh.user_id(), 1);
    }

    #[test]
    fn a_mesh_knows_what_it_was_made_from() {
        let first = row(4);
        let (mut mesh, mut other) = (first.clone(), first.clone());
        let made_from = NavMesh::continues;
        assert!(made_from(&mesh, &first));
        for round in 0..2000 {
            mesh.replace_tile(at(1 + round, 1), tile(1)).unwrap();
        }
        assert_eq!(mesh.changes_since(first.version()).err(), Some(ChangesUnknown));
        for round in 0..2000 {
            let seen = mesh.clone();
            mesh.replace_tile(at(2001 + round, 1), tile(1)).unwrap();
            assert!(made_from(&mesh, &seen) && !made_from(&seen, &mesh));
        }
        assert!(made_from(&mesh, &first), "although what has changed is forgotten");
        other.set_user_id(1);
        assert!(made_from(&other, &first) && !made_from(&other, &mesh) && !made_from(&mesh, &other));
        assert_eq!(since(&other, first.version()), [], "no reader follows this");
        assert!(!made_from(&row(4), &first));
    }

    /// Readers hold snapshots of any age. The mesh reports every difference from them, or that it is unknown, which
    /// must be rare.
    #[test]
    fn all_that_differs_from_a_snapshot_is_told() {
        let mut rng = Rng::new(5);
        let mut mesh = row(8);
        let mut told = [0; 2];
        let mut readers = vec![mesh.clone(); 6];
        for _ in 0..3000 {
            for _ in 0..rng.below(3) {
                match rng.below(3) {
                    0 => {
                        let slot = rng.below(8);
                        let old = mesh.tiles().find(|tile| tile.slot().get() == slot).unwrap().tile_ref();
                        mesh.replace_tile(old, tile(slot as i32)).unwrap();
                    }
                    _ => close(&mut mesh, rng.below(8)),
                }
            }
            let reader = &mut readers[rng.below(6) as usize];
            match mesh.changes_since(reader.version()) {
                Ok(changes) => {
                    let slots: BTreeSet<_> = changes.filter_map(|c| Some(c.tile()?.slot())).collect();
                    let differ = |(a, b): &(&crate::mesh::Tile, &crate::mesh::Tile)| !a.is_same_as(b);
                    let different = mesh.tiles().zip(reader.tiles()).filter(differ);
                    different.for_each(|(tile, _)| assert!(slots.contains(&tile.slot())));
                    assert!(!slots.is_empty() || mesh.is_same_as(reader));
                    told[0] += 1;
                }
                Err(ChangesUnknown) => told[1] += 1,
            }
            *reader = mesh.clone();
        }
        assert!(told[0] > 2500, "{told:?}");
    }
}
