//! One of several points, the nearest of which a search may look for.

use glam::Vec3;

/// One of several goals: its polygon, its place, and its number among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalPoint {
    pub(super) slot: u32,
    pub(super) poly: u32,
    pub(super) point: Vec3,
    pub(super) index: usize,
}
