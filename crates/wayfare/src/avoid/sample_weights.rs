//! The weights of the [penalty](super::penalty) of a velocity.

/// Weights of the terms of the penalty, and how far ahead it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleWeights {
    /// Deviation from the desired velocity. Default 2.
    pub desired: f32,
    /// Change of the current velocity. Default 0.75. Larger is smoother and reacts more slowly.
    pub current: f32,
    /// Passing a neighbour on the wrong side. Default 1. Makes two agents that meet turn to opposite sides.
    pub side: f32,
    /// Collisions, more the sooner they are. Default 2.5.
    pub impact: f32,
    /// Collisions with neighbours later than this do not count, seconds, above 0. Default 2.5.
    pub horizon: f32,
    /// The same for walls. Default 1.25: agents come closer to walls than to one another.
    pub wall_horizon: f32,
    /// Turns the desired velocity to the right by this angle, radians, while a neighbour is near; by less if the
    /// agent's mean share of the avoidance is less than half. Default 0.1. Lets crowds circulate around a common center
    /// instead of blocking there.
    pub keep_right: f32,
}

impl Default for SampleWeights {
    fn default() -> Self {
        Self { desired: 2.0, current: 0.75, side: 1.0, impact: 2.5, horizon: 2.5, wall_horizon: 1.25, keep_right: 0.1 }
    }
}
