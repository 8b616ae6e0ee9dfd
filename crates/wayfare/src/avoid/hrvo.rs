//! Hybrid reciprocal velocity obstacles: reciprocal on the side on which agents should pass, not on the other.
//!
//! ```text
//!        \   widened  /           Two agents that each do half of the avoidance may keep switching sides, a dance.
//!         \  side    /  reciprocal   So on the side on which the neighbour should not be passed, the region is that of
//! a
//!          \ .       /   side        neighbour that does not give way, and a choice once made stays the cheaper one.
//!           \  .   /
//!             apex
//! ```
//!
//! Cost: as ClearPath, O(neighbours²).
//!
//! Sources: Jamie Snape, Jur van den Berg, Stephen Guy, Dinesh Manocha, "The hybrid reciprocal velocity obstacle",
//! 2011.

use super::agent::Surroundings;
use super::free_boundary::{free_border, outlines, velocity_outside};
use super::velocity_obstacle::{ObstacleShape, Widen};
use super::{AvoidScratch, Avoider};
use glam::Vec2;

/// HRVO and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hrvo {
    /// Time to look ahead for collisions with neighbours, seconds, above 0. Default 2.
    pub horizon: f32,
    /// The same for walls. Default 0.5.
    pub wall_horizon: f32,
    /// Time in which an overlap should be resolved, seconds, above 0. Default 0.2.
    pub overlap_time: f32,
    /// How far the spike of a region extends towards its apex, 0…1. Default 0: the hybrid region separates the sides
    /// early already.
    pub spike: f32,
    /// Weight of the change from the current velocity, relative to that of the deviation from the desired one. Default
    /// 0: the nearest point.
    pub steadiness: f32,
    /// Turns the desired velocity to the right by this angle, radians, while a neighbour is near; by less if the
    /// agent's mean share of the avoidance is less than half. Default 0.1. Lets crowds circulate around a common center
    /// instead of blocking there.
    pub keep_right: f32,
}

impl Default for Hrvo {
    fn default() -> Self {
        Self { horizon: 2.0, wall_horizon: 0.5, overlap_time: 0.2, spike: 0.0, steadiness: 0.0, keep_right: 0.1 }
    }
}

impl Hrvo {
    fn shape(&self) -> ObstacleShape {
        ObstacleShape {
            horizon: self.horizon,
            wall_horizon: self.wall_horizon,
            overlap_time: self.overlap_time,
            spike: self.spike,
            widen: Widen::Hybrid,
        }
    }

    /// The outlines of the forbidden regions of velocities, for drawing: the end of the left leg, its start, the tip,
    /// the start of the right leg, its end. Legs are infinite and are cut at length `leg`, m/s. Walls come first.
    pub fn regions(&self, around: &Surroundings<'_>, leg: f32, out: &mut Vec<[Vec2; 5]>) {
        outlines(around, &self.shape(), leg, out);
    }

    /// The parts of the regions' borders that no other region covers and the agent is fast enough for, m/s, for
    /// drawing: unless the desired velocity is free itself, the velocity is on one of them. Empty if nothing is free.
    pub fn free_border(&self, around: &Surroundings<'_>, out: &mut Vec<[Vec2; 2]>) {
        free_border(around, &self.shape(), out);
    }
}

impl Avoider for Hrvo {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        velocity_outside(around, &self.shape(), (self.steadiness, self.keep_right), &mut scratch.boundary)
    }
}
