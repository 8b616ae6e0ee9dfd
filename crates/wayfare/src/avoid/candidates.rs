//! The velocities that a sampling method tries, and the penalty of each, in lanes of eight.
//!
//! A lane that holds no velocity holds NaN: its penalty is NaN too, and that is never the least.
//!
//! Sources: own.

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

    pub(super) fn at(&self, index: usize) -> Option<Vec2> {
        Some(Vec2::new(*self.x.get(index)?, *self.y.get(index)?))
    }

    /// All velocities and their penalties.
    pub(super) fn all(&self) -> impl Iterator<Item = (Vec2, f32)> {
        let velocities = self.x.iter().zip(&self.y);
        let all = velocities.zip(&self.penalty).map(|((&x, &y), &penalty)| (Vec2::new(x, y), penalty));
        all.filter(|(v, _)| !v.is_nan())
    }
}
