//! Rasterisation: triangles become solid spans.
//!
//! Each triangle is cut into runs of cells (`triangle_runs`), the runs of all triangles are sorted by row and merged into
//! columns (`merge_runs`). Nothing is allocated by a triangle's size, only by the cells it covers inside the rectangle.
//!
//! Cost: linear in triangles and in the cells they cover.
//!
//! Sources: Mikko Mononen, Recast (`rcRasterizeTriangles`), 2009.

use super::grid_lines::GridLines;
use super::merge_runs::{MergeScratch, merge_runs};
use super::slope::slope_area;
use super::triangle_runs::{HeightRange, Run, RunMaker};
use super::{Grid, Heightfield};
use crate::input::{TriMesh, VoxelSettings};

/// What to rasterise where.
#[derive(Clone, Copy, Debug)]
pub struct RasterInput<'a> {
    /// The level's triangles.
    pub mesh: &'a TriMesh,
    /// Which of them, by number, each once; `None`: all. The order does not matter.
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
        Self { mesh, triangles: None, level, grid: *level, settings }
    }
}

/// Memory that [`rasterize_into`] keeps from call to call.
#[derive(Debug, Default)]
pub struct RasterScratch {
    runs: Vec<Run>,
    ranges: Vec<HeightRange>,
    merge: MergeScratch,
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
    let RasterInput { mesh, triangles, level, grid, settings } = *input;
    scratch.runs.clear();
    scratch.ranges.clear();
    let mut maker = RunMaker {
        lines_x: GridLines::new(level.origin.x, level.cell_size),
        lines_z: GridLines::new(level.origin.z, level.cell_size),
        floor: level.origin.y,
        per_height: 1.0 / level.cell_height,
        columns: shared_cells(grid.x, grid.width, level.x, level.width),
        rows: shared_cells(grid.z, grid.depth, level.z, level.depth),
        corner: [grid.x, grid.z],
        runs: &mut scratch.runs,
        ranges: &mut scratch.ranges,
    };
    let mut add = |i: usize| {
        let corners = mesh.corners(i);
        maker.add(corners, slope_area(corners, mesh.areas()[i], settings.min_walkable_normal_y));
    };
    match triangles {
        Some(some) => some.iter().for_each(|&i| add(i as usize)),
        None => (0..mesh.tris().len()).for_each(add),
    }
    out.grid = grid;
    merge_runs(&scratch.runs, &scratch.ranges, settings.agent_climb_vx, &mut scratch.merge, out);
}

/// First and last cell that two stretches share; last before first if none.
fn shared_cells(a: i32, a_len: u32, b: i32, b_len: u32) -> [i32; 2] {
    let end = |start: i32, len: u32| i64::from(start) + i64::from(len) - 1;
    [a.max(b), end(a, a_len).min(end(b, b_len)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32]
}
