//! The velocities that a sampling method tries, and the penalty of each, in lanes of eight.
//!
//! A lane that holds no velocity holds NaN: its penalty is NaN too, and that is never the least.
//!
//! Sources: own.

use super::concern::Extent;
use super::lanes::{Pair, dot, load, select};
use super::ring_pattern::RingPattern;
use fearless_simd::f32x8;
use fearless_simd::prelude::*;
use glam::Vec2;

/// Velocities, and their penalties once they have been judged.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    pub(super) x: Vec<f32>,
    pub(super) y: Vec<f32>,
    pub(super) penalty: Vec<f32>,
}

/// Where a pattern is laid.
#[derive(Clone, Copy)]
pub(super) struct Laid {
    pub(super) center: Vec2,
    /// Straight ahead, as long as the outermost ring is far.
    pub(super) along: Vec2,
    /// Nothing faster is tried.
    pub(super) max_speed: f32,
    /// Tried besides.
    pub(super) also: Option<[Vec2; RingPattern::FREE]>,
}

impl Laid {
    /// What holds all velocities of the pattern, where nothing is tried besides.
    pub(super) fn extent(&self) -> Option<Extent> {
        self.also.is_none().then(|| Extent { center: self.center, radius: self.along.length() })
    }
}

impl Candidates {
    /// Forgets all velocities.
    pub(super) fn clear(&mut self) {
        self.x.clear();
        self.y.clear();
        self.penalty.clear();
    }

    pub(super) fn push(&mut self, v: Vec2) {
        self.x.push(v.x);
        self.y.push(v.y);
    }

    /// Takes the velocities of a pattern in place of those that are there.
    #[inline(always)]
    pub(super) fn lay<S: Simd>(&mut self, simd: S, pattern: &RingPattern, laid: &Laid) {
        self.clear();
        let Laid { center, along, max_speed, mut also } = *laid;
        let none = f32x8::splat(simd, f32::NAN);
        for [px, py] in pattern.eights() {
            let (px, py) = (load(simd, px), load(simd, py));
            let mut v: Pair<S> = [px * along.x - py * along.y + center.x, px * along.y + py * along.x + center.y];
            v = select(dot(v, v).simd_le(max_speed * max_speed), v, [none, none]);
            if let Some(also) = also.take() {
                let (mut x, mut y): ([f32; 8], [f32; 8]) = (v[0].into(), v[1].into());
                for (k, free) in also.iter().enumerate() {
                    (x[k], y[k]) = (free.x, free.y);
                }
                v = [load(simd, &x), load(simd, &y)];
            } else if !v[0].simd_eq(v[0]).any_true() {
                continue;
            }
            let (x, y): ([f32; 8], [f32; 8]) = (v[0].into(), v[1].into());
            self.x.extend_from_slice(&x);
            self.y.extend_from_slice(&y);
        }
    }

    /// Fills the last eight lanes up.
    pub(super) fn pad(&mut self) {
        let full = self.x.len().next_multiple_of(8);
        self.x.resize(full, f32::NAN);
        self.y.resize(full, f32::NAN);
    }

    /// All velocities and their penalties.
    pub(super) fn all(&self) -> impl Iterator<Item = (Vec2, f32)> {
        let velocities = self.x.iter().zip(&self.y);
        let all = velocities.zip(&self.penalty).map(|((&x, &y), &penalty)| (Vec2::new(x, y), penalty));
        all.filter(|(v, _)| !v.is_nan())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn a_pattern_is_turned_moved_and_cut_at_the_greatest_speed() {
        let (mut candidates, mut pattern) = (Candidates::default(), RingPattern::default());
        pattern.set(4, 1);
        let near = |candidates: &Candidates, expected: &[Vec2]| {
            let velocities: Vec<Vec2> =
                candidates.x.iter().zip(&candidates.y).map(|(&x, &y)| Vec2::new(x, y)).collect();
            let tried: Vec<Vec2> = velocities.into_iter().filter(|v| !v.is_nan()).collect();
            let same = tried.len() == expected.len() && tried.iter().zip(expected).all(|(a, b)| a.distance(*b) < 1e-5);
            assert!(same, "{tried:?} instead of {expected:?}");
        };
        let mut laid = Laid { center: Vec2::ONE, along: Vec2::new(0.0, 3.0), max_speed: 9.0, also: None };
        let [ahead, left, back, right] = [[1.0, 4.0], [-2.0, 1.0], [1.0, -2.0], [4.0, 1.0]].map(Vec2::from_array);
        for level in [Level::baseline(), Level::new()] {
            laid.also = None;
            dispatch!(level, simd => candidates.lay(simd, &pattern, &laid));
            near(&candidates, &[Vec2::ONE, ahead, left, back, right]);
            // What is tried besides may be as fast as it likes.
            laid.also = Some([Vec2::new(0.0, 50.0), Vec2::ZERO]);
            let slow = Laid { max_speed: 3.0, ..laid };
            dispatch!(level, simd => candidates.lay(simd, &pattern, &slow));
            near(&candidates, &[Vec2::new(0.0, 50.0), Vec2::ZERO, Vec2::ONE, left, back]);
        }
    }
}
