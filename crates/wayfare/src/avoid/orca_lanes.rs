//! ORCA for eight agents at once, one agent per lane.
//!
//! ```text
//!            agent 0  1  2  3  4  5  6  7
//! walls        w w w · · w · ·               · : a half-plane that everything satisfies
//! neighbours   n n n n n n n n   nearest
//!              n n · n n n n ·   next …
//! ```
//!
//! The cost of ORCA is not arithmetic: it is unpredictable which half-plane of which agent is violated, and a branch
//! misprediction costs more than the half-plane. Lanes need no prediction. A step is executed if any of the eight
//! agents needs it, and only those take its result. The steps are those of `half_plane` and `linear_program`, operation
//! by operation, so the results are bit for bit the same.
//!
//! In a dense crowd nothing is admissible for about every other agent. Those wait in a queue until there are eight of
//! them, so that the expensive search for the least violation fills its lanes too.
//!
//! Cost: that of the slowest of the eight. Agents near one another need about the same number of steps.
//!
//! Sources: own; agents in lanes are an idea of Stephen Guy et al., "ClearPath", 2009.

use super::agent::{Neighbour, Surroundings, Turn, burden, capped};
use super::half_plane::{self, HalfPlane, Horizons};
use super::linear_program::PARALLEL;
use crate::math::lanes::{Level, Pair, dispatch, dot, greatest, least, load, pair, scaled, select};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};
use glam::Vec2;

/// A half-plane for each of eight agents, in memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Planes {
    normal: [[f32; 8]; 2],
    offset: [f32; 8],
}

/// The same in registers.
#[derive(Clone, Copy)]
struct Plane<S: Simd> {
    normal: Pair<S>,
    offset: f32x8<S>,
}

/// Half-planes that every velocity satisfies.
const OPEN: Planes = Planes { normal: [[1.0; 8], [0.0; 8]], offset: [f32::NEG_INFINITY; 8] };

/// One neighbour of each of eight agents, relative to it.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Neighbours {
    place: [[f32; 8]; 2],
    velocity: [[f32; 8]; 2],
    radius: [f32; 8],
    share: [f32; 8],
    /// 1 in lanes with a valid neighbour.
    present: [f32; 8],
}

const NOBODY: Neighbours =
    Neighbours { place: [[1.0; 8]; 2], velocity: [[0.0; 8]; 2], radius: [0.0; 8], share: [0.0; 8], present: [0.0; 8] };

/// The input of the eight agents.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Agents {
    velocity: [[f32; 8]; 2],
    desired: [[f32; 8]; 2],
    max_speed: [f32; 8],
}

const NO_AGENTS: Agents = Agents { velocity: [[0.0; 8]; 2], desired: [[0.0; 8]; 2], max_speed: [0.0; 8] };

/// The result of the linear program in two dimensions.
#[repr(align(32))]
struct Solved {
    velocity: [[f32; 8]; 2],
    /// The index of the half-plane at which nothing was left, or infinity.
    failed: [f32; 8],
}

/// Agents without an admissible velocity, until there are eight.
#[derive(Clone, Debug)]
struct Queue {
    walls: Vec<Planes>,
    planes: Vec<Planes>,
    /// The velocity when nothing was left.
    velocity: [[f32; 8]; 2],
    max_speed: [f32; 8],
    /// The index of the neighbour whose half-plane left nothing.
    failed: [f32; 8],
    /// The agent in each lane.
    agents: [usize; 8],
    len: usize,
}

/// Memory for eight agents, and for those in the queue.
#[derive(Clone, Debug, Default)]
pub(super) struct OrcaLanes {
    neighbours: Vec<Neighbours>,
    planes: Vec<Planes>,
    relaxed: Vec<Planes>,
    queue: Queue,
}

impl OrcaLanes {
    /// The velocities of many agents that keep to the right by an angle.
    pub(super) fn velocities(
        &mut self,
        level: Level,
        many: &[Surroundings<'_>],
        (horizons, keep_right): (&Horizons, f32),
        out: &mut [Vec2],
    ) {
        let Self { neighbours, planes, relaxed, queue } = self;
        queue.clear();
        for (first, eight) in many.chunks(8).enumerate() {
            let hard = gather(eight, horizons, planes, neighbours);
            let mut agents = NO_AGENTS;
            let turns = turns(eight, neighbours, keep_right);
            for (i, around) in eight.iter().enumerate() {
                set(&mut agents.velocity, i, around.agent.velocity);
                set(&mut agents.desired, i, around.keeping_right(turns[i]));
                agents.max_speed[i] = around.agent.max_speed;
            }
            let solved = dispatch!(level, simd => solve(simd, &agents, planes, neighbours, horizons));
            for i in 0..eight.len() {
                if solved.failed[i] == f32::INFINITY {
                    out[first * 8 + i] = get(&solved.velocity, i);
                    continue;
                }
                queue.push(first * 8 + i, i, (planes, hard), (&agents, &solved));
                if queue.len == 8 {
                    dispatch!(level, simd => queue.solve(simd, relaxed, out));
                }
            }
        }
        if queue.len > 0 {
            dispatch!(level, simd => queue.solve(simd, relaxed, out));
        }
        for (around, out) in many.iter().zip(out) {
            let answer = if around.agent.can_move() { *out } else { Vec2::ZERO };
            *out = capped(answer, around.agent.max_speed);
        }
    }
}

/// How far each of up to eight agents turns to the right. Agents without neighbours ignore their turn.
fn turns(eight: &[Surroundings<'_>], neighbours: &[Neighbours], angle: f32) -> [Turn; 8] {
    // In lanes: one by one, each sum would wait for the previous addition.
    let mut shares = [0.0; 8];
    let mut counts = [0.0; 8];
    for other in neighbours {
        // A missing neighbour has no share.
        shares.iter_mut().zip(&other.share).for_each(|(sum, share)| *sum += share);
    }
    counts.iter_mut().zip(eight).for_each(|(count, around)| *count = around.neighbours.len() as f32);
    core::array::from_fn(|i| Turn::right(angle, burden(shares[i], counts[i])))
}

/// Puts walls and neighbours of up to eight agents into lanes; returns the number of planes used by walls.
fn gather(
    eight: &[Surroundings<'_>],
    horizons: &Horizons,
    planes: &mut Vec<Planes>,
    neighbours: &mut Vec<Neighbours>,
) -> usize {
    planes.clear();
    neighbours.clear();
    neighbours.resize(eight.iter().map(|around| around.neighbours.len()).max().unwrap_or(0), NOBODY);
    for (i, around) in eight.iter().enumerate() {
        let walls = around.walls_from_agent().filter_map(|wall| half_plane::of_wall(&around.agent, &wall, horizons));
        for (k, wall) in walls.enumerate() {
            put(planes, k, i, wall);
        }
        for (to, other) in neighbours.iter_mut().zip(around.neighbours) {
            to.put(i, other, around);
        }
    }
    planes.len()
}

/// Puts a half-plane into lane `i` of the `k`-th of `planes`, which is appended if there are only `k`.
#[inline]
fn put(planes: &mut Vec<Planes>, k: usize, i: usize, plane: HalfPlane) {
    if k == planes.len() {
        planes.push(OPEN);
    }
    set(&mut planes[k].normal, i, plane.normal);
    planes[k].offset[i] = plane.offset;
}

#[inline]
fn set(to: &mut [[f32; 8]; 2], i: usize, v: Vec2) {
    to[0][i] = v.x;
    to[1][i] = v.y;
}

#[inline]
fn get(from: &[[f32; 8]; 2], i: usize) -> Vec2 {
    Vec2::new(from[0][i], from[1][i])
}

impl Neighbours {
    #[inline]
    fn put(&mut self, i: usize, other: &Neighbour, around: &Surroundings<'_>) {
        set(&mut self.place, i, other.position - around.agent.position);
        set(&mut self.velocity, i, other.velocity);
        self.radius[i] = around.agent.radius + other.radius;
        self.share[i] = other.bounded_share();
        self.present[i] = if other.is_finite() { 1.0 } else { 0.0 };
    }
}

impl Planes {
    #[inline(always)]
    fn load<S: Simd>(&self, simd: S) -> Plane<S> {
        Plane { normal: pair(simd, &self.normal), offset: load(simd, &self.offset) }
    }
}

impl<S: Simd> Plane<S> {
    #[inline(always)]
    fn store(self) -> Planes {
        Planes { normal: self.normal.map(Into::into), offset: self.offset.into() }
    }

    #[inline(always)]
    fn violation(&self, v: Pair<S>) -> f32x8<S> {
        self.offset - dot(self.normal, v)
    }

    /// The same, with a normal of length 1.
    #[inline(always)]
    fn unit(self) -> Self {
        let length = dot(self.normal, self.normal).sqrt();
        Self { normal: [self.normal[0] / length, self.normal[1] / length], offset: self.offset / length }
    }

    /// `self` in the lanes of `mask`, open in the others.
    #[inline(always)]
    fn only(self, simd: S, mask: mask32x8<S>) -> Self {
        let open = OPEN.load(simd);
        Self { normal: select(mask, self.normal, open.normal), offset: mask.select(self.offset, open.offset) }
    }
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            walls: Vec::new(),
            planes: Vec::new(),
            velocity: [[0.0; 8]; 2],
            max_speed: [0.0; 8],
            failed: [f32::INFINITY; 8],
            agents: [0; 8],
            len: 0,
        }
    }
}

impl Queue {
    fn clear(&mut self) {
        self.walls.clear();
        self.planes.clear();
        self.failed = [f32::INFINITY; 8];
        self.len = 0;
    }

    /// Queues lane `lane` of eight agents whose first `hard` of `planes` are walls.
    fn push(
        &mut self,
        agent: usize,
        lane: usize,
        (planes, hard): (&[Planes], usize),
        (agents, solved): (&Agents, &Solved),
    ) {
        let (walls, others) = planes.split_at(hard);
        for (list, from) in [(&mut self.walls, walls), (&mut self.planes, others)] {
            for (k, from) in from.iter().enumerate() {
                let plane = HalfPlane { normal: get(&from.normal, lane), offset: from.offset[lane] };
                put(list, k, self.len, plane);
            }
        }
        set(&mut self.velocity, self.len, get(&solved.velocity, lane));
        self.max_speed[self.len] = agents.max_speed[lane];
        self.failed[self.len] = (solved.failed[lane] - hard as f32).max(0.0);
        self.agents[self.len] = agent;
        self.len += 1;
    }

    /// Solves all queued agents.
    #[inline(always)]
    fn solve<S: Simd>(&mut self, simd: S, relaxed: &mut Vec<Planes>, out: &mut [Vec2]) {
        let velocity = self.least_violation(simd, relaxed).map(<[f32; 8]>::from);
        for (i, &agent) in self.agents[..self.len].iter().enumerate() {
            out[agent] = get(&velocity, i);
        }
        self.clear();
    }

    /// The program in three dimensions, as in `linear_program`.
    #[inline(always)]
    fn least_violation<S: Simd>(&self, simd: S, relaxed: &mut Vec<Planes>) -> Pair<S> {
        let max_speed = load(simd, &self.max_speed);
        let failed = load(simd, &self.failed);
        let mut v = pair(simd, &self.velocity);
        let mut bound = f32x8::splat(simd, 0.0);
        for (i, plane) in self.planes.iter().enumerate() {
            let plane = plane.load(simd);
            let needed = failed.simd_le(i as f32) & plane.violation(v).simd_gt(bound);
            if !needed.any_true() {
                continue;
            }
            relaxed.clear();
            relaxed.extend_from_slice(&self.walls);
            relaxed.extend(self.planes[..i].iter().map(|other| between(simd, other, plane).store()));
            let start = scaled(plane.normal, max_speed);
            let (better, lost) =
                incremental(simd, relaxed, max_speed, LanesAim::Direction(plane.normal), (start, needed));
            v = select(needed & lost.simd_ge(f32::INFINITY), better, v);
            bound = needed.select(plane.violation(v), bound);
        }
        v
    }
}

/// The half-plane in which `other` is violated no more than `plane`; its normal is not of length 1.
#[inline(always)]
fn between<S: Simd>(simd: S, other: &Planes, plane: Plane<S>) -> Plane<S> {
    let other = other.load(simd);
    let normal = [other.normal[0] - plane.normal[0], other.normal[1] - plane.normal[1]];
    let usable = dot(normal, normal).simd_gt(PARALLEL * PARALLEL);
    Plane { normal, offset: other.offset - plane.offset }.only(simd, usable)
}

/// The half-planes of all neighbours, and the program in two dimensions.
#[inline(always)]
fn solve<S: Simd>(
    simd: S,
    agents: &Agents,
    planes: &mut Vec<Planes>,
    neighbours: &[Neighbours],
    horizons: &Horizons,
) -> Solved {
    let velocity = pair(simd, &agents.velocity);
    let desired = pair(simd, &agents.desired);
    planes.extend(neighbours.iter().map(|other| plane_of(simd, velocity, other, horizons).store()));
    let start = (desired, mask32x8::splat(simd, true));
    let (v, failed) = incremental(simd, planes, load(simd, &agents.max_speed), LanesAim::Point(desired), start);
    Solved { velocity: v.map(Into::into), failed: failed.into() }
}

/// The half-plane for one neighbour per lane: `half_plane::of_neighbour` in lanes.
#[inline(always)]
fn plane_of<S: Simd>(simd: S, velocity: Pair<S>, other: &Neighbours, horizons: &Horizons) -> Plane<S> {
    let p = pair(simd, &other.place);
    let radius = load(simd, &other.radius);
    let v = [velocity[0] - load(simd, &other.velocity[0]), velocity[1] - load(simd, &other.velocity[1])];
    let distance2 = dot(p, p);
    let radius2 = radius * radius;
    let splat = |value: f32| f32x8::splat(simd, value);
    let zero = splat(0.0);
    let one = splat(1.0);
    let overlapping = distance2.simd_le(radius2);
    let inverse = overlapping.select(splat(1.0 / horizons.overlap), splat(1.0 / horizons.moving));
    let w = [v[0] - p[0] * inverse, v[1] - p[1] * inverse];
    let along = dot(w, p);
    let w2 = dot(w, w);
    // The round tip.
    let length = w2.sqrt();
    let away = -distance2.sqrt();
    let away = select(distance2.simd_gt(zero), [p[0] / away, p[1] / away], [one, zero]);
    let tip = select(length.simd_gt(zero), [w[0] / length, w[1] / length], away);
    let tip_out = radius * inverse - length;
    // The nearer leg.
    let leg = (distance2 - radius2).sqrt();
    let left = (p[0] * w[1] - p[1] * w[0]).simd_ge(zero);
    let leg = left.select(leg, -leg);
    let side = [(-(p[0] * radius) - p[1] * leg) / distance2, (p[0] * leg - p[1] * radius) / distance2];
    let side_out = -dot(v, side);

    let at_tip = overlapping | (along.simd_lt(zero) & (along * along).simd_gt(radius2 * w2));
    let normal = select(at_tip, tip, side);
    let offset = dot(velocity, normal) + load(simd, &other.share) * at_tip.select(tip_out, side_out);
    Plane { normal, offset }.only(simd, load(simd, &other.present).simd_gt(zero))
}

/// As in `linear_program`, per lane.
#[derive(Clone, Copy)]
enum LanesAim<S: Simd> {
    Point(Pair<S>),
    Direction(Pair<S>),
}

/// The program in two dimensions, in some of the lanes. Returns the velocities and, per lane, the index of the plane at
/// which nothing was left, or infinity.
#[inline(always)]
fn incremental<S: Simd>(
    simd: S,
    planes: &[Planes],
    max_speed: f32x8<S>,
    aim: LanesAim<S>,
    (start, among): (Pair<S>, mask32x8<S>),
) -> (Pair<S>, f32x8<S>) {
    let mut v = start;
    let mut open = among;
    let mut failed = f32x8::splat(simd, f32::INFINITY);
    for (i, plane) in planes.iter().enumerate() {
        let plane = plane.load(simd);
        let needed = plane.violation(v).simd_gt(0.0) & open;
        if !needed.any_true() {
            continue;
        }
        let (better, found) = on_border(simd, &planes[..i], plane, max_speed, aim);
        v = select(needed & found, better, v);
        let lost = needed & !found;
        failed = lost.select(f32x8::splat(simd, i as f32), failed);
        open &= !lost;
    }
    (v, failed)
}

/// The program in one dimension.
#[inline(always)]
fn on_border<S: Simd>(
    simd: S,
    before: &[Planes],
    plane: Plane<S>,
    max_speed: f32x8<S>,
    aim: LanesAim<S>,
) -> (Pair<S>, mask32x8<S>) {
    let plane = if let LanesAim::Direction(_) = aim { plane.unit() } else { plane };
    let half_chord2 = max_speed * max_speed - plane.offset * plane.offset;
    let mut found = half_chord2.simd_ge(0.0);
    let foot = scaled(plane.normal, plane.offset);
    let along = [plane.normal[1], -plane.normal[0]];
    let high = half_chord2.sqrt();
    let mut low = -high;
    let mut high = high;
    for other in before {
        let other = other.load(simd);
        let turn = dot(other.normal, along);
        let need = other.violation(foot);
        let parallel = match aim {
            LanesAim::Point(_) => turn.abs().simd_le(PARALLEL),
            LanesAim::Direction(_) => (turn * turn).simd_le(dot(other.normal, other.normal) * (PARALLEL * PARALLEL)),
        };
        let t = need / turn;
        let rising = turn.simd_gt(0.0);
        low = (!parallel & rising).select(greatest(t, low), low);
        high = (!parallel & !rising).select(least(t, high), high);
        found &= !(parallel & need.simd_gt(0.0));
    }
    found &= !low.simd_gt(high);
    let t = match aim {
        LanesAim::Point(p) => least(greatest(dot(along, p), low), high),
        LanesAim::Direction(d) => dot(along, d).simd_gt(0.0).select(high, low),
    };
    ([foot[0] + along[0] * t, foot[1] + along[1] * t], found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::{AgentState, Wall};
    use crate::avoid::{AvoidScratch, Avoider, Orca};
    use crate::math::Rng;

    /// Crowded, alone, overlapping, walled in, and at the same position: lanes and single calls give the same bits.
    #[test]
    fn eight_at_once_are_the_same_bits_as_one_by_one() {
        let mut rng = Rng::new(5);
        let mut scratch = AvoidScratch::default();
        let mut infeasible = 0;
        let mut changed = 0;
        for round in 0..400_u32 {
            let size = [1.5, 4.0, 12.0, 40.0][round as usize % 4];
            let place = |rng: &mut Rng| Vec2::new(rng.unit() - 0.5, rng.unit() - 0.5) * size;
            let speed = |rng: &mut Rng| Vec2::new(rng.unit() - 0.5, rng.unit() - 0.5) * 4.0;
            let worlds: Vec<(AgentState, Vec<Neighbour>, Vec<Wall>)> = (0..1 + rng.below(19))
                .map(|_| {
                    let agent = AgentState {
                        position: place(&mut rng),
                        velocity: speed(&mut rng),
                        desired: speed(&mut rng),
                        radius: 0.5,
                        max_speed: 1.0 + rng.unit(),
                        wall_distance: if rng.below(2) == 0 { 0.0 } else { 0.5 },
                    };
                    let others = (0..rng.below(14)).map(|k| Neighbour {
                        position: if k == 7 { agent.position } else { place(&mut rng) },
                        velocity: if k == 7 { agent.velocity } else { speed(&mut rng) },
                        desired: Vec2::ZERO,
                        radius: 0.3 + rng.unit(),
                        share: rng.unit(),
                    });
                    let others = others.collect();
                    let walls = (0..rng.below(4)).map(|_| Wall { a: place(&mut rng), b: place(&mut rng) }).collect();
                    (agent, others, walls)
                })
                .collect();
            let many: Vec<Surroundings<'_>> = worlds
                .iter()
                .map(|(agent, neighbours, walls)| Surroundings { agent: *agent, neighbours, walls })
                .collect();
            let orca = Orca { horizon: 0.5 + rng.unit() * 5.0, ..Orca::default() };
            let mut out = vec![Vec2::NAN; many.len()];
            orca.velocities_at(Level::baseline(), &many, &mut out, &mut scratch);
            let narrow = out.clone();
            orca.velocities_at(Level::new(), &many, &mut out, &mut scratch);
            for ((around, batched), narrow) in many.iter().zip(&out).zip(&narrow) {
                let alone = orca.velocity(around, &mut scratch);
                let bits = |v: Vec2| v.to_array().map(f32::to_bits);
                assert_eq!((bits(alone), bits(alone)), (bits(*batched), bits(*narrow)), "{round}");
                changed += u32::from(alone.distance(around.agent.goal_velocity()) > 0.1);
                infeasible += u32::from(scratch.planes.iter().any(|plane| plane.violation(alone) > 1e-2));
            }
        }
        assert!(infeasible > 100 && changed > 500, "the test meets all cases: {infeasible} {changed}");
    }
}
