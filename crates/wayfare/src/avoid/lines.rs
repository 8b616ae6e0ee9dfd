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

use super::agent::Wall;
use super::lanes::{Pair, at_lane, bits, dot, dot_with, greatest, least, load, next_bit, scaled, select};
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
    /// How soon it is met: one over that time, in horizons; or what was met sooner.
    #[inline(always)]
    pub(super) fn sooner<S: Simd>(&self, v: Pair<S>, met: f32x8<S>) -> f32x8<S> {
        let [left, right] = [dot_with(v, self.sides[0]), dot_with(v, self.sides[1])];
        let urgency = dot_with(v, self.into);
        // The lesser of both sides: no number here is odd, but of velocities that are none.
        (left.min(right).simd_ge(0.0) & urgency.simd_gt(met)).select(urgency, met)
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
    /// Prepares walls, at most eight, for an agent at this place. One with an odd number, or that is as long as numbers
    /// go, is not near.
    #[inline(always)]
    pub(super) fn new<S: Simd>(
        simd: S,
        (walls, from): (&[Wall], Vec2),
        (keep, reach): (f32, f32),
        horizon: f32,
    ) -> Self {
        let splat = |value: f32| f32x8::splat(simd, value);
        let (zero, one) = (splat(0.0), splat(1.0));
        let [a, b] = ends(simd, walls);
        let (a, b) = ([a[0] - from.x, a[1] - from.y], [b[0] - from.x, b[1] - from.y]);
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

    /// Those that can be reached: each by its lane, and whether it is in touch.
    pub(super) fn near(&self) -> impl Iterator<Item = (usize, Line, bool)> {
        let mut left = self.near;
        core::iter::from_fn(move || {
            let lane = if left == 0 { return None } else { next_bit(&mut left) % 8 };
            let sides = [at_lane(&self.sides[0], lane), at_lane(&self.sides[1], lane)];
            Some((lane, Line { into: at_lane(&self.into, lane), sides }, self.touching & 1 << lane != 0))
        })
    }
}

/// Both ends of at most eight walls, one wall a lane. Taken as vectors of two walls and turned in registers: number by
/// number, they would be read from memory before they have got there.
#[inline(always)]
fn ends<S: Simd>(simd: S, walls: &[Wall]) -> [Pair<S>; 2] {
    // A lane without a wall is nowhere.
    let mut rows = [f32x8::splat(simd, f32::NAN); 4];
    for (row, two) in rows.iter_mut().zip(walls.chunks(2)) {
        let nowhere = Wall { a: Vec2::NAN, b: Vec2::NAN };
        let (p, q) = (two[0], *two.get(1).unwrap_or(&nowhere));
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

/// A place moved along a direction. No closure: compiled by itself, it would know nothing of the machine's vectors.
#[inline(always)]
fn moved<S: Simd>(place: Pair<S>, along: Pair<S>, by: f32x8<S>) -> Pair<S> {
    [place[0] + along[0] * by, place[1] + along[1] * by]
}
