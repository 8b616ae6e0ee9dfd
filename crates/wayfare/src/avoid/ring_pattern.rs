//! Points of the unit circle on rings around its center, the pattern in which velocities are tried.
//!
//! ```text
//!        .  *  .          Every ring has the same number of points. The outermost begins straight ahead, so that the
//!      *   o o   *        wanted velocity is always among the samples; each further one is turned by half a step, so that
//!     . o   +   o >       points of neighbouring rings do not hide behind one another.
//!      *   o o   *
//!        .  *  .
//! ```
//!
//! Sources: Mikko Mononen, "RVO Sample Pattern", Digesting Duck, October 2010.

use crate::math::ops;
use glam::Vec2;

/// The center and `divisions` points on each of `rings` rings, straight ahead being +x.
#[derive(Clone, Debug, Default)]
pub(super) struct RingPattern {
    divisions: u32,
    rings: u32,
    pub(super) points: Vec<Vec2>,
}

impl RingPattern {
    /// Makes the pattern, unless it is the one that is there.
    pub(super) fn set(&mut self, divisions: u32, rings: u32) {
        if (self.divisions, self.rings) == (divisions, rings) {
            return;
        }
        (self.divisions, self.rings) = (divisions, rings);
        self.points.clear();
        self.points.push(Vec2::ZERO);
        let step = core::f32::consts::TAU / divisions as f32;
        for ring in 0..rings {
            let radius = (rings - ring) as f32 / rings as f32;
            let turn = if ring % 2 == 0 { 0.0 } else { 0.5 };
            for i in 0..divisions {
                let angle = (i as f32 + turn) * step;
                self.points.push(Vec2::new(ops::cos(angle), ops::sin(angle)) * radius);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_of_points_is_even_around_the_circle() {
        for divisions in 1..=33_u32 {
            for rings in 1..=4_u32 {
                let mut pattern = RingPattern::default();
                pattern.set(divisions, rings);
                assert_eq!(pattern.points.len(), (divisions * rings + 1) as usize);
                assert_eq!(pattern.points[1], Vec2::X, "straight ahead is tried");
                let sum: Vec2 = pattern.points.iter().sum();
                assert!(divisions == 1 || sum.length() < 1e-4, "{divisions} × {rings}: {sum}");
                for (i, a) in pattern.points.iter().enumerate() {
                    assert!(a.length() < 1.0 + 1e-6);
                    assert!(pattern.points[..i].iter().all(|b| a.distance(*b) > 0.02), "{divisions} × {rings}: twice");
                }
            }
        }
    }
}
