//! A pattern of points on rings in the unit circle, by which velocities are sampled.
//!
//! ```text
//!        .  *  .          Every ring has the same number of points. The outermost starts straight ahead, so that the
//!      *   o o   *        desired velocity is always a sample. Each further ring is turned by half a step, so that points
//!     . o   +   o >       of neighbouring rings do not lie behind one another.
//!      *   o o   *
//!        .  *  .
//! ```
//!
//! Sources: Mikko Mononen, "RVO Sample Pattern", Digesting Duck, October 2010.

use crate::math::ops;

/// The center and `divisions` points on each of `rings` rings, with +x straight ahead.
#[derive(Clone, Debug, Default)]
pub(super) struct RingPattern {
    divisions: u32,
    rings: u32,
    eights: Vec<[[f32; 8]; 2]>,
}

impl RingPattern {
    /// The first two lanes are free for additional candidates: 1 for a velocity, 0 for standing still.
    pub(super) const FREE: [f32; 8] = {
        let mut free = [f32::NAN; 8];
        (free[0], free[1]) = (1.0, 0.0);
        free
    };

    /// Computes the pattern unless it is the current one.
    pub(super) fn set(&mut self, divisions: u32, rings: u32) {
        if (self.divisions, self.rings) == (divisions, rings) {
            return;
        }
        (self.divisions, self.rings) = (divisions, rings);
        let mut points = vec![[0.0; 2]];
        let step = core::f32::consts::TAU / divisions as f32;
        for ring in 0..rings {
            let radius = (rings - ring) as f32 / rings as f32;
            let turn = if ring % 2 == 0 { 0.0 } else { 0.5 };
            for i in 0..divisions {
                let angle = (i as f32 + turn) * step;
                points.push([ops::cos(angle) * radius, ops::sin(angle) * radius]);
            }
        }

        self.eights.clear();
        let free = [[f32::NAN; 2]; 2];
        let lanes: Vec<[f32; 2]> = free.into_iter().chain(points).collect();
        for lanes in lanes.chunks(8) {
            let mut eight = [[f32::NAN; 8]; 2];
            for (k, [x, y]) in lanes.iter().enumerate() {
                (eight[0][k], eight[1][k]) = (*x, *y);
            }
            self.eights.push(eight);
        }
    }

    /// The points by x and y, eight per vector. Unused lanes hold NaN, the first two among them.
    pub(super) fn eights(&self) -> &[[[f32; 8]; 2]] {
        &self.eights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn every_count_of_points_is_even_around_the_circle() {
        for divisions in 1..=33_u32 {
            for rings in 1..=4_u32 {
                let mut pattern = RingPattern::default();
                pattern.set(divisions, rings);
                let lanes = pattern.eights().iter().flat_map(|[x, y]| x.iter().zip(y));
                let lanes: Vec<Vec2> = lanes.map(|(&x, &y)| Vec2::new(x, y)).collect();
                assert!(lanes[..2].iter().all(|lane| lane.is_nan()));
                let points: Vec<Vec2> = lanes.into_iter().filter(|point| !point.is_nan()).collect();
                assert_eq!(points.len(), (divisions * rings + 1) as usize);
                assert_eq!(points[1], Vec2::X, "straight ahead is tried");
                let sum: Vec2 = points.iter().sum();
                assert!(divisions == 1 || sum.length() < 1e-4, "{divisions} × {rings}: {sum}");
                for (i, a) in points.iter().enumerate() {
                    assert!(a.length() < 1.0 + 1e-6);
                    assert!(points[..i].iter().all(|b| a.distance(*b) > 0.02), "{divisions} × {rings}: twice");
                }
            }
        }
    }
}
