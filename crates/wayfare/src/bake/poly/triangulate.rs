//! Triangulates one outline by ear clipping, exactly, in integers.
//!
//! An *ear* is a corner whose two neighbours see each other: the triangle over it lies inside the outline and contains
//! no other corner. Every outline has two, so clipping one ear after the other leaves nothing. The ear with the
//! shortest cut goes first, which keeps triangles compact.
//!
//! ```text
//!        v                     A corner of the outline can lie in the triangle p v n only if some *reflex* corner does,
//!       / \                    so only those are tested. Outlines are *weakly* simple: holes are joined to them by
//!      / r \     r: reflex     bridges walked twice, so corners may coincide. A corner that coincides with p, v or n
//!     /  .  \    -> no ear     blocks the ear only if one of its own edges leads into the triangle.
//!    p-------n
//! ```
//!
//! If no proper ear is left (outlines that touch or cross themselves), ears that touch other corners are clipped, even
//! flat ones; if there are none of these either, the rest is left out and reported to the caller. The number of corner
//! tests is always bounded.
//!
//! For large outlines (for example an open area with many pillars, joined with all its holes) the reflex corners are
//! also stored in a grid, and only those in the box around the triangle are tested. Testing all of them took 15 s for
//! 25,000 pillars.
//!
//! Cost: about constant for each ear of a large outline, the reflex corners of a small one; a heap holds the ears.
//!
//! Sources: G. Meisters, "Polygons have ears", 1975; M. Held, "FIST: Fast industrial-strength triangulation of
//! polygons", 2001 (reflex corners only, a grid of them, coincident corners); the order of ears is Recast's (Mikko
//! Mononen, 2009).

use crate::bake::cell_point::{Point, distance_squared, turn};
use crate::bake::corner_grid::CornerGrid;
use crate::math::index::NONE;
use crate::math::steps;
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// How strictly an ear is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// A proper triangle whose cut touches no other corner.
    Strict,
    /// The cut may touch other corners, and the triangle may be flat.
    Loose,
}

/// An ear waiting to be clipped: shortest cut first, then lowest corner. The last number marks outdated entries.
type Ear = Reverse<(u64, u32, u32, u32)>;

/// A reflex corner and its position, stored together for the loop that tests all of them.
#[derive(Clone, Copy)]
struct Reflex {
    at: Point,
    corner: u32,
}

/// Working memory of [`Triangulator::run`].
#[derive(Default)]
pub(super) struct Triangulator {
    at: Vec<Point>,
    prev: Vec<u32>,
    next: Vec<u32>,
    /// Counts the changes around a corner; `u32::MAX` once it is clipped.
    stamp: Vec<u32>,
    /// Corners that are not strictly convex, in no order.
    reflex: Vec<Reflex>,
    /// The index of each corner in `reflex`; `NONE` for convex ones.
    listed: Vec<u32>,
    /// The same corners by position, if the outline is large; removed ones stay.
    grid: CornerGrid,
    is_large: bool,
    ears: BinaryHeap<Ear>,
    left: usize,
    work: u64,
    work_max: u64,
}

const CLIPPED: u32 = u32::MAX;

/// Outlines with fewer corners are scanned faster than sorted into a grid.
const LARGE: usize = 256;

impl Triangulator {
    /// Triangulates the closed outline `points`; the triangles, as corner indices, are appended to `triangles`.
    ///
    /// Returns a corner of what was left out, or `None` if the whole outline was triangulated.
    pub(super) fn run(&mut self, points: &[Point], triangles: &mut Vec<[u32; 3]>) -> Option<u32> {
        self.run_from(points, LARGE, triangles)
    }

    /// The same, where outlines count as large from this many corners on.
    fn run_from(&mut self, points: &[Point], large: usize, triangles: &mut Vec<[u32; 3]>) -> Option<u32> {
        if points.len() < 3 {
            return points.first().map(|_| 0);
        }
        self.is_large = points.len() >= large;
        self.start(points);
        self.find_ears(Rule::Strict);
        // Whether ears were last searched everywhere, so that another search would find the same.
        let mut all_fresh = true;
        while self.left > 3 {
            if let Some(tip) = self.pop_ear() {
                self.clip(tip, triangles);
                all_fresh = false;
            } else if !all_fresh {
                self.find_ears(Rule::Strict);
                all_fresh = true;
            } else if let Some(tip) = self.best_loose_ear() {
                self.clip(tip, triangles);
                all_fresh = false;
            } else {
                return self.some_corner();
            }
        }
        self.close(triangles)
    }

    fn start(&mut self, points: &[Point]) {
        let n = points.len();
        self.at.clear();
        self.at.extend_from_slice(points);
        self.prev.clear();
        self.prev.extend((0..n).map(|i| if i == 0 { n as u32 - 1 } else { i as u32 - 1 }));
        self.next.clear();
        self.next.extend((0..n).map(|i| if i + 1 == n { 0 } else { i as u32 + 1 }));
        self.stamp.clear();
        self.stamp.resize(n, 0);
        self.ears.clear();
        self.left = n;
        self.work = 0;
        // Twenty times what a contour of the same size needs when it is clipped without problems.
        self.work_max = 1 << 20 | (n as u64 * n as u64).saturating_mul(40);
        self.reflex.clear();
        if self.is_large {
            let axis = |k: usize| points.iter().fold([i32::MAX, i32::MIN], |[a, b], p| [a.min(p[k]), b.max(p[k])]);
            let [x, z] = [axis(0), axis(1)];
            self.grid.reset([[x[0], z[0]], [x[1], z[1]]], n);
        }
        self.listed.clear();
        self.listed.resize(n, NONE);
        for i in 0..n as u32 {
            self.update_reflex(i);
        }
    }

    fn point(&self, i: u32) -> Point {
        self.at[i as usize]
    }

    /// The corners before and after `i`.
    fn around(&self, i: u32) -> (u32, u32) {
        (self.prev[i as usize], self.next[i as usize])
    }

    /// Adds the corner to the list if it is reflex, removes it if it no longer is.
    fn update_reflex(&mut self, i: u32) {
        let (p, n) = self.around(i);
        let is_reflex = turn(self.point(p), self.point(i), self.point(n)) <= 0;
        if is_reflex == (self.listed[i as usize] != NONE) {
            return;
        }
        if is_reflex {
            self.listed[i as usize] = self.reflex.len() as u32;
            self.reflex.push(Reflex { at: self.point(i), corner: i });
            if self.is_large {
                self.grid.add_corner(self.point(i), i);
            }
        } else {
            self.strike_off(i);
        }
    }

    fn strike_off(&mut self, i: u32) {
        let slot = core::mem::replace(&mut self.listed[i as usize], NONE);
        if slot != NONE {
            self.reflex.swap_remove(slot as usize);
            if let Some(moved) = self.reflex.get(slot as usize) {
                self.listed[moved.corner as usize] = slot;
            }
        }
    }

    /// Whether the corner is strictly convex.
    fn is_convex(&self, i: u32) -> bool {
        self.listed[i as usize] == NONE
    }

    fn find_ears(&mut self, rule: Rule) {
        self.ears.clear();
        let Some(first) = self.some_corner() else { return };
        let mut i = first;
        loop {
            steps::count(1);
            self.offer(i, rule);
            i = self.next[i as usize];
            if i == first || self.work > self.work_max {
                break;
            }
        }
    }

    fn some_corner(&self) -> Option<u32> {
        self.stamp.iter().position(|&s| s != CLIPPED).map(|i| i as u32)
    }

    /// Adds the corner to the heap if it is an ear.
    fn offer(&mut self, tip: u32, rule: Rule) {
        if self.is_ear(tip, rule) {
            let (p, n) = self.around(tip);
            let cut = distance_squared(self.point(p), self.point(n));
            self.ears.push(Reverse((cut, p, tip, self.stamp[tip as usize])));
        }
    }

    fn pop_ear(&mut self) -> Option<u32> {
        while let Some(Reverse((_, _, tip, stamp))) = self.ears.pop() {
            if self.stamp[tip as usize] == stamp {
                return Some(tip);
            }
        }
        None
    }

    fn best_loose_ear(&mut self) -> Option<u32> {
        self.find_ears(Rule::Loose);
        let best = self.pop_ear();
        self.ears.clear();
        best
    }

    fn clip(&mut self, tip: u32, triangles: &mut Vec<[u32; 3]>) {
        let (p, n) = self.around(tip);
        triangles.push([p, tip, n]);
        self.next[p as usize] = n;
        self.prev[n as usize] = p;
        self.stamp[tip as usize] = CLIPPED;
        self.left -= 1;
        // Flat ears are reflex by the strict rule.
        self.strike_off(tip);
        for corner in [p, n] {
            self.stamp[corner as usize] += 1;
            self.update_reflex(corner);
        }
        for corner in [p, n] {
            self.offer(corner, Rule::Strict);
        }
    }

    /// The last three corners.
    fn close(&mut self, triangles: &mut Vec<[u32; 3]>) -> Option<u32> {
        let a = self.some_corner()?;
        let (c, b) = self.around(a);
        let area = turn(self.point(a), self.point(b), self.point(c));
        if area < 0 {
            return Some(a);
        }
        triangles.push([a, b, c]);
        None
    }

    fn is_ear(&mut self, tip: u32, rule: Rule) -> bool {
        let (p, n) = self.around(tip);
        let corners = [p, tip, n].map(|i| self.point(i));
        if !self.is_convex(tip) {
            return rule == Rule::Loose && turn(corners[0], corners[1], corners[2]) == 0;
        }
        self.sees(p, n, rule) && self.sees(n, p, rule) && self.is_empty(tip, corners, rule)
    }

    /// Whether the line from corner `a` towards `b` starts inside the outline.
    fn sees(&self, a: u32, b: u32, rule: Rule) -> bool {
        let (p, n) = self.around(a);
        let convex = self.is_convex(a);
        let [p, n, a, b] = [p, n, a, b].map(|i| self.point(i));
        let after_in = turn(p, a, b);
        let before_out = turn(a, n, b);
        if convex {
            if rule == Rule::Strict { after_in > 0 && before_out > 0 } else { after_in >= 0 && before_out >= 0 }
        } else if rule == Rule::Strict {
            // At a reflex corner everything is inside except the wedge behind it; its edges do not count as inside.
            after_in > 0 || before_out > 0
        } else {
            after_in >= 0 || before_out >= 0
        }
    }

    /// Whether no reflex corner prevents clipping the ear over `tip`.
    fn is_empty(&mut self, tip: u32, corners: [Point; 3], rule: Rule) -> bool {
        let (p, n) = self.around(tip);
        let low = [0, 1].map(|k| corners[0][k].min(corners[1][k]).min(corners[2][k]));
        let high = [0, 1].map(|k| corners[0][k].max(corners[1][k]).max(corners[2][k]));
        let is_beside = |at: Point| at[0] < low[0] || at[0] > high[0] || at[1] < low[1] || at[1] > high[1];
        let blocks = |r: u32| r != p && r != n && self.blocks(r, corners, rule);
        let all = self.reflex.len() as u64;
        let squares = if self.is_large { self.grid.squares_in(low, high) } else { all };
        let is_blocked = if squares < all {
            let is_reflex = |r: u32| self.listed[r as usize] != NONE;
            self.grid.any_corner_in(low, high, |r| is_reflex(r) && !is_beside(self.point(r)) && blocks(r))
        } else {
            self.reflex.iter().inspect(|_| steps::count(1)).any(|r| !is_beside(r.at) && blocks(r.corner))
        };
        self.work += squares.min(all);
        !is_blocked
    }

    fn blocks(&self, u: u32, corners: [Point; 3], rule: Rule) -> bool {
        let at = self.point(u);
        if let Some(c) = corners.iter().position(|&corner| corner == at) {
            let before = corners[(c + 2) % 3];
            let here = corners[c];
            let after = corners[(c + 1) % 3];
            let (p, n) = self.around(u);
            return [p, n].into_iter().any(|w| {
                let way = self.point(w);
                turn(here, after, way) > 0 && turn(before, here, way) > 0
            });
        }
        let sides = [0, 1, 2].map(|k| turn(corners[k], corners[(k + 1) % 3], at));
        match rule {
            Rule::Strict => sides.iter().all(|&s| s >= 0),
            Rule::Loose => sides.iter().all(|&s| s > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    fn cut(points: &[Point]) -> (Vec<[u32; 3]>, Option<u32>) {
        let mut triangles = Vec::new();
        let rest = Triangulator::default().run(points, &mut triangles);
        (triangles, rest)
    }

    fn area2(points: &[Point]) -> i64 {
        (1..points.len().max(2) - 1).map(|i| turn(points[0], points[i], points[i + 1])).sum()
    }

    /// All of the outline is covered by proper triangles, no more and no less.
    fn assert_covers(points: &[Point]) {
        let (triangles, rest) = cut(points);
        assert_eq!(rest, None, "{points:?}");
        let parts = triangles.iter().map(|t| t.map(|i| points[i as usize])).map(|[a, b, c]| turn(a, b, c));
        let parts: Vec<i64> = parts.collect();
        assert!(parts.iter().all(|&a| a >= 0));
        assert_eq!(parts.iter().sum::<i64>(), area2(points), "{points:?} {triangles:?}");
    }

    #[test]
    fn a_square_is_two_triangles() {
        let square = [[0, 0], [0, 4], [4, 4], [4, 0]];
        assert_eq!(area2(&square), 32);
        assert_covers(&square);
        assert_eq!(cut(&square).0.len(), 2);
    }

    #[test]
    fn corners_on_straight_edges_stay_corners() {
        // No triangle may be flat: each point on an edge is a corner of proper triangles.
        let ring = [[0, 0], [0, 2], [0, 4], [2, 4], [4, 4], [4, 2], [4, 0], [2, 0]];
        let (triangles, rest) = cut(&ring);
        assert_eq!((triangles.len(), rest), (6, None));
        assert!(triangles.iter().all(|t| turn(ring[t[0] as usize], ring[t[1] as usize], ring[t[2] as usize]) > 0));
    }

    #[test]
    fn a_bridged_hole_stays_open() {
        // Outer square 0..9, hole 3..6 joined by the bridge (0,0)-(3,3), walked twice.
        let ring = [[0, 0], [0, 9], [9, 9], [9, 0], [0, 0], [3, 3], [6, 3], [6, 6], [3, 6], [3, 3]];
        assert_eq!(area2(&ring), 2 * (81 - 9));
        assert_covers(&ring);
    }

    #[test]
    fn two_holes_bridged_at_one_corner() {
        let outer = [[0, 0], [0, 20], [20, 20], [20, 0], [0, 0]];
        let right = [[12, 4], [14, 4], [14, 6], [12, 6], [12, 4], [0, 0]];
        let left = [[4, 4], [6, 4], [6, 6], [4, 6], [4, 4]];
        let ring = [&outer[..], &right[..], &left[..]].concat();
        assert_eq!(area2(&ring), 2 * (400 - 4 - 4));
        assert_covers(&ring);
    }

    #[test]
    fn a_hole_that_touches_the_outline_is_not_covered() {
        // The hole's tip touches the corner (0,0) but its bridge is at another corner.
        let ring = [[0, 0], [0, 12], [12, 12], [12, 0], [6, 4], [4, 6], [0, 0], [6, 4], [12, 0]];
        assert_eq!(area2(&ring), 2 * 144 - 20);
        assert_covers(&ring);
    }

    #[test]
    fn crossing_outlines_end_and_say_so() {
        let bow_tie = [[0, 0], [4, 4], [4, 0], [0, 4]];
        let (_, rest) = cut(&bow_tie);
        assert!(rest.is_some());
        assert!(cut(&[[0, 0], [0, 4], [4, 4], [4, 0]].map(|[x, z]| [z, x])).1.is_some(), "inside out");
    }

    #[test]
    fn flat_and_tiny_outlines_do_no_harm() {
        for points in [&[][..], &[[1, 1]], &[[1, 1], [2, 2]], &[[1, 1]; 7], &[[0, 0], [5, 0], [2, 0], [9, 0]]] {
            let (triangles, _) = cut(points);
            assert!(triangles.iter().all(|t| t.iter().all(|&i| (i as usize) < points.len())));
        }
    }

    #[test]
    fn stars_of_any_size_are_covered() {
        // A star-shaped outline around the middle, random radii: simple by construction.
        let mut rng = Rng::new(1);
        for n in [5usize, 12, 33, 150] {
            for _ in 0..20 {
                let mut points: Vec<Point> = Vec::new();
                for i in 0..n {
                    let radius = 200.0 + f64::from(rng.below(4096));
                    let angle = -(i as f64) / n as f64 * core::f64::consts::TAU;
                    let p = [(radius * angle.cos()) as i32, (radius * angle.sin()) as i32];
                    points.push(p);
                }
                assert_covers(&points);
            }
        }
    }

    /// A square with pillars, which are joined to it one after the other.
    fn pillars(columns: i32) -> Vec<Point> {
        let side = columns * 8 + 4;
        let mut ring = vec![[0, 0], [0, side], [side, side], [side, 0], [0, 0]];
        for (x, z) in (0..columns).flat_map(|z| (0..columns).rev().map(move |x| (x * 8 + 4, z * 8 + 4))) {
            let pillar = [[x, z], [x + 2 + z % 3, z], [x + 2, z + 3], [x, z + 2 + x % 3], [x, z]];
            // From the corner of the square, where no pillar stands before it.
            ring.extend(pillar);
            ring.push([0, 0]);
        }
        ring
    }

    #[test]
    fn the_grid_changes_no_triangle() {
        let mut rng = Rng::new(5);
        let mut next = || rng.below(1 << 16) as i32;
        let mut outlines = vec![pillars(1), pillars(4), pillars(12)];
        for n in [9, 60, 700] {
            outlines.push((0..n).map(|i| [i * 7, if i % 2 == 0 { next() % 50 } else { 60 + next() % 50 }]).collect());
            outlines.push((0..n).map(|_| [next() % 90, next() % 90]).collect());
        }
        for points in outlines {
            let with = |large: usize| {
                let mut triangles = Vec::new();
                let rest = Triangulator::default().run_from(&points, large, &mut triangles);
                (triangles, rest)
            };
            assert_eq!(with(3), with(usize::MAX), "{points:?}");
        }
    }

    #[test]
    fn any_list_of_points_ends() {
        let mut rng = Rng::new(7);
        let mut next = || rng.below(1 << 16) as i32;
        for round in 0..2000 {
            let n = 3 + round % 40;
            let size = 2 + round % 9;
            let points: Vec<Point> = (0..n).map(|_| [next() % size, next() % size]).collect();
            let (triangles, rest) = cut(&points);
            assert!(triangles.len() <= n as usize - 2);
            let covered: i64 =
                triangles.iter().map(|t| t.map(|i| points[i as usize])).map(|[a, b, c]| turn(a, b, c)).sum();
            if rest.is_none() {
                assert_eq!(covered, area2(&points));
            }
        }
    }
}
