//! Merges triangles into few convex polygons, over their longest shared edges first.
//!
//! ```text
//!       +---a---+            the edge may go if both of its ends stay convex, decided exactly;
//!      /   ^|    \           a straight angle is convex, so outlines may have corners in line
//!     +   h|t     +
//!      \   |v    /           h: the edge as one polygon sees it; t, its twin, as the other does
//!       +---b---+
//! ```
//!
//! Merging only widens angles, so an edge that cannot be removed now cannot be removed later, and one pass suffices.
//! For searches, large polygons matter more than few polygons, and the longest edges are those in the open.
//!
//! Cost: O(edges log edges).
//!
//! Sources: S. Hertel and K. Mehlhorn, "Fast triangulation of simple polygons", 1983 (removing inessential diagonals).

use crate::math::disjoint_sets::root_of;
use crate::math::index::NONE;
use crate::math::predicates::orient2d;
use glam::Vec2;

/// One side of an edge.
#[derive(Clone, Copy)]
struct HalfEdge {
    from: u32,
    next: u32,
    before: u32,
    /// The other half-edge; [`NONE`] at walls.
    twin: u32,
}

/// Convex polygons, joined from triangles.
pub(super) struct ConvexPieces {
    edges: Vec<HalfEdge>,
    gone: Vec<bool>,
    /// For each triangle the polygon into which it was merged, possibly via others.
    joined: Vec<u32>,
    /// Number of corners of the polygon that a triangle represents.
    corners: Vec<u32>,
}

impl ConvexPieces {
    /// Merges triangles, all with the same winding.
    pub(super) fn of(verts: &[Vec2], triangles: &[[u32; 3]]) -> Self {
        let corner = |t: usize, k: usize| {
            let first = 3 * t as u32;
            let next = first + (k as u32 + 1) % 3;
            let before = first + (k as u32 + 2) % 3;
            HalfEdge { from: triangles[t][k], next, before, twin: NONE }
        };
        let mut pieces = Self {
            edges: (0..triangles.len()).flat_map(|t| (0..3).map(move |k| corner(t, k))).collect(),
            gone: vec![false; 3 * triangles.len()],
            joined: (0..triangles.len() as u32).collect(),
            corners: vec![3; triangles.len()],
        };
        pieces.pair();
        let squared = |h: u32| {
            let a = verts[pieces.edge(h).from as usize];
            let b = verts[pieces.to(h) as usize];
            (b - a).as_dvec2().length_squared()
        };
        let inner = (0..pieces.edges.len() as u32).filter(|&h| pieces.edge(h).twin != NONE && h < pieces.edge(h).twin);
        let mut order: Vec<(f64, u32)> = inner.map(|h| (squared(h), h)).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, h) in order {
            pieces.try_join(h, verts);
        }
        pieces
    }

    fn edge(&self, h: u32) -> &HalfEdge {
        &self.edges[h as usize]
    }

    fn to(&self, h: u32) -> u32 {
        self.edge(self.edge(h).next).from
    }

    fn pair(&mut self) {
        let key = |this: &Self, h: u32| {
            let a = this.edge(h).from;
            let b = this.to(h);
            (a.min(b), a.max(b), h)
        };
        let mut all: Vec<(u32, u32, u32)> = (0..self.edges.len() as u32).map(|h| key(self, h)).collect();
        all.sort_unstable();
        for pair in all.windows(2) {
            let [(a, b, h), (c, d, t)] = [pair[0], pair[1]];
            if (a, b) == (c, d) && self.edge(h).twin == NONE && self.edge(h).from != self.edge(t).from {
                self.edges[h as usize].twin = t;
                self.edges[t as usize].twin = h;
            }
        }
    }

    fn try_join(&mut self, h: u32, verts: &[Vec2]) {
        let t = self.edge(h).twin;
        let one = root_of(&mut self.joined, h / 3);
        let two = root_of(&mut self.joined, t / 3);
        let corners = self.corners[one as usize] + self.corners[two as usize] - 2;
        if one == two || corners > u32::from(u16::MAX) {
            return;
        }
        let HalfEdge { before: before_h, next: after_h, .. } = *self.edge(h);
        let HalfEdge { before: before_t, next: after_t, .. } = *self.edge(t);
        if !self.stays_convex(before_h, after_t, verts) || !self.stays_convex(before_t, after_h, verts) {
            return;
        }
        for (before, after) in [(before_h, after_t), (before_t, after_h)] {
            self.edges[before as usize].next = after;
            self.edges[after as usize].before = before;
        }
        (self.gone[h as usize], self.gone[t as usize]) = (true, true);
        self.joined[two as usize] = one;
        self.corners[one as usize] = corners;
    }

    /// Whether the corner between two half-edges would be convex or straight, and not fold back.
    fn stays_convex(&self, before: u32, after: u32, verts: &[Vec2]) -> bool {
        let [a, b, c] = [self.edge(before).from, self.edge(after).from, self.to(after)].map(|v| verts[v as usize]);
        let bend = orient2d(a, b, c);
        bend > 0.0 || (bend == 0.0 && (b - a).as_dvec2().dot((c - b).as_dvec2()) > 0.0)
    }

    /// Calls `visit` with the vertices of each polygon, in the order of their first triangles.
    pub(super) fn each(&self, mut visit: impl FnMut(&[u32])) {
        let mut seen = self.gone.clone();
        let mut corners = Vec::new();
        for first in 0..self.edges.len() as u32 {
            let mut h = first;
            corners.clear();
            while !core::mem::replace(&mut seen[h as usize], true) {
                corners.push(self.edge(h).from);
                h = self.edge(h).next;
            }
            if !corners.is_empty() {
                visit(&corners);
            }
        }
    }
}
