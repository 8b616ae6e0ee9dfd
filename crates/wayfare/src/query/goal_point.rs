//! One of several goals among which a search looks for the nearest.

use glam::Vec3;

/// One of several goals: its polygon, its position, and its index among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalPoint {
    pub(super) slot: u32,
    pub(super) poly: u32,
    pub(super) point: Vec3,
    pub(super) index: usize,
}
