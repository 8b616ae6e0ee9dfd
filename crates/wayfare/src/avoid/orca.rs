//! Optimal reciprocal collision avoidance: each neighbour restricts the agent to a half-plane of velocities, and the
//! result is the velocity in all of them that is nearest to the desired one.
//!
//! A pair that does the same computation from both sides does not collide within the horizon. The result is exact and
//! smooth. The price is that a half-plane forbids more than the collision would, and that in a tight crowd no velocity
//! may be left.
//!
//! Cost: one half-plane per neighbour, and a linear program in two dimensions.
//!
//! Sources: Jur van den Berg, Stephen Guy, Ming Lin, Dinesh Manocha, "Reciprocal n-body collision avoidance", 2011;
//! Mikko Mononen, "Experimenting with ORCA", Digesting Duck, September 2010.

use super::agent::{Surroundings, Turn, capped};
use super::half_plane::{self, HalfPlane, Horizons};
use super::{AvoidScratch, Avoider, clip_polygon, linear_program};
use crate::math::lanes::Level;
use glam::Vec2;

/// How the admissible velocity is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrcaSolver {
    /// One half-plane after the other; if no velocity is admissible, the greatest violation is minimised.
    #[default]
    LinearProgram,
    /// Clips a polygon of velocities; if no velocity is admissible, the farthest neighbours are given up.
    Clipping,
}

/// ORCA and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orca {
    /// Time to look ahead for collisions with neighbours, seconds, above 0. Default 2. Longer: earlier and gentler
    /// turns, but a crowd slows down.
    pub horizon: f32,
    /// The same for walls. Default 0.5: agents may walk close to walls.
    pub wall_horizon: f32,
    /// Time in which an overlap should be resolved, seconds, above 0. Default 0.2. Shorter pushes harder.
    pub overlap_time: f32,
    /// Turns the desired velocity to the right by this angle, radians, while a neighbour is near; by less if the
    /// agent's mean share of the avoidance is less than half. Default 0.1, which makes a path half a percent longer.
    /// Breaks the symmetry in which agents that meet head-on stop for each other, and lets crowds circulate around a
    /// common center instead of blocking there; 0 leaves both to chance.
    pub side_bias: f32,
    /// How the admissible velocity is found.
    pub solver: OrcaSolver,
}

impl Default for Orca {
    fn default() -> Self {
        Self { horizon: 2.0, wall_horizon: 0.5, overlap_time: 0.2, side_bias: 0.1, solver: OrcaSolver::LinearProgram }
    }
}

impl Orca {
    fn horizons(&self) -> Horizons {
        let sane = |seconds: f32| if seconds > 1e-3 { seconds } else { 1e-3 };
        Horizons { moving: sane(self.horizon), walls: sane(self.wall_horizon), overlap: sane(self.overlap_time) }
    }

    /// The half-planes of admissible velocities, for drawing: walls first, then neighbours.
    pub fn half_planes(&self, around: &Surroundings<'_>, out: &mut Vec<HalfPlane>) {
        self.fill(around, out);
    }

    /// The polygon of velocities that are left when one half-plane after the other has been cut off, for drawing: that
    /// of the greatest speed first, then one for each plane. It ends with the last that leaves something: all planes
    /// after it are given up.
    pub fn clipping_steps(&self, around: &Surroundings<'_>, out: &mut Vec<Vec<Vec2>>) {
        let mut planes = Vec::new();
        self.fill(around, &mut planes);
        out.clear();
        clip_polygon::steps(&planes, around.agent.max_speed, |corners| out.push(corners.to_vec()));
    }

    /// Fills `planes`; returns how many of them belong to walls.
    fn fill(&self, around: &Surroundings<'_>, planes: &mut Vec<HalfPlane>) -> usize {
        let agent = &around.agent;
        let horizons = self.horizons();
        planes.clear();
        planes.extend(around.walls_from_agent().filter_map(|wall| half_plane::of_wall(agent, &wall, &horizons)));
        let hard = planes.len();
        planes.extend(around.seen().map(|other| half_plane::of_neighbour(agent, other, &horizons)));
        hard
    }

    /// Solves linear programs in lanes of this width.
    pub(super) fn velocities_at(
        &self,
        level: Level,
        many: &[Surroundings<'_>],
        out: &mut [Vec2],
        scratch: &mut AvoidScratch,
    ) {
        let count = many.len().min(out.len());
        scratch.lanes.velocities(level, &many[..count], (&self.horizons(), self.side_bias), out);
    }
}

impl Avoider for Orca {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        let agent = &around.agent;
        if !agent.can_move() {
            return Vec2::ZERO;
        }
        let planes = &mut scratch.planes;
        let hard = self.fill(around, planes);
        let aim = around.keeping_right(Turn::right(self.side_bias, around.burden()));
        let v = match self.solver {
            OrcaSolver::LinearProgram => {
                linear_program::solve(planes, hard, agent.max_speed, aim, &mut scratch.relaxed)
            }
            OrcaSolver::Clipping => clip_polygon::solve(planes, agent.max_speed, aim, &mut scratch.polygons),
        };
        capped(v, agent.max_speed)
    }

    fn velocities(&self, many: &[Surroundings<'_>], out: &mut [Vec2], scratch: &mut AvoidScratch) {
        if self.solver != OrcaSolver::LinearProgram || many.len() == 1 {
            many.iter().zip(out).for_each(|(around, out)| *out = self.velocity(around, scratch));
            return;
        }
        self.velocities_at(Level::new(), many, out, scratch);
    }
}
