//! Which agents have arrived, and which are stuck.
//!
//! An agent that has come near enough to its goal, or [touches](super::gather) one that rests there, has arrived: it
//! gives way to everybody and may be pushed aside. One that gets no nearer to its goal for a while is blocked: in a
//! passage, or before one, it makes itself narrow until it gets on, elsewhere it stays as wide as it is; then it looks
//! for another way, then gives up, as its [`Recovery`](super::Recovery) says. How long a while is depends on how many
//! stand around: a jam will not dissolve by itself, while one that waits at a door may. All measures are radii, and
//! times in which an agent could walk so many of them: what is a jam for runners is a stroll for walkers.
//!
//! Short of that, an agent that stands although it wants to walk looks less and less far ahead ([`Agent::halvings`]):
//! whoever rests in its way steps aside for those that come near, not for those that wait at a distance, and a gap that
//! is too narrow at full speed is wide enough at little.
//!
//! One that stands at the end of a way that does not reach its target, since a limit cut the search short, searches on
//! from there as long as that brings it nearer. If it does not, or there was no limit, it is blocked: once, for waiting
//! changes nothing.
//!
//! Cost: the length of the way, for agents that are waiting for it to get shorter; else nothing.

use super::agent::{Agent, Progress};
use super::destination::Destination;
use super::gather::Company;
use super::scratch::PhaseScratch;
use super::{Crowd, Driver, EventKind, Target, Way};
use crate::corridor::CornerAt;
use crate::math::plane;
use glam::Vec3;

/// Getting nearer by less than so many radii is no progress.
const NOTICEABLE: f32 = 0.5;
/// That is looked at as often as an agent could walk so many radii: a slow one is given more time, and one that cannot
/// walk at all is never blocked.
const LOOK: f32 = 2.0;
/// So many others within two widths are a jam, in which patience counts in full.
const JAM: f32 = 6.5;
/// With fewer it counts for less, by the eighth power, and with nobody near for this part: two that meet in a doorway
/// sort it out by themselves, while a jam never does.
const CALM: f32 = 0.012;

/// And for this part where no wall is in sight: a crowd in the open flows apart.
const OPEN: f32 = 0.25;
/// An agent that has been standing for the time in which it would walk so many radii looks half as far ahead; after
/// twice that a quarter, and so on, so many times.
const SPELL: f32 = 6.0;
pub(super) const HALVINGS: u32 = 3;
/// Slower than this part of what it wants is standing. Walking makes up for standing twice as fast.
const STANDING: f32 = 0.2;
/// Seconds of standing beyond which no more are counted.
const LONG: f32 = 60.0;

/// An agent that moves slower than this part of its greatest speed is still.
const STILL: f32 = 0.02;
/// What remains of the priority of those who rest.
const RESTING: f32 = 0.2;

/// How an agent has just moved.
pub(super) struct Move {
    /// From where to where.
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    /// How fast it wanted to, m/s, and in how many seconds.
    pub(super) wanted: f32,
    pub(super) dt: f32,
}

impl Agent {
    /// How often an agent that stands although it wants to walk has halved the time for which it looks ahead.
    pub(super) fn halvings(&self) -> u32 {
        let spells = self.progress.stood * self.params.max_speed / (SPELL * self.params.radius);
        (spells as u32).min(HALVINGS)
    }

    /// After a move of agent `i`, which this is: arrived, blocked? `crowding` counts those that stand close, which is
    /// seldom asked for.
    pub(super) fn look_back(
        &mut self,
        (i, moved): (usize, &Move),
        company: &Company<'_>,
        crowding: impl FnOnce() -> u32,
        scratch: &mut PhaseScratch,
    ) {
        let position = moved.to;
        let dt = moved.dt;
        let step = plane::distance(moved.from, position);
        let stands = step < moved.wanted * dt * STANDING;
        self.progress.settling.is_still = step <= self.params.max_speed * dt * STILL;
        self.progress.stood = (self.progress.stood + if stands { dt } else { -2.0 * dt }).clamp(0.0, LONG);
        if self.way == Way::Arrived {
            self.settle(i, plane::xz(position), dt, company);
            return;
        }
        if !matches!(self.way, Way::Complete | Way::Partial) || self.corners.is_empty() {
            return;
        }
        let ends_here = self.corners.iter().any(|c| c.at == CornerAt::End);
        let Some(end) = self.corridor.end() else { return };
        let at_end = end.point.distance(position) <= self.arrives_within(company.bodies((i, self)));
        if self.way == Way::Complete && (ends_here && at_end || company.touches((i, self))) {
            self.way = Way::Arrived;
            self.progress = Progress::default();
            self.progress.settling.goal = end.point;
            self.raised.push(EventKind::Arrived);
            return;
        }
        if ends_here && at_end {
            self.stop_short(position);
            return;
        }
        self.progress.since_look += dt;
        let radius = self.params.radius;
        if self.progress.since_look * self.params.max_speed < LOOK * radius {
            return;
        }
        let part = (crowding() as f32 / JAM).min(1.0);
        let fourth = part * part * part * part;
        let haste = (fourth * fourth).max(CALM);
        let haste = if self.boundary.walls.is_empty() { haste * OPEN } else { haste };
        self.progress.waiting += self.progress.since_look * haste;
        self.progress.since_look = 0.0;
        let left = self.corridor.length(&mut scratch.corridor);
        let before = self.progress.nearest;
        if left < before - NOTICEABLE * radius {
            (self.progress.nearest, self.progress.waiting) = (left, 0.0);
            if before.is_finite() {
                self.progress.spells /= 2;
            }
        } else if self.progress.waiting >= self.params.recovery.patience {
            self.progress.waiting = 0.0;
            self.progress.spells += 1;
            self.recover();
        }
    }

    /// It has come to the end of a way that does not reach its target.
    fn stop_short(&mut self, position: Vec3) {
        // Who follows a target that moves searches anew all the time.
        let to_target = match self.target {
            Target::Point(place) if self.cut_short => place.point.distance(position),
            _ => f32::INFINITY,
        };
        if to_target < self.progress.partial_end - NOTICEABLE * self.params.radius {
            self.progress.partial_end = to_target;
            self.way = Way::Waiting;
        } else if !core::mem::replace(&mut self.progress.is_told, true) {
            self.raised.push(EventKind::Blocked { spells: 1 });
            if self.params.recovery.give_up_after > 0 {
                Crowd::halt(self);
                self.raised.push(EventKind::GaveUp);
            }
        }
    }

    fn recover(&mut self) {
        let spells = self.progress.spells;
        let recovery = self.params.recovery;
        self.raised.push(EventKind::Blocked { spells });
        let is_due = |after: u32| after > 0 && spells.is_multiple_of(after);
        if recovery.give_up_after > 0 && spells >= recovery.give_up_after {
            Crowd::halt(self);
            self.raised.push(EventKind::GaveUp);
        } else if is_due(recovery.replan_after) {
            self.way = Way::Waiting;
        }
    }
}

impl Crowd {
    /// How others see an agent now: its radius, its priority, and whether it rests.
    pub(super) fn show_manners(&mut self, i: usize) {
        let agent = &self.agents[i];
        let params = &agent.params;
        let idle = agent.rests() && params.driver == Driver::Crowd;
        self.hot.priority[i] = params.priority * if idle { RESTING } else { 1.0 };
        let place = plane::xz(self.hot.position[i]);
        let may_squeeze = agent.progress.spells > 0 && params.recovery.squeeze < 1.0;
        let is_narrow = may_squeeze && agent.boundary.has_passage(place, params.radius);
        self.hot.arrived[i] = agent.rests();
        self.hot.rests[i] = agent.rests() && agent.progress.settling.is_still && agent.progress.settling.to.is_none();
        self.hot.goal[i] = Destination::of(agent);
        self.hot.radius[i] = params.radius * if is_narrow { params.recovery.squeeze.clamp(0.0, 1.0) } else { 1.0 };
    }
}
