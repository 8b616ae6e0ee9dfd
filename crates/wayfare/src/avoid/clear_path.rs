//! ClearPath: the velocity on the border of all velocity obstacles that is nearest to the desired one.
//!
//! Exact like ORCA, but nothing that is free is forbidden: the agent may slip through any gap between the regions. The price is that gaps
//! open and close, and that the answer jumps when they do; `steadiness` weighs that.
//!
//! Cost: O(neighbours²), see the file `free_boundary`.
//!
//! Sources: Stephen Guy, Jatin Chhugani et al., "ClearPath: highly parallel collision avoidance for multi-agent simulation", 2009; Mikko
//! Mononen, "Geometric vs. Sampling", Digesting Duck, March 2010.

use super::agent::{Surroundings, capped};
use super::free_boundary::{Wish, best_velocity};
use super::velocity_obstacle::{self, Shape, Widen};
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
    /// How far the spike of a region reaches towards its apex, 0…1. Default 0.5. 0 is blunt: late and abrupt; 1 is a cone without a
    /// horizon: early, and in a crowd nothing is free.
    pub spike: f32,
    /// The leg of the side on which a neighbour is not to be passed is turned outwards by this angle, radians. Default 0.3. 0 leaves the
    /// choice to chance.
    pub side_bias: f32,
    /// How much a change of the current velocity counts against leaving the desired one. Default 0.2. 0 takes the nearest point.
    pub steadiness: f32,
    /// The desired velocity is turned to the right by this angle, radians, while somebody is near. Default 0.1. Lets crowds turn about a
    /// common centre instead of blocking there.
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

impl Avoider for ClearPath {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        let shape = Shape {
            horizon: self.horizon,
            wall_horizon: self.wall_horizon,
            overlap_time: self.overlap_time,
            spike: self.spike,
            widen: Widen::Angle(self.side_bias.clamp(0.0, 1.0)),
        };
        velocity_outside(around, &shape, (self.steadiness, self.keep_right), scratch)
    }
}

/// The best velocity outside the regions of everything around.
pub(super) fn velocity_outside(
    around: &Surroundings<'_>,
    shape: &Shape,
    (steadiness, keep_right): (f32, f32),
    scratch: &mut AvoidScratch,
) -> Vec2 {
    let agent = &around.agent;
    let sane = |seconds: f32| if seconds > 1e-3 { seconds } else { 1e-3 };
    let shape = Shape {
        horizon: sane(shape.horizon),
        wall_horizon: sane(shape.wall_horizon),
        overlap_time: sane(shape.overlap_time),
        spike: shape.spike.clamp(0.0, 1.0),
        ..*shape
    };
    let obstacles = &mut scratch.regions;
    obstacles.clear();
    obstacles.extend(around.walls.iter().filter_map(|wall| velocity_obstacle::of_wall(agent, wall, &shape)));
    let hard = obstacles.len();
    obstacles.extend(around.neighbours.iter().map(|other| velocity_obstacle::of_neighbour(agent, other, &shape)));
    let wish = Wish {
        desired: around.keeping_right(keep_right),
        current: capped(agent.velocity, agent.max_speed),
        max_speed: agent.max_speed,
        steadiness,
    };
    capped(best_velocity(&wish, obstacles, hard, &mut scratch.covers), agent.max_speed)
}
