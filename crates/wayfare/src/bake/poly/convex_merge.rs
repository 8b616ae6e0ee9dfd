//! Triangles joined to convex polygons, greedily along their longest shared edges.
//!
//! All triangles of a tile lie in one half-edge mesh. Removing the edge between two polygons is a splice of their
//! rings:
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

use crate::bake::cell_point::{Point, distance_squared, onward, turn};
use crate::math::disjoint_sets::root_of;
use crate::math::index::NONE;
use crate::math::steps;

/// Marks a half-edge that is no part of any outline.
pub(super) const INNER: u32 = u32::MAX;

/// One side of an edge.
#[derive(Clone, Copy)]
pub(super) struct HalfEdge {
    /// Vertex it starts from.
    pub(super) from: u32,
    /// The next half-edge around the polygon; `NONE` once this one is removed.
    pub(super) next: u32,
    prev: u32,
    /// The same edge from the other side; `NONE` at outer edges.
    pub(super) twin: u32,
    /// What the outline says lies beyond ([`ContourVert::neighbour`](crate::bake::ContourVert)); [`INNER`] within one.
    pub(super) beyond: u32,
}

/// Triangles, later polygons, as rings of half-edges. Half-edges 3t, 3t + 1, 3t + 2 begin as triangle t.
#[derive(Default)]
pub(super) struct HalfEdges {
    pub(super) edges: Vec<HalfEdge>,
    /// The outline each triangle was cut from.
    pub(super) outline: Vec<u32>,
    /// For each triangle, the one that stands for the polygon it has become part of.
    joined: Vec<u32>,
    /// For each triangle that stands for a polygon, the polygon's corners.
    corners: Vec<u32>,
    /// Per vertex the last half-edge between it and a higher vertex, and per half-edge the one before.
    last_at: Vec<u32>,
    before: Vec<u32>,
    order: Vec<(u64, u32)>,
}

impl HalfEdges {
    pub(super) fn clear(&mut self) {
        self.edges.clear();
        self.outline.clear();
    }

    pub(super) fn triangle_count(&self) -> usize {
        self.outline.len()
    }

    /// Adds a triangle; `beyond` speaks of the edges from each vertex to the next.
    pub(super) fn add(&mut self, verts: [u32; 3], beyond: [u32; 3], outline: u32) {
        let first = self.edges.len() as u32;
        for k in 0..3 {
            let next = first + (k + 1) % 3;
            let prev = first + (k + 2) % 3;
            let k = k as usize;
            self.edges.push(HalfEdge { from: verts[k], next, prev, twin: NONE, beyond: beyond[k] });
        }
        self.outline.push(outline);
    }

    #[inline]
    pub(super) fn edge(&self, h: u32) -> &HalfEdge {
        &self.edges[h as usize]
    }

    #[inline]
    fn edge_mut(&mut self, h: u32) -> &mut HalfEdge {
        &mut self.edges[h as usize]
    }

    /// The vertex a half-edge leads to.
    #[inline]
    pub(super) fn to(&self, h: u32) -> u32 {
        self.edge(self.edge(h).next).from
    }

    fn outline_of(&self, h: u32) -> u32 {
        self.outline[h as usize / 3]
    }

    /// Finds the twin of every half-edge. Edges of two outlines are twins only if one of them knows of ground beyond;
    /// within one outline both must, since walls without thickness are met from both sides.
    pub(super) fn pair(&mut self, vert_count: usize) {
        self.last_at.clear();
        self.last_at.resize(vert_count, NONE);
        self.before.clear();
        self.before.resize(self.edges.len(), NONE);
        for h in 0..self.edges.len() as u32 {
            let a = self.edge(h).from;
            let b = self.to(h);
            let low = a.min(b) as usize;
            let mut newer = NONE;
            let mut other = self.last_at[low];
            while other != NONE {
                steps::count(1);
                if self.edge(other).from == b && self.to(other) == a && self.may_pair(h, other) {
                    break;
                }
                newer = other;
                other = self.before[other as usize];
            }
            if other == NONE {
                self.before[h as usize] = self.last_at[low];
                self.last_at[low] = h;
                continue;
            }
            self.edge_mut(h).twin = other;
            self.edge_mut(other).twin = h;
            let rest = self.before[other as usize];
            if newer == NONE {
                self.last_at[low] = rest;
            } else {
                self.before[newer as usize] = rest;
            }
        }
    }

    fn may_pair(&self, g: u32, h: u32) -> bool {
        let is_open = [g, h].map(|edge| self.edge(edge).beyond != 0);
        if self.outline_of(g) == self.outline_of(h) { is_open[0] && is_open[1] } else { is_open[0] || is_open[1] }
    }

    /// Turns the shared edge between a flat triangle and its neighbour, so that neither is flat. Flat triangles come
    /// from outlines that touch themselves; what cannot be mended is removed.
    pub(super) fn mend_flat(&mut self, at: &[Point]) {
        // Each turn takes a flat triangle away or moves the flatness to a shorter edge, so a few rounds do.
        for _ in 0..8 {
            let mut turned = false;
            for t in 0..self.triangle_count() as u32 {
                if self.edge(3 * t).next != NONE && self.is_flat(3 * t, at) {
                    turned |= self.turn_longest(3 * t, at);
                }
            }
            if !turned {
                break;
            }
        }
        for t in 0..self.triangle_count() as u32 {
            if self.edge(3 * t).next != NONE && self.is_flat(3 * t, at) {
                self.remove_triangle(3 * t);
            }
        }
    }

    fn is_flat(&self, h: u32, at: &[Point]) -> bool {
        let [a, b, c] = self.ring_of_three(h).map(|h| at[self.edge(h).from as usize]);
        turn(a, b, c) == 0
    }

    fn ring_of_three(&self, h: u32) -> [u32; 3] {
        let second = self.edge(h).next;
        [h, second, self.edge(second).next]
    }

    fn turn_longest(&mut self, first: u32, at: &[Point]) -> bool {
        let length = |s: &Self, h: u32| distance_squared(at[s.edge(h).from as usize], at[s.to(h) as usize]);
        let ring = self.ring_of_three(first);
        let mut longest = ring[0];
        for h in ring {
            if length(self, h) > length(self, longest) {
                longest = h;
            }
        }
        let twin = self.edge(longest).twin;
        if twin == NONE || self.outline_of(twin) != self.outline_of(longest) || self.is_flat(twin, at) {
            return false;
        }
        // h: a→b with apex c strictly between a and b, twin: b→a with apex d. The edge becomes c–d.
        let [h, bc, ca] = self.ring_of_three(longest);
        let [t, ad, db] = self.ring_of_three(twin);
        let c = self.edge(ca).from;
        let d = self.edge(db).from;
        let [pa, pb, pc] = [h, bc, ca].map(|e| at[self.edge(e).from as usize]);
        if pc == pa || pc == pb {
            return false;
        }
        self.edge_mut(h).from = c;
        self.edge_mut(t).from = d;
        // h: c→d, then d→b, b→c. t: d→c, then c→a, a→d.
        self.link_three([h, db, bc]);
        self.link_three([t, ca, ad]);
        self.keep_triangles_in_place([h, db, bc], [t, ca, ad]);
        true
    }

    fn link_three(&mut self, ring: [u32; 3]) {
        for k in 0..3 {
            let h = ring[k];
            let n = ring[(k + 1) % 3];
            self.edge_mut(h).next = n;
            self.edge_mut(n).prev = h;
        }
    }

    /// After a turn, half-edges change triangles: swaps the two that crossed over, so that h / 3 names the triangle
    /// again.
    fn keep_triangles_in_place(&mut self, one: [u32; 3], other: [u32; 3]) {
        let a = one[1];
        let b = other[1];
        self.edges.swap(a as usize, b as usize);
        for moved in [a, b] {
            let twin = self.edge(moved).twin;
            if twin != NONE {
                self.edge_mut(twin).twin = moved;
            }
        }
        self.link_three([one[0], b, one[2]]);
        self.link_three([other[0], a, other[2]]);
    }

    fn remove_triangle(&mut self, first: u32) {
        for h in self.ring_of_three(first) {
            let twin = core::mem::replace(&mut self.edge_mut(h).twin, NONE);
            if twin != NONE {
                self.edge_mut(twin).twin = NONE;
            }
            self.edge_mut(h).next = NONE;
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
        for h in 0..self.edges.len() as u32 {
            let twin = self.edge(h).twin;
            if twin != NONE && h < twin && self.outline_of(h) == self.outline_of(twin) {
                let length = distance_squared(at[self.edge(h).from as usize], at[self.to(h) as usize]);
                order.push((u64::MAX - length, h));
            }
        }
        order.sort_unstable();
        for &(_, h) in &order {
            steps::count(1);
            self.try_join(h, at, max_corners);
        }
        self.order = order;
    }

    fn try_join(&mut self, h: u32, at: &[Point], max_corners: u32) {
        let t = self.edge(h).twin;
        let one = root_of(&mut self.joined, h / 3);
        let two = root_of(&mut self.joined, t / 3);
        let corners = self.corners[one as usize] + self.corners[two as usize] - 2;
        if one == two || corners > max_corners {
            return;
        }
        let HalfEdge { prev: before_h, next: after_h, .. } = *self.edge(h);
        let HalfEdge { prev: before_t, next: after_t, .. } = *self.edge(t);
        if !self.stays_convex(before_h, after_t, at) || !self.stays_convex(before_t, after_h, at) {
            return;
        }
        for (before, after) in [(before_h, after_t), (before_t, after_h)] {
            self.edge_mut(before).next = after;
            self.edge_mut(after).prev = before;
        }
        self.edge_mut(h).next = NONE;
        self.edge_mut(t).next = NONE;
        let keep = one.min(two);
        let give = one.max(two);
        self.joined[give as usize] = keep;
        self.corners[keep as usize] = corners;
    }

    /// Whether the corner between the two half-edges would be convex or straight, and not fold back.
    fn stays_convex(&self, before: u32, after: u32, at: &[Point]) -> bool {
        let [a, b, c] = [self.edge(before).from, self.edge(after).from, self.to(after)].map(|v| at[v as usize]);
        let bend = turn(a, b, c);
        bend > 0 || (bend == 0 && onward(a, b, c) > 0)
    }
}
