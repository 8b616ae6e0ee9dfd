//! Rasterisation: triangles become solid spans.
//!
//! Rows of cells are swept from low to high z. A triangle joins at its first row and leaves after its last; in each row it is
//! cut to a polygon (`triangle_rows`) and gives the height range of every cell (`row_ranges`); the row's ranges are merged
//! into columns (`merge_row`) before the next row begins.
//!
//! ```text
//!     z ^      /\           Only one row's ranges exist at a time, so the working memory stays in the cache whatever the
//!       |  ___/__\____ row   size of the level, and nothing is allocated by a triangle's size.
//!       |  __/    \___
//!       |   /______\
//! ```
//!
//! Cost: linear in triangles and in the cells they cover.
//!
//! Sources: Mikko Mononen, Recast (`rcRasterizeTriangles`), 2009, for what a span is; the sweep is scan conversion with an
//! active list (Wylie, Romney, Evans, Erdahl, "Half-tone perspective drawings by computer", 1967).

use super::active_triangles::ActiveTriangles;
use super::grid_lines::GridLines;
use super::merge_row::RowRanges;
use super::row_ranges::{Cells, LineTable, fits, range_in_cell, range_of_all, single, write_ranges};
use super::slope::slope_area;
use super::terrain_rows::TerrainRows;
use super::triangle_rows::{RowPolygon, RowTriangle};
use super::{Grid, Heightfield};
use crate::area::AreaId;
use crate::input::{HeightMap, TriMesh, VoxelSettings};
use glam::Vec3;

/// What to rasterise where.
#[derive(Clone, Copy, Debug)]
pub struct RasterInput<'a> {
    /// The level's triangles.
    pub mesh: &'a TriMesh,
    /// Ground given by heights, besides the triangles.
    pub terrain: Option<&'a HeightMap>,
    /// Which of the triangles, by number, each once; `None`: all. The order does not matter.
    pub triangles: Option<&'a [u32]>,
    /// The grid of the whole level. Cells outside it stay empty.
    pub level: &'a Grid,
    /// The rectangle of cells wanted; same origin and cell sizes as the level's. It may stick out of the level.
    pub grid: Grid,
    /// Slope limit and climb.
    pub settings: &'a VoxelSettings,
}

impl<'a> RasterInput<'a> {
    /// All triangles over the whole level.
    #[must_use]
    pub fn whole(mesh: &'a TriMesh, level: &'a Grid, settings: &'a VoxelSettings) -> Self {
        Self { mesh, terrain: None, triangles: None, level, grid: *level, settings }
    }
}

/// Memory that [`rasterize_into`] keeps from call to call.
#[derive(Debug, Default)]
pub struct RasterScratch {
    /// Where the triangles that begin in each row end in `by_row`.
    row_ends: Vec<u32>,
    /// Triangles, sorted by the first row that is wanted.
    by_row: Vec<u32>,
    active: ActiveTriangles,
    table: LineTable,
    row: RowRanges,
}

/// Rasterises triangles to a heightfield.
///
/// A span reaches from the floor of a triangle's lowest point in the cell to the ceiling of its highest, at least one cell
/// height. Spans that overlap or touch are merged. A triangle flatter than the slope limit keeps its area type, others
/// become [`AreaId::NULL`](crate::area::AreaId::NULL); where spans merge, the highest walkable triangle decides if its top is no more
/// than the climb below the merged top. The result does not depend on the order of triangles or of their corners, nor, for
/// any one cell, on the rectangle.
#[must_use]
pub fn rasterize(input: &RasterInput<'_>) -> Heightfield {
    let mut out = Heightfield::empty(Grid { width: 0, depth: 0, ..input.grid });
    rasterize_into(input, &mut RasterScratch::default(), &mut out);
    out
}

/// [`rasterize`] with memory reused: replaces what `out` holds.
pub fn rasterize_into(input: &RasterInput<'_>, scratch: &mut RasterScratch, out: &mut Heightfield) {
    out.grid = input.grid;
    out.columns.clear();
    out.columns.reserve(input.grid.cell_count() + 1);
    out.columns.push(0);
    out.min.clear();
    out.max.clear();
    out.area.clear();
    let sweep = Sweep::new(input);
    sweep.sort_triangles(scratch);
    scratch.table.fill(&sweep.lines_x, sweep.columns);
    scratch.active.clear();
    let mut terrain = input.terrain.map(|map| TerrainRows::new(map, &sweep));
    let mut begun = 0;
    for z in 0..input.grid.depth {
        let row = (i64::from(input.grid.z) + i64::from(z)) as i32;
        let begin = begun..scratch.row_ends[z as usize] as usize;
        begun = begin.end;
        sweep.activate(row, &scratch.by_row[begin], &mut scratch.active);
        if let Some(terrain) = &mut terrain {
            terrain.activate(row, &sweep, &mut scratch.active);
        }
        if row > sweep.rows[1] {
            // Triangles may reach beyond the level's last row; its cells end there.
            scratch.active.clear();
        }
        sweep.cut_row(row, scratch);
        scratch.row.merge(input.settings.agent_climb_vx, out);
    }
}

/// What stays the same over all rows.
pub(super) struct Sweep<'a> {
    input: RasterInput<'a>,
    pub(super) lines_x: GridLines,
    pub(super) lines_z: GridLines,
    /// Height of the level's floor, and cell heights per metre.
    floor: f32,
    per_height: f32,
    /// First and last column and row that are wanted: those of the rectangle that lie in the level.
    pub(super) columns: [i32; 2],
    pub(super) rows: [i32; 2],
}

impl<'a> Sweep<'a> {
    fn new(input: &RasterInput<'a>) -> Self {
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

    /// Sorts the triangles that lie in wanted rows and columns by the first such row, by counting.
    fn sort_triangles(&self, scratch: &mut RasterScratch) {
        let ends = &mut scratch.row_ends;
        ends.clear();
        ends.resize(self.input.grid.depth as usize, 0);
        self.for_each_triangle(|row, _| ends[row] += 1);
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += core::mem::replace(end, sum);
        }
        scratch.by_row.resize(sum as usize, 0);
        self.for_each_triangle(|row, triangle| {
            scratch.by_row[ends[row] as usize] = triangle;
            ends[row] += 1;
        });
    }

    /// Calls `f` with the first wanted row, counted in the rectangle, of every triangle that has one, and its number.
    fn for_each_triangle(&self, mut f: impl FnMut(usize, u32)) {
        let mut add = |triangle: u32| {
            if let Some(row) = self.first_row(self.input.mesh.corners(triangle as usize)) {
                f((row - self.input.grid.z) as usize, triangle);
            }
        };
        match self.input.triangles {
            Some(some) => some.iter().for_each(|&triangle| add(triangle)),
            None => (0..self.input.mesh.tris().len()).for_each(|triangle| add(triangle as u32)),
        }
    }

    /// The first wanted row of a triangle; `None` if it touches no wanted cell.
    #[inline]
    pub(super) fn first_row(&self, [a, b, c]: [Vec3; 3]) -> Option<i32> {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let [first, last] = self.rows_of(low.z, high.z);
        // Rounding may put the cut of an edge just outside the triangle's box.
        let (left, right) = (self.lines_x.cell(low.x).saturating_sub(1), self.lines_x.cell(high.x).saturating_add(1));
        let row = first.max(self.rows[0]);
        (row <= last.min(self.rows[1]) && left <= self.columns[1] && right >= self.columns[0]).then_some(row)
    }

    /// Lets triangles join at `row`.
    fn activate(&self, row: i32, triangles: &[u32], active: &mut ActiveTriangles) {
        let mesh = self.input.mesh;
        active.join(
            triangles.iter().map(|&i| self.row_triangle(mesh.corners(i as usize), mesh.areas()[i as usize], row)),
        );
    }

    /// A triangle that joins at `row`.
    #[inline]
    pub(super) fn row_triangle(&self, corners: [Vec3; 3], area: AreaId, row: i32) -> RowTriangle {
        let area = slope_area(corners, area, self.input.settings.min_walkable_normal_y);
        let [low, high] = [f32::min, f32::max].map(|f| f(f(corners[0].z, corners[1].z), corners[2].z));
        let scaled = corners.map(|c| Vec3::new(c.x, (c.y - self.floor) * self.per_height, c.z));
        RowTriangle::new(scaled, area, self.rows_of(low, high), row, &self.lines_z)
    }

    /// First and last row of a triangle. A wall along the far edge of the level belongs to the last row, as in the reference.
    #[inline]
    pub(super) fn rows_of(&self, low: f32, high: f32) -> [i32; 2] {
        let [first, last] = self.lines_z.cells(low, high);
        let level = self.input.level;
        let end = level.z.saturating_add_unsigned(level.depth);
        if first == end && high <= self.lines_z.at(end) { [end - 1; 2] } else { [first, last] }
    }

    /// Makes the runs of a row and lets triangles leave that end there.
    fn cut_row(&self, row: i32, scratch: &mut RasterScratch) {
        let RasterScratch { active, table, row: made, .. } = scratch;
        made.clear();
        let z = self.lines_z.at(row.wrapping_add(1));
        active.for_each(|triangle| {
            let polygon = triangle.next_row(row, z);
            let [min_x, max_x] = extent(&polygon);
            let covered = self.lines_x.cells(min_x, max_x);
            let wanted = [covered[0].max(self.columns[0]), covered[1].min(self.columns[1])];
            if wanted[0] > wanted[1] {
                return;
            }
            if !(fits(triangle.heights) && (max_x - min_x).is_finite()) {
                return self.add_cell_by_cell(&polygon, Cells { covered, wanted }, triangle, made);
            }
            let x = (wanted[0] - self.input.grid.x) as u32;
            let len = (wanted[1] - wanted[0]) as u32 + 1;
            let ranges = made.add_run(x, len, triangle.area);
            if let Some(range) = single(triangle.heights) {
                ranges.fill(range);
            } else if covered[0] == covered[1] {
                ranges[0] = range_of_all(&polygon, triangle.heights);
            } else {
                let cells = Cells { covered, wanted };
                write_ranges(&polygon, triangle.heights, cells, table, &self.lines_x, ranges);
            }
        });
        active.leave(|triangle| triangle.ends_at(row));
    }

    /// Adds a row of a triangle that partly lies below the level's floor or above its 16 bits, or is of absurd size.
    #[cold]
    fn add_cell_by_cell(&self, polygon: &RowPolygon, cells: Cells, triangle: &RowTriangle, made: &mut RowRanges) {
        for cell in cells.wanted[0]..=cells.wanted[1] {
            if let Some(range) = range_in_cell(polygon, cell, cells.covered, &self.lines_x) {
                made.add_run((cell - self.input.grid.x) as u32, 1, triangle.area)[0] = range;
            }
        }
    }
}

/// The least and the greatest x of a row's polygon.
#[inline]
fn extent(polygon: &RowPolygon) -> [f32; 2] {
    let RowPolygon { below, above, bend } = polygon;
    let bend = bend.unwrap_or(above.short);
    let (mut min, mut max) = (below.long.x, below.long.x);
    for p in [below.short, above.long, above.short, bend] {
        min = if p.x < min { p.x } else { min };
        max = if p.x > max { p.x } else { max };
    }
    [min, max]
}

/// First and last cell that two stretches share; last before first if none.
fn shared_cells(a: i32, a_len: u32, b: i32, b_len: u32) -> [i32; 2] {
    let end = |start: i32, len: u32| i64::from(start) + i64::from(len) - 1;
    [a.max(b), end(a, a_len).min(end(b, b_len)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32]
}
