//! The compact heightfield: only the ground that can be stood on, with its four neighbours resolved.
//!
//! Every later stage walks from span to neighbouring span. A resolved index costs it one load, where Recast's packed
//! layer number costs a cell look-up, a shift and an add.

use super::Grid;
use crate::area::AreaId;

/// Walkable ground over a grid.
///
/// Parallel arrays indexed by span; spans of one cell follow each other, lowest first, cells row by row.
#[derive(Clone, Debug)]
pub struct CompactHeightfield {
    /// Where the cells lie.
    pub grid: Grid,
    /// Cells around the tile proper that belong to its neighbours; 0 for an untiled bake.
    pub border: u32,
    /// Where each cell's column starts in the span arrays. Size: cells + 1.
    pub columns: Vec<u32>,
    /// Height of the ground in cell heights above the level's floor.
    pub y: Vec<u16>,
    /// Free height above the ground, in cell heights; `u16::MAX` under the open sky.
    pub clearance: Vec<u16>,
    /// Area type; [`AreaId::NULL`] after erosion where the agent's center may not be.
    pub area: Vec<AreaId>,
    /// The span an agent steps onto in each of the four [`DIRECTIONS`](super::DIRECTIONS);
    /// [`NONE`](crate::math::index::NONE) where it cannot step. Symmetric: if a's neighbour is b, b's is a.
    pub neighbours: Vec<[u32; 4]>,
}

impl CompactHeightfield {
    /// A field without spans.
    #[must_use]
    pub fn empty(grid: Grid) -> Self {
        Self {
            grid,
            border: 0,
            columns: vec![0; grid.cell_count() + 1],
            y: Vec::new(),
            clearance: Vec::new(),
            area: Vec::new(),
            neighbours: Vec::new(),
        }
    }

    /// Whether it is the field of a tile with such a border.
    pub(crate) fn is_of(&self, grid: &Grid, border: u32) -> bool {
        let spans = self.y.len();
        let is_whole = self.columns.len() == self.grid.cell_count() + 1
            && self.columns.last().is_some_and(|&end| end as usize == spans)
            && self.clearance.len() == spans
            && self.area.len() == spans
            && self.neighbours.len() == spans;
        is_whole && self.grid == *grid && self.border == border
    }

    /// Gives memory back that it does not need: half of the solid spans are not walkable, mostly.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.y.shrink_to_fit();
        self.clearance.shrink_to_fit();
        self.area.shrink_to_fit();
    }

    /// The spans of a cell, as a range into the span arrays.
    #[must_use]
    #[inline]
    pub fn column(&self, cell: usize) -> core::ops::Range<usize> {
        self.columns[cell] as usize..self.columns[cell + 1] as usize
    }

    /// All spans, walkable or eroded.
    #[must_use]
    pub fn span_count(&self) -> usize {
        self.y.len()
    }

    /// Spans that can be stood on.
    #[must_use]
    pub fn walkable_count(&self) -> usize {
        self.area.iter().filter(|a| !a.is_null()).count()
    }
}
