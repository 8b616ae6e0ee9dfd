//! What an agent avoids, in the form in which velocities are judged: neighbours and walls in lanes, eight at once.
//!
//! What is the same for all velocities that are tried is worked out here, once: how far a neighbour is, to which side
//! it is to be passed, where a wall faces.
//!
//! Cost: O(neighbours + walls).
//!
//! Sources: as of the [penalty](super::penalty).

use super::agent::{AgentState, Surroundings};
use super::lanes::{at_lane, bits, dot, greatest, least, load, pair, scaled, select};
use super::penalty::SampleWeights;
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8};
use glam::Vec2;

/// In what time overlaps are to be undone, seconds.
pub(super) const OVERLAP_TIME: f32 = 0.3;
/// Horizons in which nobody can turn.
const AT_ONCE: f32 = 0.08;
/// Neighbours that are farther than this, metres, or get as far within the horizon, are not seen.
const FARTHEST: f32 = 1e15;
/// Who is nearer than this to the end of a wall stands at it, metres.
const AT_END: f32 = 2e-3;
/// Who closes in on a wall no faster than this, m/s, does not reach it; and in touch with it, goes along it.
pub(super) const CLOSING: f32 = 1e-6;
pub(super) const CLOSING_IN_TOUCH: f32 = 1e-4;

/// Eight neighbours as they come.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Others {
    position: [[f32; 8]; 2],
    velocity: [[f32; 8]; 2],
    desired: [[f32; 8]; 2],
    radius: [f32; 8],
    share: [f32; 8],
    /// How many they are.
    count: u32,
}

const NOBODY: Others = Others {
    position: [[0.0; 8]; 2],
    velocity: [[0.0; 8]; 2],
    desired: [[0.0; 8]; 2],
    radius: [0.0; 8],
    share: [1.0; 8],
    count: 0,
};

/// Eight neighbours as the penalty needs them. Velocities are in metres a horizon, so that times come out as parts of
/// it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Discs {
    /// Where it is.
    pub(super) center: [[f32; 8]; 2],
    /// The sum of the radii.
    pub(super) radius: [f32; 8],
    /// Squared distance less squared sum of the radii: below 0 for an overlap.
    pub(super) gap: [f32; 8],
    /// The relative velocity of a candidate `v` is `v × reaction + drift`.
    pub(super) reaction: [f32; 8],
    pub(super) drift: [[f32; 8]; 2],
    /// The relative velocity times `center` times this is half its part towards the neighbour, m/s.
    pub(super) per_towards: [f32; 8],
    /// The relative velocity times this is twice its part to the side on which the neighbour is not to be passed, m/s.
    pub(super) aside: [[f32; 8]; 2],
    /// For an overlap: a relative velocity times `center` times this is the speed of parting as a part of what is due;
    /// 1 is enough.
    pub(super) per_parting: [f32; 8],
    /// The same for approaching, as a part of twice the greatest speed, halved.
    pub(super) per_approach: [f32; 8],
    /// Lanes with a neighbour that can be seen, and of those the ones that overlap the agent: a bit for each.
    pub(super) seen: u32,
    pub(super) inside: u32,
}

/// Eight walls, relative to the agent, as the penalty needs them.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Lines {
    /// One end and the other.
    pub(super) ends: [[[f32; 8]; 2]; 2],
    /// The direction from the one to the other, times the horizon; how far the foot of the agent is along it, and
    /// between which two places along it the wall is met.
    pub(super) along: [[f32; 8]; 2],
    pub(super) foot: [f32; 8],
    pub(super) stretch: [[f32; 8]; 2],
    /// Away from the agent, and how far the line is beyond the distance that is kept, as a part of the horizon.
    pub(super) into: [[f32; 8]; 2],
    pub(super) gap: [f32; 8],
    /// Lanes that can be reached within the horizon, a bit for each.
    pub(super) near: u32,
    /// Lanes as near as is kept: every velocity into them collides at once. Never those of walls that may be touched:
    /// beside the end of one, the way around it leads through its line.
    pub(super) touching: u32,
}

impl Lines {
    /// Whether a velocity leads into the wall of a lane within [`AT_ONCE`] horizons.
    fn is_met_at_once(&self, lane: usize, v: Vec2) -> bool {
        let closing = v.dot(at_lane(&self.into, lane));
        if self.touching & 1 << lane != 0 {
            return closing > CLOSING_IN_TOUCH;
        }
        let time = self.gap[lane] / closing;
        let at = v.dot(at_lane(&self.along, lane)) * time - self.foot[lane];
        let between = (self.stretch[0][lane]..=self.stretch[1][lane]).contains(&at);
        closing > CLOSING && (0.0..AT_ONCE).contains(&time) && between
    }

    /// The lanes of walls that can be reached.
    fn near_lanes(&self) -> impl Iterator<Item = usize> {
        (0..8).filter(|lane| self.near & 1 << lane != 0)
    }
}

/// All that one agent avoids, prepared once for all velocities that are tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Obstacles {
    pub(super) discs: Vec<Discs>,
    /// How many neighbours are seen.
    pub(super) count: usize,
    pub(super) lines: Vec<Lines>,
    /// Squared distance kept from walls, whose ends are discs of this radius.
    pub(super) keep2: f32,
}

/// Horizons beyond these, seconds, are as good as these.
pub(super) fn horizon(seconds: f32) -> f32 {
    seconds.clamp(1e-3, 1e3)
}

impl Obstacles {
    /// Prepares what is around. The agent as it chooses then: it keeps to the right and goes along walls; `None` if it
    /// cannot move.
    pub(super) fn prepare(
        &mut self,
        around: &Surroundings<'_>,
        weights: &SampleWeights,
        level: Level,
    ) -> Option<AgentState> {
        let agent = AgentState { desired: around.keeping_right(weights.keep_right), ..around.agent };
        if !agent.can_move() {
            return None;
        }
        self.see_all(&Surroundings { agent, ..*around }, weights, level);
        Some(AgentState { desired: self.along_walls(agent.goal_velocity()), ..agent })
    }

    /// Takes down neighbours and walls; those walls that cannot be reached within their horizon do not count.
    pub(super) fn see_all(&mut self, around: &Surroundings<'_>, weights: &SampleWeights, level: Level) {
        let agent = &around.agent;
        self.discs.clear();
        self.count = 0;
        for eight in around.neighbours.chunks(8) {
            let mut others = Others { count: eight.len() as u32, ..NOBODY };
            for (lane, other) in eight.iter().enumerate() {
                [others.position[0][lane], others.position[1][lane]] = [other.position.x, other.position.y];
                [others.velocity[0][lane], others.velocity[1][lane]] = [other.velocity.x, other.velocity.y];
                [others.desired[0][lane], others.desired[1][lane]] = [other.desired.x, other.desired.y];
                (others.radius[lane], others.share[lane]) = (other.radius, other.share);
            }
            let discs = dispatch!(level, simd => discs(simd, agent, &others, horizon(weights.horizon)));
            self.count += discs.seen.count_ones() as usize;
            self.discs.push(discs);
        }
        self.lines.clear();
        let keep = agent.wall_distance.max(0.0);
        self.keep2 = keep * keep;
        let until = horizon(weights.wall_horizon);
        let reach = keep + agent.max_speed * until;
        for walls in around.walls.chunks(8) {
            // A lane without a wall is nowhere.
            let mut ends = [[[f32::NAN; 8]; 2]; 2];
            for (lane, wall) in walls.iter().enumerate() {
                let (a, b) = (wall.a - agent.position, wall.b - agent.position);
                [ends[0][0][lane], ends[0][1][lane]] = [a.x, a.y];
                [ends[1][0][lane], ends[1][1][lane]] = [b.x, b.y];
            }
            let lines = dispatch!(level, simd => lines(simd, ends, keep, reach, until));
            if lines.near != 0 {
                self.lines.push(lines);
            }
        }
    }

    /// What the walls leave of a velocity: it goes along those that it would run into at once. A way that brushes a
    /// wall is then among the velocities that are tried, and those beside it are near.
    fn along_walls(&self, velocity: Vec2) -> Vec2 {
        let lanes = self.lines.iter().flat_map(|lines| lines.near_lanes().map(move |lane| (lines, lane)));
        lanes.fold(velocity, |v, (lines, lane)| {
            let into = at_lane(&lines.into, lane);
            if lines.is_met_at_once(lane, v) { v - into * v.dot(into) } else { v }
        })
    }
}

#[inline(always)]
fn discs<S: Simd>(simd: S, agent: &AgentState, others: &Others, horizon: f32) -> Discs {
    let splat = |value: f32| f32x8::splat(simd, value);
    let (zero, one) = (splat(0.0), splat(1.0));
    let (position, desired) = (pair(simd, &others.position), pair(simd, &others.desired));
    let center = [position[0] - agent.position.x, position[1] - agent.position.y];
    let wish = [desired[0] - agent.desired.x, desired[1] - agent.desired.y];
    let (velocity, radius) = (pair(simd, &others.velocity), load(simd, &others.radius) + agent.radius);
    let squared = dot(center, center);
    let distance = squared.sqrt();
    let apart = distance.simd_gt(zero);
    let inverse = apart.select(one / distance, zero);
    let towards = select(apart, scaled(center, inverse), [one, zero]);
    // As `Neighbour::bounded_share` has it.
    let share = load(simd, &others.share);
    let share = share.simd_eq(share).select(least(greatest(share, splat(0.05)), one), splat(0.5));
    let reaction = one / share;
    // The others' way past: both turn to the same hand. Straight ahead it is the right one.
    let turn = towards[0] * wish[1] - towards[1] * wish[0];
    let hand = turn.simd_lt(0.01).select(splat(-2.0 / horizon), splat(2.0 / horizon));
    let own = one - reaction;
    // Half of it each: the relative velocity is twice the change of one.
    let due = (radius - distance) / OVERLAP_TIME;
    let due = least(greatest(due, splat(0.05 * agent.max_speed)), splat(agent.max_speed));
    let drift = [own * agent.velocity.x - velocity[0], own * agent.velocity.y - velocity[1]];
    let drift = scaled(drift, splat(horizon));
    let gap = squared - radius * radius;
    // Of what is beyond these no other number is sure to be one; what is none itself is not below them.
    let far = splat(FARTHEST * FARTHEST);
    let sane = squared.simd_lt(far) & dot(drift, drift).simd_lt(far);
    let known = dot(wish, wish).simd_lt(f32::INFINITY) & radius.abs().simd_lt(f32::INFINITY);
    let seen = bits(sane & known) & ((1 << others.count) - 1);
    Discs {
        center: [center[0].into(), center[1].into()],
        radius: radius.into(),
        gap: gap.into(),
        reaction: (reaction * horizon).into(),
        drift: [drift[0].into(), drift[1].into()],
        seen,
        inside: seen & bits(gap.simd_lt(zero)),
        per_towards: (inverse * (0.5 / horizon)).into(),
        aside: [(-(towards[1] * hand)).into(), (towards[0] * hand).into()],
        per_parting: (-(inverse / (due * horizon))).into(),
        per_approach: (-(inverse * (0.25 / (agent.max_speed * horizon)))).into(),
    }
}

/// Walls by their `ends`, relative to the agent. One with an odd number, or that is as long as numbers go, is not near.
#[inline(always)]
fn lines<S: Simd>(simd: S, ends: [[[f32; 8]; 2]; 2], keep: f32, reach: f32, horizon: f32) -> Lines {
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
    let ahead = dot(right, a);
    // Of both normals the one that leads away from the agent.
    let away = select(ahead.simd_gt(zero), right, [-right[0], -right[1]]);
    // In touch beside an end, what must not be approached is the end.
    let beside = touching & distance.simd_gt(1e-3);
    let into = select(beside, [nearest[0] / distance, nearest[1] / distance], away);
    // Who stands at an end of a wall that may be touched is as much past it as before it.
    let at_end = splat(if keep > 0.0 { 0.0 } else { AT_END });
    let beyond = |end| (dot(end, end).simd_lt(AT_END * AT_END)).select(at_end, zero);
    Lines {
        ends,
        along: [(along[0] * horizon).into(), (along[1] * horizon).into()],
        foot: dot(along, a).into(),
        stretch: [beyond(a).into(), (length - beyond(b)).into()],
        into: [into[0].into(), into[1].into()],
        gap: ((dot(a, away) - keep) / horizon).into(),
        near: bits(near),
        touching: bits(touching),
    }
}
