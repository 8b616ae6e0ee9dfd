//! Collects what has changed in the mesh since the crowd last looked, and which agents that affects.
//!
//! The [feed](ChangeSet) names tiles. Their boxes, old and new, are kept as well: agents nearby see other walls, and an
//! agent on a detour may find a shorter path through what has opened.
//!
//! ```text
//!     .-------.
//!     | t4    |      path [ t3 | t4 | t5 ]   crosses it: looked at polygon by polygon
//!     '-------'      ● 3 m away              sees its walls: they are looked up anew
//! ```
//!
//! If the feed does not tell, the mesh may be that of another level: tiles with the same reference are then compared.
//!
//! Cost: one pass over the changes, or over all tiles if they are unknown; for each agent a look at its path's tiles
//! and at the boxes.
//!
//! Sources: none needed.

use crate::math::{Aabb, plane};
use crate::mesh::{ChangeSet, NavMesh, PolyRef, Tile, TileRef};
use glam::Vec3;

/// With more boxes than this it is cheaper to look up everyone's walls again.
const MOST_BOXES: usize = 64;

/// Changes that the crowd has not handled.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MeshChange {
    pub(super) set: ChangeSet,
    /// Boxes of tiles that were removed or added, or whose flags changed.
    pub(super) boxes: Vec<Aabb>,
    /// Boxes of what may have opened.
    pub(super) opened: Vec<Aabb>,
    /// Tiles whose references are valid before and after unknown changes, but mean other ground: sorted.
    pub(super) other_ground: Vec<TileRef>,
}

impl MeshChange {
    /// Anything may have changed.
    pub(super) fn unknown() -> Self {
        Self::default().into_unknown()
    }

    /// The same where anything else may have changed as well.
    pub(super) fn into_unknown(self) -> Self {
        Self { set: ChangeSet::unknown(), other_ground: self.other_ground, ..Self::default() }
    }

    /// What has changed between two snapshots.
    pub(super) fn between(last: &NavMesh, mesh: &NavMesh) -> Self {
        let mut change = Self { set: ChangeSet::since(mesh, last.version()), ..Self::default() };
        if change.set.is_unknown() {
            let is_other =
                |tile: &&Tile| last.tile(tile.tile_ref()).is_ok_and(|before| !before.is_of_same_ground(tile));
            change.other_ground.extend(mesh.tiles().filter(is_other).map(Tile::tile_ref));
            change.other_ground.sort_unstable();
        }
        if !change.is_everywhere() {
            let set = &change.set;
            let bounds = |mesh: &NavMesh, tile: TileRef| mesh.tile(tile).ok().map(|tile| tile.bounds());
            let before = set.changed().iter().filter_map(|&tile| bounds(last, tile));
            let now: Vec<Aabb> = set.added().iter().filter_map(|&tile| bounds(mesh, tile)).collect();
            change.boxes.extend(before.chain(now.iter().copied()));
            // A tile that is still there may have been opened; removing one opens nothing.
            let kept = set.changed().iter().filter_map(|&tile| bounds(mesh, tile));
            let ends = set.connections.iter().filter_map(|&jump| mesh.connection(jump).ok());
            let ends = ends.map(|jump| Aabb::around([jump.definition().start, jump.definition().end]));
            change.opened.extend(kept.chain(now).chain(ends));
        }
        change
    }

    /// Whether a reference is valid before and after the changes, and means another surface.
    pub(super) fn is_other_ground(&self, mesh: &NavMesh, poly: PolyRef) -> bool {
        // Within one mesh it never does.
        !self.other_ground.is_empty()
            && poly.tile().is_some_and(|tile| self.other_ground.binary_search(&tile).is_ok())
            && mesh.is_valid(poly)
    }

    /// Whether anything may have changed near any agent: there are too many boxes, or the changes are unknown.
    fn is_everywhere(&self) -> bool {
        self.set.is_unknown() || self.set.changed().len() + self.set.added().len() > MOST_BOXES
    }

    /// The same after earlier changes that the crowd has not handled either.
    pub(super) fn after(mut self, earlier: Option<Self>) -> Self {
        let Some(earlier) = earlier else { return self };
        self.other_ground.extend(earlier.other_ground);
        self.other_ground.sort_unstable();
        if earlier.set.is_unknown() || self.set.is_unknown() {
            return self.into_unknown();
        }
        self.set.add(&earlier.set);
        self.boxes.extend(earlier.boxes);
        self.opened.extend(earlier.opened);
        self
    }

    /// Whether anything may have opened.
    pub(super) fn may_open(&self) -> bool {
        self.is_everywhere() || !self.opened.is_empty()
    }

    /// Whether walls within `range` of a position may have changed.
    pub(super) fn is_near(&self, at: Vec3, range: f32) -> bool {
        let is_within = |area: &Aabb| {
            let outside = plane::xz(area.outside(at));
            outside.max_element() <= range
        };
        self.is_everywhere() || self.boxes.iter().any(is_within)
    }

    /// Whether a path through something that may have opened could be shorter than `length`, horizontally, which is the
    /// length of the current path between these two points.
    pub(super) fn may_shorten(&self, [from, to]: [Vec3; 2], length: impl FnOnce() -> f32) -> bool {
        let far = |area: &Aabb, p: Vec3| plane::xz(area.outside(p)).length();
        let through = self.opened.iter().map(|area| far(area, from) + far(area, to)).fold(f32::INFINITY, f32::min);
        self.is_everywhere() || through < f32::INFINITY && through < length()
    }
}
