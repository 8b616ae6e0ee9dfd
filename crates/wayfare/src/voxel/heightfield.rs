//! The solid heightfield: for every cell a column of solid spans, lowest first.
//!
//! Columns are stored as CSR: one offset per cell into one array of spans for the whole field. A linked list per
//! column, as in Recast, would cost a cache miss per span in every later stage.

use super::Grid;
use crate::area::AreaId;

/// Solid spans over a grid. Within a column, spans are sorted by height and never touch or overlap.
///
/// Parallel arrays: filters read `min`/`max` of four neighbours at a time and write only `area`.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    /// The position of the cells.
    pub grid: Grid,
    /// Where each cell's column starts in the span arrays. Length: cells + 1; the last entry is the number of spans.
    pub columns: Vec<u32>,
    /// Bottom of each span in cell heights above the lowest point of the level, inclusive.
    pub min: Vec<u16>,
    /// Top of each span, exclusive; an agent stands at this height. Above `min`.
    pub max: Vec<u16>,
    /// Area type of each span's top; [`AreaId::NULL`] if no agent can stand there.
    pub area: Vec<AreaId>,
}

impl Heightfield {
    /// An empty field without cells, to be filled by the rasteriser.
    #[must_use]
    pub fn empty(grid: Grid) -> Self {
        Self { grid, columns: vec![0; grid.cell_count() + 1], min: Vec::new(), max: Vec::new(), area: Vec::new() }
    }

    /// Removes all spans, so that it can be filled over another grid.
    pub(super) fn begin(&mut self, grid: Grid) {
        self.grid = grid;
        self.columns.clear();
        self.columns.reserve(grid.cell_count() + 1);
        self.columns.push(0);
        self.min.clear();
        self.max.clear();
        self.area.clear();
    }

    /// Whether it has columns for all cells of a rectangle of the same level.
    pub(crate) fn covers(&self, grid: &Grid) -> bool {
        let spans = self.area.len();
        let is_whole = self.columns.len() == self.grid.cell_count() + 1
            && self.columns.last().is_some_and(|&end| end as usize == spans)
            && self.min.len() == spans
            && self.max.len() == spans;
        is_whole && self.grid.around_both(*grid) == self.grid && grid.is_of_level(&self.grid)
    }

    /// The spans of a cell, as a range into the span arrays.
    #[must_use]
    #[inline]
    pub fn column(&self, cell: usize) -> core::ops::Range<usize> {
        self.columns[cell] as usize..self.columns[cell + 1] as usize
    }

    /// All spans.
    #[must_use]
    pub fn span_count(&self) -> usize {
        self.area.len()
    }

    /// The walkable spans.
    #[must_use]
    pub fn walkable_count(&self) -> usize {
        self.area.iter().filter(|a| !a.is_null()).count()
    }
}
