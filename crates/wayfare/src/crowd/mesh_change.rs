//! Collects what has changed in the mesh since the crowd last looked, and which agents that affects.
//!
//! The [feed](ChangeSet) names tiles. The boxes of [what is different there](super::changed_ground) are kept as well:
//! agents nearby see other walls, and an agent on a detour may find a shorter path through what has opened.
//!
//! ```text
//!     .-------.
//!     | t4    |      path [ t3 | t4 | t5 ]   crosses it: looked at polygon by polygon
//!     '-------'      ● 3 m away              sees its walls: they are looked up anew
//! ```
//!
//! If the feed does not tell, the mesh may be that of another level: tiles with the same reference are then compared.
//!
//! Cost: the edges of the tiles that have changed, or one pass over all tiles if that is unknown; for each agent a look
//! at its path's tiles and at the boxes.
//!
//! Sources: none needed.

use super::changed_ground::changed_ground;
use crate::math::{Aabb, plane};
use crate::mesh::{ChangeSet, NavMesh, PolyRef, Tile, TileRef};
use glam::Vec3;

/// With more tiles than this, or boxes of what has changed on them, it is cheaper to look up everyone's walls again.
const MOST_TILES: usize = 512;
const MOST_BOXES: usize = 128;
const EVERYWHERE: Aabb = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

/// Changes that the crowd has not handled.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MeshChange {
    pub(super) set: ChangeSet,
    /// Boxes of walls that were removed or added, and of tiles whose flags changed.
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
        let change = Self { set: ChangeSet::unknown(), other_ground: self.other_ground, ..Self::default() };
        change.into_everywhere()
    }

    /// The same where anything may have changed anywhere.
    fn into_everywhere(self) -> Self {
        Self { boxes: vec![EVERYWHERE], opened: vec![EVERYWHERE], ..self }
    }

    /// The same, or everywhere if there are too many boxes.
    fn within_limit(self) -> Self {
        if self.boxes.len() + self.opened.len() > MOST_BOXES { self.into_everywhere() } else { self }
    }

    /// What has changed between two snapshots.
    pub(super) fn between(last: &NavMesh, mesh: &NavMesh) -> Self {
        let mut change = Self { set: ChangeSet::since(mesh, last.version()), ..Self::default() };
        if change.set.is_unknown() {
            let is_other =
                |tile: &&Tile| last.tile(tile.tile_ref()).is_ok_and(|before| !before.is_of_same_ground(tile));
            change.other_ground.extend(mesh.tiles().filter(is_other).map(Tile::tile_ref));
            change.other_ground.sort_unstable();
            return change.into_everywhere();
        }
        if change.set.changed().len() + change.set.added().len() > MOST_TILES {
            return change.into_everywhere();
        }
        change.find_boxes(last, mesh);
        change.within_limit()
    }

    fn find_boxes(&mut self, last: &NavMesh, mesh: &NavMesh) {
        let Self { set, boxes, opened, .. } = self;
        for &tile in set.changed() {
            match (last.tile(tile), mesh.tile(tile)) {
                (Ok(before), Ok(now)) if before.states() != now.states() => opened.push(now.bounds()),
                (Ok(before), Err(_)) => match mesh.tile_at(before.coord()) {
                    Some(now) => opened.push(changed_ground(before, now)),
                    // Nothing opens by that.
                    None => boxes.push(before.bounds()),
                },
                // If only its links have changed, a tile beside it has changed.
                _ => {}
            }
        }
        let is_first = |tile: &&Tile| last.tile_at(tile.coord()).is_none();
        let added = set.added().iter().filter_map(|&tile| mesh.tile(tile).ok());
        opened.extend(added.filter(is_first).map(Tile::bounds));
        opened.retain(|area| !area.is_empty());
        boxes.extend_from_slice(opened);
        let ends = set.connections.iter().filter_map(|&jump| mesh.connection(jump).ok());
        opened.extend(ends.map(|jump| Aabb::around([jump.definition().start, jump.definition().end])));
    }

    /// Whether a reference is valid before and after the changes, and means another surface.
    pub(super) fn is_other_ground(&self, mesh: &NavMesh, poly: PolyRef) -> bool {
        // Within one mesh it never does.
        !self.other_ground.is_empty()
            && poly.tile().is_some_and(|tile| self.other_ground.binary_search(&tile).is_ok())
            && mesh.is_valid(poly)
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
        self.within_limit()
    }

    /// Whether anything may have opened.
    pub(super) fn may_open(&self) -> bool {
        !self.opened.is_empty()
    }

    /// Whether walls within `range` of a position may have changed.
    pub(super) fn is_near(&self, at: Vec3, range: f32) -> bool {
        let is_within = |area: &Aabb| {
            let outside = plane::xz(area.outside(at));
            outside.max_element() <= range
        };
        self.boxes.iter().any(is_within)
    }

    /// Whether a path through something that may have opened could be shorter than `length`, horizontally, which is the
    /// length of the current path between these two points.
    pub(super) fn may_shorten(&self, [from, to]: [Vec3; 2], length: impl FnOnce() -> f32) -> bool {
        let far = |area: &Aabb, p: Vec3| plane::xz(area.outside(p)).length();
        let through = self.opened.iter().map(|area| far(area, from) + far(area, to)).fold(f32::INFINITY, f32::min);
        through < f32::INFINITY && through < length()
    }
}
