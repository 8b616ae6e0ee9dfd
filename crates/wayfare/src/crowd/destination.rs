//! The goal of an agent in a form that can be compared with others.

use super::TargetStatus;
use super::agent::Agent;
use glam::Vec3;

/// Nearer to its goal than this, metres, every agent has arrived: one that slows down before it never comes nearer.
pub(super) const AT_END: f32 = 0.01;

/// Where an agent is going or has arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    pub(super) place: Vec3,
    /// Two goals nearer to each other than this are the same.
    pub(super) within: f32,
}

impl Default for Destination {
    /// Nowhere, which equals nobody else's goal.
    fn default() -> Self {
        Self { place: Vec3::NAN, within: 0.0 }
    }
}

impl Destination {
    pub(super) fn of(agent: &Agent) -> Self {
        match (agent.target_status, agent.corridor.end()) {
            (TargetStatus::Complete | TargetStatus::Arrived, Some(end)) => {
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

/// Whether `i`, which is `agent`, is going to or has arrived at the goal of `j`, or at `j` itself.
pub(super) fn leads_to(goals: &[Destination], (i, agent): (usize, &Agent), j: usize) -> bool {
    goals[i].is(&goals[j]) || agent.chases(j)
}
