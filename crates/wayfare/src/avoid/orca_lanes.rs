//! ORCA for eight agents at once, one a lane.
//!
//! ```text
//!            agent 0  1  2  3  4  5  6  7
//! walls        w w w · · w · ·               · : a half-plane that everything satisfies
//! neighbours   n n n n n n n n   nearest
//!              n n · n n n n ·   next …
//! ```
//!
//! What costs in ORCA is not the arithmetic but that nobody can foretell which half-plane of which agent is violated: a wrong guess of
//! the processor costs more than the half-plane. In lanes there is nothing to guess; a step is taken if any of the eight agents needs
//! it, and only those who do take its result. The steps are those of the files `half_plane` and `linear_program`, operation
//! by operation, so that the answers are the same bits.
//!
//! Cost: as for the slowest of the eight. Agents who are near one another have about as much to do.
//!
//! Sources: own; the idea of agents in lanes is Stephen Guy et al., "ClearPath", 2009.

use super::agent::{Neighbour, Surroundings, capped};
use super::half_plane::{self, HalfPlane, Horizons};
use super::lanes::{F8, M8};
use super::linear_program::PARALLEL;
use glam::Vec2;

/// Two numbers for each of eight agents.
type Vec8 = [F8; 2];

/// A half-plane for each of eight agents.
#[derive(Clone, Copy, Debug)]
struct Plane8 {
    normal: Vec8,
    offset: F8,
}

/// Everything satisfies this one.
const OPEN: Plane8 = Plane8 { normal: [F8::ONE, F8::ZERO], offset: F8([-1e30; 8]) };

/// A neighbour of each of eight agents, relative to it.
#[derive(Clone, Copy, Debug)]
struct Neighbour8 {
    place: Vec8,
    velocity: Vec8,
    radius: F8,
    share: F8,
    present: [bool; 8],
}

const NOBODY: Neighbour8 =
    Neighbour8 { place: [F8::ONE; 2], velocity: [F8::ZERO; 2], radius: F8::ZERO, share: F8::ONE, present: [false; 8] };

/// What the eight want.
#[derive(Clone, Copy, Debug)]
struct Agents8 {
    velocity: Vec8,
    max_speed: F8,
    desired: Vec8,
}

/// Memory for eight agents.
#[derive(Clone, Debug, Default)]
pub(super) struct OrcaLanes {
    neighbours: Vec<Neighbour8>,
    planes: Vec<Plane8>,
    relaxed: Vec<Plane8>,
}

impl OrcaLanes {
    /// The velocities of up to eight agents. `aims` are their desired velocities, as ORCA is to see them.
    pub(super) fn velocities(
        &mut self,
        eight: &[Surroundings<'_>],
        aims: &[Vec2; 8],
        horizons: &Horizons,
        out: &mut [Vec2],
    ) {
        let hard = self.gather(eight, horizons);
        let mut agents = Agents8 { velocity: [F8::ZERO; 2], max_speed: F8::ZERO, desired: [F8::ZERO; 2] };
        for (i, around) in eight.iter().enumerate().take(8) {
            set(&mut agents.velocity, i, around.agent.velocity);
            set(&mut agents.desired, i, aims[i]);
            agents.max_speed.0[i] = around.agent.max_speed;
        }
        let v = fearless_simd::dispatch!(fearless_simd::Level::new(), _simd => self.solve(&agents, hard, horizons));
        for (i, (around, out)) in eight.iter().zip(out).enumerate() {
            *out = capped(Vec2::new(v[0].0[i], v[1].0[i]), around.agent.max_speed);
        }
    }

    /// Puts walls and neighbours into lanes; returns the number of planes that walls take.
    fn gather(&mut self, eight: &[Surroundings<'_>], horizons: &Horizons) -> usize {
        self.planes.clear();
        let most = eight.iter().map(|around| around.neighbours.len()).max().unwrap_or(0);
        self.neighbours.clear();
        self.neighbours.resize(most, NOBODY);
        for (i, around) in eight.iter().enumerate().take(8) {
            let planes = around.walls.iter().filter_map(|wall| half_plane::of_wall(&around.agent, wall, horizons));
            for (k, plane) in planes.enumerate() {
                if k == self.planes.len() {
                    self.planes.push(OPEN);
                }
                let HalfPlane { normal, offset } = plane;
                set(&mut self.planes[k].normal, i, normal);
                self.planes[k].offset.0[i] = offset;
            }
            for (to, other) in self.neighbours.iter_mut().zip(around.neighbours) {
                to.put(i, other, around);
            }
        }
        self.planes.len()
    }

    #[inline(always)]
    fn solve(&mut self, agents: &Agents8, hard: usize, horizons: &Horizons) -> Vec8 {
        for other in &self.neighbours {
            self.planes.push(plane_of(agents, other, horizons));
        }
        let everyone = M8([true; 8]);
        let start = Start { v: agents.desired, among: everyone };
        let (v, failed) = incremental(&self.planes, agents.max_speed, Aim::Point(agents.desired), start);
        let some_failed = failed.lt(NEVER);
        if some_failed.any() {
            let start = Start { v, among: some_failed };
            least_violation(&self.planes, hard, failed, (agents.max_speed, start), &mut self.relaxed)
        } else {
            v
        }
    }
}

impl Neighbour8 {
    fn put(&mut self, i: usize, other: &Neighbour, around: &Surroundings<'_>) {
        set(&mut self.place, i, other.position - around.agent.position);
        set(&mut self.velocity, i, other.velocity);
        self.radius.0[i] = around.agent.radius + other.radius;
        self.share.0[i] = other.bounded_share();
        self.present[i] = true;
    }
}

#[inline(always)]
fn set(to: &mut Vec8, i: usize, v: Vec2) {
    to[0].0[i] = v.x;
    to[1].0[i] = v.y;
}

#[inline(always)]
fn dot(a: Vec8, b: Vec8) -> F8 {
    a[0] * b[0] + a[1] * b[1]
}

#[inline(always)]
fn scaled(a: Vec8, by: F8) -> Vec8 {
    [a[0] * by, a[1] * by]
}

#[inline(always)]
fn choose(mask: M8, yes: Vec8, no: Vec8) -> Vec8 {
    [mask.select(yes[0], no[0]), mask.select(yes[1], no[1])]
}

/// The half-planes for one neighbour each: `half_plane::of_neighbour` in lanes.
#[inline(always)]
fn plane_of(agents: &Agents8, other: &Neighbour8, horizons: &Horizons) -> Plane8 {
    let (p, radius) = (other.place, other.radius);
    let v = [agents.velocity[0] - other.velocity[0], agents.velocity[1] - other.velocity[1]];
    let (distance2, radius2) = (dot(p, p), radius * radius);
    let overlapping = distance2.le(radius2);
    let inverse = overlapping.select(F8::splat(1.0 / horizons.overlap), F8::splat(1.0 / horizons.moving));
    let w = [v[0] - p[0] * inverse, v[1] - p[1] * inverse];
    let (along, w2) = (dot(w, p), dot(w, w));
    // The round tip.
    let length = w2.sqrt();
    let away = -distance2.sqrt();
    let away = choose(distance2.gt(F8::ZERO), [p[0] / away, p[1] / away], [F8::ONE, F8::ZERO]);
    let tip = choose(length.gt(F8::ZERO), [w[0] / length, w[1] / length], away);
    let tip_out = radius * inverse - length;
    // The nearer leg.
    let leg = (distance2 - radius2).sqrt();
    let left = (p[0] * w[1] - p[1] * w[0]).ge(F8::ZERO);
    let leg = left.select(leg, -leg);
    let side = [(-(p[0] * radius) - p[1] * leg) / distance2, (p[0] * leg - p[1] * radius) / distance2];
    let side_out = -dot(v, side);

    let at_tip = overlapping | (along.lt(F8::ZERO) & (along * along).gt(radius2 * w2));
    let normal = choose(at_tip, tip, side);
    let offset = dot(agents.velocity, normal) + other.share * at_tip.select(tip_out, side_out);
    let present = M8(other.present);
    Plane8 { normal: choose(present, normal, OPEN.normal), offset: present.select(offset, OPEN.offset) }
}

/// As in `linear_program`, for each lane.
#[derive(Clone, Copy)]
enum Aim {
    Point(Vec8),
    Direction(Vec8),
}

/// Where to begin, and the lanes that are to be solved.
#[derive(Clone, Copy)]
struct Start {
    v: Vec8,
    among: M8,
}

/// The number of the plane that failed, where none did.
const NEVER: F8 = F8([f32::INFINITY; 8]);

#[inline(always)]
fn violation(plane: &Plane8, v: Vec8) -> F8 {
    plane.offset - dot(plane.normal, v)
}

/// Two dimensions. The velocities, and by lane the number of the plane at which nothing was left.
#[inline(always)]
fn incremental(planes: &[Plane8], max_speed: F8, aim: Aim, start: Start) -> (Vec8, F8) {
    let Start { mut v, among } = start;
    let mut failed = NEVER;
    for (i, plane) in planes.iter().enumerate() {
        let needed = violation(plane, v).gt(F8::ZERO) & failed.ge(NEVER) & among;
        if !needed.any() {
            continue;
        }
        let (better, found) = on_border(&planes[..i], plane, max_speed, aim);
        v = choose(needed & found, better, v);
        // Comparisons instead of a negated mask.
        let lost = needed.select(found.select(F8::ZERO, F8::ONE), F8::ZERO).gt(F8::ZERO);
        failed = lost.select(F8::splat(i as f32), failed);
    }
    (v, failed)
}

/// One dimension.
#[inline(always)]
fn on_border(before: &[Plane8], plane: &Plane8, max_speed: F8, aim: Aim) -> (Vec8, M8) {
    let half_chord2 = max_speed * max_speed - plane.offset * plane.offset;
    let mut found = half_chord2.ge(F8::ZERO);
    let foot = scaled(plane.normal, plane.offset);
    let along = [plane.normal[1], -plane.normal[0]];
    let high = half_chord2.sqrt();
    let (mut low, mut high) = (-high, high);
    for other in before {
        let turn = dot(other.normal, along);
        let need = other.offset - dot(other.normal, foot);
        let crossing = turn.abs().gt(F8::splat(PARALLEL));
        let t = need / turn;
        low = (crossing & turn.gt(F8::ZERO)).select(t.max(low), low);
        high = (crossing & turn.lt(F8::ZERO)).select(t.min(high), high);
        found = found & (crossing | need.le(F8::ZERO));
    }
    found = found & low.le(high);
    let t = match aim {
        Aim::Point(p) => dot(along, p).max(low).min(high),
        Aim::Direction(d) => dot(along, d).gt(F8::ZERO).select(high, low),
    };
    ([foot[0] + along[0] * t, foot[1] + along[1] * t], found)
}

/// Three dimensions, for the lanes in which two have failed.
#[inline(always)]
fn least_violation(
    planes: &[Plane8],
    hard: usize,
    failed: F8,
    (max_speed, start): (F8, Start),
    relaxed: &mut Vec<Plane8>,
) -> Vec8 {
    let (mut v, mut bound) = (start.v, F8::ZERO);
    for (i, plane) in planes.iter().enumerate().skip(hard) {
        let reached = failed.le(F8::splat(i as f32));
        let needed = start.among & reached & violation(plane, v).gt(bound);
        if !needed.any() {
            continue;
        }
        relaxed.clear();
        relaxed.extend_from_slice(&planes[..hard]);
        for other in &planes[hard..i] {
            relaxed.push(between(other, plane));
        }
        let start = Start { v: scaled(plane.normal, max_speed), among: needed };
        let (better, lost) = incremental(relaxed, max_speed, Aim::Direction(plane.normal), start);
        v = choose(needed & lost.ge(NEVER), better, v);
        bound = needed.select(violation(plane, v), bound);
    }
    v
}

/// Where `other` is violated no more than `plane`.
#[inline(always)]
fn between(other: &Plane8, plane: &Plane8) -> Plane8 {
    let normal = [other.normal[0] - plane.normal[0], other.normal[1] - plane.normal[1]];
    let length = dot(normal, normal).sqrt();
    let usable = length.gt(F8::splat(PARALLEL));
    Plane8 {
        normal: choose(usable, [normal[0] / length, normal[1] / length], OPEN.normal),
        offset: usable.select((other.offset - plane.offset) / length, OPEN.offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::{AgentState, Wall};
    use crate::avoid::{AvoidScratch, Avoider, Orca};
    use crate::math::Rng;

    /// Crowded, empty, overlapping, walled in, and in the same place: lanes and one by one give the same bits.
    #[test]
    fn eight_at_once_are_the_same_bits_as_one_by_one() {
        let mut rng = Rng::new(5);
        let mut scratch = AvoidScratch::default();
        let (mut infeasible, mut changed) = (0, 0);
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
            orca.velocities(&many, &mut out, &mut scratch);
            for (around, batched) in many.iter().zip(&out) {
                let alone = orca.velocity(around, &mut scratch);
                assert_eq!(alone.to_array().map(f32::to_bits), batched.to_array().map(f32::to_bits), "{round}");
                changed += u32::from(alone.distance(around.agent.goal_velocity()) > 0.1);
                infeasible += u32::from(scratch.planes.iter().any(|plane| plane.violation(alone) > 1e-2));
            }
        }
        assert!(infeasible > 100 && changed > 500, "the test meets all cases: {infeasible} {changed}");
    }
}
