//! Eight rows of a triangle become height ranges: for each cell that a row's polygon covers, its lowest and highest point.
//!
//! ```text
//!   y |      .-'|'-.          Along an edge the height is a straight line, so within a cell the polygon is lowest and
//!     |   .-'   |   |'-.      highest where edges cross the cell's two x lines, or at a corner inside the cell. Each x
//!     | -'------|---|--'      line is looked at once and serves the cells on both sides.
//!     +---|-----|-----|--> x
//! ```
//!
//! Each lane is a row. All rows are cut at once; then all step together from their first cell to their last, whatever its
//! number. No polygon is built per cell and nothing branches on the shape: all edges are evaluated at the cells' right
//! lines and all corners are compared with the cells' extents; what does not apply is masked out.
//!
//! Lanes of rows rather than of cells, since most triangles of a level are a few cells wide: cutting the rows then costs as
//! much as their cells, and a block of neighbouring cells is mostly empty.
//!
//! Cost: about 400 instructions for eight rows and 150 for every step. Only operations that IEEE 754 fixes to the bit
//! are used, one order on every machine: vectors of any width give the same bits.
//!
//! Sources: the ranges are those of clipping polygons to each cell as Recast does (Mikko Mononen, 2009); own work otherwise.

use super::grid_lines::GridLines;
use super::triangle_rows::{RowPolygon, RowTriangle, top};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, i32x8, u32x8};

/// Rows worked on together.
pub(super) const LANES: usize = 8;

/// Lowest and highest bits of a span's place in its column, `low << 16 | high`: solid from `low` up to below `high`.
pub(super) type HeightRange = u32;

/// The highest top: one below the greatest number of 16 bits.
const HIGHEST: f32 = (u16::MAX - 1) as f32;

/// Whether everything between the heights fits 16 bits above the floor.
#[inline]
pub(super) fn fits([low, high]: [f32; 2]) -> bool {
    low >= 0.0 && high <= HIGHEST - 1.0
}

/// The range of everything between heights that fit, if that is a single one.
#[inline]
pub(super) fn single([low, high]: [f32; 2]) -> Option<HeightRange> {
    let [low, high] = [low, high].map(|y| y as u32);
    (low == high).then_some(low << 16 | (low + 1))
}

/// The range between two heights, rounded outwards, at least one high; cut off at the floor and at 16 bits. `None` if
/// nothing is left.
#[inline]
pub(super) fn round(low: f32, high: f32) -> Option<HeightRange> {
    if !(high >= 0.0 && low < HIGHEST && low <= high) {
        return None;
    }
    let high = if high < HIGHEST { high } else { HIGHEST };
    let (low, whole) = (if low > 0.0 { low as u32 } else { 0 }, high as u32);
    let high = whole + u32::from(high > whole as f32);
    Some(low << 16 | high.max(low + 1))
}

/// The places of points, x and y.
type Points<S> = [f32x8<S>; 2];

#[inline(always)]
fn least<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    b.simd_lt(a).select(b, a)
}

#[inline(always)]
fn greatest<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    b.simd_gt(a).select(b, a)
}

/// Eight rows of a triangle.
pub(super) struct RowBlock<S: Simd> {
    simd: S,
    /// The polygons' corners around: below on the long and the short side, above on the short and the long side.
    corners: [Points<S>; 4],
    /// The middle corner in its row, the third corner in all others.
    bend: Points<S>,
    /// First and last cell of each row.
    covered: [i32x8<S>; 2],
    /// Of these, the first that is wanted, and how many.
    from: i32x8<S>,
    count: i32x8<S>,
}

impl<S: Simd> RowBlock<S> {
    /// Cuts the rows from `row` on, one of the triangle's; what lies beyond its last is rubbish. `columns`: first and last
    /// cell that are wanted.
    #[inline(always)]
    pub(super) fn new(
        simd: S,
        triangle: &RowTriangle,
        row: i32,
        [lines_x, lines_z]: [&GridLines; 2],
        columns: [i32; 2],
    ) -> Self {
        let above = sections_above(simd, triangle, row, lines_z);
        let first = triangle.section(row, lines_z.at(row));
        let first = [first.long.x, first.long.y, first.short.x, first.short.y];
        let below: [f32x8<S>; 4] = core::array::from_fn(|i| f32x8::splat(simd, first[i]).slide::<7>(above[i]));
        let corners = [[below[0], below[1]], [below[2], below[3]], [above[2], above[3]], [above[0], above[1]]];
        let is_bent = (rows_from(simd, row)).simd_eq(triangle.bend);
        let middle = triangle.corners[1];
        let bend = [
            is_bent.select(f32x8::splat(simd, middle.x), above[2]),
            is_bent.select(f32x8::splat(simd, middle.y), above[3]),
        ];
        let (mut low, mut high) = (bend[0], bend[0]);
        for [x, _] in corners {
            (low, high) = (least(low, x), greatest(high, x));
        }
        let covered = lines_x.cells_lanes(low, high);
        let from = covered[0].max(columns[0]);
        let count = covered[1].min(columns[1]) - from + 1;
        Self { simd, corners, bend, covered, from, count }
    }

    /// First wanted cell of each row.
    #[inline(always)]
    pub(super) fn from(&self) -> [i32; LANES] {
        self.from.into()
    }

    /// Wanted cells of each row; 0 or less for none.
    #[inline(always)]
    pub(super) fn count(&self) -> [i32; LANES] {
        self.count.into()
    }

    /// Writes the height ranges of the first `steps` wanted cells of all rows: those of row `i` from `i * stride` on; rubbish
    /// where a row has fewer. `stride`: `steps` or more, a multiple of eight. `heights`: those of the whole triangle, which must fit.
    #[inline(always)]
    pub(super) fn write_ranges(
        &self,
        heights: [f32; 2],
        lines: &GridLines,
        out: &mut [HeightRange],
        [stride, steps]: [usize; 2],
    ) {
        let simd = self.simd;
        let [first, last] = self.covered;
        // A row within one cell reaches from its lowest to its highest corner: no line cuts it.
        let is_cut = !first.simd_eq(last);
        let edges =
            self.edges().map(|edge| Edge { left: is_cut.select(edge.left, f32x8::splat(simd, f32::INFINITY)), ..edge });
        // A corner that rounding puts outside the covered cells belongs to the nearest.
        let (low_x, high_x) = (lines.at_lanes(first), lines.at_lanes(last + 1));
        let [a, b, c, d] = self.corners;
        let corners = [a, b, c, d, self.bend].map(|[x, y]| [x.max(low_x).min(high_x), y]);
        let mut from = lines.at_lanes(self.from);
        let is_inside = self.from.simd_gt(first);
        let mut before = Heights::none(simd);
        if is_inside.any_true() {
            let found = Heights::at_lines(&edges, from);
            before.low = is_inside.select(found.low, before.low);
            before.high = is_inside.select(found.high, before.high);
        }
        for first_step in (0..steps).step_by(LANES) {
            let mut block = [u32x8::splat(simd, 0); LANES];
            for (step, ranges) in (first_step..steps).zip(&mut block) {
                let to = lines.at_lanes(self.from + (step as i32 + 1));
                let at_line = Heights::at_lines(&edges, to);
                let mut found = Heights { low: at_line.low.min(before.low), high: at_line.high.max(before.high) };
                for [x, y] in corners {
                    found.widen(y, from.simd_le(x) & to.simd_ge(x));
                }
                *ranges = found.round(heights);
                (before, from) = (at_line, to);
            }
            for (row, ranges) in out.chunks_exact_mut(stride).zip(transposed(block)) {
                ranges.store_slice(&mut row[first_step..first_step + LANES]);
            }
        }
    }

    #[inline(always)]
    fn edges(&self) -> [Edge<S>; 5] {
        let [a, b, c, d] = self.corners;
        [[a, b], [b, self.bend], [self.bend, c], [c, d], [d, a]].map(|[a, b]| Edge::new(a, b))
    }
}

/// Turns eight steps of eight rows into eight rows of eight steps: whole vectors are written and read again by those who merge
/// them. (Written number by number, the vectors read from them had to wait until all had reached the cache.)
///
/// Interleaving vector `i` with vector `i + 4` moves the highest bit of the vector's number below the lowest of the lane's;
/// three times that, and the two have changed places.
#[inline(always)]
fn transposed<S: Simd>(mut block: [u32x8<S>; LANES]) -> [u32x8<S>; LANES] {
    for _ in 0..3 {
        let from = block;
        for i in 0..LANES / 2 {
            (block[2 * i], block[2 * i + 1]) = from[i].interleave(from[i + LANES / 2]);
        }
    }
    block
}

/// The numbers of eight rows.
#[inline(always)]
fn rows_from<S: Simd>(simd: S, row: i32) -> i32x8<S> {
    i32x8::simd_from(simd, [0, 1, 2, 3, 4, 5, 6, 7]) + row
}

/// The sections at the high sides of eight rows: x and y on the long side, x and y on the short side.
#[inline(always)]
fn sections_above<S: Simd>(simd: S, triangle: &RowTriangle, row: i32, lines: &GridLines) -> [f32x8<S>; 4] {
    let [low, middle, high] = triangle.corners;
    let splat = |v: f32| f32x8::splat(simd, v);
    let rows = rows_from(simd, row + 1);
    let z = lines.at_lanes(rows);
    // The point at z of edges from `a` on, or their nearer ends.
    let share = |from_z: f32x8<S>, per_z: f32x8<S>| {
        let t = (z - from_z) * per_z;
        // Also where t is no number: an edge along x, cut at its own z.
        let t = t.simd_gt(0.0).select(t, splat(0.0));
        t.simd_lt(1.0).select(t, splat(1.0))
    };
    let t = share(splat(low.z), splat(triangle.per_z[0]));
    let side = high - low;
    let long = [t * side.x + low.x, t * side.y + low.y];
    let is_lower = rows.simd_le(triangle.bend);
    let either = |lower: f32, upper: f32| is_lower.select(splat(lower), splat(upper));
    let t = share(either(low.z, middle.z), either(triangle.per_z[1], triangle.per_z[2]));
    let (lower, upper) = (middle - low, high - middle);
    let short = [
        t * either(lower.x, upper.x) + either(low.x, middle.x),
        t * either(lower.y, upper.y) + either(low.y, middle.y),
    ];
    let end = top(triangle.corners);
    let is_above = rows.simd_gt(triangle.rows[1]);
    let or_end = |v: f32x8<S>, end: f32| is_above.select(splat(end), v);
    [
        or_end(long[0], end.long.x),
        or_end(long[1], end.long.y),
        or_end(short[0], end.short.x),
        or_end(short[1], end.short.y),
    ]
}

/// An edge of the polygon in each row.
#[derive(Clone, Copy)]
struct Edge<S: Simd> {
    /// Left and right end, height at the left end, height per metre along x (0 for edges along z).
    left: f32x8<S>,
    right: f32x8<S>,
    y: f32x8<S>,
    rise: f32x8<S>,
}

impl<S: Simd> Edge<S> {
    #[inline(always)]
    fn new([ax, ay]: Points<S>, [bx, by]: Points<S>) -> Self {
        let simd = ax.witness();
        let (dx, dy) = (bx - ax, by - ay);
        // Kept finite: infinity times the distance 0 would be no number.
        let most = f32x8::splat(simd, f32::MAX);
        let rise = dx.simd_eq(0.0).select(f32x8::splat(simd, 0.0), dy / dx).min(most).max(-most);
        Self { left: least(ax, bx), right: greatest(ax, bx), y: ax.simd_gt(bx).select(by, ay), rise }
    }
}

/// Lowest and highest heights so far. Heights are 0 or above, but for rounding.
#[derive(Clone, Copy)]
struct Heights<S: Simd> {
    low: f32x8<S>,
    high: f32x8<S>,
}

impl<S: Simd> Heights<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        Self { low: f32x8::splat(simd, f32::INFINITY), high: f32x8::splat(simd, 0.0) }
    }

    /// Where edges cross lines.
    #[inline(always)]
    fn at_lines(edges: &[Edge<S>; 5], x: f32x8<S>) -> Self {
        let mut found = Self::none(x.witness());
        for edge in edges {
            let y = (x - edge.left) * edge.rise + edge.y;
            found.widen(y, x.simd_ge(edge.left) & x.simd_le(edge.right));
        }
        found
    }

    /// Takes in `y` in the lanes of `mask`.
    #[inline(always)]
    fn widen(&mut self, y: f32x8<S>, mask: <f32x8<S> as SimdBase<S>>::Mask) {
        let none = Self::none(y.witness());
        self.low = self.low.min(mask.select(y, none.low));
        self.high = self.high.max(mask.select(y, none.high));
    }

    /// Rounds outwards, at least one high. Rounding may have put an edge's height just outside its triangle's, which can
    /// cost a whole cell height.
    #[inline(always)]
    fn round(self, [lowest, highest]: [f32; 2]) -> u32x8<S> {
        let low: i32x8<S> = self.low.max(lowest).min(highest).to_int();
        let high = self.high.min(highest);
        let whole: i32x8<S> = high.to_int();
        let up = whole.to_float::<f32x8<S>>().simd_lt(high).select(whole + 1, whole);
        ((low << 16) | up.max(low + 1)).bitcast()
    }
}

/// The height range of one cell of a row's polygon, as [`RowBlock::write_ranges`] gives it, for heights of any size. `None` if all
/// lies below the floor or above 16 bits.
pub(super) fn range_in_cell(
    polygon: &RowPolygon,
    cell: i32,
    covered: [i32; 2],
    lines: &GridLines,
) -> Option<HeightRange> {
    let from = if cell <= covered[0] { f32::NEG_INFINITY } else { lines.at(cell) };
    let to = if cell >= covered[1] { f32::INFINITY } else { lines.at(cell.wrapping_add(1)) };
    let RowPolygon { below, above, bend } = polygon;
    let turn = bend.unwrap_or(above.short);
    let corner = [below.long, below.short, turn, above.short, above.long];
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    let mut widen = |y: f32| (low, high) = (low.min(y), high.max(y));
    for i in 0..5 {
        let (a, b) = (corner[i], corner[(i + 1) % 5]);
        if (from..=to).contains(&a.x) {
            widen(a.y);
        }
        for line in [from, to] {
            if line > a.x.min(b.x) && line < a.x.max(b.x) {
                let (a, b) = if a.x < b.x { (a, b) } else { (b, a) };
                widen((a.y + (line - a.x) * ((b.y - a.y) / (b.x - a.x))).clamp_between(a.y, b.y));
            }
        }
    }
    round(low, high)
}

/// Keeping a number between two others given in any order.
trait ClampBetween {
    fn clamp_between(self, a: Self, b: Self) -> Self;
}

impl ClampBetween for f32 {
    fn clamp_between(self, a: Self, b: Self) -> Self {
        self.max(a.min(b)).min(a.max(b))
    }
}
