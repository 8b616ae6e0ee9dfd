//! Who has arrived, and who is stuck.
//!
//! An agent that has come near enough to its goal rests: it stands, gives way to everybody and may be pushed aside. One that gets no
//! nearer to its goal for a while is blocked: it makes itself narrow, more so with every spell that passes, then looks
//! for another way, then gives up, as its [`Recovery`](super::Recovery) says.
//!
//! Cost: the length of the way, for agents that are waiting for it to get shorter; else nothing.

use super::agent::{Agent, Progress};
use super::scratch::PhaseScratch;
use super::{Crowd, Driver, EventKind, Way};
use crate::corridor::CornerAt;
use glam::Vec3;

/// Getting nearer by less than this, metres, is no progress.
const NOTICEABLE: f32 = 0.3;
/// What remains of the priority of those who rest.
const RESTING: f32 = 0.2;

impl Agent {
    /// After a move: arrived, blocked?
    pub(super) fn look_back(&mut self, position: Vec3, dt: f32, scratch: &mut PhaseScratch) {
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
        self.progress.waiting += dt.max(0.0);
        if self.progress.waiting < self.params.recovery.patience {
            return;
        }
        let left = self.corridor.length(&mut scratch.corridor);
        self.progress.waiting = 0.0;
        let before = self.progress.nearest;
        if left < before - NOTICEABLE {
            self.progress.nearest = left;
            let got_on = u32::from(before.is_finite());
            self.progress.spells = self.progress.spells.saturating_sub(got_on);
            return;
        }
        self.progress.spells += 1;
        self.recover();
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
        let rests = matches!(agent.way, Way::Arrived | Way::None | Way::Unreachable);
        let idle = rests && !matches!(agent.target, super::Target::Velocity(_)) && params.driver == Driver::Crowd;
        self.hot.priority[i] = if idle { params.priority * RESTING } else { params.priority };
        let narrow = 1.0 - agent.progress.spells as f32 / 3.0;
        self.hot.radius[i] = params.radius * narrow.clamp(params.recovery.squeeze.clamp(0.0, 1.0), 1.0);
    }
}
