//! The compact heightfield: only the surface that can be stood on, with its four neighbours resolved.
//!
//! Every later stage walks from span to neighbouring span. With a resolved index this takes one load, while Recast's
//! packed layer number takes a cell look-up, a shift and an add.

use super::Grid;
use crate::area::AreaId;

/// The walkable surface over a grid.
///
/// Parallel arrays indexed by span; spans of one cell are consecutive, lowest first, cells row by row.
#[derive(Clone, Debug)]
pub struct CompactHeightfield {
    /// The position of the cells.
    pub grid: Grid,
    /// Border cells around the tile itself that belong to its neighbours; 0 for an untiled bake.
    pub border: u32,
    /// Where each cell's column starts in the span arrays. Length: cells + 1.
    pub columns: Vec<u32>,
    /// Height of the surface in cell heights above the lowest point of the level.
    pub y: Vec<u16>,
    /// Free height above the surface, in cell heights; `u16::MAX` under the open sky.
    pub clearance: Vec<u16>,
    /// Area type; [`AreaId::NULL`] after erosion where the agent's centre may not be.
    pub area: Vec<AreaId>,
    /// The span onto which an agent can step in each of the four [`DIRECTIONS`](super::DIRECTIONS);
    /// [`NONE`](crate::math::index::NONE) if it cannot. Symmetric: if a's neighbour is b, b's is a.
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

    /// Whether it is the field of a tile with this border.
    pub(crate) fn is_of(&self, grid: &Grid, border: u32) -> bool {
        let spans = self.y.len();
        let is_whole = self.columns.len() == self.grid.cell_count() + 1
            && self.columns.last().is_some_and(|&end| end as usize == spans)
            && self.clearance.len() == spans
            && self.area.len() == spans
            && self.neighbours.len() == spans;
        is_whole && self.grid == *grid && self.border == border
    }

    /// Frees unused memory: usually half of the solid spans are not walkable.
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

    /// The walkable spans.
    #[must_use]
    pub fn walkable_count(&self) -> usize {
        self.area.iter().filter(|a| !a.is_null()).count()
    }
}
