//! Triangles as rings of half-edges, merged greedily into convex polygons over their longest shared edges.
//!
//! Removing the edge between two polygons is a splice of their rings:
//!
//! ```text
//!       +---a---+            an edge may go if both of its ends stay convex, decided exactly, and the new polygon
//!      /   ^|    \           has no more than the allowed corners; a straight angle is convex
//!     +   h|t     +
//!      \   |v    /           h: the edge as one polygon sees it; t, its twin, as the other does
//!       +---b---+
//! ```
//!
//! Merging only ever adds corners and widens angles, so an edge that cannot be removed now cannot be removed later: one
//! pass over the edges, longest first, gives the same result as rescanning all pairs after each merge. For searches,
//! large polygons matter more than few polygons: the longest edges are those in the open.
//!
//! Cost: O(edges log edges).
//!
//! Sources: S. Hertel and K. Mehlhorn, "Fast triangulation of simple polygons", 1983 (removing inessential diagonals);
//! longest edge first is Recast's (Mikko Mononen, 2009), which rescans all pairs.

use super::disjoint_sets::root_of;
use super::index::NONE;
use super::predicates::orient2d;
use super::steps;
use glam::Vec2;

/// A point in the plane, of integers or floats, with the operations that merging needs.
pub(crate) trait PlanePoint: Copy {
    /// Whether the corner at `b` is convex or straight, and does not fold back.
    fn is_convex(a: Self, b: Self, c: Self) -> bool;

    /// A number that increases with the length of the line.
    fn length_key(a: Self, b: Self) -> u64;
}

impl PlanePoint for Vec2 {
    fn is_convex(a: Self, b: Self, c: Self) -> bool {
        let bend = orient2d(a, b, c);
        bend > 0.0 || (bend == 0.0 && (b - a).as_dvec2().dot((c - b).as_dvec2()) > 0.0)
    }

    fn length_key(a: Self, b: Self) -> u64 {
        // The bits of non-negative floats sort like the floats.
        (b - a).as_dvec2().length_squared().to_bits()
    }
}

/// One side of an edge.
#[derive(Clone, Copy)]
pub(crate) struct RingEdge<T> {
    /// Vertex it starts from.
    pub(crate) from: u32,
    /// The next half-edge around the polygon; [`NONE`] once this one is removed.
    pub(crate) next: u32,
    prev: u32,
    /// The same edge from the other side; [`NONE`] at outer edges.
    pub(crate) twin: u32,
    /// A value chosen by the caller.
    pub(crate) mark: T,
}

/// Triangles, later polygons, as rings of half-edges. Half-edges 3t, 3t + 1, 3t + 2 begin as triangle t.
#[derive(Default)]
pub(crate) struct HalfEdges<T> {
    edges: Vec<RingEdge<T>>,
    /// For each triangle, the one that represents the polygon it is part of.
    joined: Vec<u32>,
    /// For each triangle that represents a polygon, the polygon's corners.
    corners: Vec<u32>,
    /// Per vertex the last half-edge between it and a higher vertex, and per half-edge the one before.
    last_at: Vec<u32>,
    before: Vec<u32>,
    order: Vec<(u64, u32)>,
}

impl<T: Copy> HalfEdges<T> {
    pub(crate) fn clear(&mut self) {
        self.edges.clear();
    }

    /// How many half-edges there are, removed ones included.
    pub(crate) fn len(&self) -> u32 {
        self.edges.len() as u32
    }

    pub(crate) fn triangle_count(&self) -> u32 {
        self.len() / 3
    }

    /// Adds a triangle; `marks` are those of the edges from each vertex to the next.
    pub(crate) fn add(&mut self, verts: [u32; 3], marks: [T; 3]) {
        let first = self.len();
        for k in 0..3 {
            let next = first + (k + 1) % 3;
            let prev = first + (k + 2) % 3;
            let k = k as usize;
            self.edges.push(RingEdge { from: verts[k], next, prev, twin: NONE, mark: marks[k] });
        }
    }

    #[inline]
    pub(crate) fn edge(&self, h: u32) -> &RingEdge<T> {
        &self.edges[h as usize]
    }

    #[inline]
    fn edge_mut(&mut self, h: u32) -> &mut RingEdge<T> {
        &mut self.edges[h as usize]
    }

    /// The vertex a half-edge leads to.
    #[inline]
    pub(crate) fn to(&self, h: u32) -> u32 {
        self.edge(self.edge(h).next).from
    }

    /// Finds the twin of every half-edge: the latest one before it that runs in the opposite direction and is accepted.
    pub(crate) fn pair(&mut self, vert_count: usize, may_pair: impl Fn(&Self, u32, u32) -> bool) {
        self.last_at.clear();
        self.last_at.resize(vert_count, NONE);
        self.before.clear();
        self.before.resize(self.edges.len(), NONE);
        for h in 0..self.len() {
            let a = self.edge(h).from;
            let b = self.to(h);
            let low = a.min(b) as usize;
            let mut newer = NONE;
            let mut other = self.last_at[low];
            while other != NONE {
                steps::count(1);
                if self.edge(other).from == b && self.to(other) == a && may_pair(self, h, other) {
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

    /// The three half-edges of a triangle, from one of them on.
    pub(crate) fn ring_of_three(&self, h: u32) -> [u32; 3] {
        let second = self.edge(h).next;
        [h, second, self.edge(second).next]
    }

    /// Flips the edge between two triangles, so that it joins the two corners opposite it.
    pub(crate) fn turn(&mut self, h: u32) {
        // h: a→b with apex c, its twin: b→a with apex d. The edge becomes c–d.
        let [h, bc, ca] = self.ring_of_three(h);
        let [t, ad, db] = self.ring_of_three(self.edge(h).twin);
        self.edge_mut(h).from = self.edge(ca).from;
        self.edge_mut(t).from = self.edge(db).from;
        // h: c→d, then d→b, b→c. t: d→c, then c→a, a→d.
        self.link_three([h, db, bc]);
        self.link_three([t, ca, ad]);
        self.keep_triangles_in_place([h, db, bc], [t, ca, ad]);
    }

    fn link_three(&mut self, ring: [u32; 3]) {
        for k in 0..3 {
            let h = ring[k];
            let n = ring[(k + 1) % 3];
            self.edge_mut(h).next = n;
            self.edge_mut(n).prev = h;
        }
    }

    /// After a flip, half-edges change triangles: swaps the two that crossed over, so that h / 3 is the triangle again.
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

    /// Removes a triangle: its neighbours then have outer edges there.
    pub(crate) fn remove_triangle(&mut self, first: u32) {
        for h in self.ring_of_three(first) {
            let twin = core::mem::replace(&mut self.edge_mut(h).twin, NONE);
            if twin != NONE {
                self.edge_mut(twin).twin = NONE;
            }
            self.edge_mut(h).next = NONE;
        }
    }

    /// Merges polygons over their shared edges, longest first, up to `max_corners` corners each, if `may_join` accepts
    /// a half-edge and its twin.
    pub(crate) fn merge<P: PlanePoint>(&mut self, at: &[P], max_corners: u32, may_join: impl Fn(u32, u32) -> bool) {
        let triangles = self.triangle_count();
        self.joined.clear();
        self.joined.extend(0..triangles);
        self.corners.clear();
        self.corners.resize(triangles as usize, 3);
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        for h in 0..self.len() {
            let twin = self.edge(h).twin;
            if twin != NONE && h < twin && may_join(h, twin) {
                let length = P::length_key(at[self.edge(h).from as usize], at[self.to(h) as usize]);
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

    fn try_join<P: PlanePoint>(&mut self, h: u32, at: &[P], max_corners: u32) {
        let t = self.edge(h).twin;
        let one = root_of(&mut self.joined, h / 3);
        let two = root_of(&mut self.joined, t / 3);
        let corners = self.corners[one as usize] + self.corners[two as usize] - 2;
        if one == two || corners > max_corners {
            return;
        }
        let RingEdge { prev: before_h, next: after_h, .. } = *self.edge(h);
        let RingEdge { prev: before_t, next: after_t, .. } = *self.edge(t);
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

    fn stays_convex<P: PlanePoint>(&self, before: u32, after: u32, at: &[P]) -> bool {
        let [a, b, c] = [self.edge(before).from, self.edge(after).from, self.to(after)].map(|v| at[v as usize]);
        P::is_convex(a, b, c)
    }

    /// The half-edges around a polygon, from one of them on.
    pub(crate) fn ring(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let onward = move |&h: &u32| Some(self.edge(h).next).filter(|&next| next != first);
        core::iter::successors(Some(first), onward)
    }

    pub(crate) fn is_removed(&self, h: u32) -> bool {
        self.edge(h).next == NONE
    }
}
