//! Decides for each agent whether it has arrived at its goal, still makes progress, or is blocked, and what a blocked
//! one tries next.
//!
//! An agent that is near enough to its goal, or [touches](super::gather) one that rests there, has arrived: it gives
//! way to everyone and may be pushed aside. One that gets no nearer to its goal for a while is blocked. In or before a
//! passage it narrows until it moves on; elsewhere it keeps its width. Then it searches for another path, and then
//! gives up, as its [`Recovery`](super::Recovery) says. How long this takes depends on how many others stand around: a
//! jam does not dissolve by itself, while waiting at a door may end. All measures are in radii, and in times in which
//! an agent could walk that many: what is a jam for runners is a stroll for walkers.
//!
//! Before it counts as blocked, an agent that stands although it wants to walk looks less and less far ahead
//! ([`Agent::halvings`]): agents resting in front of it step aside for those that come near, not for those that wait at
//! a distance, and a gap that is too narrow at full speed is wide enough at low speed.
//!
//! An agent that stands at the end of a path that does not reach its target, because a limit ended the search,
//! continues the search from there as long as that brings it nearer. If it does not, or there was no limit, it is
//! blocked, which is reported once, since waiting changes nothing. Where the target moves, waiting may: then patience
//! counts, in full, since it is not others that stand in the way.
//!
//! Cost: the length of the path, for agents that wait for it to get shorter; otherwise nothing.

use super::agent::{Agent, AgentProgress};
use super::destination::Destination;
use super::gather::Company;
use super::scratch::PhaseScratch;
use super::{Crowd, Driver, EventKind, Target, TargetStatus};
use crate::corridor::CornerAt;
use crate::math::plane;
use glam::Vec3;

/// Getting nearer by less than this many radii is no progress.
const NOTICEABLE: f32 = 0.5;
/// Progress is checked in intervals in which an agent could walk this many radii: a slow one gets more time, and one
/// that cannot walk at all is never blocked.
const LOOK: f32 = 2.0;
/// This many others within two widths are a jam, in which patience counts fully.
const JAM: f32 = 6.5;
/// With fewer it counts for less, by the eighth power, and with nobody near for this fraction: two that meet in a
/// doorway resolve it by themselves, a jam never does.
const CALM: f32 = 0.012;

/// And for this fraction if no wall is in sight: a crowd in the open spreads out.
const OPEN: f32 = 0.25;
/// An agent that has been standing for the time in which it would walk this many radii looks half as far ahead; after
/// twice that time a quarter, and so on, up to a limit.
const SPELL: f32 = 6.0;
pub(super) const HALVINGS: u32 = 3;
/// Slower than this fraction of the wanted speed is standing. Walking makes up for standing twice as fast.
const STANDING: f32 = 0.2;
/// Seconds of standing beyond which no more are counted.
const LONG: f32 = 60.0;

/// An agent that moves slower than this fraction of its maximum speed is still.
const STILL: f32 = 0.02;
/// The fraction of their priority that resting agents keep.
const RESTING: f32 = 0.2;

/// How an agent has just moved.
pub(super) struct Move {
    /// From where to where.
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    /// Its desired speed, m/s, and the duration in seconds.
    pub(super) wanted: f32,
    pub(super) dt: f32,
}

impl Agent {
    /// How often an agent that stands although it wants to walk has halved its look-ahead time.
    pub(super) fn halvings(&self) -> u32 {
        let spells = self.progress.stood * self.params.max_speed / (SPELL * self.params.radius);
        (spells as u32).min(HALVINGS)
    }

    /// Updates agent `i`, which is `self`, after a move: has it arrived, is it blocked? `crowding` counts nearby agents
    /// and is rarely called.
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
        if self.target_status == TargetStatus::Arrived {
            self.settle(i, plane::xz(position), dt, company);
            return;
        }
        if !matches!(self.target_status, TargetStatus::Complete | TargetStatus::Partial) || self.corners.is_empty() {
            return;
        }
        let ends_here = self.corners.iter().any(|c| c.at == CornerAt::End);
        let Some(end) = self.corridor.end() else { return };
        let at_end = end.point.distance(position) <= self.arrives_within(company.bodies((i, self)));
        if self.target_status == TargetStatus::Complete && (ends_here && at_end || company.touches((i, self))) {
            self.target_status = TargetStatus::Arrived;
            self.progress = AgentProgress::default();
            self.progress.settling.goal = end.point;
            self.raised.push(EventKind::Arrived);
            return;
        }
        if ends_here && at_end {
            self.stop_short(position, dt);
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
        let left = self.corridor.length_by(&self.corners, &mut scratch.corridor);
        let before = self.progress.nearest;
        if left < before - NOTICEABLE * radius {
            (self.progress.nearest, self.progress.waiting) = (left, 0.0);
            if before.is_finite() {
                self.progress.spells /= 2;
            }
        } else if self.progress.waiting >= self.params.recovery.patience {
            self.progress.waiting = 0.0;
            self.recover();
        }
    }

    /// It has reached the end of a path that does not reach its target.
    fn stop_short(&mut self, position: Vec3, dt: f32) {
        let Target::Point(place) = self.target else {
            self.wait_for_target(dt);
            return;
        };
        let to_target = if self.cut_short { place.point.distance(position) } else { f32::INFINITY };
        if to_target < self.progress.partial_end - NOTICEABLE * self.params.radius {
            self.progress.partial_end = to_target;
            self.target_status = TargetStatus::Waiting;
        } else if !core::mem::replace(&mut self.progress.is_told, true) {
            self.raised.push(EventKind::Blocked { spells: 1 });
            if self.params.recovery.give_up_after > 0 {
                Crowd::halt(self);
                self.raised.push(EventKind::GaveUp);
            }
        }
    }

    /// A target that moves may come within reach again, and is searched for all the time: every patience interval is a
    /// spell. They are counted by the time since the last look, which new paths leave as it is.
    fn wait_for_target(&mut self, dt: f32) {
        let progress = &mut self.progress;
        progress.since_look += dt;
        let patience = self.params.recovery.patience;
        if progress.since_look >= patience && progress.since_look * self.params.max_speed >= LOOK * self.params.radius {
            progress.since_look = 0.0;
            self.endure();
        }
    }

    /// A patience interval has passed in vain.
    fn recover(&mut self) {
        let spells = self.endure();
        let after = self.params.recovery.replan_after;
        if self.target != Target::None && after > 0 && spells.is_multiple_of(after) {
            self.target_status = TargetStatus::Waiting;
        }
    }

    /// Counts another spell, after which it may give up its target; returns how many there were.
    fn endure(&mut self) -> u32 {
        self.progress.spells += 1;
        let spells = self.progress.spells;
        self.raised.push(EventKind::Blocked { spells });
        let give_up_after = self.params.recovery.give_up_after;
        if give_up_after > 0 && spells >= give_up_after {
            Crowd::halt(self);
            self.raised.push(EventKind::GaveUp);
        }
        spells
    }
}

impl Crowd {
    /// Updates how others see an agent: its radius, its priority, and whether it rests.
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
