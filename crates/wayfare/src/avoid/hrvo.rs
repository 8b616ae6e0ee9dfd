//! Hybrid reciprocal velocity obstacles: reciprocity for those who pass on the agreed side, none for those who do not.
//!
//! ```text
//!        \   widened  /           Two agents who each take half of the avoiding may choose different sides in turns, a dance.
//!         \  side    /  reciprocal   So on the side where the neighbour should not be passed, the region is that of one who
//!          \ .       /   side        will not give way at all, and the choice once made stays the cheaper one.
//!           \  .   /
//!             apex
//! ```
//!
//! Cost: as ClearPath, O(neighbours²).
//!
//! Sources: Jamie Snape, Jur van den Berg, Stephen Guy, Dinesh Manocha, "The hybrid reciprocal velocity obstacle",
//! 2011.

use super::agent::Surroundings;
use super::free_boundary::{outlines, velocity_outside};
use super::velocity_obstacle::{Shape, Widen};
use super::{AvoidScratch, Avoider};
use glam::Vec2;

/// HRVO and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hrvo {
    /// Collisions with neighbours within this time are avoided, seconds, above 0. Default 2.
    pub horizon: f32,
    /// The same for walls. Default 0.5.
    pub wall_horizon: f32,
    /// Time in which an overlap is to be undone, seconds, above 0. Default 0.2.
    pub overlap_time: f32,
    /// How far the spike of a region reaches towards its apex, 0…1. Default 0: the hybrid already tells the
    /// sides apart early.
    pub spike: f32,
    /// How much a change of the current velocity counts against leaving the desired one. Default 0: the nearest point.
    pub steadiness: f32,
    /// The desired velocity is turned to the right by this angle, radians, while somebody is near: by less where the
    /// agent's mean share of the avoiding is less than half. Default 0.1. Lets crowds turn about a common center
    /// instead of blocking there.
    pub keep_right: f32,
}

impl Default for Hrvo {
    fn default() -> Self {
        Self { horizon: 2.0, wall_horizon: 0.5, overlap_time: 0.2, spike: 0.0, steadiness: 0.0, keep_right: 0.1 }
    }
}

impl Hrvo {
    fn shape(&self) -> Shape {
        Shape {
            horizon: self.horizon,
            wall_horizon: self.wall_horizon,
            overlap_time: self.overlap_time,
            spike: self.spike,
            widen: Widen::Hybrid,
        }
    }

    /// The outlines of the regions of forbidden velocities, to be drawn: the end of the left leg, where it begins, the
    /// tip, where the right leg begins, its end. Legs are endless; `leg` is how far they are to be drawn, m/s. Walls
    /// first.
    pub fn regions(&self, around: &Surroundings<'_>, leg: f32, out: &mut Vec<[Vec2; 5]>) {
        outlines(around, &self.shape(), leg, out);
    }
}

impl Avoider for Hrvo {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        velocity_outside(around, &self.shape(), (self.steadiness, self.keep_right), scratch)
    }
}
