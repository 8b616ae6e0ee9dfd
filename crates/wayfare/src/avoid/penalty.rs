//! What speaks against a velocity: the measure by which the sampling methods choose.
//!
//! ```text
//! penalty =  desired × |v - v_desired| / v_max      how far from what is wanted
//!          + current × |v - v_now| / v_max          how abrupt
//!          + side    × mean over neighbours         passing on the wrong side, 0…1
//!          + impact  × 1 / (0.1 + t / horizon)      t: the first collision, at most the horizon
//! ```
//!
//! Nothing is forbidden, only dear; so there is always an answer, and a risk is taken where all else is worse. Towards a neighbour the
//! velocity that counts is the relative one if the agent makes its share of the change (reciprocal velocity obstacles).
//!
//! Eight velocities are judged at once, one a lane, and none is given up early: on a modern machine that is cheaper than to find out
//! which ones could be. The operations and their order are the same on every machine, so are the bits.
//!
//! Cost: O(velocities × (neighbours + walls)).
//!
//! Sources: Paolo Fiorini, Zvi Shiller, "Motion planning in dynamic environments using velocity obstacles", 1998; Jur van den Berg, Ming
//! Lin, Dinesh Manocha, "Reciprocal velocity obstacles", 2008; Mikko Mononen, "Custom hRVO", Digesting Duck, March 2010.

use super::agent::{AgentState, Neighbour, Surroundings, Wall};
use super::lanes::{Pair, dot, dot_with, greatest, least};
use super::scratch::Candidates;
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8};
use glam::Vec2;

/// How the parts of the penalty are weighed, and how far ahead is looked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleWeights {
    /// Against leaving the desired velocity. Default 2.
    pub desired: f32,
    /// Against changing the current velocity. Default 0.75. Larger is smoother, and slower to react.
    pub current: f32,
    /// Against passing a neighbour on the unusual side. Default 1. It is what makes two agents that meet choose different ways.
    pub side: f32,
    /// Against collisions, the nearer the more. Default 2.5.
    pub impact: f32,
    /// Collisions with neighbours later than this do not count, seconds, above 0. Default 2.5.
    pub horizon: f32,
    /// The same for walls. Default 1.25: agents go closer by walls than by one another.
    pub wall_horizon: f32,
    /// The desired velocity is turned to the right by this angle, radians, while somebody is near. Default 0.1. Lets crowds turn about a
    /// common center instead of blocking there.
    pub keep_right: f32,
}

impl Default for SampleWeights {
    fn default() -> Self {
        Self { desired: 2.0, current: 0.75, side: 1.0, impact: 2.5, horizon: 2.5, wall_horizon: 1.25, keep_right: 0.1 }
    }
}

/// In what time overlaps are to be undone, seconds.
const OVERLAP_TIME: f32 = 0.3;

/// A neighbour, seen from the agent.
#[derive(Clone, Copy, Debug)]
struct Disc {
    /// Where it is.
    center: Vec2,
    /// Squared distance less squared sum of the radii: below 0 for an overlap.
    gap: f32,
    /// For an overlap: a relative velocity times `center` times this is the speed of parting as a part of what is due; 1 is enough.
    per_parting: f32,
    /// The same for approaching, as a part of twice the greatest speed, halved.
    per_approach: f32,
    /// The relative velocity of a candidate `v` is `v × reaction + drift`.
    reaction: f32,
    drift: Vec2,
    /// Unit vectors towards it, and to the side on which it is not to be passed.
    towards: Vec2,
    aside: Vec2,
}

/// A wall, seen from the agent.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// One end, the direction to the other, and how far that is.
    start: Vec2,
    along: Vec2,
    length: f32,
    /// Towards the agent's side, and how far the agent is from the line beyond the distance that is kept.
    normal: Vec2,
    gap: f32,
    /// In touch: every velocity into it collides at once.
    touching: bool,
    /// Squared distance kept; the ends are discs of this radius.
    keep2: f32,
}

/// All that one agent avoids, prepared once for all velocities that are tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Obstacles {
    discs: Vec<Disc>,
    lines: Vec<Line>,
}

impl Obstacles {
    /// Prepares what is around; what cannot be reached within its horizon is left out.
    pub(super) fn prepare(&mut self, around: &Surroundings<'_>, weights: &SampleWeights) {
        let agent = &around.agent;
        self.discs.clear();
        // Filtered afterwards: a loop without conditions is turned into vectors.
        self.discs.extend(around.neighbours.iter().map(|other| disc(agent, other)));
        let mut seen = around.neighbours.iter().map(Neighbour::is_finite);
        self.discs.retain(|_| seen.next() == Some(true));
        self.lines.clear();
        let reach = agent.wall_distance.max(0.0) + agent.max_speed * weights.wall_horizon;
        self.lines.extend(around.walls_from_agent().filter_map(|wall| line(agent, &wall, reach)));
    }
}

fn disc(agent: &AgentState, other: &Neighbour) -> Disc {
    let center = other.position - agent.position;
    let radius = agent.radius + other.radius;
    let reaction = 1.0 / other.bounded_share();
    let towards = center.normalize_or(Vec2::X);
    // The others' way past: both turn to the same hand. Straight ahead it is the right one.
    let turn = towards.perp_dot(other.desired - agent.desired);
    let aside = if turn < 0.01 { -towards.perp() } else { towards.perp() };
    let drift = agent.velocity * (1.0 - reaction) - other.velocity;
    let distance = center.length();
    // Half of it each: the relative velocity is twice the change of one.
    let due = ((radius - distance) / OVERLAP_TIME).clamp(0.05 * agent.max_speed, agent.max_speed);
    let per_parting = if distance > 0.0 { -1.0 / (distance * due) } else { 0.0 };
    let per_approach = if distance > 0.0 { -1.0 / (distance * 4.0 * agent.max_speed) } else { 0.0 };
    let gap = center.length_squared() - radius * radius;
    Disc { center, gap, per_parting, per_approach, reaction, drift, towards, aside }
}

/// `wall` is relative to the agent.
fn line(agent: &AgentState, wall: &Wall, reach: f32) -> Option<Line> {
    let nearest = wall.nearest(Vec2::ZERO);
    let distance = nearest.length();
    if distance.is_nan() || distance > reach {
        return None;
    }
    let keep = agent.wall_distance.max(0.0);
    let start = wall.a;
    let length = wall.a.distance(wall.b);
    let along = (wall.b - wall.a).normalize_or_zero();
    let touching = distance <= keep + 0.01;
    // In touch beside an end, what must not be approached is the end.
    let facing = wall.normal_towards(Vec2::ZERO);
    let normal = if touching && distance > 1e-3 { -nearest / distance } else { facing };
    Some(Line { start, along, length, normal, gap: -start.dot(facing) - keep, touching, keep2: keep * keep })
}

/// Fills `candidates.penalty`. `x` and `y` are of equal length, a multiple of eight.
pub(super) fn judge(
    obstacles: &Obstacles,
    agent: &AgentState,
    weights: &SampleWeights,
    level: Level,
    candidates: &mut Candidates,
) {
    dispatch!(level, simd => judge_lanes(simd, obstacles, agent, weights, candidates));
}

#[inline(always)]
fn judge_lanes<S: Simd>(
    simd: S,
    obstacles: &Obstacles,
    agent: &AgentState,
    weights: &SampleWeights,
    candidates: &mut Candidates,
) {
    let Candidates { x, y, penalty } = candidates;
    penalty.clear();
    penalty.resize(x.len(), 0.0);
    let desired = agent.goal_velocity();
    let per_speed = 1.0 / agent.max_speed;
    let per_disc = if obstacles.discs.is_empty() { 0.0 } else { weights.side / obstacles.discs.len() as f32 };
    let per_horizon = [1.0 / weights.horizon, 1.0 / weights.wall_horizon];
    let lanes = x.chunks_exact(8).zip(y.chunks_exact(8)).zip(penalty.chunks_exact_mut(8));
    for ((x, y), penalty) in lanes {
        let v = [f32x8::from_slice(simd, x), f32x8::from_slice(simd, y)];
        let (mut first, mut side) = (f32x8::splat(simd, 1.0), f32x8::splat(simd, 0.0));
        for disc in &obstacles.discs {
            let (met, wrong) = meet_disc(simd, v, disc, per_horizon[0]);
            first = least(met, first);
            side += wrong;
        }
        for line in &obstacles.lines {
            first = least(meet_line(simd, v, line) * per_horizon[1], first);
        }
        let sum = distance(v, desired) * (weights.desired * per_speed)
            + distance(v, agent.velocity) * (weights.current * per_speed)
            + side * per_disc
            + f32x8::splat(simd, weights.impact) / (first + 0.1);
        sum.store_slice(penalty);
    }
}

#[inline(always)]
fn distance<S: Simd>(v: Pair<S>, from: Vec2) -> f32x8<S> {
    let to = [v[0] - from.x, v[1] - from.y];
    dot(to, to).sqrt()
}

/// When a disc is met; infinite for never. `a` and `b` are the squared speed and its part towards the center, `gap` as in [`Disc`].
#[inline(always)]
fn time_to<S: Simd>(simd: S, a: f32x8<S>, b: f32x8<S>, gap: f32) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let under_root = b * b - a * gap;
    let time = (b - greatest(under_root, zero).sqrt()) / a;
    let meets = under_root.simd_ge(zero) & a.simd_gt(1e-4) & time.simd_ge(zero);
    meets.select(time, f32x8::splat(simd, f32::INFINITY))
}

/// When a neighbour is met, in horizons; and how much this is the wrong side to pass it, 0…1.
#[inline(always)]
fn meet_disc<S: Simd>(simd: S, v: Pair<S>, disc: &Disc, per_horizon: f32) -> (f32x8<S>, f32x8<S>) {
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let relative = [v[0] * disc.reaction + disc.drift.x, v[1] * disc.reaction + disc.drift.y];
    let b = dot_with(relative, disc.center);
    let met = if disc.gap < 0.0 {
        // Inside already: what counts is how fast they part.
        // Standing still to one another is a fifth, approaching is less.
        let parting = b * disc.per_parting;
        let approaching = greatest(b * disc.per_approach + 1.0, zero) * 0.2;
        parting.simd_gt(zero).select(parting * 0.8 + 0.2, approaching)
    } else {
        time_to(simd, dot(relative, relative), b, disc.gap) * per_horizon
    };
    let wrong = least(dot_with(relative, disc.towards) * 0.5 + 0.5, dot_with(relative, disc.aside) * 2.0);
    (met, least(greatest(wrong, zero), one))
}

/// When a wall is met, seconds.
#[inline(always)]
fn meet_line<S: Simd>(simd: S, v: Pair<S>, line: &Line) -> f32x8<S> {
    let (zero, never) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
    let closing = -dot_with(v, line.normal);
    if line.touching {
        return closing.simd_gt(1e-4).select(zero, never);
    }
    let time = f32x8::splat(simd, line.gap) / closing;
    let at = dot_with(v, line.along) * time - line.along.dot(line.start);
    let between = at.simd_ge(zero) & at.simd_le(line.length);
    let meets = closing.simd_gt(1e-6) & time.simd_ge(zero) & between;
    let mut first = meets.select(time, never);
    if line.keep2 > 0.0 {
        for end in [line.start, line.start + line.along * line.length] {
            let time = time_to(simd, dot(v, v), dot_with(v, end), end.length_squared() - line.keep2);
            first = least(time, first);
        }
    }
    first
}

impl Candidates {
    /// Forgets all velocities.
    pub(super) fn clear(&mut self) {
        self.x.clear();
        self.y.clear();
    }

    pub(super) fn push(&mut self, v: Vec2) {
        self.x.push(v.x);
        self.y.push(v.y);
    }

    /// Fills the last vector up with the first velocity, which wins every tie.
    pub(super) fn pad(&mut self) {
        let Some((&x, &y)) = self.x.first().zip(self.y.first()) else { return };
        let full = self.x.len().next_multiple_of(8);
        self.x.resize(full, x);
        self.y.resize(full, y);
    }

    /// All velocities and their penalties, with what fills the last vector up.
    pub(super) fn all(&self) -> impl Iterator<Item = (Vec2, f32)> {
        let velocities = self.x.iter().zip(&self.y);
        velocities.zip(&self.penalty).map(|((&x, &y), &penalty)| (Vec2::new(x, y), penalty))
    }

    /// The velocity with the least penalty, of equal ones the first, and the penalty.
    pub(super) fn best(&self) -> Option<(Vec2, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for (i, &penalty) in self.penalty.iter().enumerate() {
            if best.is_none_or(|(_, least)| penalty < least) && !penalty.is_nan() {
                best = Some((i, penalty));
            }
        }
        best.map(|(i, penalty)| (Vec2::new(self.x[i], self.y[i]), penalty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    /// One velocity at a time, operation by operation.
    fn penalty(v: Vec2, obstacles: &Obstacles, agent: &AgentState, weights: &SampleWeights) -> f32 {
        let dot = |a: Vec2, b: Vec2| a.x * b.x + a.y * b.y;
        let time_to = |a: f32, b: f32, gap: f32| {
            let under_root = b * b - a * gap;
            let time = (b - if under_root > 0.0 { under_root } else { 0.0 }.sqrt()) / a;
            if under_root >= 0.0 && a > 1e-4 && time >= 0.0 { time } else { f32::INFINITY }
        };
        let (mut first, mut side) = (1.0_f32, 0.0);
        for disc in &obstacles.discs {
            let relative = v * disc.reaction + disc.drift;
            let b = dot(relative, disc.center);
            let met = if disc.gap < 0.0 && b * disc.per_parting > 0.0 {
                b * disc.per_parting * 0.8 + 0.2
            } else if disc.gap < 0.0 {
                (b * disc.per_approach + 1.0).max(0.0) * 0.2
            } else {
                time_to(dot(relative, relative), b, disc.gap) * (1.0 / weights.horizon)
            };
            first = if met < first { met } else { first };
            let wrong = (dot(relative, disc.towards) * 0.5 + 0.5).min(dot(relative, disc.aside) * 2.0);
            side += wrong.clamp(0.0, 1.0);
        }
        for line in &obstacles.lines {
            let closing = -dot(v, line.normal);
            let met = if line.touching {
                if closing > 1e-4 { 0.0 } else { f32::INFINITY }
            } else {
                let time = line.gap / closing;
                let at = dot(v, line.along) * time - line.along.dot(line.start);
                let between = closing > 1e-6 && time >= 0.0 && at >= 0.0 && at <= line.length;
                let ends = [line.start, line.start + line.along * line.length].map(|end| {
                    let reached = time_to(dot(v, v), dot(v, end), end.length_squared() - line.keep2);
                    if line.keep2 > 0.0 { reached } else { f32::INFINITY }
                });
                ends.into_iter().fold(if between { time } else { f32::INFINITY }, f32::min)
            };
            let met = met * (1.0 / weights.wall_horizon);
            first = if met < first { met } else { first };
        }
        let away = |from: Vec2| dot(v - from, v - from).sqrt();
        let per_disc = if obstacles.discs.is_empty() { 0.0 } else { weights.side / obstacles.discs.len() as f32 };
        let per_speed = 1.0 / agent.max_speed;
        away(agent.goal_velocity()) * (weights.desired * per_speed)
            + away(agent.velocity) * (weights.current * per_speed)
            + side * per_disc
            + weights.impact / (first + 0.1)
    }

    #[test]
    fn in_lanes_of_any_width_penalties_are_the_same_bits_as_one_by_one() {
        let mut rng = Rng::new(21);
        let (mut overlapping, mut met, mut touching) = (0, 0, 0);
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
            let neighbours: Vec<Neighbour> = (0..rng.below(12))
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
            obstacles.prepare(&around, &weights);
            overlapping += obstacles.discs.iter().filter(|disc| disc.gap < 0.0).count();
            touching += obstacles.lines.iter().filter(|line| line.touching).count();
            let mut candidates = Candidates::default();
            (0..40).for_each(|_| candidates.push(place(&mut rng)));
            for level in [Level::baseline(), Level::new()] {
                judge(&obstacles, &agent, &weights, level, &mut candidates);
                for ((&x, &y), &found) in candidates.x.iter().zip(&candidates.y).zip(&candidates.penalty) {
                    let one = penalty(Vec2::new(x, y), &obstacles, &agent, &weights);
                    assert_eq!(one.to_bits(), found.to_bits(), "{round}: {one} {found}");
                    met += usize::from(one > weights.impact);
                }
            }
        }
        assert!(overlapping > 50 && met > 500 && touching > 20, "all cases are met: {overlapping} {met} {touching}");
    }
}
