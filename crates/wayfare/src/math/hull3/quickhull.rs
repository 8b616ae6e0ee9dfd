//! The convex hull of points in space: quickhull with exact decisions.
//!
//! ```text
//!        * p                  From a tetrahedron outwards: each face keeps the points that lie above it. The farthest
//!       /|\                   point of a face is put in: the faces that it sees, and those it lies level with beside them, are
//!      / | \   horizon        taken away, and a fan from the horizon to the point closes the hole. The points of the lost
//!     +--+--+ <------         faces go to the new ones, or are inside and done.
//!      faces seen
//! ```
//!
//! Short versions of this fail on a 4 × 4 × 4 grid because they decide "above" by rounded numbers: neighbours then
//! disagree, the horizon is not a closed loop, and the hull tears. Here the sign is exact: a filter settles nearly
//! every case, an adaptive expansion the rest. On a regular grid most cases are coplanar and would need the expansion,
//! but nothing rounds there, which is detected beforehand. Faces coplanar with the new point are removed together with
//! those it sees, so no flat sliver arises. Coplanar triangles are merged into faces at the end, by the same exact
//! test. Points on one plane, on one line or at one position have results of their own.
//!
//! Cost: O(n log h) expected for n points and h corners; O(n²) at worst.
//!
//! Sources: C. Bradford Barber, David Dobkin, Hannu Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996;
//! Jonathan Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997, in the
//! crate `robust`; Mikko Mononen, "Computational Geometry Sucks!", Digesting Duck, December 10, 2010 (the litmus test).

use super::exact::Exact;
use super::faces::{Beside, merge_coplanar};
use super::flat::flat_hull;
use crate::math::index::NONE;
use glam::{DVec3, Vec3};

/// The convex hull of points in space. Indices refer to the points given; equal points count as the first of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hull3 {
    /// No usable point.
    Empty,
    /// All points coincide.
    Point(u32),
    /// All points lie on one line: its ends.
    Line([u32; 2]),
    /// All points lie on one plane: the corners around it, without points between two corners.
    Flat(Vec<u32>),
    /// A solid body.
    Solid(SolidHull),
}

/// The hull of points that span space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolidHull {
    /// The surface as triangles; their normals `(b - a) × (c - a)` point outwards. All have an area. They may have
    /// corners that lie within a face or on an edge of [`SolidHull::faces`].
    pub triangles: Vec<[u32; 3]>,
    /// The surface as convex polygons, coplanar triangles merged, without corners on straight edges.
    pub faces: Vec<Vec<u32>>,
}

/// The convex hull of `points`. Points that are NaN or infinite are ignored.
///
/// ```
/// use wayfare::math::{Hull3, convex_hull3};
/// // A grid on which many hull algorithms fail: eight corners, 56 points within coplanar faces, on edges and inside.
/// let grid: Vec<_> = (0..64).map(|i| [i % 4, i / 4 % 4, i / 16].map(|v| v as f32).into()).collect();
/// let Hull3::Solid(hull) = convex_hull3(&grid) else { unreachable!() };
/// assert_eq!(hull.faces.len(), 6);
/// assert!(hull.faces.iter().all(|face| face.len() == 4));
/// ```
#[must_use]
pub fn convex_hull3(points: &[Vec3]) -> Hull3 {
    let exact = Exact::new(points);
    match first_simplex(&exact, points) {
        Simplex::Empty => Hull3::Empty,
        Simplex::Point(a) => Hull3::Point(a),
        Simplex::Line(ends) => Hull3::Line(ends),
        Simplex::Flat(triangle) => Hull3::Flat(flat_hull(points, triangle)),
        Simplex::Solid(corners) => {
            let mut surface = Surface::new(&exact, corners);
            surface.grow();
            let faces = merge_coplanar(&exact, &surface.finish());
            let triangles = surface.triangles;
            Hull3::Solid(SolidHull { triangles, faces })
        }
    }
}

enum Simplex {
    Empty,
    Point(u32),
    Line([u32; 2]),
    Flat([u32; 3]),
    Solid([u32; 4]),
}

/// Up to four points, chosen far apart, that span the same dimensions as all points do.
fn first_simplex(exact: &Exact, points: &[Vec3]) -> Simplex {
    // Adding zero makes -0 and 0 equal.
    let key = |i: u32| points[i as usize].to_array().map(|v| v + 0.0);
    let ends = |[a, b]: [u32; 2], &i: &u32| {
        let p = key(i);
        // Of equal points, the first.
        [if p < key(a) { i } else { a }, if p > key(b) { i } else { b }]
    };
    let Some(&first) = exact.usable.first() else { return Simplex::Empty };
    let [a, b] = exact.usable.iter().fold([first; 2], ends);
    if points[a as usize] == points[b as usize] {
        return Simplex::Point(a);
    }
    let at = |i: u32| exact.at[i as usize];
    let along = at(b) - at(a);
    let off_line = |i: u32| (at(i) - at(a)).cross(along).length_squared();
    let Some(c) = farthest(exact, off_line, |i| !exact.collinear(a, b, i)) else { return Simplex::Line([a, b]) };
    let normal = along.cross(at(c) - at(a));
    let off_plane = |i: u32| (at(i) - at(a)).dot(normal).abs();
    match farthest(exact, off_plane, |i| exact.above([a, b, c], i) != 0.0) {
        None => Simplex::Flat([a, b, c]),
        Some(d) if exact.above([a, b, c], d) > 0.0 => Simplex::Solid([a, c, b, d]),
        Some(d) => Simplex::Solid([a, b, c, d]),
    }
}

/// The point with the greatest measure (of several, the first), if it is admitted. Rounding may pick a point that does
/// lie on the line or plane; then the first point that is admitted.
fn farthest(exact: &Exact, measure: impl Fn(u32) -> f64, admits: impl Fn(u32) -> bool) -> Option<u32> {
    let mut best = (f64::NEG_INFINITY, None);
    for &i in &exact.usable {
        let far = measure(i);
        if far > best.0 {
            best = (far, Some(i));
        }
    }
    best.1.filter(|&i| admits(i)).or_else(|| exact.usable.iter().copied().find(|&i| admits(i)))
}

/// A triangle of the surface under construction.
struct Face {
    verts: [u32; 3],
    /// The face beyond the edge from each corner to the next.
    beyond: [u32; 3],
    /// Its plane: its first corner and its normal.
    corner: DVec3,
    normal: DVec3,
    alive: bool,
    /// The first of the points above it, the head of a list linked through [`Surface::next`].
    points: u32,
    /// The farthest of them: its height as a multiple of the normal's length, and its index.
    farthest: (f64, u32),
    /// The last point that was tested against it.
    seen: u32,
}

impl Face {
    /// How far a point lies above the face, as a multiple of the normal's length; the sign is exact.
    #[inline]
    fn height(&self, exact: &Exact, p: u32, at: DVec3) -> f64 {
        let height = (at - self.corner).dot(self.normal);
        if height.abs() > exact.certain { height } else { exact.above(self.verts, p) }
    }
}

struct Surface<'a> {
    exact: &'a Exact,
    faces: Vec<Face>,
    /// For each point, the next one above the same face.
    next: Vec<u32>,
    work: Vec<u32>,
    gone: Vec<u32>,
    /// The finished surface.
    triangles: Vec<[u32; 3]>,
    /// The horizon: for each of its corners, the face just beyond the edge that leaves it, and that edge's number
    /// there.
    horizon: Vec<(u32, u32, u32, u32)>,
}

impl<'a> Surface<'a> {
    /// The tetrahedron of four points, the last below the first three.
    fn new(exact: &'a Exact, [a, b, c, d]: [u32; 4]) -> Self {
        // Room for hulls of a few dozen corners.
        let mut surface = Self {
            exact,
            faces: Vec::with_capacity(64),
            next: vec![NONE; exact.at.len()],
            work: Vec::with_capacity(64),
            gone: Vec::with_capacity(32),
            triangles: Vec::new(),
            horizon: Vec::with_capacity(32),
        };
        for (verts, beyond) in
            [([a, b, c], [1, 2, 3]), ([b, a, d], [0, 3, 2]), ([c, b, d], [0, 1, 3]), ([a, c, d], [0, 2, 1])]
        {
            surface.add_face(verts, beyond);
        }
        for &p in &exact.usable {
            if ![a, b, c, d].contains(&p) {
                surface.give(p, 0);
            }
        }
        surface
    }

    fn add_face(&mut self, verts: [u32; 3], beyond: [u32; 3]) -> u32 {
        let [a, b, c] = verts.map(|v| self.exact.at[v as usize]);
        let normal = (b - a).cross(c - a);
        self.faces.push(Face {
            verts,
            beyond,
            corner: a,
            normal,
            alive: true,
            points: NONE,
            farthest: (f64::NEG_INFINITY, NONE),
            seen: NONE,
        });
        let face = self.faces.len() as u32 - 1;
        self.work.push(face);
        face
    }

    /// Adds a point to the list of the first face, from `from` on, that it sees; a point that sees none is inside.
    fn give(&mut self, p: u32, from: usize) {
        let at = self.exact.at[p as usize];
        for face in &mut self.faces[from..] {
            let height = face.height(self.exact, p, at);
            if height > 0.0 {
                self.next[p as usize] = core::mem::replace(&mut face.points, p);
                // Of equal points, the first: they stay together, but not in order.
                let (most, farthest) = face.farthest;
                if height > most || height == most && p < farthest {
                    face.farthest = (height, p);
                }
                return;
            }
        }
    }

    fn grow(&mut self) {
        while let Some(face) = self.work.pop() {
            let Face { alive, farthest: (_, p), .. } = self.faces[face as usize];
            if alive && p != NONE {
                self.put_in(p, face);
            }
        }
    }

    /// Lists the remaining triangles, each with its normal and its three neighbours.
    fn finish(&mut self) -> Vec<Beside> {
        let mut number = vec![NONE; self.faces.len()];
        self.triangles.reserve(self.faces.iter().filter(|face| face.alive).count());
        for (i, face) in self.faces.iter().enumerate().filter(|(_, face)| face.alive) {
            number[i] = self.triangles.len() as u32;
            self.triangles.push(face.verts);
        }
        let beside = |face: &Face| Beside {
            verts: face.verts,
            normal: face.normal,
            beyond: face.beyond.map(|other| number[other as usize]),
        };
        let mut all = Vec::with_capacity(self.triangles.len());
        all.extend(self.faces.iter().filter(|face| face.alive).map(beside));
        all
    }

    /// Makes a point above face `seen` a corner of the surface.
    fn put_in(&mut self, p: u32, seen: u32) {
        self.find_horizon(p, seen);
        let first = self.faces.len() as u32;
        let count = self.horizon.len() as u32;
        for i in 0..count {
            let (from, to, beyond, edge) = self.horizon[i as usize];
            let after = first + if i + 1 < count { i + 1 } else { 0 };
            let before = first + if i > 0 { i } else { count } - 1;
            let face = self.add_face([from, to, p], [beyond, after, before]);
            self.faces[beyond as usize].beyond[edge as usize] = face;
        }
        for i in 0..self.gone.len() {
            let face = &mut self.faces[self.gone[i] as usize];
            let mut point = core::mem::replace(&mut face.points, NONE);
            while point != NONE {
                let next = self.next[point as usize];
                if point != p {
                    self.give(point, first as usize);
                }
                point = next;
            }
        }
    }

    /// Removes the connected faces that `p` sees or is coplanar with, and walks around the hole.
    fn find_horizon(&mut self, p: u32, seen: u32) {
        let place = self.exact.at[p as usize];
        self.gone.clear();
        self.horizon.clear();
        self.gone.push(seen);
        self.faces[seen as usize].seen = p;
        let mut at = 0;
        while let Some(&face) = self.gone.get(at) {
            at += 1;
            self.faces[face as usize].alive = false;
            for beyond in self.faces[face as usize].beyond {
                let other = &mut self.faces[beyond as usize];
                if other.seen != p {
                    other.seen = p;
                    if other.height(self.exact, p, place) >= 0.0 {
                        self.gone.push(beyond);
                    }
                }
            }
        }
        // The walk may start at any edge between a removed and a kept face. At each corner it turns through removed
        // faces to the next edge.
        let start = self.gone.iter().find_map(|&face| (0..3).find(|&k| self.is_rim(face, k)).map(|k| (face, k)));
        let Some((mut face, mut k)) = start else { return };
        let first = (face, k);
        loop {
            let Face { verts, beyond, .. } = self.faces[face as usize];
            let from = verts[k];
            let to = verts[(k + 1) % 3];
            let kept = beyond[k];
            self.horizon.push((from, to, kept, self.edge_from(kept, to)));
            k = (k + 1) % 3;
            while !self.is_rim(face, k) {
                let next = self.faces[face as usize].beyond[k];
                k = (self.edge_from(next, to) as usize) % 3;
                face = next;
            }
            if (face, k) == first {
                return;
            }
        }
    }

    fn is_rim(&self, face: u32, k: usize) -> bool {
        self.faces[self.faces[face as usize].beyond[k] as usize].alive
    }

    /// The number of the edge of `face` that starts at `vert`.
    fn edge_from(&self, face: u32, vert: u32) -> u32 {
        self.faces[face as usize].verts.iter().position(|&v| v == vert).unwrap_or(0) as u32
    }
}
