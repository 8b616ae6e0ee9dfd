//! A Delaunay triangulation of a convex polygon that grows by one point at a time.
//!
//! A new point splits the triangle that contains it; then edges are flipped until each triangle's circle is empty
//! again. Only the few triangles around the point change.
//!
//! ```text
//!      c              c            d inside the circle through a, b, c:
//!     / \            /|\           the edge a-b is replaced by the edge c-d
//!    a---b    ──►   a | b
//!     \ /            \|/
//!      d              d
//! ```
//!
//! [Samples](super::delaunay_samples), points that are not (yet) part of it, are redistributed when triangles are split
//! or flipped.
//!
//! Predicates are exact: coordinates are integers below 2³⁰, with more than enough bits below the cell. Points on the
//! polygon's edges are rounded to these, so they also store the *lines* on which they lie: points of one line are
//! collinear by definition, whatever the rounding did.
//!
//! Cost: O(1) flips per point on average, O(points) at worst; two triangles per point.
//!
//! Sources: C. Lawson, "Software for C¹ surface interpolation", 1977; the in-circle determinant is in any textbook.

use super::in_circle::in_circle;
use super::sample::Sample;
use crate::bake::cell_point::{Point, turn};
use crate::math::index::NONE;

/// A point of the triangulation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    /// Position in plan.
    pub(super) at: Point,
    /// Height.
    pub(super) y: i32,
    /// Numbers of the polygon's lines on which it lies; `NONE` inside.
    pub(super) lines: [u32; 2],
}

/// A triangle: vertices, wound up, and the triangles across the edges from each vertex to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub(super) verts: [u32; 3],
    pub(super) across: [u32; 3],
    pub(super) first_sample: u32,
    /// A number that no earlier state of this triangle had.
    pub(super) version: u32,
}

/// The triangulation.
#[derive(Default)]
pub(super) struct Delaunay {
    pub(super) verts: Vec<Vertex>,
    pub(super) triangles: Vec<Triangle>,
    pub(super) samples: Vec<Sample>,
    /// Triangles that the last insertion created or changed; some may be listed more than once.
    pub(super) changed: Vec<u32>,
    last_version: u32,
    /// Per vertex, the triangle whose outer edge starts there; undefined for inner vertices.
    outer: Vec<u32>,
    /// Edges to check: triangle and edge.
    doubtful: Vec<(u32, u8)>,
}

impl Delaunay {
    /// Begins with a strictly convex polygon: `ring` names at least three of `self.verts`, in order, wound up.
    pub(super) fn start(&mut self, ring: &[u32]) {
        self.triangles.clear();
        self.samples.clear();
        self.changed.clear();
        self.last_version = 0;
        self.outer.clear();
        self.outer.resize(self.verts.len(), NONE);
        let count = ring.len() as u32 - 2;
        for i in 0..count {
            let verts = [ring[0], ring[i as usize + 1], ring[i as usize + 2]];
            let before = if i == 0 { NONE } else { i - 1 };
            let after = if i + 1 == count { NONE } else { i + 1 };
            self.triangles.push(Triangle { verts, across: [before, NONE, after], first_sample: NONE, version: 0 });
            self.note_outer(i);
            self.doubtful.push((i, 2));
        }
        self.settle(true);
        self.changed.clear();
    }

    /// Adds a vertex on the outer edge that starts at vertex `after`.
    pub(super) fn insert_on_outline(&mut self, after: u32, vertex: Vertex) -> u32 {
        let p = self.push(vertex);
        self.join_outline(after, p);
        p
    }

    /// Makes an existing vertex that is in no triangle part of the outer edge that starts at vertex `after`.
    pub(super) fn join_outline(&mut self, after: u32, p: u32) {
        self.changed.clear();
        let t = self.outer[after as usize];
        let k = (0..3).find(|&k| self.triangles[t as usize].verts[k] == after).unwrap_or(0);
        self.split_edge(t, k, p);
        self.settle(false);
    }

    /// Makes a sample a vertex. `false` if it lies on the outline or outside, where it cannot be inserted.
    pub(super) fn insert_sample(&mut self, sample: u32) -> bool {
        let Sample { at, y, triangle: t, .. } = self.samples[sample as usize];
        self.changed.clear();
        if t == NONE {
            return false;
        }
        self.samples[sample as usize].triangle = NONE;
        let verts = self.triangles[t as usize].verts;
        let sides = [0, 1, 2].map(|k| self.side(verts[k], verts[(k + 1) % 3], at));
        if sides.iter().any(|&s| s < 0) || sides.iter().filter(|&&s| s == 0).count() > 1 {
            return false;
        }
        let on_edge = sides.iter().position(|&s| s == 0);
        if on_edge.is_some_and(|k| self.triangles[t as usize].across[k] == NONE) {
            return false;
        }
        let p = self.push(Vertex { at, y, lines: [NONE; 2] });
        match on_edge {
            Some(k) => self.split_edge(t, k, p),
            None => self.split_triangle(t, p),
        }
        self.settle(false);
        true
    }

    fn push(&mut self, vertex: Vertex) -> u32 {
        self.verts.push(vertex);
        self.outer.push(NONE);
        self.verts.len() as u32 - 1
    }

    #[inline]
    pub(super) fn side(&self, a: u32, b: u32, p: Point) -> i64 {
        turn(self.verts[a as usize].at, self.verts[b as usize].at, p)
    }

    /// Whether a, b, c are a proper triangle, wound up.
    fn is_proper(&self, a: u32, b: u32, c: u32) -> bool {
        let [a, b, c] = [a, b, c].map(|v| &self.verts[v as usize]);
        let on_one_line = a.lines.iter().any(|l| *l != NONE && b.lines.contains(l) && c.lines.contains(l));
        !on_one_line && turn(a.at, b.at, c.at) > 0
    }

    /// Walks from triangle `t` towards a point, to the triangle that contains it.
    pub(super) fn walk(&self, mut t: u32, at: Point) -> Option<u32> {
        for _ in 0..self.triangles.len() + 4 {
            let triangle = &self.triangles[t as usize];
            let verts = triangle.verts;
            match (0..3).find(|&k| self.side(verts[k], verts[(k + 1) % 3], at) < 0) {
                None => return Some(t),
                Some(k) if triangle.across[k] == NONE => return None,
                Some(k) => t = triangle.across[k],
            }
        }
        None
    }

    /// Sets a triangle and updates its neighbours.
    fn set(&mut self, t: u32, verts: [u32; 3], across: [u32; 3]) {
        self.last_version = self.last_version.wrapping_add(1);
        let triangle = Triangle { verts, across, first_sample: NONE, version: self.last_version };
        if (t as usize) < self.triangles.len() {
            self.triangles[t as usize] = triangle;
        } else {
            self.triangles.push(triangle);
        }
        for k in 0..3 {
            if across[k] != NONE {
                self.tell(across[k], verts[(k + 1) % 3], t);
            }
        }
        self.changed.push(t);
    }

    /// Updates triangle `t`: `from` is now across its edge that starts at `vertex`.
    fn tell(&mut self, t: u32, vertex: u32, from: u32) {
        if let Some(triangle) = self.triangles.get_mut(t as usize)
            && let Some(k) = triangle.verts.iter().position(|&v| v == vertex)
        {
            triangle.across[k] = from;
        }
    }

    /// Stores where the triangle's outer edges start, once its neighbours are set.
    fn note_outer(&mut self, t: u32) {
        let Triangle { verts, across, .. } = self.triangles[t as usize];
        for k in 0..3 {
            if across[k] == NONE {
                self.outer[verts[k] as usize] = t;
            }
        }
    }

    fn split_triangle(&mut self, t: u32, p: u32) {
        let Triangle { verts: [a, b, c], across: [ab, bc, ca], .. } = self.triangles[t as usize];
        let samples = self.take_samples(t);
        let t1 = self.triangles.len() as u32;
        let t2 = self.triangles.len() as u32 + 1;
        self.set(t, [a, b, p], [ab, NONE, NONE]);
        self.set(t1, [b, c, p], [bc, NONE, NONE]);
        self.set(t2, [c, a, p], [ca, NONE, NONE]);
        self.link_fan(&[t, t1, t2]);
        self.triangles[t as usize].across[2] = t2;
        self.triangles[t2 as usize].across[1] = t;
        for part in [t, t1, t2] {
            self.note_outer(part);
        }
        self.hand_out(samples, &[t, t1, t2]);
        self.doubtful.extend([(t, 0), (t1, 0), (t2, 0)]);
    }

    /// In a fan of triangles (x, y, p), (y, z, p), …: links each with the next over the edge y-p.
    fn link_fan(&mut self, fan: &[u32]) {
        for pair in fan.windows(2) {
            self.triangles[pair[0] as usize].across[1] = pair[1];
            self.triangles[pair[1] as usize].across[2] = pair[0];
        }
    }

    /// Splits edge `k` of triangle `t`, and the triangle on the other side if there is one.
    fn split_edge(&mut self, t: u32, k: usize, p: u32) {
        let Triangle { verts, across, .. } = self.triangles[t as usize];
        let [a, b, c] = [0, 1, 2].map(|i| verts[(k + i) % 3]);
        let [u, bc, ca] = [0, 1, 2].map(|i| across[(k + i) % 3]);
        let samples = self.take_samples(t);
        let t1 = self.triangles.len() as u32;
        if u == NONE {
            // The outer edges a-p and p-b belong to the last edge of one part and the middle edge of the other.
            self.set(t, [c, a, p], [ca, NONE, NONE]);
            self.set(t1, [b, c, p], [bc, NONE, NONE]);
            self.link_fan(&[t1, t]);
            for part in [t, t1] {
                self.note_outer(part);
            }
            self.hand_out(samples, &[t, t1]);
            self.doubtful.extend([(t, 0), (t1, 0)]);
            return;
        }
        let beyond = self.triangles[u as usize];
        let j = (0..3).find(|&j| beyond.verts[j] == b).unwrap_or(0);
        let d = beyond.verts[(j + 2) % 3];
        let ad = beyond.across[(j + 1) % 3];
        let db = beyond.across[(j + 2) % 3];
        let more = self.take_samples(u);
        let u1 = t1 + 1;
        self.set(t, [c, a, p], [ca, NONE, NONE]);
        self.set(t1, [b, c, p], [bc, NONE, NONE]);
        self.set(u1, [a, d, p], [ad, NONE, NONE]);
        self.set(u, [d, b, p], [db, NONE, NONE]);
        self.link_fan(&[t1, t, u1, u, t1]);
        for part in [t, t1, u, u1] {
            self.note_outer(part);
        }
        for chain in [samples, more] {
            self.hand_out(chain, &[t, t1, u, u1]);
        }
        self.doubtful.extend([(t, 0), (t1, 0), (u, 0), (u1, 0)]);
    }

    /// Flips edges until none needs it. `all`: check all four edges around a flipped one, not only the two away from
    /// the third vertex of its first triangle (which after an insertion is the new point).
    fn settle(&mut self, all: bool) {
        // Flipping terminates by itself; the limit is for triangles distorted by rounding in negligibly thin polygons.
        let mut turns_left = 64 + 16 * self.triangles.len();
        while let Some((t, k)) = self.doubtful.pop() {
            if turns_left == 0 {
                self.doubtful.clear();
                return;
            }
            if let Some(u) = self.turn_edge(t, k as usize) {
                turns_left -= 1;
                self.doubtful.extend([(t, 0), (u, 0)]);
                if all {
                    self.doubtful.extend([(t, 2), (u, 1)]);
                }
            }
        }
    }

    /// Flips the edge if the vertex on the other side lies in the triangle's circle; returns the triangle on the other
    /// side.
    fn turn_edge(&mut self, t: u32, k: usize) -> Option<u32> {
        let Triangle { verts, across, .. } = self.triangles[t as usize];
        let u = across[k];
        if u == NONE {
            return None;
        }
        let [a, b, c] = [0, 1, 2].map(|i| verts[(k + i) % 3]);
        let beyond = self.triangles[u as usize];
        let j = (0..3).find(|&j| beyond.verts[j] == b)?;
        let d = beyond.verts[(j + 2) % 3];
        let at = [a, b, c, d].map(|v| self.verts[v as usize].at);
        if !in_circle(at) || !self.is_proper(a, d, c) || !self.is_proper(d, b, c) {
            return None;
        }
        let bc = across[(k + 1) % 3];
        let ca = across[(k + 2) % 3];
        let ad = beyond.across[(j + 1) % 3];
        let db = beyond.across[(j + 2) % 3];
        let chains = [self.take_samples(t), self.take_samples(u)];
        self.set(t, [a, d, c], [ad, u, ca]);
        self.set(u, [d, b, c], [db, bc, t]);
        for part in [t, u] {
            self.note_outer(part);
        }
        for chain in chains {
            self.hand_out_two(chain, t, u, [d, c]);
        }
        Some(u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    fn inner(at: Point, y: i32) -> Vertex {
        Vertex { at, y, lines: [NONE; 2] }
    }

    fn square(side: i32) -> Delaunay {
        let mut d = Delaunay::default();
        for (i, at) in [[0, 0], [0, side], [side, side], [side, 0]].into_iter().enumerate() {
            let i = i as u32;
            d.verts.push(Vertex { lines: [(i + 3) % 4, i], ..inner(at, 0) });
        }
        d.start(&[0, 1, 2, 3]);
        d
    }

    /// Triangles are proper, cover twice the given area, know each other, and have empty circles.
    fn assert_sound(d: &Delaunay, area2: i64) {
        let mut sum = 0;
        for (i, t) in d.triangles.iter().enumerate() {
            let [a, b, c] = t.verts;
            assert!(d.is_proper(a, b, c), "{t:?}");
            sum += d.side(a, b, d.verts[c as usize].at);
            for k in 0..3 {
                let from = t.verts[k];
                let to = t.verts[(k + 1) % 3];
                if t.across[k] == NONE {
                    assert_eq!(d.outer[from as usize], i as u32);
                    continue;
                }
                let other = d.triangles[t.across[k] as usize];
                let j = other.verts.iter().position(|&v| v == to).unwrap();
                assert_eq!((other.verts[(j + 1) % 3], other.across[j]), (from, i as u32));
                let far = other.verts[(j + 2) % 3];
                let at = [a, b, c, far].map(|v| d.verts[v as usize].at);
                assert!(
                    !in_circle(at)
                        || !d.is_proper(from, far, t.verts[(k + 2) % 3])
                        || !d.is_proper(far, to, t.verts[(k + 2) % 3])
                );
            }
        }
        assert_eq!(sum, area2);
        for (i, s) in d.samples.iter().enumerate().filter(|(_, s)| s.triangle != NONE) {
            let t = &d.triangles[s.triangle as usize];
            assert!((0..3).all(|k| d.side(t.verts[k], t.verts[(k + 1) % 3], s.at) >= 0));
            let mut chain = core::iter::successors(Some(t.first_sample), |&s| Some(d.samples[s as usize].next));
            assert!(chain.any(|other| other == i as u32));
        }
    }

    #[test]
    fn circles() {
        let [a, b, c] = [[0, 0], [0, 4], [4, 4]];
        assert!(in_circle([a, b, c, [3, 1]]) && !in_circle([a, b, c, [4, 0]]) && !in_circle([a, b, c, [5, 0]]));
        let big = 1 << 29;
        assert!(!in_circle([[0, 0], [0, big], [big, big], [big, 0]]), "on the circle is not inside, at any size");
        assert!(in_circle([[0, 0], [0, big], [big, big], [big - 1, 0]]));
        assert!(!in_circle([[0, 0], [0, big], [big, big], [big + 1, 0]]));
    }

    #[test]
    fn a_fan_is_mended() {
        // Seen from the first corner, a fan of this shape has slivers.
        let ring = [[0, 0], [1, 20], [3, 25], [30, 26], [33, 2], [30, 0]];
        let mut d = Delaunay::default();
        d.verts.extend(ring.iter().map(|&at| inner(at, 0)));
        d.start(&[0, 1, 2, 3, 4, 5]);
        assert_eq!(d.triangles.len(), 4);
        let area2 = (1..5).map(|i| turn(ring[0], ring[i], ring[i + 1])).sum();
        assert_sound(&d, area2);
    }

    #[test]
    fn points_on_the_outline_are_collinear_whatever_their_rounding() {
        let mut d = square(1000);
        // One unit outside and one inside of the left edge.
        let p = d.insert_on_outline(0, Vertex { at: [-1, 300], y: 0, lines: [0, 0] });
        let q = d.insert_on_outline(p, Vertex { at: [1, 600], y: 0, lines: [0, 0] });
        assert!(!d.is_proper(0, p, q) && !d.is_proper(p, q, 1));
        assert_eq!(d.triangles.len(), 4);
        assert!(d.triangles.iter().all(|t| d.is_proper(t.verts[0], t.verts[1], t.verts[2])));
    }

    #[test]
    fn samples_keep_their_triangles_through_all_changes() {
        let mut rng = Rng::new(3);
        let mut next = |below: i32| rng.below(below as u32) as i32;
        for round in 0..60 {
            // Few distinct places, so that points fall on edges too.
            let side = 4 + round % 29;
            let mut d = square(side);
            d.samples.extend((0..40).map(|_| Sample::new([1 + next(side - 1), 1 + next(side - 1)], next(9))));
            d.place_samples();
            assert!(d.samples.iter().all(|s| s.triangle != NONE));
            let mut inserted = 0;
            for s in 0..d.samples.len() as u32 {
                inserted += usize::from(d.insert_sample(s));
                assert_sound(&d, 2 * i64::from(side) * i64::from(side));
            }
            assert_eq!(d.triangles.len(), 2 + 2 * inserted);
            let mut places: Vec<_> = d.samples.iter().map(|s| s.at).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(inserted, places.len(), "each place once");
        }
    }

    #[test]
    fn errors_are_vertical() {
        let mut d = square(10);
        d.verts[2].y = 10;
        d.verts[3].y = 10;
        // A ramp along x from 0 to 10.
        d.samples.push(Sample::new([3, 6], 5));
        d.place_samples();
        let t = d.samples[0].triangle;
        let (error, sample) = d.worst_sample(t, 1.5).unwrap();
        assert!((error - 2.0).abs() < 1e-12 && sample == 0);
        assert_eq!(d.worst_sample(t, 2.5), None);
    }
}
