//! Decides where a path may bend, and keeps the roots at these corners.
//!
//! ```text
//!   ##\\####        A path bends only around a corner beside a wall or a polygon that the filter closes. Of all paths to that
//!   ####o- - -      corner, only the shortest can be part of a shortest path.
//!      /
//! ```
//!
//! Cost: one lookup for a corner met before; otherwise a pass over the polygons around it, across tile borders if the
//! corner lies on one.
//!
//! Sources: corners as the only places where shortest paths bend: Lozano-Pérez and Wesley, 1979; root history: Cui,
//! Harabor, Grastien, 2017.

use super::cone::Bound;
use super::estimate::distance;
use super::exits::beyond;
use super::expand::{Expansion, Passing};
use super::memory::{Known, NOT_WORSE, Root};
use super::search_tile::{Bend, SearchTile};
use crate::graph::SearchObserver;
use crate::math::index::NONE;
use crate::math::plane::xz;
use crate::math::predicates::orient2d;
use crate::mesh::PolyRef;
use crate::query::QueryFilter;
use glam::Vec2;

/// The most polygons that are visited around a corner; a corner with more is treated as one with a wall.
const MOST_AROUND: usize = 256;

impl<'m, F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>> Expansion<'_, 'm, F, O> {
    /// The root at an end of the interval, if the path may bend there.
    #[inline]
    pub(super) fn root_at_end(&mut self, ground: &SearchTile<'m>, passing: &mut Passing, side: usize) -> Option<u32> {
        if let Some(known) = passing.roots[side] {
            return known;
        }
        let root = passing.ends[side].and_then(|bend| self.bend(ground, &bend, passing.root));
        passing.roots[side] = Some(root);
        root
    }

    /// Whether an edge from the root to `far` is still within the half turn by which a path may bend around a corner;
    /// `sign` is 1 for a bend to the left, -1 to the right. Without this, a root with ground all around would be
    /// circled for ever.
    pub(super) fn turns_on(&self, index: u32, root: u32, far: Vec2, sign: f64) -> bool {
        let Root { at, before, .. } = self.memory.roots[root as usize];
        if at == before {
            return true;
        }
        let off = sign * orient2d(before, at, far);
        let node = self.memory.nodes.get(index);
        let is_first = node.root != root || !node.bounds.contains(&Bound::Open);
        let is_behind = (at - before).as_dvec2().dot((far - at).as_dvec2()) < 0.0;
        off > 0.0 || off == 0.0 && (is_behind || is_first)
    }

    /// The root at a place around which a path from another root bends. `None` if the path cannot bend there, or if a
    /// shorter path to the place is known.
    pub(super) fn bend(&mut self, ground: &SearchTile<'m>, bend: &Bend, from: u32) -> Option<u32> {
        let before = self.memory.roots[from as usize];
        let length = before.length + distance(before.at, bend.at);
        let mut root = Root { at: bend.at, before: before.at, length, key: bend.key, parent: from };
        let mut known = self.memory.known(bend.key);
        if known.is_none() && self.is_parted(ground, bend) {
            known = Some(Known::PARTED);
        }
        if known == Some(Known::PARTED) {
            root.key = self.part_of(ground, bend);
            known = self.memory.known(root.key);
        }
        // A longer path to this corner cannot be part of a shortest path.
        if self.memory.reach(root.key) < length * NOT_WORSE {
            return None;
        }
        if root.key == bend.key && matches!(known, None | Some(Known::WHOLE)) {
            known = self.first_look(ground, bend);
        }
        match known {
            Some(Known::NO_BEND) => return None,
            Some(Known::WHOLE) | None => {}
            Some(index) => {
                let other = &self.memory.roots[index as usize];
                if other.parent == from {
                    return Some(index);
                }
                // Of two paths of equal length one is enough: whatever continues one also continues the other.
                if length >= other.length * (1.0 - 1e-12) {
                    return None;
                }
            }
        }
        let index = self.memory.add_root(root);
        self.memory.set_known(root.key, index);
        Some(index)
    }

    /// Whether a path may bend around a corner where the filter closes no polygon, which means there must be a wall.
    fn first_look(&mut self, ground: &SearchTile<'m>, bend: &Bend) -> Option<u32> {
        if !bend.is_within_edge && !ground.corners[bend.corner as usize].may_bend() {
            self.memory.set_known(bend.key, Known::NO_BEND);
            return Some(Known::NO_BEND);
        }
        let mut keys = [NONE; 8];
        if !self.is_closed_over_borders(ground, bend, &mut keys) {
            return None;
        }
        self.memory.set_known(bend.key, Known::NO_BEND);
        for key in keys.into_iter().take_while(|&key| key != NONE) {
            self.memory.set_known(key, Known::NO_BEND);
        }
        Some(Known::NO_BEND)
    }

    /// Whether there is open ground all around a place on the border of a tile: the polygons around it, tile by tile.
    /// `keys` takes the entries of the fans that the place has in other tiles.
    ///
    /// ```text
    ///      tile A   │   tile B        Each edge that begins at the place is crossed. Over a border that takes the link which
    ///         q     │     p           begins there; and where the place lies within an edge of the polygon beyond, the next
    ///     ──────────o                 link over that same edge.
    ///         r     │
    /// ```
    fn is_closed_over_borders(&self, ground: &SearchTile<'m>, bend: &Bend, keys: &mut [u32]) -> bool {
        let mut keys = keys.iter_mut();
        let first = (ground.tile.slot(), bend.corner);
        let mut tile = ground.tile;
        let mut edge = bend.corner;
        for _ in 0..MOST_AROUND {
            let sight = tile.sight();
            let data = tile.data();
            let corner = &sight.corners()[edge as usize];
            if let Some(twin) = corner.twin() {
                edge = sight.next(data, twin);
            } else {
                let Some(border) = corner.border() else { return false };
                let mut links = tile.links().of_border(border).iter().filter(|link| xz(link.a) == bend.at);
                // With several floors here it is unclear which one to follow.
                let (Some(link), None) = (links.next(), links.next()) else { return false };
                let here = tile.reference(sight.poly_of(edge));
                let Some((other, entry, _)) = beyond(self.mesh, here, link) else { return false };
                let end = other.sight().next(other.data(), entry);
                tile = other;
                let corner = &other.sight().corners()[end as usize];
                edge = if corner.at() == bend.at { end } else { entry };
                if edge == end
                    && let Some(page) = self.memory.touched(other.slot().get())
                    && let Some(key) = keys.next()
                {
                    *key = page.fan(corner.fan());
                }
            }
            if (tile.slot(), edge) == first {
                return true;
            }
            let poly = tile.sight().poly_of(edge);
            if !self.barrier.passes(tile.reference(poly), tile.state(poly)) {
                return false;
            }
        }
        false
    }

    /// Whether the filter closes a polygon of the fan at a corner.
    pub(super) fn is_parted(&mut self, ground: &SearchTile<'m>, bend: &Bend) -> bool {
        if bend.is_within_edge {
            return false;
        }
        match self.memory.known(bend.key) {
            Some(known) => known == Known::PARTED,
            None => {
                let mut parted = false;
                ground.sight.fan_around(ground.tile.data(), bend.corner, |corner| {
                    parted |= !self.is_open(ground, corner);
                    !parted
                });
                self.memory.set_known(bend.key, if parted { Known::PARTED } else { Known::WHOLE });
                parted
            }
        }
    }

    /// The entry of the part of a fan that the filter leaves open around a corner.
    fn part_of(&mut self, ground: &SearchTile<'m>, bend: &Bend) -> u32 {
        let mut least = bend.corner;
        ground.sight.fan_around(ground.tile.data(), bend.corner, |corner| {
            let open = self.is_open(ground, corner);
            if open {
                least = least.min(corner);
            }
            open
        });
        self.memory.part(ground.page_index, ground.corners.len(), least)
    }

    /// Whether the filter lets pass the polygon of a corner.
    fn is_open(&self, ground: &SearchTile<'m>, corner: u32) -> bool {
        let poly = ground.sight.poly_of(corner);
        self.barrier.passes(ground.tile.reference(poly), ground.tile.state(poly))
    }
}
