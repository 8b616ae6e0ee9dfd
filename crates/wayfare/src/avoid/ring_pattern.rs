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
    points: [Vec<f32>; 2],
    /// Where it was laid last.
    laid: [Vec<f32>; 2],
}

impl RingPattern {
    /// Makes the pattern, unless it is the one that is there.
    pub(super) fn set(&mut self, divisions: u32, rings: u32) {
        if (self.divisions, self.rings) == (divisions, rings) {
            return;
        }
        (self.divisions, self.rings) = (divisions, rings);
        self.points = [vec![0.0], vec![0.0]];
        let step = core::f32::consts::TAU / divisions as f32;
        for ring in 0..rings {
            let radius = (rings - ring) as f32 / rings as f32;
            let turn = if ring % 2 == 0 { 0.0 } else { 0.5 };
            for i in 0..divisions {
                let angle = (i as f32 + turn) * step;
                self.points[0].push(ops::cos(angle) * radius);
                self.points[1].push(ops::sin(angle) * radius);
            }
        }
        self.laid = self.points.clone();
    }

    /// The points, by x and y, around `center` and turned so that straight ahead is `along`, which is as long as the
    /// outermost ring is far.
    pub(super) fn lay(&mut self, center: Vec2, along: Vec2) -> [&[f32]; 2] {
        let Self { points: [px, py], laid: [xs, ys], .. } = self;
        for (((x, y), px), py) in xs.iter_mut().zip(ys.iter_mut()).zip(px).zip(py) {
            *x = center.x + (along.x * *px - along.y * *py);
            *y = center.y + (along.y * *px + along.x * *py);
        }
        [xs, ys]
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
                let laid = pattern.lay(Vec2::ZERO, Vec2::X);
                let points: Vec<Vec2> = laid[0].iter().zip(laid[1]).map(|(&x, &y)| Vec2::new(x, y)).collect();
                assert_eq!(points.len(), (divisions * rings + 1) as usize);
                assert_eq!(points[1], Vec2::X, "straight ahead is tried");
                let sum: Vec2 = points.iter().sum();
                assert!(divisions == 1 || sum.length() < 1e-4, "{divisions} × {rings}: {sum}");
                for (i, a) in points.iter().enumerate() {
                    assert!(a.length() < 1.0 + 1e-6);
                    assert!(points[..i].iter().all(|b| a.distance(*b) > 0.02), "{divisions} × {rings}: twice");
                }
                let turned = pattern.lay(Vec2::ONE, Vec2::new(0.0, 3.0));
                assert_eq!((turned[0][1], turned[1][1]), (1.0, 4.0), "straight ahead, turned to the left");
            }
        }
    }
}
