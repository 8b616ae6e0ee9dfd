//! All methods in one enum, so that every agent can have its own and change it at any time.

use super::{Adaptive, AvoidScratch, Avoider, ClearPath, Hrvo, Orca, Pedestrian, Sampled, Surroundings};
use glam::Vec2;

/// An avoidance method with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Avoidance {
    /// No avoidance: the desired velocity.
    None,
    /// Velocities on a square grid; the least penalty wins.
    Sampled(Sampled),
    /// Velocities on rings that narrow down on the best.
    Adaptive(Adaptive),
    /// A half-plane of admissible velocities for each neighbour.
    Orca(Orca),
    /// The nearest velocity on the border of all velocity obstacles.
    ClearPath(ClearPath),
    /// The same, with obstacles that commit to a side on which to pass.
    Hrvo(Hrvo),
    /// Like pedestrians: towards free space, and slower the less room is ahead.
    Pedestrian(Pedestrian),
}

impl Default for Avoidance {
    fn default() -> Self {
        Self::Adaptive(Adaptive::default())
    }
}

impl Avoidance {
    /// The names that [`by_name`](Self::by_name) accepts: methods for agents of any size and speed.
    pub const NAMES: [&str; 6] = ["none", "sampled", "adaptive", "orca", "clearpath", "hrvo"];

    /// A method by its name, with default parameters. `None` for a name that is not in [`NAMES`](Self::NAMES).
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "sampled" => Some(Self::Sampled(Sampled::default())),
            "adaptive" => Some(Self::Adaptive(Adaptive::default())),
            "orca" => Some(Self::Orca(Orca::default())),
            "clearpath" => Some(Self::ClearPath(ClearPath::default())),
            "hrvo" => Some(Self::Hrvo(Hrvo::default())),
            _ => None,
        }
    }

    /// The same method with its horizon for neighbours multiplied by `part`, for an agent that waits. The horizon for
    /// walls stays the same.
    #[must_use]
    pub fn looking_ahead(mut self, part: f32) -> Self {
        match &mut self {
            Self::None => {}
            Self::Pedestrian(method) => method.wait(part),
            Self::Sampled(method) => method.weights.horizon *= part,
            Self::Adaptive(method) => method.weights.horizon *= part,
            Self::Orca(method) => method.horizon *= part,
            Self::ClearPath(method) => method.horizon *= part,
            Self::Hrvo(method) => method.horizon *= part,
        }
        self
    }

    /// The name of the method.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Sampled(_) => "sampled",
            Self::Adaptive(_) => "adaptive",
            Self::Orca(_) => "orca",
            Self::ClearPath(_) => "clearpath",
            Self::Hrvo(_) => "hrvo",
            Self::Pedestrian(_) => "pedestrian",
        }
    }
}

impl Avoider for Avoidance {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        match self {
            Self::None => around.agent.goal_velocity(),
            Self::Sampled(method) => method.velocity(around, scratch),
            Self::Adaptive(method) => method.velocity(around, scratch),
            Self::Orca(method) => method.velocity(around, scratch),
            Self::ClearPath(method) => method.velocity(around, scratch),
            Self::Hrvo(method) => method.velocity(around, scratch),
            Self::Pedestrian(method) => method.velocity(around, scratch),
        }
    }

    fn velocities(&self, many: &[Surroundings<'_>], out: &mut [Vec2], scratch: &mut AvoidScratch) {
        match self {
            Self::Orca(method) => method.velocities(many, out, scratch),
            _ => many.iter().zip(out).for_each(|(around, out)| *out = self.velocity(around, scratch)),
        }
    }
}
