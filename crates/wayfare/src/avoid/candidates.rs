//! The candidate velocities of a sampling method and their penalties, in lanes of eight.
//!
//! An unused lane holds NaN. Its penalty is NaN too, and that is never the least.
//!
//! Sources: own.

use super::ring_pattern::RingPattern;
use crate::math::lanes::{Pair, at_lane, dot, load, pair, select};
use fearless_simd::f32x8;
use fearless_simd::prelude::*;
use glam::Vec2;

/// Eight velocities by x and y, each with its penalty once evaluated.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Eight {
    pub(super) v: [[f32; 8]; 2],
    pub(super) penalty: [f32; 8],
}

impl Eight {
    const NONE: Self = Self { v: [[f32::NAN; 8]; 2], penalty: [f32::NAN; 8] };
}

/// The candidate velocities.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    pub(super) eights: Vec<Eight>,
    /// Number of velocities pushed one by one.
    pushed: usize,
}

/// The placement of a pattern.
#[derive(Clone, Copy)]
pub(super) struct Laid {
    pub(super) center: Vec2,
    /// Straight ahead, with the radius of the outermost ring as its length.
    pub(super) along: Vec2,
    /// Candidates faster than this are dropped.
    pub(super) max_speed: f32,
    /// An additional candidate; with it, zero velocity is tried too.
    pub(super) also: Option<Vec2>,
}

impl Candidates {
    /// Removes all velocities.
    pub(super) fn clear(&mut self) {
        self.eights.clear();
        self.pushed = 0;
    }

    pub(super) fn push(&mut self, v: Vec2) {
        let lane = self.pushed % 8;
        if lane == 0 {
            self.eights.push(Eight::NONE);
        }
        if let Some(last) = self.eights.last_mut() {
            (last.v[0][lane], last.v[1][lane]) = (v.x, v.y);
        }
        self.pushed += 1;
    }

    /// Replaces the candidates by the velocities of a pattern.
    #[inline(always)]
    pub(super) fn lay<S: Simd>(&mut self, simd: S, pattern: &RingPattern, laid: &Laid) {
        self.clear();
        let Laid { center, along, max_speed, also } = *laid;
        let none = f32x8::splat(simd, f32::NAN);
        for (k, p) in pattern.eights().iter().enumerate() {
            let [px, py] = pair(simd, p);
            let mut v: Pair<S> = [px * along.x - py * along.y + center.x, px * along.y + py * along.x + center.y];
            v = select(dot(v, v).simd_le(max_speed * max_speed), v, [none, none]);
            if let Some(also) = also.filter(|_| k == 0) {
                // Not lane by lane: a vector written in parts and read as a whole would stall until the writes are
                // done.
                let free = load(simd, &RingPattern::FREE);
                v = select(free.simd_eq(free), [free * also.x + 0.0, free * also.y + 0.0], v);
            } else if !v[0].simd_eq(v[0]).any_true() {
                continue;
            }
            self.eights.push(Eight { v: [v[0].into(), v[1].into()], ..Eight::NONE });
        }
    }

    /// All velocities and their penalties.
    pub(super) fn all(&self) -> impl Iterator<Item = (Vec2, f32)> {
        let all =
            self.eights.iter().flat_map(|eight| (0..8).map(|lane| (at_lane(&eight.v, lane), eight.penalty[lane])));
        all.filter(|(v, _)| !v.is_nan())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::{Level, dispatch};

    #[test]
    fn a_pattern_is_turned_moved_and_cut_at_the_greatest_speed() {
        let (mut candidates, mut pattern) = (Candidates::default(), RingPattern::default());
        pattern.set(4, 1);
        let near = |candidates: &Candidates, expected: &[Vec2]| {
            let tried: Vec<Vec2> = candidates.all().map(|(v, _)| v).collect();
            let same = tried.len() == expected.len() && tried.iter().zip(expected).all(|(a, b)| a.distance(*b) < 1e-5);
            assert!(same, "{tried:?} instead of {expected:?}");
        };
        let mut laid = Laid { center: Vec2::ONE, along: Vec2::new(0.0, 3.0), max_speed: 9.0, also: None };
        let [ahead, left, back, right] = [[1.0, 4.0], [-2.0, 1.0], [1.0, -2.0], [4.0, 1.0]].map(Vec2::from_array);
        for level in [Level::baseline(), Level::new()] {
            laid.also = None;
            dispatch!(level, simd => candidates.lay(simd, &pattern, &laid));
            near(&candidates, &[Vec2::ONE, ahead, left, back, right]);
            // The additional velocity may exceed the greatest speed.
            laid.also = Some(Vec2::new(0.0, 50.0));
            let slow = Laid { max_speed: 3.0, ..laid };
            dispatch!(level, simd => candidates.lay(simd, &pattern, &slow));
            near(&candidates, &[Vec2::new(0.0, 50.0), Vec2::ZERO, Vec2::ONE, left, back]);
        }
    }
}
