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
use super::lanes::F8;
use super::scratch::Candidates;
use fearless_simd::{Level, dispatch};
use glam::Vec2;

/// How the parts of the penalty are weighed, and how far ahead is looked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleWeights {
    /// Against leaving the desired velocity. Default 2.
    pub desired: f32,
    /// Against changing the current velocity. Default 0.75. Larger is smoother, and slower to react.
    pub current: f32,
    /// Against passing a neighbour on the unusual side. Default 1. It is what makes two agents who meet choose different ways.
    pub side: f32,
    /// Against collisions, the nearer the more. Default 2.5.
    pub impact: f32,
    /// Collisions with neighbours later than this do not count, seconds, above 0. Default 2.5.
    pub horizon: f32,
    /// The same for walls. Default 1.25: agents go closer by walls than by one another.
    pub wall_horizon: f32,
    /// The desired velocity is turned to the right by this angle, radians, while somebody is near. Default 0.1. Lets crowds turn about a
    /// common centre instead of blocking there.
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
        self.discs.extend(around.neighbours.iter().map(|other| disc(agent, other)));
        self.lines.clear();
        let reach = agent.wall_distance.max(0.0) + agent.max_speed * weights.wall_horizon;
        self.lines.extend(around.walls.iter().filter_map(|wall| line(agent, wall, reach)));
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

fn line(agent: &AgentState, wall: &Wall, reach: f32) -> Option<Line> {
    let nearest = wall.nearest(agent.position) - agent.position;
    let distance = nearest.length();
    if distance.is_nan() || distance > reach {
        return None;
    }
    let keep = agent.wall_distance.max(0.0);
    let start = wall.a - agent.position;
    let length = wall.a.distance(wall.b);
    let along = (wall.b - wall.a).normalize_or_zero();
    let touching = distance <= keep + 0.01;
    // In touch beside an end, what must not be approached is the end.
    let facing = wall.normal_towards(agent.position);
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
    dispatch!(level, _simd => judge_lanes(obstacles, agent, weights, candidates));
}

#[inline(always)]
fn judge_lanes(obstacles: &Obstacles, agent: &AgentState, weights: &SampleWeights, candidates: &mut Candidates) {
    let Candidates { x, y, penalty } = candidates;
    penalty.clear();
    penalty.resize(x.len(), 0.0);
    let desired = agent.goal_velocity();
    let per_speed = 1.0 / agent.max_speed;
    let per_disc = if obstacles.discs.is_empty() { 0.0 } else { weights.side / obstacles.discs.len() as f32 };
    let per_horizon = [1.0 / weights.horizon, 1.0 / weights.wall_horizon];
    let lanes = x.chunks_exact(8).zip(y.chunks_exact(8)).zip(penalty.chunks_exact_mut(8));
    for ((x, y), penalty) in lanes {
        let v = [F8::load(x), F8::load(y)];
        let (mut first, mut side) = (F8::ONE, F8::ZERO);
        for disc in &obstacles.discs {
            let (met, wrong) = meet_disc(v, disc, per_horizon[0]);
            first = met.min(first);
            side = side + wrong;
        }
        for line in &obstacles.lines {
            first = (meet_line(v, line) * per_horizon[1]).min(first);
        }
        let sum = distance(v, desired) * (weights.desired * per_speed)
            + distance(v, agent.velocity) * (weights.current * per_speed)
            + side * per_disc
            + F8::splat(weights.impact) / (first + 0.1);
        penalty.copy_from_slice(&sum.0);
    }
}

#[inline(always)]
fn distance(v: [F8; 2], from: Vec2) -> F8 {
    let (dx, dy) = (v[0] - from.x, v[1] - from.y);
    (dx * dx + dy * dy).sqrt()
}

#[inline(always)]
fn dot(v: [F8; 2], by: Vec2) -> F8 {
    v[0] * by.x + v[1] * by.y
}

#[inline(always)]
fn squared(v: [F8; 2]) -> F8 {
    v[0] * v[0] + v[1] * v[1]
}

/// No collision, ever.
const NEVER: F8 = F8([f32::INFINITY; 8]);

/// When a neighbour is met, in horizons; and how much this is the wrong side to pass it, 0…1.
#[inline(always)]
fn meet_disc(v: [F8; 2], disc: &Disc, per_horizon: f32) -> (F8, F8) {
    let relative = [v[0] * disc.reaction + disc.drift.x, v[1] * disc.reaction + disc.drift.y];
    let b = dot(relative, disc.center);
    let met = if disc.gap < 0.0 {
        // Inside already: what counts is how fast they part.
        // Standing still to one another is a fifth, approaching is less.
        let parting = b * disc.per_parting;
        let approaching = (b * disc.per_approach + 1.0).max(F8::ZERO) * 0.2;
        parting.gt(F8::ZERO).select(parting * 0.8 + 0.2, approaching)
    } else {
        let a = squared(relative);
        let under_root = b * b - a * disc.gap;
        let time = (b - under_root.max(F8::ZERO).sqrt()) / a;
        let meets = under_root.ge(F8::ZERO) & a.gt(F8::splat(1e-4)) & time.ge(F8::ZERO);
        meets.select(time * per_horizon, NEVER)
    };
    let wrong = (dot(relative, disc.towards) * 0.5 + 0.5).min(dot(relative, disc.aside) * 2.0);
    (met, wrong.max(F8::ZERO).min(F8::ONE))
}

/// When a wall is met, seconds.
#[inline(always)]
fn meet_line(v: [F8; 2], line: &Line) -> F8 {
    let closing = -dot(v, line.normal);
    if line.touching {
        return closing.gt(F8::splat(1e-4)).select(F8::ZERO, NEVER);
    }
    let time = F8::splat(line.gap) / closing;
    let at = dot(v, line.along) * time - line.along.dot(line.start);
    let between = at.ge(F8::ZERO) & at.le(F8::splat(line.length));
    let meets = closing.gt(F8::splat(1e-6)) & time.ge(F8::ZERO) & between;
    let mut first = meets.select(time, NEVER);
    if line.keep2 > 0.0 {
        for end in [line.start, line.start + line.along * line.length] {
            let (a, b) = (squared(v), dot(v, end));
            let under_root = b * b - a * (end.length_squared() - line.keep2);
            let time = (b - under_root.max(F8::ZERO).sqrt()) / a;
            let meets = under_root.ge(F8::ZERO) & a.gt(F8::splat(1e-4)) & time.ge(F8::ZERO);
            first = meets.select(time, NEVER).min(first);
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
