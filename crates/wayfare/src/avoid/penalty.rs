//! What speaks against a velocity: the measure by which the sampling methods choose.
//!
//! ```text
//! penalty =  desired × |v - v_desired| / v_max      how far from what is wanted
//!          + current × |v - v_now| / v_max          how abrupt
//!          + side    × mean over neighbours         passing on the wrong side, 0…1
//!          + impact  × 1 / (0.1 + t / horizon)      t: the first collision, at most the horizon
//! ```
//!
//! Nothing is forbidden, only dear; so there is always an answer, and a risk is taken where all else is worse. Towards
//! a neighbour the velocity that counts is the relative one if the agent makes its share of the change (reciprocal
//! velocity obstacles).
//!
//! Eight velocities are judged at once, one a lane, and none is given up early: on a modern machine that is cheaper
//! than to find out which ones could be. Neighbours are prepared in lanes too, eight at once, and twice eight
//! velocities share what is fetched of each; neighbours that [matter to none](super::concern) of them are left out.
//! The operations and their order are the same on every machine, so are the bits.
//!
//! Cost: O(velocities × (neighbours + walls)).
//!
//! Sources: Paolo Fiorini, Zvi Shiller, "Motion planning in dynamic environments using velocity obstacles", 1998; Jur
//! van den Berg, Ming Lin, Dinesh Manocha, "Reciprocal velocity obstacles", 2008; Mikko Mononen, "Custom hRVO",
//! Digesting Duck, March 2010.

use super::agent::AgentState;
use super::candidates::{Candidates, Laid};
use super::concern::{Extent, concerned};
use super::lanes::{Pair, at_lane, dot, dot_with, least, next_bit};
use super::obstacles::{CLOSING, CLOSING_IN_TOUCH, Discs, Lines, Obstacles, horizon};
use super::ring_pattern::RingPattern;
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8, u32x8};
use glam::Vec2;

/// How the parts of the penalty are weighed, and how far ahead is looked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleWeights {
    /// Against leaving the desired velocity. Default 2.
    pub desired: f32,
    /// Against changing the current velocity. Default 0.75. Larger is smoother, and slower to react.
    pub current: f32,
    /// Against passing a neighbour on the unusual side. Default 1. It is what makes two agents that meet choose
    /// different ways.
    pub side: f32,
    /// Against collisions, the nearer the more. Default 2.5.
    pub impact: f32,
    /// Collisions with neighbours later than this do not count, seconds, above 0. Default 2.5.
    pub horizon: f32,
    /// The same for walls. Default 1.25: agents go closer by walls than by one another.
    pub wall_horizon: f32,
    /// The desired velocity is turned to the right by this angle, radians, while somebody is near. Default 0.1. Lets
    /// crowds turn about a common center instead of blocking there.
    pub keep_right: f32,
}

impl Default for SampleWeights {
    fn default() -> Self {
        Self { desired: 2.0, current: 0.75, side: 1.0, impact: 2.5, horizon: 2.5, wall_horizon: 1.25, keep_right: 0.1 }
    }
}

/// Who moves slower than this, squared, relative to another never meets it, m²/s².
const STILL: f32 = 1e-4;

/// What is the same for all velocities of one agent.
pub(super) struct Judge<'a> {
    obstacles: &'a Obstacles,
    desired: Vec2,
    current: Vec2,
    /// The weights, each by what it is multiplied with.
    per_desired: f32,
    per_current: f32,
    per_side: f32,
    impact: f32,
    /// Squared metres a horizon, and one over the horizons for neighbours and for walls.
    still: f32,
    per_horizon: f32,
    per_wall_horizon: f32,
}

impl<'a> Judge<'a> {
    pub(super) fn new(obstacles: &'a Obstacles, agent: &AgentState, weights: &SampleWeights) -> Self {
        let (per_speed, until) = (1.0 / agent.max_speed, horizon(weights.horizon));
        Self {
            obstacles,
            desired: agent.goal_velocity(),
            current: agent.velocity,
            per_desired: weights.desired * per_speed,
            per_current: weights.current * per_speed,
            per_side: weights.side / obstacles.count.max(1) as f32,
            impact: weights.impact,
            still: STILL * until * until,
            per_horizon: 1.0 / until,
            per_wall_horizon: 1.0 / horizon(weights.wall_horizon),
        }
    }

    /// Judges all candidates; the best of them, of equal ones the first, and its penalty, which is infinite if there is
    /// none.
    pub(super) fn best(&self, level: Level, candidates: &mut Candidates) -> (Vec2, f32) {
        dispatch!(level, simd => judge_lanes(simd, self, candidates, None))
    }

    /// The same of a pattern.
    pub(super) fn best_laid(
        &self,
        level: Level,
        (pattern, laid): (&RingPattern, &Laid),
        candidates: &mut Candidates,
    ) -> (Vec2, f32) {
        dispatch!(level, simd => {
            candidates.lay(simd, pattern, laid);
            judge_lanes(simd, self, candidates, laid.extent())
        })
    }
}

#[inline(always)]
fn judge_lanes<S: Simd>(
    simd: S,
    judge: &Judge<'_>,
    candidates: &mut Candidates,
    extent: Option<Extent>,
) -> (Vec2, f32) {
    let mut best = Best { penalty: f32x8::splat(simd, f32::INFINITY), eight: u32x8::splat(simd, 0) };
    candidates.penalty.resize(candidates.x.len(), 0.0);
    // Three vectors at a time, as many as a pattern mostly has: what is known of a neighbour is fetched once for all.
    let eights = candidates.x.len() / 8;
    let mut next = 0;
    while next < eights {
        next += match eights - next {
            1 => judge_some::<S, 1>(simd, (judge, extent), candidates, next, &mut best),
            2 => judge_some::<S, 2>(simd, (judge, extent), candidates, next, &mut best),
            _ => judge_some::<S, 3>(simd, (judge, extent), candidates, next, &mut best),
        };
    }
    let (penalties, eights): ([f32; 8], [u32; 8]) = (best.penalty.into(), best.eight.into());
    // As whole numbers in the same order, with the index below: the least is found without a branch.
    let mut least = i64::MAX;
    for (lane, (&penalty, &eight)) in penalties.iter().zip(&eights).enumerate() {
        let bits = penalty.to_bits() as i32;
        let ordered = bits ^ ((bits >> 31) as u32 >> 1) as i32;
        least = least.min(i64::from(ordered) << 32 | i64::from(eight * 8 + lane as u32));
    }
    let index = least as u32 as usize;
    match candidates.penalty.get(index) {
        Some(&penalty) if penalty < f32::INFINITY => (Vec2::new(candidates.x[index], candidates.y[index]), penalty),
        _ => (Vec2::ZERO, f32::INFINITY),
    }
}

/// The least penalty so far in every lane, and which eight it is of.
struct Best<S: Simd> {
    penalty: f32x8<S>,
    eight: u32x8<S>,
}

/// Judges `N` eights from the one numbered `first` on; returns how many these are.
#[inline(always)]
fn judge_some<S: Simd, const N: usize>(
    simd: S,
    (judge, extent): (&Judge<'_>, Option<Extent>),
    candidates: &mut Candidates,
    number: usize,
    best: &mut Best<S>,
) -> usize {
    let lanes = number * 8..(number + N) * 8;
    let zero = f32x8::splat(simd, 0.0);
    let mut v: [Pair<S>; N] = [[zero; 2]; N];
    let (xs, ys) = (candidates.x[lanes.clone()].chunks_exact(8), candidates.y[lanes.clone()].chunks_exact(8));
    for ((v, x), y) in v.iter_mut().zip(xs).zip(ys) {
        *v = [f32x8::from_slice(simd, x), f32x8::from_slice(simd, y)];
    }
    let (mut first, mut side) = ([f32x8::splat(simd, 1.0); N], [zero; N]);
    let Obstacles { discs, lines, keep2, .. } = judge.obstacles;
    for discs in discs.chunks(8) {
        // A bit for each of sixty-four: one loop's end for all of them, which nobody foresees.
        let (mut ahead, mut inside, mut beside) = (0, 0, 0);
        for (k, eight) in discs.iter().enumerate() {
            let concerned = match extent {
                Some(extent) => concerned(simd, eight, extent, judge.per_horizon),
                None => (eight.seen & !eight.inside, eight.seen),
            };
            ahead |= u64::from(concerned.0) << (8 * k);
            beside |= u64::from(concerned.1) << (8 * k);
            inside |= u64::from(eight.inside) << (8 * k);
        }
        // Apart, though some work is done twice: either loop keeps what it needs in registers. No number here is NaN
        // but those of lanes without a velocity, so that all machines agree on the smaller.
        while ahead != 0 {
            let place = next_bit(&mut ahead);
            for k in 0..N {
                first[k] = meet_disc(simd, v[k], (&discs[place / 8], place % 8), judge.still).min(first[k]);
            }
        }
        while inside != 0 {
            let place = next_bit(&mut inside);
            for k in 0..N {
                first[k] = part_from_disc(simd, v[k], (&discs[place / 8], place % 8)).min(first[k]);
            }
        }
        while beside != 0 {
            let place = next_bit(&mut beside);
            for k in 0..N {
                side[k] += wrong_side(simd, v[k], (&discs[place / 8], place % 8));
            }
        }
    }
    for eight in lines {
        let mut near = u64::from(eight.near);
        while near != 0 {
            let lane = next_bit(&mut near) % 8;
            for k in 0..N {
                first[k] = least(meet_line(simd, v[k], (eight, lane), (*keep2, judge.per_wall_horizon)), first[k]);
            }
        }
    }
    // No closure over an array: compiled by itself, it would know nothing of the machine's vectors.
    for (k, out) in candidates.penalty[lanes].chunks_exact_mut(8).enumerate() {
        let sum = distance(v[k], judge.desired) * judge.per_desired
            + distance(v[k], judge.current) * judge.per_current
            + side[k] * judge.per_side
            + f32x8::splat(simd, judge.impact) / (first[k] + 0.1);
        sum.store_slice(out);
        let better = sum.simd_lt(best.penalty);
        best.penalty = better.select(sum, best.penalty);
        best.eight = better.select(u32x8::splat(simd, (number + k) as u32), best.eight);
    }
    N
}

#[inline(always)]
fn distance<S: Simd>(v: Pair<S>, from: Vec2) -> f32x8<S> {
    let to = [v[0] - from.x, v[1] - from.y];
    dot(to, to).sqrt()
}

/// When a disc is met; infinite for never. `a` and `b` are the squared speed and its part towards the center, `gap` as
/// in [`Discs`].
#[inline(always)]
fn time_to<S: Simd>(simd: S, a: f32x8<S>, b: f32x8<S>, gap: f32, still: f32) -> f32x8<S> {
    // Who misses it has a negative number under the root, and a time that is no number and so not above zero.
    let time = (b - (b * b - a * gap).sqrt()) / a;
    let meets = a.simd_gt(still) & time.simd_ge(0.0);
    meets.select(time, f32x8::splat(simd, f32::INFINITY))
}

/// A velocity relative to a neighbour, in metres a horizon, and that times where the neighbour is.
#[inline(always)]
fn relative<S: Simd>(v: Pair<S>, (discs, lane): (&Discs, usize)) -> (Pair<S>, f32x8<S>) {
    let (reaction, drift) = (discs.reaction[lane], at_lane(&discs.drift, lane));
    let relative = [v[0] * reaction + drift.x, v[1] * reaction + drift.y];
    (relative, dot_with(relative, at_lane(&discs.center, lane)))
}

/// When a neighbour is met, in horizons.
#[inline(always)]
fn meet_disc<S: Simd>(simd: S, v: Pair<S>, (discs, lane): (&Discs, usize), still: f32) -> f32x8<S> {
    let (relative, b) = relative(v, (discs, lane));
    time_to(simd, dot(relative, relative), b, discs.gap[lane], still)
}

/// The same for a neighbour that is overlapped already: what counts is how fast they part.
#[inline(always)]
fn part_from_disc<S: Simd>(simd: S, v: Pair<S>, (discs, lane): (&Discs, usize)) -> f32x8<S> {
    let (_, b) = relative(v, (discs, lane));
    // Standing still to one another is a fifth, approaching is less.
    let parting = b * discs.per_parting[lane];
    let approaching = (b * discs.per_approach[lane] + 1.0).max(0.0) * 0.2;
    parting.simd_gt(f32x8::splat(simd, 0.0)).select(parting * 0.8 + 0.2, approaching)
}

/// How much a velocity leads past a neighbour on the wrong side, 0…1.
#[inline(always)]
fn wrong_side<S: Simd>(simd: S, v: Pair<S>, (discs, lane): (&Discs, usize)) -> f32x8<S> {
    let (relative, b) = relative(v, (discs, lane));
    let wrong = (b * discs.per_towards[lane] + 0.5).min(dot_with(relative, at_lane(&discs.aside, lane)));
    wrong.max(f32x8::splat(simd, 0.0)).min(f32x8::splat(simd, 1.0))
}

/// When a wall is met, in horizons.
#[inline(always)]
fn meet_line<S: Simd>(
    simd: S,
    v: Pair<S>,
    (lines, lane): (&Lines, usize),
    (keep2, per_horizon): (f32, f32),
) -> f32x8<S> {
    let (zero, never) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
    let vec = |of| at_lane(of, lane);
    let closing = dot_with(v, vec(&lines.into));
    if lines.touching & 1 << lane != 0 {
        return closing.simd_gt(CLOSING_IN_TOUCH).select(zero, never);
    }
    let time = f32x8::splat(simd, lines.gap[lane]) / closing;
    let at = dot_with(v, vec(&lines.along)) * time - lines.foot[lane];
    let between = at.simd_ge(lines.stretch[0][lane]) & at.simd_le(lines.stretch[1][lane]);
    let meets = closing.simd_gt(CLOSING) & time.simd_ge(zero) & between;
    let mut first = meets.select(time, never);
    if keep2 > 0.0 {
        for end in &lines.ends {
            let end = vec(end);
            let time = time_to(simd, dot(v, v), dot_with(v, end), end.length_squared() - keep2, STILL);
            first = least(time * per_horizon, first);
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::obstacles::OVERLAP_TIME;
    use crate::avoid::{Neighbour, Surroundings, Wall};
    use crate::math::Rng;

    /// One velocity at a time, operation by operation.
    fn penalty(v: Vec2, judge: &Judge<'_>) -> f32 {
        let dot = |a: Vec2, b: Vec2| a.x * b.x + a.y * b.y;
        let time_to = |a: f32, b: f32, gap: f32, still: f32| {
            let time = (b - (b * b - a * gap).sqrt()) / a;
            if a > still && time >= 0.0 { time } else { f32::INFINITY }
        };
        let Obstacles { discs, count, lines, keep2 } = judge.obstacles;
        let (mut first, mut side) = (1.0_f32, 0.0);
        for (disc, k) in (0..*count).map(|i| (&discs[i / 8], i % 8)) {
            let vec = |of: &[[f32; 8]; 2]| Vec2::new(of[0][k], of[1][k]);
            let relative = v * disc.reaction[k] + vec(&disc.drift);
            let b = dot(relative, vec(&disc.center));
            let met = if disc.gap[k] < 0.0 && b * disc.per_parting[k] > 0.0 {
                b * disc.per_parting[k] * 0.8 + 0.2
            } else if disc.gap[k] < 0.0 {
                (b * disc.per_approach[k] + 1.0).max(0.0) * 0.2
            } else {
                time_to(dot(relative, relative), b, disc.gap[k], judge.still)
            };
            first = if met < first { met } else { first };
            let wrong = (b * disc.per_towards[k] + 0.5).min(dot(relative, vec(&disc.aside)));
            side += wrong.clamp(0.0, 1.0);
        }
        let lanes = |eight| (0..8).map(move |k: usize| (eight, k));
        for (line, k) in lines.iter().flat_map(lanes).filter(|(line, k)| line.near & 1 << k != 0) {
            let vec = |of: &[[f32; 8]; 2]| Vec2::new(of[0][k], of[1][k]);
            let closing = dot(v, vec(&line.into));
            let met = if line.touching & 1 << k != 0 {
                if closing > 1e-4 { 0.0 } else { f32::INFINITY }
            } else {
                let time = line.gap[k] / closing;
                let at = dot(v, vec(&line.along)) * time - line.foot[k];
                let [from, to] = line.stretch.map(|ends| ends[k]);
                let between = closing > 1e-6 && time >= 0.0 && at >= from && at <= to;
                let ends = line.ends.map(|end| {
                    let end = vec(&end);
                    let reached = time_to(dot(v, v), dot(v, end), end.length_squared() - keep2, STILL);
                    if *keep2 > 0.0 { reached * judge.per_wall_horizon } else { f32::INFINITY }
                });
                ends.into_iter().fold(if between { time } else { f32::INFINITY }, f32::min)
            };
            first = if met < first { met } else { first };
        }
        let away = |from: Vec2| dot(v - from, v - from).sqrt();
        away(judge.desired) * judge.per_desired
            + away(judge.current) * judge.per_current
            + side * judge.per_side
            + judge.impact / (first + 0.1)
    }

    /// What is known of a neighbour is what its definition says, whatever the width of the lanes.
    fn assert_seen(around: &Surroundings<'_>, obstacles: &Obstacles, weights: &SampleWeights) {
        let agent = &around.agent;
        assert_eq!(obstacles.count, around.seen().count());
        for (i, other) in around.seen().enumerate() {
            let (disc, k) = (&obstacles.discs[i / 8], i % 8);
            let center = other.position - agent.position;
            let (distance, radius) = (center.length(), agent.radius + other.radius);
            let reaction = 1.0 / other.bounded_share();
            let v = Vec2::new(0.7, -0.3);
            // The velocity of the neighbour against which the agent makes its share of the change.
            let relative = agent.velocity + (v - agent.velocity) * reaction - other.velocity;
            let vec = |of: &[[f32; 8]; 2]| Vec2::new(of[0][k], of[1][k]);
            let seen = v * disc.reaction[k] + vec(&disc.drift);
            let close = |a: f32, b: f32| (a - b).abs() <= 1e-4 * (1.0 + a.abs().max(b.abs()) + reaction);
            assert!(close(seen.x / weights.horizon, relative.x) && close(seen.y / weights.horizon, relative.y));
            assert!(close(disc.gap[k], distance * distance - radius * radius));
            let towards = relative.dot(center / distance);
            assert!(close(seen.dot(center) * disc.per_towards[k], towards * 0.5));
            let turn = (center / distance).perp_dot(other.desired - agent.desired);
            if (turn - 0.01).abs() > 1e-3 {
                let left = if turn < 0.01 { -1.0 } else { 1.0 };
                assert!(close(seen.dot(vec(&disc.aside)), 2.0 * left * relative.dot((center / distance).perp())));
            }
            let due = ((radius - distance) / OVERLAP_TIME).clamp(0.05 * agent.max_speed, agent.max_speed);
            assert!(close(seen.dot(center) * disc.per_parting[k], -towards / due));
            assert!(close(seen.dot(center) * disc.per_approach[k], -towards / (4.0 * agent.max_speed)));
        }
    }

    #[test]
    fn in_lanes_of_any_width_penalties_are_the_same_bits_as_one_by_one() {
        let mut rng = Rng::new(21);
        let (mut overlapping, mut met, mut touching, mut left_out) = (0, 0, 0, [0; 2]);
        let in_circle = |rng: &mut Rng| Vec2::new(rng.unit(), 0.0).rotate(Vec2::from_angle(rng.unit() * 6.3));
        for round in 0..200_u32 {
            let size = [2.0, 6.0, 20.0][round as usize % 3];
            let place = |rng: &mut Rng| Vec2::new(rng.unit() - 0.5, rng.unit() - 0.5) * size;
            let agent = AgentState {
                position: place(&mut rng),
                velocity: place(&mut rng),
                desired: place(&mut rng),
                radius: 0.6,
                max_speed: 1.0 + 3.0 * rng.unit(),
                wall_distance: if round % 2 == 0 { 0.0 } else { 0.6 },
            };
            let neighbours: Vec<Neighbour> = (0..rng.below(19))
                .map(|_| Neighbour {
                    position: place(&mut rng),
                    velocity: place(&mut rng),
                    desired: place(&mut rng),
                    radius: rng.unit(),
                    share: rng.unit(),
                })
                .collect();
            let walls: Vec<Wall> = (0..rng.below(5)).map(|_| Wall { a: place(&mut rng), b: place(&mut rng) }).collect();
            let around = Surroundings { agent, neighbours: &neighbours, walls: &walls };
            let (weights, mut obstacles) = (SampleWeights::default(), Obstacles::default());
            obstacles.see_all(&around, &weights, Level::baseline());
            assert_seen(&around, &obstacles, &weights);
            let narrow = format!("{obstacles:?}");
            obstacles.see_all(&around, &weights, Level::new());
            assert_eq!(narrow, format!("{obstacles:?}"));
            overlapping += (0..obstacles.count).filter(|i| obstacles.discs[i / 8].gap[i % 8] < 0.0).count();
            touching += obstacles.lines.iter().map(|line| (line.near & line.touching).count_ones()).sum::<u32>();
            let mut candidates = Candidates::default();
            (0..8 * (1 + rng.below(6))).for_each(|_| candidates.push(place(&mut rng)));
            for level in [Level::baseline(), Level::new()] {
                let judge = Judge::new(&obstacles, &agent, &weights);
                let best = judge.best(level, &mut candidates);
                let least = candidates.all().min_by(|a, b| a.1.total_cmp(&b.1));
                assert_eq!(Some(best), least, "of equal ones the first");
                for ((&x, &y), &found) in candidates.x.iter().zip(&candidates.y).zip(&candidates.penalty) {
                    let one = penalty(Vec2::new(x, y), &judge);
                    assert_eq!(one.to_bits(), found.to_bits(), "{round}: {one} {found}");
                    met += usize::from(one > weights.impact);
                }
                // Who is known to matter to none of them is left out, and missed nowhere.
                let around = Extent { center: place(&mut rng), radius: 2.0 * rng.unit() };
                candidates.clear();
                (0..24).for_each(|_| candidates.push(around.center + in_circle(&mut rng) * around.radius));
                judge.best(level, &mut candidates);
                let all = candidates.penalty.clone();
                dispatch!(level, simd => judge_lanes(simd, &judge, &mut candidates, Some(around)));
                assert_eq!(all, candidates.penalty, "{round}: {around:?}");
                for eight in &obstacles.discs {
                    let concerned = dispatch!(level, simd => concerned(simd, eight, around, judge.per_horizon));
                    left_out[0] += (eight.seen & !eight.inside & !concerned.0).count_ones();
                    left_out[1] += (eight.seen & !concerned.1).count_ones();
                }
            }
        }
        assert!(overlapping > 50 && met > 500 && touching > 20, "all cases are met: {overlapping} {met} {touching}");
        assert!(left_out.iter().all(|&count| count > 500), "{left_out:?} are left out");
    }
}
