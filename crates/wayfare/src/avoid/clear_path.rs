//! ClearPath: the velocity on the border of all velocity obstacles that is nearest to the desired one.
//!
//! Exact like ORCA, but nothing that is free is forbidden: the agent may slip through any gap between the regions. The
//! price is that gaps open and close, and that the answer jumps when they do; `steadiness` weighs that.
//!
//! Cost: O(neighbours²), see the file `free_boundary`.
//!
//! Sources: Stephen Guy, Jatin Chhugani et al., "ClearPath: highly parallel collision avoidance for multi-agent
//! simulation", 2009; Mikko Mononen, "Geometric vs. Sampling", Digesting Duck, March 2010.

use super::agent::Surroundings;
use super::free_boundary::{outlines, velocity_outside};
use super::velocity_obstacle::{Shape, Widen};
use super::{AvoidScratch, Avoider};
use glam::Vec2;

/// ClearPath and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearPath {
    /// Collisions with neighbours within this time are avoided, seconds, above 0. Default 2.
    pub horizon: f32,
    /// The same for walls. Default 0.5: agents go close by walls.
    pub wall_horizon: f32,
    /// Time in which an overlap is to be undone, seconds, above 0. Default 0.15. Shorter pushes harder.
    pub overlap_time: f32,
    /// How far the spike of a region reaches towards its apex, 0…1. Default 0.5. 0 is blunt: late and abrupt; 1 is a
    /// cone without a horizon: early, and in a crowd nothing is free.
    pub spike: f32,
    /// The leg of the side on which a neighbour is not to be passed is turned outwards by this angle, radians. Default
    /// 0.3. 0 leaves the choice to chance.
    pub side_bias: f32,
    /// How much a change of the current velocity counts against leaving the desired one. Default 0.2. 0 takes the
    /// nearest point.
    pub steadiness: f32,
    /// The desired velocity is turned to the right by this angle, radians, while somebody is near: by less where the
    /// agent's mean share of the avoiding is less than half. Default 0.1. Lets crowds turn about a common center
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
    fn shape(&self) -> Shape {
        Shape {
            horizon: self.horizon,
            wall_horizon: self.wall_horizon,
            overlap_time: self.overlap_time,
            spike: self.spike,
            widen: Widen::Angle(self.side_bias.clamp(0.0, 1.0)),
        }
    }

    /// The outlines of the regions of forbidden velocities, to be drawn: the end of the left leg, where it begins, the
    /// tip, where the right leg begins, its end. Legs are endless; `leg` is how far they are to be drawn, m/s. Walls
    /// first.
    pub fn regions(&self, around: &Surroundings<'_>, leg: f32, out: &mut Vec<[Vec2; 5]>) {
        outlines(around, &self.shape(), leg, out);
    }
}

impl Avoider for ClearPath {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        velocity_outside(around, &self.shape(), (self.steadiness, self.keep_right), scratch)
    }
}
