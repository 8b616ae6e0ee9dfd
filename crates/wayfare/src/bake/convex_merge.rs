//! Triangles joined to convex polygons, greedily along their longest shared edges.
//!
//! All triangles of a tile lie in one half-edge mesh. Removing the edge between two polygons is a splice of their rings:
//!
//! ```text
//!       +---a---+            an edge may go if both of its ends stay convex (exact, in integers)
//!      /   ^|    \           and the new polygon has no more than the allowed corners
//!     +   h|t     +
//!      \   |v    /           h: the edge as one polygon sees it; t, its twin, as the other does
//!       +---b---+
//! ```
//!
//! Joining only ever adds corners and opens angles, so an edge that cannot go now cannot go later: one pass over the
//! edges, longest first, gives what rescanning all pairs after each join gives.
//!
//! Cost: O(edges log edges).
//!
//! Sources: S. Hertel and K. Mehlhorn, "Fast triangulation of simple polygons", 1983 (removing inessential diagonals);
//! longest edge first is Recast's (Mikko Mononen, 2009), which rescans all pairs.

use super::triangulate::{Point, distance_squared, onward, turn};
use crate::math::index::NONE;

/// Marks a half-edge that is no part of any outline.
pub(super) const INNER: u32 = u32::MAX;

/// Triangles, later polygons, as rings of half-edges. Half-edges 3t, 3t + 1, 3t + 2 begin as triangle t.
#[derive(Default)]
pub(super) struct HalfEdges {
    /// Vertex each half-edge starts from.
    pub(super) from: Vec<u32>,
    /// The next half-edge around the polygon.
    pub(super) next: Vec<u32>,
    prev: Vec<u32>,
    /// The same edge from the other side; `NONE` at outer edges.
    pub(super) twin: Vec<u32>,
    /// What the outline says lies beyond ([`ContourVert::neighbour`](super::ContourVert)); [`INNER`] within one.
    pub(super) beyond: Vec<u32>,
    /// The outline each triangle was cut from.
    pub(super) outline: Vec<u32>,
    /// Whether the half-edge has been removed.
    pub(super) gone: Vec<bool>,
    /// For each triangle, the one that stands for the polygon it has become part of.
    joined: Vec<u32>,
    corners: Vec<u32>,
    /// Per vertex the last half-edge between it and a higher vertex, and per half-edge the one before.
    last_at: Vec<u32>,
    before: Vec<u32>,
    order: Vec<(u64, u32)>,
}

impl HalfEdges {
    pub(super) fn clear(&mut self) {
        for list in [&mut self.from, &mut self.next, &mut self.prev, &mut self.twin, &mut self.beyond] {
            list.clear();
        }
        self.outline.clear();
        self.gone.clear();
    }

    pub(super) fn triangle_count(&self) -> usize {
        self.outline.len()
    }

    /// Adds a triangle; `beyond` speaks of the edges from each vertex to the next.
    pub(super) fn add(&mut self, verts: [u32; 3], beyond: [u32; 3], outline: u32) {
        let h = self.from.len() as u32;
        self.from.extend(verts);
        self.next.extend([h + 1, h + 2, h]);
        self.prev.extend([h + 2, h, h + 1]);
        self.twin.extend([NONE; 3]);
        self.beyond.extend(beyond);
        self.gone.extend([false; 3]);
        self.outline.push(outline);
    }

    /// The vertex a half-edge leads to.
    pub(super) fn to(&self, h: u32) -> u32 {
        self.from[self.next[h as usize] as usize]
    }

    fn outline_of(&self, h: u32) -> u32 {
        self.outline[h as usize / 3]
    }

    /// Finds the twin of every half-edge. Edges of two outlines are twins only if one of them knows of ground beyond.
    pub(super) fn pair(&mut self, vert_count: usize) {
        self.last_at.clear();
        self.last_at.resize(vert_count, NONE);
        self.before.clear();
        self.before.resize(self.from.len(), NONE);
        for h in 0..self.from.len() as u32 {
            let (a, b) = (self.from[h as usize], self.to(h));
            let low = a.min(b) as usize;
            let mut newer = NONE;
            let mut other = self.last_at[low];
            while other != NONE && !(self.from[other as usize] == b && self.to(other) == a && self.may_pair(h, other)) {
                newer = other;
                other = self.before[other as usize];
            }
            if other == NONE {
                self.before[h as usize] = self.last_at[low];
                self.last_at[low] = h;
                continue;
            }
            (self.twin[h as usize], self.twin[other as usize]) = (other, h);
            let rest = self.before[other as usize];
            if newer == NONE {
                self.last_at[low] = rest;
            } else {
                self.before[newer as usize] = rest;
            }
        }
    }

    fn may_pair(&self, g: u32, h: u32) -> bool {
        self.outline_of(g) == self.outline_of(h) || self.beyond[g as usize] != 0 || self.beyond[h as usize] != 0
    }

    /// Turns the shared edge between a flat triangle and its neighbour, so that neither is flat. Flat triangles come
    /// from outlines that touch themselves; what cannot be mended is removed.
    pub(super) fn mend_flat(&mut self, at: &[Point]) {
        // Each turn takes a flat triangle away or moves the flatness to a shorter edge, so a few rounds do.
        for _ in 0..8 {
            let mut turned = false;
            for t in 0..self.triangle_count() as u32 {
                if self.is_flat(3 * t, at) && !self.gone[3 * t as usize] {
                    turned |= self.turn_longest(3 * t, at);
                }
            }
            if !turned {
                break;
            }
        }
        for t in 0..self.triangle_count() as u32 {
            if self.is_flat(3 * t, at) {
                self.remove_triangle(3 * t);
            }
        }
    }

    fn is_flat(&self, h: u32, at: &[Point]) -> bool {
        let [a, b, c] = self.ring_of_three(h).map(|h| at[self.from[h as usize] as usize]);
        turn(a, b, c) == 0
    }

    fn ring_of_three(&self, h: u32) -> [u32; 3] {
        let second = self.next[h as usize];
        [h, second, self.next[second as usize]]
    }

    fn turn_longest(&mut self, first: u32, at: &[Point]) -> bool {
        let length = |s: &Self, h: u32| distance_squared(at[s.from[h as usize] as usize], at[s.to(h) as usize]);
        let ring = self.ring_of_three(first);
        let mut longest = ring[0];
        for h in ring {
            if length(self, h) > length(self, longest) {
                longest = h;
            }
        }
        let twin = self.twin[longest as usize];
        if twin == NONE || self.outline_of(twin) != self.outline_of(longest) || self.is_flat(twin, at) {
            return false;
        }
        // h: a→b with apex c strictly between a and b, twin: b→a with apex d. The edge becomes c–d.
        let [h, bc, ca] = self.ring_of_three(longest);
        let [t, ad, db] = self.ring_of_three(twin);
        let (c, d) = (self.from[ca as usize], self.from[db as usize]);
        let [pa, pb, pc] = [h, bc, ca].map(|e| at[self.from[e as usize] as usize]);
        if pc == pa || pc == pb {
            return false;
        }
        (self.from[h as usize], self.from[t as usize]) = (c, d);
        // h: c→d, then d→b, b→c. t: d→c, then c→a, a→d.
        self.link_three([h, db, bc]);
        self.link_three([t, ca, ad]);
        self.keep_triangles_in_place([h, db, bc], [t, ca, ad]);
        true
    }

    fn link_three(&mut self, ring: [u32; 3]) {
        for k in 0..3 {
            let (h, n) = (ring[k], ring[(k + 1) % 3]);
            self.next[h as usize] = n;
            self.prev[n as usize] = h;
        }
    }

    /// After a turn, half-edges change triangles: swaps the two that crossed over, so that h / 3 names the triangle again.
    fn keep_triangles_in_place(&mut self, one: [u32; 3], other: [u32; 3]) {
        let (a, b) = (one[1], other[1]);
        for list in [&mut self.from, &mut self.twin, &mut self.beyond] {
            list.swap(a as usize, b as usize);
        }
        for moved in [a, b] {
            let twin = self.twin[moved as usize];
            if twin != NONE {
                self.twin[twin as usize] = moved;
            }
        }
        self.link_three([one[0], b, one[2]]);
        self.link_three([other[0], a, other[2]]);
    }

    fn remove_triangle(&mut self, first: u32) {
        for h in self.ring_of_three(first) {
            let twin = core::mem::replace(&mut self.twin[h as usize], NONE);
            if twin != NONE {
                self.twin[twin as usize] = NONE;
            }
            self.gone[h as usize] = true;
        }
    }

    /// Joins polygons of the same outline along their shared edges, longest first, up to `max_corners` corners each.
    pub(super) fn merge(&mut self, at: &[Point], max_corners: u32) {
        self.joined.clear();
        self.joined.extend(0..self.triangle_count() as u32);
        self.corners.clear();
        self.corners.resize(self.triangle_count(), 3);
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        for h in 0..self.from.len() as u32 {
            let twin = self.twin[h as usize];
            if twin != NONE && h < twin && self.outline_of(h) == self.outline_of(twin) {
                let length = distance_squared(at[self.from[h as usize] as usize], at[self.to(h) as usize]);
                order.push((u64::MAX - length, h));
            }
        }
        order.sort_unstable();
        for &(_, h) in &order {
            self.try_join(h, at, max_corners);
        }
        self.order = order;
    }

    /// The triangle that stands for the polygon of `t`.
    fn polygon_of(&mut self, mut t: u32) -> u32 {
        while self.joined[t as usize] != t {
            let up = self.joined[self.joined[t as usize] as usize];
            self.joined[t as usize] = up;
            t = up;
        }
        t
    }

    fn try_join(&mut self, h: u32, at: &[Point], max_corners: u32) {
        let t = self.twin[h as usize];
        let (one, two) = (self.polygon_of(h / 3), self.polygon_of(t / 3));
        let corners = self.corners[one as usize] + self.corners[two as usize] - 2;
        if one == two || corners > max_corners {
            return;
        }
        let (before_h, after_h) = (self.prev[h as usize], self.next[h as usize]);
        let (before_t, after_t) = (self.prev[t as usize], self.next[t as usize]);
        if !self.stays_convex(before_h, after_t, at) || !self.stays_convex(before_t, after_h, at) {
            return;
        }
        for (before, after) in [(before_h, after_t), (before_t, after_h)] {
            self.next[before as usize] = after;
            self.prev[after as usize] = before;
        }
        (self.gone[h as usize], self.gone[t as usize]) = (true, true);
        let (keep, give) = (one.min(two), one.max(two));
        self.joined[give as usize] = keep;
        self.corners[keep as usize] = corners;
    }

    /// Whether the corner between the two half-edges would be convex or straight, and not fold back.
    fn stays_convex(&self, before: u32, after: u32, at: &[Point]) -> bool {
        let [a, b, c] = [self.from[before as usize], self.from[after as usize], self.to(after)].map(|v| at[v as usize]);
        let bend = turn(a, b, c);
        bend > 0 || (bend == 0 && onward(a, b, c) > 0)
    }
}
