//! The sweep of the rasteriser over the rows of the level: what is constant over all rows, and which rows a triangle
//! covers.
//!
//! Cost: a handful of operations per triangle. Sources: see the [rasteriser](super::rasterize).

use super::extent::extent_of;
use super::grid_lines::GridLines;
use super::raster_input::RasterInput;
use super::slope::slope_area;
use super::triangle_rows::RowTriangle;
use crate::area::AreaId;
use glam::Vec3;

/// What is constant over all rows.
pub(super) struct Sweep<'a> {
    pub(super) input: RasterInput<'a>,
    pub(super) lines_x: GridLines,
    pub(super) lines_z: GridLines,
    /// The lowest height of the level, and cell heights per metre.
    floor: f32,
    per_height: f32,
    /// First and last wanted column and row: those of the rectangle that are in the level.
    pub(super) columns: [i32; 2],
    pub(super) rows: [i32; 2],
}

impl<'a> Sweep<'a> {
    pub(super) fn new(input: &RasterInput<'a>) -> Self {
        let RasterInput { level, grid, .. } = *input;
        Self {
            input: *input,
            lines_x: GridLines::new(level.origin.x, level.cell_size),
            lines_z: GridLines::new(level.origin.z, level.cell_size),
            floor: level.origin.y,
            per_height: 1.0 / level.cell_height,
            columns: shared_cells(grid.x, grid.width, level.x, level.width),
            rows: shared_cells(grid.z, grid.depth, level.z, level.depth),
        }
    }

    /// The first wanted row of a triangle, and whether the triangle lies within one cell; `None` if it touches no
    /// wanted cell.
    #[inline]
    pub(super) fn first_row(&self, [a, b, c]: [Vec3; 3]) -> Option<(i32, bool)> {
        let [low_x, high_x] = extent_of([a.x, b.x, c.x]);
        let [low_z, high_z] = extent_of([a.z, b.z, c.z]);
        let [first, last] = self.rows_of(low_z, high_z);
        // Rounding may put the cut of an edge just outside the triangle's box.
        let [left, right] = [low_x, high_x].map(|x| self.lines_x.cell(x));
        let is_in_cell = (first == last) & (left == right);
        let left = left.saturating_sub(1);
        let right = right.saturating_add(1);
        let row = first.max(self.rows[0]);
        let is_wanted = row <= last.min(self.rows[1]) && left <= self.columns[1] && right >= self.columns[0];
        is_wanted.then_some((row, is_in_cell))
    }

    /// A triangle ready to be cut.
    #[inline(always)]
    pub(super) fn row_triangle(&self, corners: [Vec3; 3], area: AreaId) -> RowTriangle {
        let area = self.ground(corners, area);
        let [low, high] = extent_of(corners.map(|corner| corner.z));
        let scaled = corners.map(|c| Vec3::new(c.x, self.height(c), c.z));
        RowTriangle::new(scaled, area, self.rows_of(low, high), [&self.lines_x, &self.lines_z])
    }

    /// The area type of a triangle, unless it is too steep.
    #[inline(always)]
    pub(super) fn ground(&self, corners: [Vec3; 3], area: AreaId) -> AreaId {
        slope_area(corners, area, self.input.settings.min_walkable_normal_y)
    }

    /// The height of a corner, in cell heights.
    #[inline(always)]
    pub(super) fn height(&self, corner: Vec3) -> f32 {
        (corner.y - self.floor) * self.per_height
    }

    /// First and last row of a triangle. A wall along the far edge of the level belongs to the last row, as in the
    /// reference.
    #[inline]
    pub(super) fn rows_of(&self, low: f32, high: f32) -> [i32; 2] {
        let [first, last] = self.lines_z.cells(low, high);
        let level = self.input.level;
        let end = level.z.saturating_add_unsigned(level.depth);
        if first == end && high <= self.lines_z.at(end) { [end - 1; 2] } else { [first, last] }
    }
}

/// First and last cell that two intervals share; last before first if none.
fn shared_cells(a: i32, a_len: u32, b: i32, b_len: u32) -> [i32; 2] {
    let end = |start: i32, len: u32| i64::from(start) + i64::from(len) - 1;
    [a.max(b), end(a, a_len).min(end(b, b_len)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32]
}
