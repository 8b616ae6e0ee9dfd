//! What may change about a polygon while a game runs, apart from its geometry.

use crate::area::{AreaId, PolyFlags};
use crate::tile::TileData;
use std::sync::Arc;

/// Area type and flags of a polygon as they are now. Read together by every filter, so they stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct PolyState {
    /// Abilities needed to cross it.
    pub flags: PolyFlags,
    /// Area type.
    pub area: AreaId,
}

const _: () = assert!(size_of::<PolyState>() == 4);

/// The state that the tile was made with.
pub(crate) fn original_state(tile: &TileData) -> Arc<[PolyState]> {
    tile.polys().iter().map(|p| PolyState { flags: p.flags, area: p.area }).collect()
}
