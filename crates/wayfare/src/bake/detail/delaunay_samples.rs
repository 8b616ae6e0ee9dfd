//! Assigns the sample points to the triangles that contain them.
//!
//! ```text
//!   a-------b        a chain of samples a triangle; where that is split or turned, each of its chain goes to the part
//!    \ . . /         that it lies in
//!     \ . /
//!      \ /           so after a change only the samples of changed triangles need another look
//!       c
//! ```
//!
//! Cost: initially a walk through the triangles for each sample; then a few tests for each sample of a changed
//! triangle.
//!
//! Sources: Michael Garland, Paul Heckbert, "Fast Polygonal Approximation of Terrains and Height Fields", 1995.

use super::incremental_delaunay::Delaunay;
use super::sample::Sample;
use crate::bake::cell_point::{Point, turn};
use crate::math::index::NONE;

/// A triangle's plane: its height at a position, and its slopes along x and z.
struct SamplePlane {
    at: Point,
    y: i32,
    along_x: f64,
    along_z: f64,
}

impl SamplePlane {
    /// How far a point lies above or below. Exactly the difference of heights on level triangles.
    fn error_at(&self, at: Point, y: i32) -> f64 {
        let dx = f64::from(at[0] - self.at[0]);
        let dz = f64::from(at[1] - self.at[1]);
        (f64::from(y - self.y) - (self.along_x * dx + self.along_z * dz)).abs()
    }
}

impl Delaunay {
    /// Finds the triangle of every sample.
    pub(super) fn place_samples(&mut self) {
        let mut t = 0;
        for s in 0..self.samples.len() {
            let at = self.samples[s].at;
            match self.walk(t, at) {
                Some(found) => {
                    t = found;
                    self.give(s as u32, t);
                }
                None => self.samples[s].triangle = NONE,
            }
        }
    }

    /// The triangle's sample farthest above or below it, and how far, if that is more than `bound`. Of equals the
    /// first.
    pub(super) fn worst_sample(&self, t: u32, bound: f64) -> Option<(f64, u32)> {
        let mut next = self.triangles[t as usize].first_sample;
        if next == NONE {
            return None;
        }
        let plane = self.plane(t);
        let mut worst = (bound, NONE);
        while next != NONE {
            let s = &self.samples[next as usize];
            // A sample that could not be inserted stays in its chain, without a triangle, until the triangle changes.
            if s.triangle != NONE {
                let error = plane.error_at(s.at, s.y);
                if error > worst.0 || (error == worst.0 && next < worst.1 && worst.1 != NONE) {
                    worst = (error, next);
                }
            }
            next = s.next;
        }
        (worst.1 != NONE).then_some(worst)
    }

    fn plane(&self, t: u32) -> SamplePlane {
        let [a, b, c] = self.triangles[t as usize].verts.map(|v| self.verts[v as usize]);
        let area2 = turn(a.at, b.at, c.at) as f64;
        let [bx, bz, cx, cz] =
            [b.at[0] - a.at[0], b.at[1] - a.at[1], c.at[0] - a.at[0], c.at[1] - a.at[1]].map(f64::from);
        let by = f64::from(b.y - a.y);
        let cy = f64::from(c.y - a.y);
        let along_x = (bz * cy - cz * by) / area2;
        let along_z = (cx * by - bx * cy) / area2;
        SamplePlane { at: a.at, y: a.y, along_x, along_z }
    }

    fn give(&mut self, sample: u32, t: u32) {
        let first = &mut self.triangles[t as usize].first_sample;
        self.samples[sample as usize].next = core::mem::replace(first, sample);
        self.samples[sample as usize].triangle = t;
    }

    /// Distributes the samples of a chain to the triangles `parts` that contain them.
    pub(super) fn hand_out(&mut self, first: u32, parts: &[u32]) {
        let mut s = first;
        while s != NONE {
            let Sample { at, triangle, next, .. } = self.samples[s as usize];
            if triangle != NONE {
                let mut home = parts[parts.len() - 1];
                for &t in &parts[..parts.len() - 1] {
                    let [a, b, c] = self.triangles[t as usize].verts;
                    if self.side(a, b, at) >= 0 && self.side(b, c, at) >= 0 && self.side(c, a, at) >= 0 {
                        home = t;
                        break;
                    }
                }
                self.give(s, home);
            }
            s = next;
        }
    }

    pub(super) fn take_samples(&mut self, t: u32) -> u32 {
        core::mem::replace(&mut self.triangles[t as usize].first_sample, NONE)
    }

    /// Distributes samples to the two sides of an edge.
    pub(super) fn hand_out_two(&mut self, first: u32, inside: u32, outside: u32, edge: [u32; 2]) {
        let mut s = first;
        while s != NONE {
            let Sample { at, triangle, next, .. } = self.samples[s as usize];
            if triangle != NONE {
                let home = if self.side(edge[0], edge[1], at) >= 0 { inside } else { outside };
                self.give(s, home);
            }
            s = next;
        }
    }
}
