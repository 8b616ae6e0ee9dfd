//! ClearPath: the velocity nearest to the desired one outside all velocity obstacles.
//!
//! Exact like ORCA, but it forbids nothing that is free: the agent may slip through any gap between the regions. The
//! price is that gaps open and close, and the result jumps when they do; `steadiness` counteracts that.
//!
//! Cost: O(neighbours²), see `free_boundary`.
//!
//! Sources: Stephen Guy, Jatin Chhugani et al., "ClearPath: highly parallel collision avoidance for multi-agent
//! simulation", 2009; Mikko Mononen, "Geometric vs. Sampling", Digesting Duck, March 2010.

use super::agent::Surroundings;
use super::free_boundary::{free_border, outlines, velocity_outside};
use super::velocity_obstacle::{ObstacleShape, Widen};
use super::{AvoidScratch, Avoider};
use glam::Vec2;

/// ClearPath and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearPath {
    /// Time to look ahead for collisions with neighbours, seconds, above 0. Default 2.
    pub horizon: f32,
    /// The same for walls. Default 0.5: agents may walk close to walls.
    pub wall_horizon: f32,
    /// Time in which an overlap should be resolved, seconds, above 0. Default 0.15. Shorter pushes harder.
    pub overlap_time: f32,
    /// How far the spike of a region extends towards its apex, 0…1. Default 0.5. 0 is blunt: agents react late and
    /// abruptly. 1 is a cone without a horizon: agents react early, and in a crowd no velocity is free.
    pub spike: f32,
    /// Angle by which the leg on the wrong side of a neighbour is turned outwards, radians. Default 0.3. 0 leaves the
    /// side to chance.
    pub side_bias: f32,
    /// Weight of the change from the current velocity, relative to that of the deviation from the desired one. Default
    /// 0.2. 0 takes the nearest point.
    pub steadiness: f32,
    /// Turns the desired velocity to the right by this angle, radians, while a neighbour is near; by less if the
    /// agent's mean share of the avoidance is less than half. Default 0.1. Lets crowds circulate around a common center
    /// instead of blocking there.
    pub keep_right: f32,
}

impl Default for ClearPath {
    fn default() -> Self {
        Self {
            horizon: 2.0,
            wall_horizon: 0.5,
            overlap_time: 0.15,
            spike: 0.5,
            side_bias: 0.3,
            steadiness: 0.2,
            keep_right: 0.1,
        }
    }
}

impl ClearPath {
    fn shape(&self) -> ObstacleShape {
        ObstacleShape {
            horizon: self.horizon,
            wall_horizon: self.wall_horizon,
            overlap_time: self.overlap_time,
            spike: self.spike,
            widen: Widen::Angle(self.side_bias.clamp(0.0, 1.0)),
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

impl Avoider for ClearPath {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        velocity_outside(around, &self.shape(), (self.steadiness, self.keep_right), &mut scratch.boundary)
    }
}
