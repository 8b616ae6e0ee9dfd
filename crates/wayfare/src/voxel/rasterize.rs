//! Rasterises triangles to solid spans.
//!
//! Bands of rows are swept from low to high z. A triangle is added at its first band and removed after its last; in
//! each band its rows are cut and give the height range of every cell, eight rows at a time in vector lanes
//! (`row_ranges`). Each row's ranges are merged into the row's columns at once (`merge_row`), and when the band is
//! finished its columns become spans.
//!
//! ```text
//!     z ^      /\           Only one band's ranges exist at a time, so the working memory stays in the cache whatever the
//!       |  ___/__\____ band  depth of the level, and nothing is allocated by a triangle's size. A band of one row would
//!       |  __/    \___       do as well, but then a triangle could not be cut in lanes, and would be looked up for
//!       |   /______\         every row.
//! ```
//!
//! If many triangles overlap, the ranges of a band would take more memory than the level itself. When they exceed a
//! limit per cell, only the necessary part of them is kept (`row_tops`).
//!
//! The widest vectors of the machine are chosen at run time; all widths give the same bits.
//!
//! Cost: linear in triangles and in the cells they cover.
//!
//! Sources: Mikko Mononen, Recast (`rcRasterizeTriangles`), 2009, for what a span is; the sweep is scan conversion with
//! an active list (Wylie, Romney, Evans, Erdahl, "Half-tone perspective drawings by computer", 1967).

use super::active_triangles::ActiveTriangles;
use super::height_range::HeightRange;
use super::merge_row::{RowColumns, RowMerger};
use super::raster_input::RasterInput;
use super::row_lanes::{LANES, Row, RowLanes, WaitingRows};
use super::row_ranges::{RowBlock, range_in_cell};
use super::row_tops::CellRun;
use super::sweep::Sweep;
use super::terrain_rows::TerrainRows;
use super::triangle_rows::{RowPolygon, RowTriangle, TriangleKind};
use super::{Grid, Heightfield};
use crate::area::AreaId;
use crate::context::Budget;
use crate::math::lanes::{Level, dispatch};
use core::ops::Range;
use fearless_simd::Simd;

/// Rows rasterised together.
const BAND: u32 = 16;

/// So many rows, each with more than its part of all spans that there may be, have too many together.
const FULL_ROWS: usize = 4;

/// Ranges of a band that are kept unchanged: a fixed number plus this many per cell. Few levels have more triangles
/// over a cell.
const RANGES: [usize; 2] = [1 << 20, 32];
/// The memory of a run, and of a single cell, in ranges.
const RUN: usize = 6;
const CELL: usize = 2;

/// Memory that [`rasterize_into`] reuses between calls.
#[derive(Debug, Default)]
pub struct RasterScratch {
    /// Where the triangles that begin in each band end in `by_band`: those within one cell, and the others.
    band_ends: Vec<[u32; 2]>,
    /// Triangles, sorted by their first wanted band.
    by_band: Vec<u32>,
    /// The lists, two for each band, to which triangles belong, and the triangles' numbers.
    found: Vec<[u32; 2]>,
    active: ActiveTriangles,
    /// The rows of the band, and the height ranges of their runs.
    band: Vec<RowColumns>,
    ranges: Vec<HeightRange>,
    merger: RowMerger,
    next: NextBand,
}

/// Where the sweep continues.
#[derive(Debug, Default)]
struct NextBand {
    band: u32,
    /// How many triangles of `by_band` have been added.
    joined: u32,
    /// Strips of the height map that have not been added.
    strips: Option<Range<u32>>,
    /// The vector instruction set; `None`: the widest.
    lanes: Option<Level>,
}

/// Rasterises triangles to a heightfield.
///
/// A span extends from the lowest point of a triangle in the cell, rounded down, to its highest, rounded up, and is at
/// least one cell height high. Spans that overlap or touch are merged. A triangle flatter than the slope limit keeps
/// its area type, others become [`AreaId::NULL`](crate::area::AreaId::NULL); where spans merge, the highest walkable
/// triangle decides if its top is at most the climb below the merged top. The result does not depend on the order of
/// triangles or of their corners, nor, for any one cell, on the rectangle.
#[must_use]
pub fn rasterize(input: &RasterInput<'_>) -> Heightfield {
    let mut out = Heightfield::empty(Grid { width: 0, depth: 0, ..input.grid });
    rasterize_into(input, &mut RasterScratch::default(), &mut out);
    out
}

/// Like [`rasterize`], reusing memory: replaces the content of `out`. A field of more than [`MAX_SPANS`] spans comes
/// out empty; [`rasterize_within`] reports this.
pub fn rasterize_into(input: &RasterInput<'_>, scratch: &mut RasterScratch, out: &mut Heightfield) {
    if rasterize_within(input, RasterLimit::NONE, scratch, out).is_err() {
        *out = Heightfield::empty(input.grid);
    }
}

/// Like [`rasterize_into`], unless it would exceed a limit.
///
/// # Errors
/// [`RasterLimitError`]; `out` then holds the first rows.
pub fn rasterize_within(
    input: &RasterInput<'_>,
    limit: RasterLimit,
    scratch: &mut RasterScratch,
    out: &mut Heightfield,
) -> Result<(), RasterLimitError> {
    rasterize_in_lanes(Level::new(), input, limit, (scratch, out))
}

/// Most spans of a heightfield: what 32 bits can count.
pub const MAX_SPANS: u64 = u32::MAX as u64;

/// Limits on the memory of rasterising.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RasterLimit {
    /// The maximum number of spans; at most [`MAX_SPANS`].
    pub spans: u64,
    /// The maximum number of triangles that may cross the same sixteen rows.
    pub triangles: u64,
}

impl RasterLimit {
    /// What can be counted.
    pub const NONE: Self = Self { spans: MAX_SPANS, triangles: u32::MAX as u64 };
}

/// A heightfield that would have exceeded the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RasterLimitError {
    /// Too many spans.
    #[error("more than {most} solid spans come of the triangles: use larger cells, or smaller tiles")]
    Spans {
        /// The maximum.
        most: u64,
    },
    /// Too many triangles.
    #[error("{count} triangles cross the same rows of cells, more than {most}: use smaller tiles")]
    Triangles {
        /// The number of triangles.
        count: u64,
        /// The maximum.
        most: u64,
    },
}

/// Like [`rasterize_within`], with a given vector instruction set.
pub(super) fn rasterize_in_lanes(
    level: Level,
    input: &RasterInput<'_>,
    limit: RasterLimit,
    (scratch, out): (&mut RasterScratch, &mut Heightfield),
) -> Result<(), RasterLimitError> {
    begin_rasterize(input, scratch, out);
    scratch.next.lanes = Some(level);
    rasterize_bands(input, limit, &mut Budget::unlimited(), scratch, out).map(drop)
}

/// Prepares for [`rasterize_bands`].
pub(crate) fn begin_rasterize(input: &RasterInput<'_>, scratch: &mut RasterScratch, out: &mut Heightfield) {
    out.begin(input.grid);
    Sweep::new(input).sort_triangles(scratch);
    scratch.active.clear();
    scratch.band.resize_with(BAND as usize, RowColumns::default);
    scratch.next = NextBand::default();
}

/// Continues what [`begin_rasterize`] began within the budget: a unit is a cell, or a triangle in a band of rows.
/// Returns whether all rows are finished.
///
/// # Errors
/// Like [`rasterize_within`].
pub(crate) fn rasterize_bands(
    input: &RasterInput<'_>,
    limit: RasterLimit,
    budget: &mut Budget,
    scratch: &mut RasterScratch,
    out: &mut Heightfield,
) -> Result<bool, RasterLimitError> {
    let level = scratch.next.lanes.unwrap_or_else(Level::new);
    let most = limit.spans.min(MAX_SPANS);
    let sweep = Sweep::new(input);
    let mut terrain = input.terrain.map(|map| TerrainRows::new(map, &sweep));
    if let (Some(terrain), Some(strips)) = (&mut terrain, scratch.next.strips.take()) {
        terrain.strips = strips;
    }
    let bands = input.grid.depth.div_ceil(BAND);
    while scratch.next.band < bands {
        let band = scratch.next.band as usize;
        let z = scratch.next.band * BAND;
        let depth = (input.grid.depth - z).min(BAND);
        let begin = (i64::from(input.grid.z) + i64::from(z)) as i32;
        // Triangles may extend beyond the level's last row; its cells end there.
        let rows = [begin, begin.saturating_add_unsigned(depth - 1).min(sweep.rows[1])];
        let [in_cells, others] = scratch.band_ends[band];
        let new = [scratch.next.joined..in_cells, in_cells..others];
        scratch.next.joined = others;
        scratch.next.band += 1;
        let mut count = (scratch.active.len() + new[0].len() + new[1].len()) as u64;
        let check = |count: u64| {
            let error = RasterLimitError::Triangles { count, most: limit.triangles };
            if count > limit.triangles { Err(error) } else { Ok(()) }
        };
        check(count)?;
        let new = new.map(|list| &scratch.by_band[list.start as usize..list.end as usize]);
        sweep.activate(new, &mut scratch.active);
        if let Some(terrain) = &mut terrain {
            let before = scratch.active.len();
            terrain.activate(rows, &sweep, &mut scratch.active);
            count += (scratch.active.len() - before) as u64;
            check(count)?;
        }
        scratch.active.sort();
        let climb = input.settings.agent_climb_vx;
        let width = input.grid.width as usize;
        let room = most as usize / FULL_ROWS;
        scratch.band.iter_mut().for_each(|row| row.clear(width, climb, room));
        dispatch!(level, simd => sweep.draw(simd, rows, scratch));
        let overfull = scratch.band.iter().filter(|row| row.is_overfull()).count();
        if (1..FULL_ROWS).contains(&overfull) {
            // So few may have most of all spans.
            for row in &mut scratch.band {
                let room = if row.is_overfull() { most as usize } else { room };
                row.clear(width, climb, room);
            }
            dispatch!(level, simd => sweep.draw(simd, rows, scratch));
        }
        scratch.active.leave(|triangle| triangle.rows[1] <= rows[1]);
        scratch.merge_rows(depth as usize, climb, most, out)?;
        if !budget.charge(u64::from(input.grid.width) * u64::from(depth) + count) && scratch.next.band < bands {
            scratch.next.strips = terrain.map(|terrain| terrain.strips);
            return Ok(false);
        }
    }
    Ok(true)
}

impl RasterScratch {
    /// Merges the ranges of the band's rows into columns of spans, of which there may be `most` in all.
    fn merge_rows(
        &mut self,
        rows: usize,
        climb: u32,
        most: u64,
        out: &mut Heightfield,
    ) -> Result<(), RasterLimitError> {
        for row in &self.band[..rows] {
            if row.is_overfull() {
                return Err(RasterLimitError::Spans { most });
            }
            self.merger.finish(row, &self.ranges, climb, out);
            if out.area.len() as u64 > most {
                return Err(RasterLimitError::Spans { most });
            }
        }
        Ok(())
    }
}

impl Sweep<'_> {
    /// Sorts the triangles in wanted rows and columns by the band of the first such row, by counting; within each band,
    /// those that lie within one cell come first.
    fn sort_triangles(&self, scratch: &mut RasterScratch) {
        let RasterScratch { band_ends: ends, by_band, found, .. } = scratch;
        ends.clear();
        ends.resize(self.input.grid.depth.div_ceil(BAND) as usize, [0; 2]);
        let ends = ends.as_flattened_mut();
        found.clear();
        found.reserve(self.input.triangles.map_or(self.input.mesh.tris().len(), <[u32]>::len));
        let mut add = |triangle: u32| {
            if let Some((row, is_in_cell)) = self.first_row(self.input.mesh.corners(triangle as usize)) {
                let list = (row - self.input.grid.z) as u32 / BAND * 2 + u32::from(!is_in_cell);
                ends[list as usize] += 1;
                found.push([list, triangle]);
            }
        };
        match self.input.triangles {
            Some(some) => some.iter().for_each(|&triangle| add(triangle)),
            None => (0..self.input.mesh.tris().len()).for_each(|triangle| add(triangle as u32)),
        }
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += core::mem::replace(end, sum);
        }
        by_band.resize(sum as usize, 0);
        for &[list, triangle] in found.iter() {
            let end = &mut ends[list as usize];
            by_band[*end as usize] = triangle;
            *end += 1;
        }
    }

    /// Adds triangles: those that lie within one cell, and the others.
    fn activate(&self, [in_cells, others]: [&[u32]; 2], active: &mut ActiveTriangles) {
        let mesh = self.input.mesh;
        let of = |i: &u32| (mesh.corners(*i as usize), mesh.areas()[*i as usize]);
        for (corners, area) in in_cells.iter().map(of) {
            match self.cell_triangle(corners, area) {
                Some(in_cell) => active.in_cells.push(in_cell),
                None => active.join(core::iter::once(self.row_triangle(corners, area))),
            }
        }
        active.join(others.iter().map(of).map(|(corners, area)| self.row_triangle(corners, area)));
    }

    /// Merges the parts of the active triangles in a band of rows into its columns.
    #[inline(always)]
    fn draw<S: Simd>(&self, simd: S, [begin, end]: [i32; 2], scratch: &mut RasterScratch) {
        let RasterScratch { active, band, ranges, .. } = scratch;
        let most = RANGES[0] + RANGES[1] * BAND as usize * self.input.grid.width as usize;
        let mut band = Band { begin, rows: band, ranges, used: 0, runs: 0, cells: 0, most };
        // Triangles may also extend beyond the level's first row; the band's rows before it stay empty.
        let begin = begin.max(self.rows[0]);
        for triangle in &active.in_cells {
            band.condense_if_large();
            band.draw_cell(triangle.row, triangle.x, triangle.range, triangle.area);
        }
        // The last few rows of level triangles, of narrow and of wide ones.
        let mut waiting: [Option<WaitingRows<'_>>; 3] = [None; 3];
        for triangle in active.iter() {
            band.condense_if_large();
            let rows = [triangle.rows[0].max(begin), triangle.rows[1].min(end)];
            let kind = match triangle.kind {
                TriangleKind::Level(_) => 0,
                TriangleKind::Narrow => 1,
                TriangleKind::Wide => 2,
                TriangleKind::Odd => {
                    self.draw_cell_by_cell(triangle, rows, &mut band);
                    continue;
                }
            };
            let mut first = rows[0];
            while rows[1] - first >= LANES as i32 - 1 {
                let rows = core::array::from_fn(|lane| Row { triangle, row: first + lane as i32 });
                self.draw_rows::<S, true>(simd, &WaitingRows { rows, count: LANES }, &mut band);
                first += LANES as i32;
            }
            for row in first..=rows[1] {
                let row = Row { triangle, row };
                let waiting = waiting[kind].get_or_insert(WaitingRows { rows: [row; LANES], count: 0 });
                waiting.rows[waiting.count] = row;
                waiting.count += 1;
                if waiting.count == LANES {
                    self.draw_rows::<S, false>(simd, waiting, &mut band);
                    waiting.count = 0;
                }
            }
        }
        for waiting in waiting.into_iter().flatten() {
            self.draw_rows::<S, false>(simd, &waiting, &mut band);
        }
    }

    /// Rasterises eight rows of one triangle, or up to eight rows of triangles of a kind.
    fn draw_rows<S: Simd, const OF_ONE: bool>(&self, simd: S, rows: &WaitingRows<'_>, band: &mut Band<'_>) {
        // A separate function for each kind, compiled for the machine's vectors.
        simd.vectorize(
            #[inline(always)]
            || self.draw_block::<S, OF_ONE>(simd, rows, band),
        );
    }

    #[inline(always)]
    fn draw_block<S: Simd, const OF_ONE: bool>(&self, simd: S, waiting: &WaitingRows<'_>, band: &mut Band<'_>) {
        let WaitingRows { rows, count } = waiting;
        let lanes = if OF_ONE {
            RowLanes::of_triangle(simd, rows[0], &self.lines_z)
        } else {
            RowLanes::of_rows(simd, rows, *count, &self.lines_z)
        };
        let block = RowBlock::new(&lanes, &self.lines_x, self.columns);
        let mut wanted = block.wanted();
        if wanted == 0 {
            return;
        }
        band.runs += wanted.count_ones() as usize;
        let from = block.from();
        let count = block.count();
        let is_uniform = matches!(rows[0].triangle.kind, TriangleKind::Level(_));
        let first = band.used;
        let stride = if is_uniform {
            let level = |row: Row<'_>| if let TriangleKind::Level(range) = row.triangle.kind { range } else { 0 };
            band.take(LANES).copy_from_slice(&rows.map(level));
            1
        } else {
            let most = count.iter().copied().fold(0, i32::max) as usize;
            let stride = most.next_multiple_of(LANES);
            block.write_ranges(&self.lines_x, band.take(stride * LANES), [stride, most]);
            // Undefined values after the last row may be overwritten.
            band.used = first + (u64::BITS - wanted.leading_zeros()) as usize * stride;
            stride
        };
        while wanted != 0 {
            let lane = wanted.trailing_zeros() as usize % LANES;
            wanted &= wanted - 1;
            let Row { triangle, row } = rows[lane];
            let x = (from[lane] - self.input.grid.x) as u32;
            let run = CellRun { x, len: count[lane] as u32, first: (first + lane * stride) as u64, is_uniform };
            band.rows[(row - band.begin) as usize].merge(simd, run, band.ranges, triangle.area);
        }
    }

    /// Rasterises a triangle that partly lies below the lowest height or above 16 bits, or is extremely large.
    #[cold]
    fn draw_cell_by_cell(&self, triangle: &RowTriangle, rows: [i32; 2], band: &mut Band<'_>) {
        for row in rows[0]..=rows[1] {
            let polygon = triangle.polygon(row, &self.lines_z);
            let [min_x, max_x] = extent(&polygon);
            let covered = self.lines_x.cells(min_x, max_x);
            for cell in covered[0].max(self.columns[0])..=covered[1].min(self.columns[1]) {
                if let Some(range) = range_in_cell(&polygon, cell, covered, &self.lines_x) {
                    band.draw_cell(row, (cell - self.input.grid.x) as u32, range, triangle.area);
                }
            }
        }
    }
}

/// The rows being rasterised.
struct Band<'a> {
    /// Number of the first row in the level.
    begin: i32,
    rows: &'a mut [RowColumns],
    /// The ranges of all runs, and room for more.
    ranges: &'a mut Vec<HeightRange>,
    /// Number of ranges.
    used: usize,
    /// Number of runs with these ranges.
    runs: usize,
    /// Number of single cells in addition.
    cells: usize,
    /// More ranges and runs than this are not kept.
    most: usize,
}

impl Band<'_> {
    /// Merges the range of a triangle in one cell into its column.
    #[inline(always)]
    fn draw_cell(&mut self, row: i32, x: u32, range: HeightRange, area: AreaId) {
        self.cells += 1;
        self.rows[(row - self.begin) as usize].merge_cell(x, range, area);
    }

    #[inline(always)]
    fn condense_if_large(&mut self) {
        if self.used + RUN * self.runs + CELL * self.cells > self.most {
            self.condense();
        }
    }

    /// Drops the ranges; the rows keep what they need of their runs.
    #[cold]
    fn condense(&mut self) {
        self.rows.iter_mut().for_each(|row| row.condense(self.ranges));
        (self.used, self.runs, self.cells) = (0, 0, 0);
    }

    /// Reserves room for ranges, with undefined content.
    #[inline]
    fn take(&mut self, len: usize) -> &mut [HeightRange] {
        let first = self.used;
        self.used += len;
        if self.ranges.len() < self.used {
            // No further than needed: of the capacity by which the list grows, unused memory is never accessed.
            self.ranges.resize(self.used, 0);
        }
        &mut self.ranges[first..self.used]
    }
}

/// The minimum and the maximum x of a row's polygon.
#[inline]
fn extent(polygon: &RowPolygon) -> [f32; 2] {
    let RowPolygon { below, above, bend } = polygon;
    let bend = bend.unwrap_or(above.short);
    let mut min = below.long.x;
    let mut max = below.long.x;
    for p in [below.short, above.long, above.short, bend] {
        min = if p.x < min { p.x } else { min };
        max = if p.x > max { p.x } else { max };
    }
    [min, max]
}
