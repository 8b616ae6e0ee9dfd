//! The three filters in their fixed order.

use super::filter_ledges::filter_ledges;
use super::filter_low_hanging::filter_low_hanging_obstacles;
use super::filter_low_height::filter_low_height;
use super::{Grid, Heightfield};
use crate::input::VoxelSettings;

/// Runs the filters that the settings ask for: low-hanging obstacles, then ledges, then low ceilings.
///
/// Only area types change, no span moves. `level` is the grid of the whole level: its edge counts as a drop.
pub fn filter(field: &mut Heightfield, level: &Grid, settings: &VoxelSettings) {
    if settings.filters.low_hanging_obstacles {
        filter_low_hanging_obstacles(field, settings.agent_climb_vx);
    }
    if settings.filters.ledges {
        filter_ledges(field, level, settings.agent_height_vx, settings.agent_climb_vx);
    }
    if settings.filters.low_height {
        filter_low_height(field, settings.agent_height_vx);
    }
}
