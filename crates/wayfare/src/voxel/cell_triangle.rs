//! Triangles that lie within one cell: they need no cutting, so little has to be prepared.
//!
//! Scanned or finely modelled levels have more of these than of all others. Their corners need not be sorted, nor their
//! edges prepared; and of eight rows in lanes, seven would be idle.
//!
//! Cost: about a dozen operations per triangle. Sources: own.

use super::extent::extent_of;
use super::height_range::{HeightRange, fits, round};
use super::sweep::Sweep;
use super::triangle_rows::is_countable;
use crate::area::AreaId;
use glam::Vec3;

/// What such a triangle adds to its cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CellTriangle {
    /// The cell: its row in the level, and its column in the wanted rectangle.
    pub(super) row: i32,
    pub(super) x: u32,
    pub(super) range: HeightRange,
    pub(super) area: AreaId,
}

impl Sweep<'_> {
    /// What a triangle within one cell adds to it, if the cell is wanted and the heights are in range.
    #[inline(always)]
    pub(super) fn cell_triangle(&self, corners: [Vec3; 3], area: AreaId) -> Option<CellTriangle> {
        let [low, high] = extent_of(corners.map(|corner| corner.z));
        let [row, _] = self.rows_of(low, high);
        let column = self.lines_x.cell(corners[0].x);
        let heights = extent_of(corners.map(|corner| self.height(corner)));
        let is_wanted = (self.columns[0]..=self.columns[1]).contains(&column);
        if !is_wanted || !is_countable(column) || !is_countable(row) || !fits(heights) {
            return None;
        }
        let range = round(heights[0], heights[1])?;
        let x = (column - self.input.grid.x) as u32;
        Some(CellTriangle { row, x, range, area: self.ground(corners, area) })
    }
}
