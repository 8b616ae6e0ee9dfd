//! Neighbours in the form in which velocities are judged, eight a vector: how soon a velocity leads into one, and past
//! which of its sides.
//!
//! Of the velocity relative to a neighbour only two numbers count: how fast it leads towards the other's center, `p`,
//! and how fast across, `q`. Both are linear in the velocity that is tried. The first of two places at which the discs
//! touch is a root of a quadratic, and taken upside down it needs no division:
//!
//! ```text
//!   |center - relative t| = radius:    1 / t = (distance p + √(radius² p² - gap q²)) / gap,    gap = distance² - radius²
//! ```
//!
//! What misses has a negative number under the root, what parts a negative time. Of several neighbours the one that is
//! met first has the greatest 1 / t, here called urgency and counted by horizon: below 1 it is beyond that.
//!
//! Cost: some sixty operations for eight neighbours; twenty for each of these and eight velocities.
//!
//! Sources: as of the [penalty](super::penalty); the linear form is our own.

use super::agent::{AgentState, Neighbour};
use super::lanes::{Pair, bits, dot, greatest, least, load, scaled, select};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};

/// In what time overlaps are to be undone, seconds.
pub(super) const OVERLAP_TIME: f32 = 0.3;
/// Who comes nearer by less than this, m/s, never meets the other.
const STILL: f32 = 0.01;
/// Gaps that are narrower than this, m², count as so wide.
const NARROW: f32 = 1e-6;
/// Neighbours that are farther than this, metres, or get as far within the horizon, are not seen.
const FARTHEST: f32 = 1e15;

/// A function of velocities, in each lane another: what x, y and 1 are multiplied with.
type Linear = [[f32; 8]; 3];

/// Eight neighbours as the penalty needs them. A lane whose neighbour is not seen adds nothing to any penalty.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Discs {
    /// How fast a velocity leads towards the neighbour, m/s.
    towards: Linear,
    /// Four times how fast it leads to the side on which the neighbour is not to be passed.
    aside: Linear,
    /// The urgency of going straight towards it, for each m/s; and what the squares of both are multiplied with under
    /// the root. 0 for an overlap.
    head_on: [f32; 8],
    cone: [[f32; 8]; 2],
    /// For an overlap: one over the speed of parting that is due, s/m.
    per_due: [f32; 8],
    /// Lanes with a neighbour that can be seen, and of those the ones that overlap the agent: a bit for each.
    pub(super) seen: u32,
    pub(super) inside: u32,
    /// How many lanes are in use.
    pub(super) count: usize,
}

/// Eight neighbours, one a lane.
struct Others<S: Simd> {
    position: Pair<S>,
    velocity: Pair<S>,
    desired: Pair<S>,
    radius: f32x8<S>,
    share: f32x8<S>,
}

impl<S: Simd> Others<S> {
    /// Each is a row of eight numbers; the columns are what is wanted. Rows are taken as vectors and turned in
    /// registers: number by number, they would be read from memory before they have got there.
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

/// Velocities as one neighbour sees them.
#[derive(Clone, Copy)]
pub(super) struct Motion<S: Simd> {
    towards: f32x8<S>,
    aside: f32x8<S>,
}

impl Discs {
    /// Prepares what `agent` sees of others, at most eight.
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, agent: &AgentState, others: &[Neighbour], horizon: f32) -> Self {
        let splat = |value: f32| f32x8::splat(simd, value);
        let (zero, one) = (splat(0.0), splat(1.0));
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
        // As `Neighbour::bounded_share` has it.
        let share = share.simd_eq(share).select(least(greatest(share, splat(0.05)), one), splat(0.5));
        // The agent makes its share of the change: the relative velocity is `v × reaction + drift`.
        let reaction = one / share;
        let own = one - reaction;
        let drift = [own * agent.velocity.x - velocity[0], own * agent.velocity.y - velocity[1]];
        // The others' way past: both turn to the same hand. Straight ahead it is the right one.
        let side = select(apart, ahead, [one, zero]);
        let turn = side[0] * wish[1] - side[1] * wish[0];
        let hand = turn.simd_lt(0.01).select(splat(-4.0), splat(4.0));
        let aside = [-(side[1] * hand), side[0] * hand];
        // Half of it each: the relative velocity is twice the change of one.
        let due = (radius - distance) / OVERLAP_TIME;
        let due = least(greatest(due, splat(0.05 * agent.max_speed)), splat(agent.max_speed));

        let gap = squared - radius * radius;
        let (inside, wide) = (gap.simd_lt(zero), greatest(gap, splat(NARROW)));
        let per_gap = inside.select(zero, splat(horizon) / wide);
        let (near, across) = (radius * per_gap, per_gap * 0.25);
        // Of what is beyond these no other number is sure to be one; what is none itself is not below them.
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

    /// How velocities lead towards and past the neighbour of a lane.
    #[inline(always)]
    pub(super) fn motion<S: Simd>(&self, v: Pair<S>, lane: usize) -> Motion<S> {
        Motion { towards: at(v, &self.towards, lane), aside: at(v, &self.aside, lane) }
    }

    /// How soon it is met: one over that time, in horizons, or what was met sooner. What misses it has no number.
    #[inline(always)]
    pub(super) fn sooner<S: Simd>(&self, motion: Motion<S>, lane: usize, met: f32x8<S>) -> f32x8<S> {
        let Motion { towards, aside } = motion;
        let root = towards * towards * self.cone[0][lane] - aside * aside * self.cone[1][lane];
        let urgency = towards * self.head_on[lane] + root.sqrt();
        // Both asked at once: taken for 0 where it does not come nearer, it would take two operations more.
        (towards.simd_gt(STILL) & urgency.simd_gt(met)).select(urgency, met)
    }

    /// The same for a neighbour that is overlapped already: what counts is how fast they part.
    #[inline(always)]
    pub(super) fn urgency_inside<S: Simd>(
        &self,
        simd: S,
        motion: Motion<S>,
        lane: usize,
        per_approach: f32,
    ) -> f32x8<S> {
        // Standing still to one another is a fifth of the horizon, approaching is less.
        let parting = motion.towards * -self.per_due[lane];
        let approaching = (motion.towards * -per_approach + 1.0).max(0.0) * 0.2;
        let time = parting.simd_gt(0.0).select(parting * 0.8 + 0.2, approaching);
        f32x8::splat(simd, 1.0) / time
    }
}

// No closures for these: compiled by themselves, they would know nothing of the machine's vectors.

/// What a velocity makes of a linear function.
#[inline(always)]
fn at<S: Simd>(v: Pair<S>, of: &Linear, lane: usize) -> f32x8<S> {
    v[0] * of[0][lane] + v[1] * of[1][lane] + of[2][lane]
}

/// How fast a relative velocity leads in some direction, as a function of the agent's own.
#[inline(always)]
fn linear<S: Simd>(seen: mask32x8<S>, of: Pair<S>, (reaction, drift): (f32x8<S>, Pair<S>)) -> Linear {
    [known(seen, of[0] * reaction), known(seen, of[1] * reaction), known(seen, dot(drift, of))]
}

/// 0 for what is not seen.
#[inline(always)]
fn known<S: Simd>(seen: mask32x8<S>, value: f32x8<S>) -> [f32; 8] {
    seen.select(value, f32x8::splat(value.simd, 0.0)).into()
}

/// Twice how much velocities lead past a neighbour on the wrong side, 0…2.
#[inline(always)]
pub(super) fn wrong_side<S: Simd>(motion: Motion<S>) -> f32x8<S> {
    (motion.towards + 1.0).min(motion.aside).max(0.0).min(2.0)
}
