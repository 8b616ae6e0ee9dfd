//! The bounding box in the header of a tile.

use crate::math::Aabb;
use crate::tile::TileData;
use glam::Vec3;

/// The bounds of the tile; an empty box if the tile is empty.
pub(super) fn header_bounds(data: &TileData) -> Aabb {
    if data.bounds().is_empty() { Aabb { min: Vec3::ZERO, max: Vec3::ZERO } } else { data.bounds() }
}
