//! The part of a polygon that can change while a game runs: all but its geometry.

use crate::area::{AreaId, PolyFlags};
use crate::tile::TileData;
use std::sync::Arc;

/// The current area type and flags of a polygon. Filters read both together, so they are stored together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct PolyState {
    /// Abilities that an agent needs to cross it.
    pub flags: PolyFlags,
    /// Area type.
    pub area: AreaId,
}

const _: () = assert!(size_of::<PolyState>() == 4);

/// The state of the polygons when the tile was made.
pub(crate) fn original_state(tile: &TileData) -> Arc<[PolyState]> {
    tile.polys().iter().map(|p| PolyState { flags: p.flags, area: p.area }).collect()
}
