//! Walls in the form in which velocities are judged: how soon a velocity leads into one.
//!
//! ```text
//!      a ____________ b       A velocity meets the wall if it lies between the directions of both ends, and then the sooner
//!        \    |    /          the faster it leads across the distance. Both are linear in the velocity, and two walls that share
//!    side \   |into/ side     an end share the border between them to the bit: nothing slips through.
//!          \  |  /
//!           agent
//! ```
//!
//! With a distance to keep, the wall is as much nearer, and its ends are discs of that radius ([`Discs`](super::discs)
//! at rest).
//!
//! Cost: some sixty operations for eight walls; fifteen for each of those in reach and eight velocities.
//!
//! Sources: as of the [penalty](super::penalty).

use super::lanes::{Pair, at_lane, bits, dot, dot_with, greatest, least, pair, scaled, select};
use fearless_simd::f32x8;
use fearless_simd::prelude::*;
use glam::Vec2;

/// Horizons in which nobody can turn.
const AT_ONCE: f32 = 0.08;
/// Who is nearer than this to the end of a wall stands at it, metres.
const AT_END: f32 = 2e-3;
/// Who closes in on a wall no faster than this, m/s, does not reach it; and in touch with it, goes along it.
const CLOSING: f32 = 1e-6;
const CLOSING_IN_TOUCH: f32 = 1e-4;

/// A wall that can be reached, as the penalty needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// What leads straight into it; a velocity times this is one over the time until it is met, in horizons.
    into: Vec2,
    /// A velocity that meets it has no negative part along these.
    sides: [Vec2; 2],
}

impl Line {
    /// How soon it is met: one over that time, in horizons; not above 0 if it is missed.
    #[inline(always)]
    pub(super) fn urgency<S: Simd>(&self, simd: S, v: Pair<S>) -> f32x8<S> {
        let [left, right] = self.sides.map(|side| dot_with(v, side));
        let meets = left.simd_ge(0.0) & right.simd_ge(0.0);
        meets.select(dot_with(v, self.into), f32x8::splat(simd, 0.0))
    }

    /// What the wall leaves of a velocity that leads into it at once: the part along it.
    pub(super) fn leave_of(&self, v: Vec2) -> Vec2 {
        let urgency = v.dot(self.into);
        let meets = self.sides.iter().all(|side| v.dot(*side) >= 0.0);
        if meets && urgency * AT_ONCE > 1.0 { v - self.into * (urgency / self.into.length_squared()) } else { v }
    }
}

/// What there is to know of eight walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    into: [[f32; 8]; 2],
    sides: [[[f32; 8]; 2]; 2],
    /// Lanes that can be reached within the horizon, a bit for each.
    near: u32,
    /// Lanes as near as is kept: every velocity into them collides at once. Never those of walls that may be touched:
    /// beside the end of one, the way around it leads through its line.
    touching: u32,
}

impl Lines {
    /// Prepares walls by their `ends`, relative to the agent. One with an odd number, or that is as long as numbers go,
    /// is not near.
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, ends: &[[[f32; 8]; 2]; 2], (keep, reach): (f32, f32), horizon: f32) -> Self {
        let splat = |value: f32| f32x8::splat(simd, value);
        let (zero, one) = (splat(0.0), splat(1.0));
        let (a, b) = (pair(simd, &ends[0]), pair(simd, &ends[1]));
        let to_b = [b[0] - a[0], b[1] - a[1]];
        let squared_length = dot(to_b, to_b);
        let (length, long) = (squared_length.sqrt(), squared_length.simd_gt(zero));
        // The point nearest to the agent.
        let part = greatest(least(-dot(a, to_b) / squared_length, one), zero);
        let at = scaled(to_b, long.select(part, zero));
        let nearest = [a[0] + at[0], a[1] + at[1]];
        let squared = dot(nearest, nearest);
        let distance = squared.sqrt();
        let near = squared.simd_le(reach * reach) & squared_length.simd_lt(f32::INFINITY);
        let touching = distance.simd_le(if keep > 0.0 { keep + 0.01 } else { -1.0 });
        let along = select(long, [to_b[0] / length, to_b[1] / length], [zero, zero]);
        let right = [along[1], -along[0]];
        // Of both normals the one that leads away from the agent.
        let turn = dot(right, a).simd_gt(zero).select(one, splat(-1.0));
        let away = scaled(right, turn);
        let depth = dot(a, away) - keep;
        let per_depth = depth.simd_lt(zero).select(zero, splat(horizon) / greatest(depth, splat(CLOSING * horizon)));
        // In touch beside an end, what must not be approached is the end.
        let beside = touching & distance.simd_gt(1e-3);
        let into = scaled(away, touching.select(splat(1.0 / CLOSING_IN_TOUCH), per_depth));
        let into = select(beside, scaled(nearest, one / (distance * CLOSING_IN_TOUCH)), into);
        // Who stands at an end of a wall that may be touched is as much past it as before it.
        let at_end = splat(if keep > 0.0 { 0.0 } else { AT_END });
        let beyond = |end: Pair<S>| (dot(end, end).simd_lt(AT_END * AT_END)).select(at_end, zero);
        let kept = |end: Pair<S>, inwards: f32x8<S>| {
            let end = [end[0] + along[0] * inwards - away[0] * keep, end[1] + along[1] * inwards - away[1] * keep];
            select(touching, [zero, zero], scaled(end, turn))
        };
        let (from, to) = (kept(a, beyond(a)), kept(b, -beyond(b)));
        Self {
            into: into.map(Into::into),
            sides: [[(-from[1]).into(), from[0].into()], [to[1].into(), (-to[0]).into()]],
            near: bits(near),
            touching: bits(touching),
        }
    }

    /// Those that can be reached: each by its lane, and whether it is in touch.
    pub(super) fn near(&self) -> impl Iterator<Item = (usize, Line, bool)> {
        let is = |bits: u32, lane: usize| bits & 1 << lane != 0;
        (0..8).filter(move |&lane| is(self.near, lane)).map(move |lane| {
            let line = Line { into: at_lane(&self.into, lane), sides: self.sides.map(|side| at_lane(&side, lane)) };
            (lane, line, is(self.touching, lane))
        })
    }
}
