//! What weighs how much in the [penalty](super::penalty) of a velocity.

/// How the parts of the penalty are weighed, and how far ahead is looked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleWeights {
    /// Against leaving the desired velocity. Default 2.
    pub desired: f32,
    /// Against changing the current velocity. Default 0.75. Larger is smoother, and slower to react.
    pub current: f32,
    /// Against passing a neighbour on the unusual side. Default 1. It is what makes two agents that meet choose
    /// different ways.
    pub side: f32,
    /// Against collisions, the nearer the more. Default 2.5.
    pub impact: f32,
    /// Collisions with neighbours later than this do not count, seconds, above 0. Default 2.5.
    pub horizon: f32,
    /// The same for walls. Default 1.25: agents go closer by walls than by one another.
    pub wall_horizon: f32,
    /// The desired velocity is turned to the right by this angle, radians, while somebody is near: by less where the
    /// agent's mean share of the avoiding is less than half. Default 0.1. Lets crowds turn about a common center
    /// instead of blocking there.
    pub keep_right: f32,
}

impl Default for SampleWeights {
    fn default() -> Self {
        Self { desired: 2.0, current: 0.75, side: 1.0, impact: 2.5, horizon: 2.5, wall_horizon: 1.25, keep_right: 0.1 }
    }
}
