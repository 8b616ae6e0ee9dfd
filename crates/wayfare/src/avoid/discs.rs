//! Neighbours prepared for evaluating velocities, eight per vector: how soon a velocity leads into one, and past which
//! of its sides.
//!
//! Only two components of the velocity relative to a neighbour matter: its speed towards the neighbour's center, `p`,
//! and its speed across, `q`. Both are linear in the candidate velocity. The first time at which the discs touch is a
//! root of a quadratic; its inverse needs no division:
//!
//! ```text
//!   |center - relative t| = radius:    1 / t = (distance p + √(radius² p² - gap q²)) / gap,    gap = distance² - radius²
//! ```
//!
//! If the discs miss, the number under the root is negative; if they move apart, the time is. Of several neighbours the
//! one met first has the greatest 1 / t, here called urgency and measured per horizon: below 1 it is beyond the
//! horizon.
//!
//! Cost: about sixty operations for eight neighbours; twenty for each of these and eight velocities.
//!
//! Sources: those of the [penalty](super::penalty); the linear form is our own.

use super::agent::{AgentState, Neighbour};
use crate::math::lanes::{Pair, bits, dot, greatest, least, load, scaled, select};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};

/// Time in which overlaps should be resolved, seconds.
pub(super) const OVERLAP_TIME: f32 = 0.3;
/// An agent that approaches more slowly than this, m/s, never meets the other.
const STILL: f32 = 0.01;
/// Smaller gaps, m², count as this.
const NARROW: f32 = 1e-6;
/// Neighbours farther than this, metres, or that get so far within the horizon, are ignored.
const FARTHEST: f32 = 1e15;

/// A linear function of velocities in each lane: the factors of x, y and 1.
type Linear = [[f32; 8]; 3];

/// Eight neighbours prepared for the penalty. A lane whose neighbour is ignored adds nothing to any penalty.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Discs {
    /// Speed towards the neighbour, m/s.
    towards: Linear,
    /// Four times the speed towards the side on which the neighbour should not be passed.
    aside: Linear,
    /// The urgency of moving straight towards the neighbour, per m/s, and the factors of both squares under the root. 0
    /// for an overlap.
    head_on: [f32; 8],
    cone: [[f32; 8]; 2],
    /// For an overlap: the inverse of the required speed of separation, s/m.
    per_due: [f32; 8],
    /// Lanes with a valid neighbour, and those of them that overlap the agent; one bit each.
    pub(super) seen: u32,
    pub(super) inside: u32,
    /// Number of lanes in use.
    pub(super) count: usize,
}

/// Eight neighbours, one per lane.
struct Others<S: Simd> {
    position: Pair<S>,
    velocity: Pair<S>,
    desired: Pair<S>,
    radius: f32x8<S>,
    share: f32x8<S>,
}

impl<S: Simd> Others<S> {
    /// Each neighbour is a row of eight numbers; the columns are needed. Rows are loaded as vectors and transposed in
    /// registers: written number by number, they would be read back before the writes are done.
    #[inline(always)]
    fn new(simd: S, others: &[Neighbour]) -> Self {
        let mut rows = [f32x8::splat(simd, 0.0); 8];
        for (row, other) in rows.iter_mut().zip(others) {
            let Neighbour { position: p, velocity: v, desired: d, radius, share } = other;
            *row = load(simd, &[p.x, p.y, v.x, v.y, d.x, d.y, *radius, *share]);
        }
        for _ in 0..3 {
            let from = rows;
            for i in 0..4 {
                (rows[2 * i], rows[2 * i + 1]) = from[i].interleave(from[i + 4]);
            }
        }
        let [px, py, vx, vy, dx, dy, radius, share] = rows;
        Self { position: [px, py], velocity: [vx, vy], desired: [dx, dy], radius, share }
    }
}

/// Velocities relative to one neighbour.
#[derive(Clone, Copy)]
pub(super) struct Motion<S: Simd> {
    towards: f32x8<S>,
    aside: f32x8<S>,
}

impl Discs {
    /// Prepares at most eight neighbours of `agent`.
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, agent: &AgentState, others: &[Neighbour], horizon: f32) -> Self {
        let splat = |value: f32| f32x8::splat(simd, value);
        let zero = splat(0.0);
        let one = splat(1.0);
        let count = others.len().min(8);
        let Others { position, velocity, desired, radius, share } = Others::new(simd, others);
        let center = [position[0] - agent.position.x, position[1] - agent.position.y];
        let wish = [desired[0] - agent.desired.x, desired[1] - agent.desired.y];
        let radius = radius + agent.radius;
        let squared = dot(center, center);
        let distance = squared.sqrt();
        let apart = distance.simd_gt(zero);
        let inverse = apart.select(one / distance, zero);
        let ahead = scaled(center, inverse);
        // Same as `Neighbour::bounded_share`.
        let share = share.simd_eq(share).select(least(greatest(share, splat(0.05)), one), splat(0.5));
        // The agent makes its share of the change, so the relative velocity is `v × reaction + drift`.
        let reaction = one / share;
        let own = one - reaction;
        let drift = [own * agent.velocity.x - velocity[0], own * agent.velocity.y - velocity[1]];
        // The side on which the other passes: both turn to the same side. If they meet head-on, to the right.
        let side = select(apart, ahead, [one, zero]);
        let turn = side[0] * wish[1] - side[1] * wish[0];
        let hand = turn.simd_lt(0.01).select(splat(-4.0), splat(4.0));
        let aside = [-(side[1] * hand), side[0] * hand];
        // Each does half: the relative velocity changes by twice the change of one.
        let due = (radius - distance) / OVERLAP_TIME;
        let due = least(greatest(due, splat(0.05 * agent.max_speed)), splat(agent.max_speed));

        let gap = squared - radius * radius;
        let inside = gap.simd_lt(zero);
        let wide = greatest(gap, splat(NARROW));
        let per_gap = inside.select(zero, splat(horizon) / wide);
        let near = radius * per_gap;
        let across = per_gap * 0.25;
        // Beyond these, other numbers may overflow. NaN is not below them either.
        let far = splat(FARTHEST * FARTHEST);
        let per_horizon = scaled(drift, splat(horizon));
        let sane = squared.simd_lt(far) & dot(per_horizon, per_horizon).simd_lt(far);
        let seen = sane & dot(wish, wish).simd_lt(f32::INFINITY) & radius.abs().simd_lt(f32::INFINITY);
        let seen_bits = bits(seen) & ((1 << count) - 1);
        Self {
            towards: linear(seen, ahead, (reaction, drift)),
            aside: linear(seen, aside, (reaction, drift)),
            head_on: known(seen, distance * per_gap),
            cone: [known(seen, near * near), known(seen, across * across * gap)],
            per_due: known(seen, one / due),
            seen: seen_bits,
            inside: seen_bits & bits(inside),
            count,
        }
    }

    /// Speeds towards and past the neighbour in a lane.
    #[inline(always)]
    pub(super) fn motion<S: Simd>(&self, v: Pair<S>, lane: usize) -> Motion<S> {
        Motion { towards: at(v, &self.towards, lane), aside: at(v, &self.aside, lane) }
    }

    /// The urgency of this collision, or `met` if that is greater. A miss gives NaN.
    #[inline(always)]
    pub(super) fn sooner<S: Simd>(&self, motion: Motion<S>, lane: usize, met: f32x8<S>) -> f32x8<S> {
        let Motion { towards, aside } = motion;
        let root = towards * towards * self.cone[0][lane] - aside * aside * self.cone[1][lane];
        let urgency = towards * self.head_on[lane] + root.sqrt();
        // Both conditions at once: setting the urgency to 0 where it does not approach would take two more operations.
        (towards.simd_gt(STILL) & urgency.simd_gt(met)).select(urgency, met)
    }

    /// The same for a neighbour that overlaps the agent already: the speed of separation decides.
    #[inline(always)]
    pub(super) fn urgency_inside<S: Simd>(
        &self,
        simd: S,
        motion: Motion<S>,
        lane: usize,
        per_approach: f32,
    ) -> f32x8<S> {
        // Standing still relative to each other counts as a fifth of the horizon, approaching as less.
        let parting = motion.towards * -self.per_due[lane];
        let approaching = (motion.towards * -per_approach + 1.0).max(0.0) * 0.2;
        let time = parting.simd_gt(0.0).select(parting * 0.8 + 0.2, approaching);
        f32x8::splat(simd, 1.0) / time
    }
}

// Functions, not closures: closures are compiled separately, without the machine's vector instructions.

/// The value of a linear function at a velocity.
#[inline(always)]
fn at<S: Simd>(v: Pair<S>, of: &Linear, lane: usize) -> f32x8<S> {
    v[0] * of[0][lane] + v[1] * of[1][lane] + of[2][lane]
}

/// The component of the relative velocity in a direction, as a linear function of the agent's own velocity.
#[inline(always)]
fn linear<S: Simd>(seen: mask32x8<S>, of: Pair<S>, (reaction, drift): (f32x8<S>, Pair<S>)) -> Linear {
    [known(seen, of[0] * reaction), known(seen, of[1] * reaction), known(seen, dot(drift, of))]
}

/// `value` in valid lanes, else 0.
#[inline(always)]
fn known<S: Simd>(seen: mask32x8<S>, value: f32x8<S>) -> [f32; 8] {
    seen.select(value, f32x8::splat(value.simd, 0.0)).into()
}

/// Twice how far velocities lead past a neighbour on the wrong side, 0…2.
#[inline(always)]
pub(super) fn wrong_side<S: Simd>(motion: Motion<S>) -> f32x8<S> {
    (motion.towards + 1.0).min(motion.aside).max(0.0).min(2.0)
}
