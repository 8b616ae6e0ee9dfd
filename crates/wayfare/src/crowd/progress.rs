//! Who has arrived, and who is stuck.
//!
//! An agent that has come near enough to its goal rests: it stands, gives way to everybody and may be pushed aside. One that gets no
//! nearer to its goal for a while is blocked: it makes itself narrow until it gets on, then looks for another way, then gives
//! up, as its [`Recovery`](super::Recovery) says. How long a while is depends on how many stand around: a jam will not dissolve by
//! itself, while one who waits at a door may.
//!
//! Cost: the length of the way, for agents that are waiting for it to get shorter; else nothing.

use super::agent::{Agent, Progress};
use super::scratch::PhaseScratch;
use super::{Crowd, Driver, EventKind, Way};
use crate::corridor::CornerAt;
use glam::Vec3;

/// Getting nearer by less than this, metres, is no progress.
const NOTICEABLE: f32 = 0.3;
/// How often that is looked at, seconds.
const LOOK: f32 = 0.5;
/// So many others within two widths are a jam, in which patience counts in full.
const JAM: f32 = 6.5;
/// With fewer it counts for less, by the eighth power, and with nobody near for this part: two who meet in a doorway sort it out by
/// themselves, while a jam never does.
const CALM: f32 = 0.012;

/// And for this part where no wall is in sight: a crowd in the open flows apart.
const OPEN: f32 = 0.25;
/// What remains of the priority of those who rest.
const RESTING: f32 = 0.2;

impl Agent {
    /// After a move: arrived, blocked?
    pub(super) fn look_back(&mut self, position: Vec3, dt: f32, crowding: u32, scratch: &mut PhaseScratch) {
        if !matches!(self.way, Way::Complete | Way::Partial) || self.corners.is_empty() {
            return;
        }
        let ends_here = self.corners.iter().any(|c| c.at == CornerAt::End);
        let at_end = self.corridor.end().is_some_and(|end| end.point.distance(position) <= self.params.arrival);
        if ends_here && at_end && self.way == Way::Complete {
            self.way = Way::Arrived;
            self.progress = Progress::default();
            self.raised.push(EventKind::Arrived);
            return;
        }
        self.progress.since_look += dt.max(0.0);
        if self.progress.since_look < LOOK {
            return;
        }
        let part = (crowding as f32 / JAM).min(1.0);
        let fourth = part * part * part * part;
        let haste = (fourth * fourth).max(CALM);
        let haste = if self.boundary.walls.is_empty() { haste * OPEN } else { haste };
        self.progress.waiting += self.progress.since_look * haste;
        self.progress.since_look = 0.0;
        let (left, before) = (self.corridor.length(&mut scratch.corridor), self.progress.nearest);
        if left < before - NOTICEABLE {
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

    fn recover(&mut self) {
        let (spells, recovery) = (self.progress.spells, self.params.recovery);
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
    /// How others see an agent now: its radius and priority.
    pub(super) fn show_manners(&mut self, i: usize) {
        let agent = &self.agents[i];
        let params = &agent.params;
        let idle = agent.rests() && params.driver == Driver::Crowd;
        self.hot.priority[i] = params.priority * if idle { RESTING } else { 1.0 };
        let is_narrow = agent.progress.spells > 0;
        self.hot.radius[i] = params.radius * if is_narrow { params.recovery.squeeze.clamp(0.0, 1.0) } else { 1.0 };
    }
}
