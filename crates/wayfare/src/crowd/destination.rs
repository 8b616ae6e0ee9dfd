//! The goal of an agent as others compare it with their own.

use super::Way;
use super::agent::Agent;
use glam::Vec3;

/// Nearer than this to its goal, metres, everybody is there: who slows down before it never comes any nearer.
pub(super) const AT_END: f32 = 0.01;

/// Where an agent goes or has come to, as others compare it with their own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    pub(super) place: Vec3,
    /// Two goals nearer to one another than this are one.
    pub(super) within: f32,
}

impl Default for Destination {
    /// Nowhere, which is the same goal as nobody's.
    fn default() -> Self {
        Self { place: Vec3::NAN, within: 0.0 }
    }
}

impl Destination {
    pub(super) fn of(agent: &Agent) -> Self {
        match (agent.way, agent.corridor.end()) {
            (Way::Complete | Way::Arrived, Some(end)) => {
                Self { place: end.point, within: agent.params.arrival.max(AT_END) }
            }
            _ => Self::default(),
        }
    }

    fn is(&self, other: &Self) -> bool {
        let within = self.within.min(other.within);
        self.place.distance_squared(other.place) <= within * within
    }
}

/// Whether `i`, which is `agent`, goes or has come to where `j` does, or to `j` itself.
pub(super) fn leads_to(goals: &[Destination], (i, agent): (usize, &Agent), j: usize) -> bool {
    goals[i].is(&goals[j]) || agent.chases(j)
}
