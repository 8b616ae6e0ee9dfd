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
//! velocities share what is fetched of each. The operations and their order are the same on every machine, so are the
//! bits.
//!
//! Cost: O(velocities × (neighbours + walls)).
//!
//! Sources: Paolo Fiorini, Zvi Shiller, "Motion planning in dynamic environments using velocity obstacles", 1998; Jur
//! van den Berg, Ming Lin, Dinesh Manocha, "Reciprocal velocity obstacles", 2008; Mikko Mononen, "Custom hRVO",
//! Digesting Duck, March 2010.

use super::agent::{AgentState, Surroundings, Wall};
use super::lanes::{Pair, dot, dot_with, greatest, least, load, pair, scaled, select};
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

/// In what time overlaps are to be undone, seconds.
const OVERLAP_TIME: f32 = 0.3;
/// Who moves slower than this, squared, relative to another never meets it, m²/s².
const STILL: f32 = 1e-4;

/// Eight neighbours as they come, relative to the agent. Lanes without one hold zeros.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Others {
    center: [[f32; 8]; 2],
    velocity: [[f32; 8]; 2],
    /// What they want less what the agent wants.
    wish: [[f32; 8]; 2],
    /// The sum of the radii.
    radius: [f32; 8],
    share: [f32; 8],
}

const NOBODY: Others =
    Others { center: [[0.0; 8]; 2], velocity: [[0.0; 8]; 2], wish: [[0.0; 8]; 2], radius: [0.0; 8], share: [1.0; 8] };

/// Eight neighbours as the penalty needs them. Velocities are in metres a horizon, so that times come out as parts of
/// it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Discs {
    /// Where it is.
    center: [[f32; 8]; 2],
    /// Squared distance less squared sum of the radii: below 0 for an overlap.
    gap: [f32; 8],
    /// The relative velocity of a candidate `v` is `v × reaction + drift`.
    reaction: [f32; 8],
    drift: [[f32; 8]; 2],
    /// The relative velocity times `center` times this is half its part towards the neighbour, m/s.
    per_towards: [f32; 8],
    /// The relative velocity times this is twice its part to the side on which the neighbour is not to be passed, m/s.
    aside: [[f32; 8]; 2],
    /// For an overlap: a relative velocity times `center` times this is the speed of parting as a part of what is due;
    /// 1 is enough.
    per_parting: [f32; 8],
    /// The same for approaching, as a part of twice the greatest speed, halved.
    per_approach: [f32; 8],
}

/// A wall, seen from the agent.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// One end and the other.
    ends: [Vec2; 2],
    /// The direction from the one to the other, times the horizon; how far the foot of the agent is along it, and how
    /// far the other end.
    along: Vec2,
    foot: f32,
    length: f32,
    /// Towards the agent's side, and how far the agent is from the line beyond the distance that is kept, as a part of
    /// the horizon.
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
    discs: Vec<Discs>,
    /// How many neighbours these are.
    count: usize,
    lines: Vec<Line>,
}

/// Horizons beyond these, seconds, are as good as these.
fn horizon(seconds: f32) -> f32 {
    seconds.clamp(1e-3, 1e3)
}

impl Obstacles {
    /// Prepares what is around; walls that cannot be reached within their horizon are left out.
    pub(super) fn prepare(&mut self, around: &Surroundings<'_>, weights: &SampleWeights, level: Level) {
        let agent = &around.agent;
        self.discs.clear();
        self.count = 0;
        let mut others = NOBODY;
        for other in around.seen() {
            let lane = self.count % 8;
            if lane == 0 && self.count > 0 {
                self.see(agent, &others, weights, level);
                others = NOBODY;
            }
            self.count += 1;
            let (center, wish) = (other.position - agent.position, other.desired - agent.desired);
            [others.center[0][lane], others.center[1][lane]] = [center.x, center.y];
            [others.velocity[0][lane], others.velocity[1][lane]] = [other.velocity.x, other.velocity.y];
            [others.wish[0][lane], others.wish[1][lane]] = [wish.x, wish.y];
            others.radius[lane] = agent.radius + other.radius;
            others.share[lane] = other.bounded_share();
        }
        if self.count > 0 {
            self.see(agent, &others, weights, level);
        }
        self.lines.clear();
        let until = horizon(weights.wall_horizon);
        let reach = agent.wall_distance.max(0.0) + agent.max_speed * until;
        self.lines.extend(around.walls_from_agent().filter_map(|wall| line(agent, &wall, reach, until)));
    }

    fn see(&mut self, agent: &AgentState, others: &Others, weights: &SampleWeights, level: Level) {
        self.discs.push(dispatch!(level, simd => discs(simd, agent, others, horizon(weights.horizon))));
    }
}

#[inline(always)]
fn discs<S: Simd>(simd: S, agent: &AgentState, others: &Others, horizon: f32) -> Discs {
    let splat = |value: f32| f32x8::splat(simd, value);
    let (zero, one) = (splat(0.0), splat(1.0));
    let (center, radius) = (pair(simd, &others.center), load(simd, &others.radius));
    let squared = dot(center, center);
    let distance = squared.sqrt();
    let apart = distance.simd_gt(zero);
    let inverse = apart.select(one / distance, zero);
    let towards = select(apart, scaled(center, inverse), [one, zero]);
    let reaction = one / load(simd, &others.share);
    // The others' way past: both turn to the same hand. Straight ahead it is the right one.
    let wish = pair(simd, &others.wish);
    let turn = towards[0] * wish[1] - towards[1] * wish[0];
    let hand = turn.simd_lt(0.01).select(splat(-2.0 / horizon), splat(2.0 / horizon));
    let velocity = pair(simd, &others.velocity);
    let own = one - reaction;
    // Half of it each: the relative velocity is twice the change of one.
    let due = (radius - distance) / OVERLAP_TIME;
    let due = least(greatest(due, splat(0.05 * agent.max_speed)), splat(agent.max_speed));
    let (drift_x, drift_y) = (own * agent.velocity.x - velocity[0], own * agent.velocity.y - velocity[1]);
    Discs {
        center: others.center,
        gap: (squared - radius * radius).into(),
        reaction: (reaction * horizon).into(),
        drift: [(drift_x * horizon).into(), (drift_y * horizon).into()],
        per_towards: (inverse * (0.5 / horizon)).into(),
        aside: [(-(towards[1] * hand)).into(), (towards[0] * hand).into()],
        per_parting: (-(inverse / (due * horizon))).into(),
        per_approach: (-(inverse * (0.25 / (agent.max_speed * horizon)))).into(),
    }
}

/// `wall` is relative to the agent.
fn line(agent: &AgentState, wall: &Wall, reach: f32, horizon: f32) -> Option<Line> {
    let nearest = wall.nearest(Vec2::ZERO);
    let squared = nearest.length_squared();
    if squared.is_nan() || squared > reach * reach {
        return None;
    }
    let distance = squared.sqrt();
    let keep = agent.wall_distance.max(0.0);
    let length = wall.a.distance(wall.b);
    let along = if length > 0.0 { (wall.b - wall.a) / length } else { Vec2::ZERO };
    let touching = distance <= keep + 0.01;
    let right = Vec2::new(along.y, -along.x);
    let facing = if right.dot(wall.a) > 0.0 { -right } else { right };
    // In touch beside an end, what must not be approached is the end.
    let normal = if touching && distance > 1e-3 { -nearest / distance } else { facing };
    Some(Line {
        ends: [wall.a, wall.b],
        along: along * horizon,
        foot: along.dot(wall.a),
        length,
        normal,
        gap: (-wall.a.dot(facing) - keep) / horizon,
        touching,
        keep2: keep * keep,
    })
}

/// Fills `candidates.penalty`. `x` and `y` are of equal length, a multiple of eight.
pub(super) fn judge(
    obstacles: &Obstacles,
    agent: &AgentState,
    weights: &SampleWeights,
    level: Level,
    candidates: &mut Candidates,
) {
    dispatch!(level, simd => judge_lanes(simd, &Judge::new(obstacles, agent, weights), candidates));
}

/// What is the same for all velocities of one agent.
struct Judge<'a> {
    obstacles: &'a Obstacles,
    desired: Vec2,
    current: Vec2,
    /// The weights, each by what it is multiplied with.
    per_desired: f32,
    per_current: f32,
    per_side: f32,
    impact: f32,
    /// Squared metres a horizon, and one over the horizon for walls.
    still: f32,
    per_wall_horizon: f32,
}

impl<'a> Judge<'a> {
    fn new(obstacles: &'a Obstacles, agent: &AgentState, weights: &SampleWeights) -> Self {
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
            per_wall_horizon: 1.0 / horizon(weights.wall_horizon),
        }
    }
}

#[inline(always)]
fn judge_lanes<S: Simd>(simd: S, judge: &Judge<'_>, candidates: &mut Candidates) {
    let Candidates { x, y, penalty } = candidates;
    penalty.resize(x.len(), 0.0);
    // Two vectors at a time: what is known of a neighbour is fetched once for both.
    let twos = x.chunks_exact(16).zip(y.chunks_exact(16)).zip(penalty.chunks_exact_mut(16));
    for ((x, y), penalty) in twos {
        let first = [f32x8::from_slice(simd, &x[..8]), f32x8::from_slice(simd, &y[..8])];
        let second = [f32x8::from_slice(simd, &x[8..]), f32x8::from_slice(simd, &y[8..])];
        let [first, second] = judge_some(simd, judge, [first, second]);
        first.store_slice(&mut penalty[..8]);
        second.store_slice(&mut penalty[8..]);
    }
    let rest = x.len() / 16 * 16;
    let ones = x[rest..].chunks_exact(8).zip(y[rest..].chunks_exact(8)).zip(penalty[rest..].chunks_exact_mut(8));
    for ((x, y), penalty) in ones {
        let [only] = judge_some(simd, judge, [[f32x8::from_slice(simd, x), f32x8::from_slice(simd, y)]]);
        only.store_slice(penalty);
    }
}

#[inline(always)]
fn judge_some<S: Simd, const N: usize>(simd: S, judge: &Judge<'_>, v: [Pair<S>; N]) -> [f32x8<S>; N] {
    let (mut first, mut side) = ([f32x8::splat(simd, 1.0); N], [f32x8::splat(simd, 0.0); N]);
    let Obstacles { discs, count, lines } = judge.obstacles;
    for (number, eight) in discs.iter().enumerate() {
        for lane in 0..(count - number * 8).min(8) {
            for k in 0..N {
                let (met, wrong) = meet_disc(simd, v[k], (eight, lane), judge.still);
                first[k] = least(met, first[k]);
                side[k] += wrong;
            }
        }
    }
    for line in lines {
        for k in 0..N {
            first[k] = least(meet_line(simd, v[k], line, judge.per_wall_horizon), first[k]);
        }
    }
    // No closure over an array: compiled by itself, it would know nothing of the machine's vectors.
    let mut sum = first;
    for k in 0..N {
        sum[k] = distance(v[k], judge.desired) * judge.per_desired
            + distance(v[k], judge.current) * judge.per_current
            + side[k] * judge.per_side
            + f32x8::splat(simd, judge.impact) / (first[k] + 0.1);
    }
    sum
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

/// When a neighbour is met, in horizons; and how much this is the wrong side to pass it, 0…1.
#[inline(always)]
fn meet_disc<S: Simd>(simd: S, v: Pair<S>, (discs, lane): (&Discs, usize), still: f32) -> (f32x8<S>, f32x8<S>) {
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let vec = |of: &[[f32; 8]; 2]| Vec2::new(of[0][lane], of[1][lane]);
    let (reaction, drift) = (discs.reaction[lane], vec(&discs.drift));
    let relative = [v[0] * reaction + drift.x, v[1] * reaction + drift.y];
    let b = dot_with(relative, vec(&discs.center));
    let met = if discs.gap[lane] < 0.0 {
        // Inside already: what counts is how fast they part.
        // Standing still to one another is a fifth, approaching is less.
        let parting = b * discs.per_parting[lane];
        let approaching = greatest(b * discs.per_approach[lane] + 1.0, zero) * 0.2;
        parting.simd_gt(zero).select(parting * 0.8 + 0.2, approaching)
    } else {
        time_to(simd, dot(relative, relative), b, discs.gap[lane], still)
    };
    let wrong = least(b * discs.per_towards[lane] + 0.5, dot_with(relative, vec(&discs.aside)));
    (met, least(greatest(wrong, zero), one))
}

/// When a wall is met, in horizons.
#[inline(always)]
fn meet_line<S: Simd>(simd: S, v: Pair<S>, line: &Line, per_horizon: f32) -> f32x8<S> {
    let (zero, never) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
    let closing = dot_with(v, -line.normal);
    if line.touching {
        return closing.simd_gt(1e-4).select(zero, never);
    }
    let time = f32x8::splat(simd, line.gap) / closing;
    let at = dot_with(v, line.along) * time - line.foot;
    let between = at.simd_ge(zero) & at.simd_le(line.length);
    let meets = closing.simd_gt(1e-6) & time.simd_ge(zero) & between;
    let mut first = meets.select(time, never);
    if line.keep2 > 0.0 {
        for end in line.ends {
            let time = time_to(simd, dot(v, v), dot_with(v, end), end.length_squared() - line.keep2, STILL);
            first = least(time * per_horizon, first);
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

    /// Adds those of some velocities, given by x and y, that are no faster than `max_speed`.
    pub(super) fn add(&mut self, velocities: [&[f32]; 2], max_speed: f32) {
        let [xs, ys] = velocities;
        let (begin, limit) = (self.x.len(), max_speed * max_speed);
        self.x.resize(begin + xs.len(), 0.0);
        self.y.resize(begin + xs.len(), 0.0);
        let mut kept = begin;
        // Each is written, and the next in its place if it is too fast: there is nothing to foretell.
        for (&x, &y) in xs.iter().zip(ys) {
            (self.x[kept], self.y[kept]) = (x, y);
            kept += usize::from(x * x + y * y <= limit);
        }
        self.x.truncate(kept);
        self.y.truncate(kept);
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

    /// The velocity with the least penalty, of equal ones the first, and the penalty. Odd numbers are never the least.
    pub(super) fn best(&self) -> Option<(Vec2, f32)> {
        let mut least = [f32::INFINITY; 8];
        for eight in self.penalty.chunks_exact(8) {
            for (least, &penalty) in least.iter_mut().zip(eight) {
                *least = if penalty < *least { penalty } else { *least };
            }
        }
        let least = least.into_iter().fold(f32::INFINITY, |a, b| if b < a { b } else { a });
        let at = self.penalty.iter().position(|penalty| *penalty == least)?;
        Some((Vec2::new(self.x[at], self.y[at]), least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::Neighbour;
    use crate::math::Rng;

    /// One velocity at a time, operation by operation.
    fn penalty(v: Vec2, judge: &Judge<'_>) -> f32 {
        let dot = |a: Vec2, b: Vec2| a.x * b.x + a.y * b.y;
        let time_to = |a: f32, b: f32, gap: f32, still: f32| {
            let time = (b - (b * b - a * gap).sqrt()) / a;
            if a > still && time >= 0.0 { time } else { f32::INFINITY }
        };
        let Obstacles { discs, count, lines } = judge.obstacles;
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
        for line in lines {
            let closing = dot(v, -line.normal);
            let met = if line.touching {
                if closing > 1e-4 { 0.0 } else { f32::INFINITY }
            } else {
                let time = line.gap / closing;
                let at = dot(v, line.along) * time - line.foot;
                let between = closing > 1e-6 && time >= 0.0 && at >= 0.0 && at <= line.length;
                let ends = line.ends.map(|end| {
                    let reached = time_to(dot(v, v), dot(v, end), end.length_squared() - line.keep2, STILL);
                    if line.keep2 > 0.0 { reached * judge.per_wall_horizon } else { f32::INFINITY }
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
            obstacles.prepare(&around, &weights, Level::baseline());
            assert_seen(&around, &obstacles, &weights);
            let narrow = format!("{obstacles:?}");
            obstacles.prepare(&around, &weights, Level::new());
            assert_eq!(narrow, format!("{obstacles:?}"));
            overlapping += (0..obstacles.count).filter(|i| obstacles.discs[i / 8].gap[i % 8] < 0.0).count();
            touching += obstacles.lines.iter().filter(|line| line.touching).count();
            let mut candidates = Candidates::default();
            (0..8 * (1 + rng.below(6))).for_each(|_| candidates.push(place(&mut rng)));
            for level in [Level::baseline(), Level::new()] {
                judge(&obstacles, &agent, &weights, level, &mut candidates);
                for ((&x, &y), &found) in candidates.x.iter().zip(&candidates.y).zip(&candidates.penalty) {
                    let one = penalty(Vec2::new(x, y), &Judge::new(&obstacles, &agent, &weights));
                    assert_eq!(one.to_bits(), found.to_bits(), "{round}: {one} {found}");
                    met += usize::from(one > weights.impact);
                }
            }
        }
        assert!(overlapping > 50 && met > 500 && touching > 20, "all cases are met: {overlapping} {met} {touching}");
    }
}
