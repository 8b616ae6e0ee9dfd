//! Walls prepared for evaluating velocities: how soon a velocity leads into one.
//!
//! ```text
//!      a ____________ b       A velocity meets the wall if it lies between the directions of both ends; the faster it leads
//!        \    |    /          across the distance, the sooner. Both tests are linear in the velocity. Two walls that share an
//!    side \   |into/ side     end share the border between them bit for bit, so nothing slips through.
//!          \  |  /
//!           agent
//! ```
//!
//! If a distance is kept, the wall is nearer by it, and its ends are discs of that radius ([`Discs`](super::discs) at
//! rest).
//!
//! Cost: about sixty operations for eight walls; fifteen for each wall in reach and eight velocities.
//!
//! Sources: those of the [penalty](super::penalty).

use super::agent::Wall;
use crate::math::lanes::{Pair, at_lane, bits, dot, dot_with, greatest, least, load, next_bit, scaled, select};
use fearless_simd::f32x8;
use fearless_simd::prelude::*;
use glam::Vec2;

/// A collision within this many horizons comes too soon to turn away.
const AT_ONCE: f32 = 0.08;
/// An agent nearer than this to the end of a wall counts as at the end, metres.
const AT_END: f32 = 2e-3;
/// An agent that approaches a wall no faster than this, m/s, does not reach it; in contact with it, it moves along it.
const CLOSING: f32 = 1e-6;
const CLOSING_IN_TOUCH: f32 = 1e-4;

/// A wall in reach, prepared for the penalty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The direction straight into the wall; its product with a velocity is the inverse of the time to the wall, in
    /// horizons.
    into: Vec2,
    /// A velocity that meets the wall has no negative component along these.
    sides: [Vec2; 2],
}

impl Line {
    /// The urgency of this collision, or `met` if that is greater: the inverse of the time, in horizons.
    #[inline(always)]
    pub(super) fn sooner<S: Simd>(&self, v: Pair<S>, met: f32x8<S>) -> f32x8<S> {
        let [left, right] = [dot_with(v, self.sides[0]), dot_with(v, self.sides[1])];
        let urgency = dot_with(v, self.into);
        // The lesser of both sides. No number here is NaN, except those of unused lanes.
        (left.min(right).simd_ge(0.0) & urgency.simd_gt(met)).select(urgency, met)
    }

    /// The velocity without its component into the wall, if it leads into it at once; else the velocity itself.
    pub(super) fn leave_of(&self, v: Vec2) -> Vec2 {
        let urgency = v.dot(self.into);
        let meets = self.sides.iter().all(|side| v.dot(*side) >= 0.0);
        if meets && urgency * AT_ONCE > 1.0 { v - self.into * (urgency / self.into.length_squared()) } else { v }
    }
}

/// Eight walls prepared for the penalty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    into: [[f32; 8]; 2],
    sides: [[[f32; 8]; 2]; 2],
    /// Lanes with a wall in reach within the horizon, one bit each.
    near: u32,
    /// Lanes with a wall no farther than the distance to keep: every velocity into them collides at once. Never set for
    /// walls that may be touched: the path around the end of one leads through its line.
    touching: u32,
}

impl Lines {
    /// Prepares at most eight walls for an agent at this position. A wall that is not finite, or whose length
    /// overflows, is not near.
    #[inline(always)]
    pub(super) fn new<S: Simd>(
        simd: S,
        (walls, from): (&[Wall], Vec2),
        (keep, reach): (f32, f32),
        horizon: f32,
    ) -> Self {
        let splat = |value: f32| f32x8::splat(simd, value);
        let zero = splat(0.0);
        let one = splat(1.0);
        let [a, b] = ends(simd, walls);
        let a = [a[0] - from.x, a[1] - from.y];
        let b = [b[0] - from.x, b[1] - from.y];
        let to_b = [b[0] - a[0], b[1] - a[1]];
        let squared_length = dot(to_b, to_b);
        let length = squared_length.sqrt();
        let long = squared_length.simd_gt(zero);
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
        // Of both normals, the one that points away from the agent.
        let turn = dot(right, a).simd_gt(zero).select(one, splat(-1.0));
        let away = scaled(right, turn);
        let depth = dot(a, away) - keep;
        let per_depth = depth.simd_lt(zero).select(zero, splat(horizon) / greatest(depth, splat(CLOSING * horizon)));
        // In contact beside an end, the end must not be approached.
        let beside = touching & distance.simd_gt(1e-3);
        let into = scaled(away, touching.select(splat(1.0 / CLOSING_IN_TOUCH), per_depth));
        let into = select(beside, scaled(nearest, one / (distance * CLOSING_IN_TOUCH)), into);
        // An agent at the end of a wall that may be touched is as much past it as before it.
        let at_end = splat(if keep > 0.0 { 0.0 } else { AT_END });
        let beyond_a = dot(a, a).simd_lt(AT_END * AT_END).select(at_end, zero);
        let beyond_b = dot(b, b).simd_lt(AT_END * AT_END).select(at_end, zero);
        let kept = scaled(away, splat(keep));
        let from = select(touching, [zero, zero], scaled(moved(moved(a, along, beyond_a), kept, -one), turn));
        let to = select(touching, [zero, zero], scaled(moved(moved(b, along, -beyond_b), kept, -one), turn));
        Self {
            into: [into[0].into(), into[1].into()],
            sides: [[(-from[1]).into(), from[0].into()], [to[1].into(), (-to[0]).into()]],
            near: bits(near),
            touching: bits(touching),
        }
    }

    /// The walls in reach: each with its lane, and whether the agent is in contact with it.
    pub(super) fn near(&self) -> impl Iterator<Item = (usize, Line, bool)> {
        let mut left = self.near;
        core::iter::from_fn(move || {
            let lane = if left == 0 { return None } else { next_bit(&mut left) % 8 };
            let sides = [at_lane(&self.sides[0], lane), at_lane(&self.sides[1], lane)];
            Some((lane, Line { into: at_lane(&self.into, lane), sides }, self.touching & 1 << lane != 0))
        })
    }
}

/// Both ends of at most eight walls, one wall per lane. Loaded as vectors of two walls and transposed in registers:
/// written number by number, they would be read back before the writes are done.
#[inline(always)]
fn ends<S: Simd>(simd: S, walls: &[Wall]) -> [Pair<S>; 2] {
    // A lane without a wall is NaN.
    let mut rows = [f32x8::splat(simd, f32::NAN); 4];
    for (row, two) in rows.iter_mut().zip(walls.chunks(2)) {
        let nowhere = Wall { a: Vec2::NAN, b: Vec2::NAN };
        let p = two[0];
        let q = *two.get(1).unwrap_or(&nowhere);
        *row = load(simd, &[p.a.x, p.a.y, p.b.x, p.b.y, q.a.x, q.a.y, q.b.x, q.b.y]);
    }
    for _ in 0..3 {
        let from = rows;
        for i in 0..2 {
            (rows[2 * i], rows[2 * i + 1]) = from[i].interleave(from[i + 2]);
        }
    }
    let [ax, ay, bx, by] = rows;
    [[ax, ay], [bx, by]]
}

/// A position moved along a direction. A function, not a closure: closures are compiled without the machine's vector
/// instructions.
#[inline(always)]
fn moved<S: Simd>(place: Pair<S>, along: Pair<S>, by: f32x8<S>) -> Pair<S> {
    [place[0] + along[0] * by, place[1] + along[1] * by]
}
