//! A border edge of a tile as an interval along its side.
//!
//! Cost: a few look-ups. Sources: own.

use crate::tile::{Side, TileData};
use glam::Vec3;

/// A border edge: an interval along its side.
#[derive(Clone, Copy, Debug)]
pub(super) struct BorderSpan {
    /// The end with the smaller coordinate along the side, and the other.
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// Whether the polygon's corners run from low to high.
    pub(super) rising: bool,
}

impl BorderSpan {
    /// The interval of border edge `number` of a tile, which lies on `side`.
    pub(super) fn of(tile: &TileData, side: Side, number: u32) -> Self {
        let edge = tile.border_edges()[number as usize];
        let ends = tile.edge(edge.poly, edge.corner);
        // Indexed instead of branching: neither the side nor the direction is predictable.
        let along = ends.map(|end| end.to_array()[if side.is_x() { 2 } else { 0 }]);
        let rising = along[0] <= along[1];
        Self { low: ends[usize::from(!rising)], high: ends[usize::from(rising)], rising }
    }
}
