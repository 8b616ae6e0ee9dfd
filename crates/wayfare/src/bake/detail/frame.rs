//! Integer coordinates for the detail triangulation of one polygon, so that everything can be decided exactly.
//!
//! Sources: fixed-point coordinates, as in any exact triangulator.

use crate::bake::cell_point::Point;

/// The integer coordinates of one polygon's triangulation: cells from its low corner, times a power of two that fills
/// 29 bits.
pub(super) struct OutlineFrame {
    low: Point,
    scale: f64,
    shift: u32,
}

impl OutlineFrame {
    /// The frame of a polygon with these corners.
    pub(super) fn around(ring: &[Point]) -> Self {
        let low = ring.iter().fold([i32::MAX; 2], |l, p| [l[0].min(p[0]), l[1].min(p[1])]);
        let reach = ring.iter().map(|p| p[0].abs_diff(low[0]).max(p[1].abs_diff(low[1]))).max().unwrap_or(1);
        let shift = reach.leading_zeros().saturating_sub(3).clamp(1, 28);
        Self { low, scale: f64::from(1u32 << shift), shift }
    }

    /// The low corner of a cell.
    pub(super) fn of_cell(&self, p: Point) -> Point {
        [(p[0] - self.low[0]) << self.shift, (p[1] - self.low[1]) << self.shift]
    }

    /// The middle of a cell.
    pub(super) fn of_center(&self, cell: Point) -> Point {
        // Frames of grids that fit into memory have at least five bits below the cell.
        [0, 1].map(|k| (2 * (cell[k] - self.low[k]) + 1) << (self.shift - 1))
    }

    /// The nearest integer point to one given in cells.
    pub(super) fn of(&self, p: [f64; 2]) -> Point {
        [0, 1].map(|k| ((p[k] - f64::from(self.low[k])) * self.scale + 0.5).floor() as i32)
    }

    /// The point in cells.
    pub(super) fn to_cells(&self, p: Point) -> [f64; 2] {
        [0, 1].map(|k| f64::from(p[k]) / self.scale + f64::from(self.low[k]))
    }
}
