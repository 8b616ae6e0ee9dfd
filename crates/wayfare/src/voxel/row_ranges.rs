//! Computes the height ranges of eight rows of triangles: the lowest and highest point in each cell that a row's
//! polygon covers.
//!
//! ```text
//!   y |      .-'|'-.          Along an edge the height is a straight line, so within a cell the polygon is lowest and
//!     |   .-'   |   |'-.      highest where edges cross the cell's two x lines, or at a corner inside the cell. Each x
//!     | -'------|---|--'      line is looked at once and serves the cells on both sides.
//!     +---|-----|-----|--> x
//! ```
//!
//! Each lane is a row. All rows are cut at once; then all step together from their first cell to their last, whatever
//! its number. No polygon is built per cell and nothing branches on the shape: all edges are evaluated at the cells'
//! right lines and all corners are compared with the cells' extents; what does not apply is masked.
//!
//! Lanes hold rows rather than cells, since most triangles of a level are a few cells wide: cutting the rows then costs
//! as much as their cells, and a block of neighbouring cells would be mostly empty.
//!
//! Cost: about 400 instructions for eight rows and 150 for every step. Only operations that IEEE 754 defines exactly
//! are used, in one order on every machine: vectors of any width give the same bits.
//!
//! Sources: the ranges are those of clipping polygons to each cell as Recast does (Mikko Mononen, 2009); own work
//! otherwise.

use super::grid_lines::GridLines;
use super::height_range::{HeightRange, round};
use super::row_lanes::{LANES, Points, RowLanes};
use super::triangle_rows::RowPolygon;
use crate::math::lanes::{Lanes, transposed};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, i32x8, mask32x8, u32x8};

#[inline(always)]
fn least<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    b.is_below(a).select(b, a)
}

#[inline(always)]
fn greatest<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    b.is_above(a).select(b, a)
}

/// Eight rows, each with the cells that it covers.
pub(super) struct RowBlock<S: Simd> {
    simd: S,
    /// The polygons' corners in order: below on the long and the short side, above on the short and the long side.
    corners: [Points<S>; 4],
    /// The middle corner in its row, the third corner in all others.
    bend: Points<S>,
    /// First and last cell of each row.
    covered: [i32x8<S>; 2],
    /// The first of these that is wanted, and how many are.
    from: i32x8<S>,
    count: i32x8<S>,
    /// Lowest and highest of the whole triangles.
    heights: [f32x8<S>; 2],
}

impl<S: Simd> RowBlock<S> {
    /// `columns`: first and last wanted cell.
    #[inline(always)]
    pub(super) fn new(rows: &RowLanes<S>, lines_x: &GridLines, columns: [i32; 2]) -> Self {
        let simd = rows.simd;
        let [below, above] = [rows.below, rows.above];
        let corners = [below[0], below[1], above[1], above[0]];
        let bend = [rows.is_bent.select(rows.middle[0], above[1][0]), rows.is_bent.select(rows.middle[1], above[1][1])];
        let mut left = bend[0];
        let mut right = bend[0];
        for [x, _] in corners {
            (left, right) = (least(left, x), greatest(right, x));
        }
        let covered = lines_x.cells_lanes(left, right);
        let from = covered[0].greater(i32x8::all(simd, columns[0]));
        let count = covered[1].lesser(i32x8::all(simd, columns[1])) - from + i32x8::all(simd, 1);
        // The values in the other lanes must not be stepped through.
        let count = rows.is_row.select(count, i32x8::all(simd, 0));
        Self { simd, corners, bend, covered, from, count, heights: rows.heights }
    }

    /// First wanted cell of each row.
    #[inline(always)]
    pub(super) fn from(&self) -> [i32; LANES] {
        self.from.into()
    }

    /// One bit for each row that has wanted cells.
    #[inline(always)]
    pub(super) fn wanted(&self) -> u64 {
        self.simd.to_bitmask_mask32x8(self.count.is_above(i32x8::all(self.simd, 0)))
    }

    /// Number of wanted cells of each row; 0 or less for none.
    #[inline(always)]
    pub(super) fn count(&self) -> [i32; LANES] {
        self.count.into()
    }

    /// Writes the height ranges of the first `steps` wanted cells of all rows: those of row `i` from `i * stride`;
    /// undefined values if a row has fewer. `stride`: at least `steps`, a multiple of eight.
    #[inline(always)]
    pub(super) fn write_ranges(&self, lines: &GridLines, out: &mut [HeightRange], [stride, steps]: [usize; 2]) {
        let simd = self.simd;
        let [first, last] = self.covered;
        // A row within one cell extends from its lowest to its highest corner: no line cuts it.
        let is_within_cell = first.equals(last);
        let edges = self.edges(is_within_cell);
        // A corner that rounding puts outside the covered cells belongs to the nearest cell.
        let low_x = lines.at_lanes(first);
        let high_x = lines.at_lanes(last + i32x8::all(simd, 1));
        let [a, b, c, d] = self.corners;
        let mut corners = [a, b, c, d, self.bend];
        for corner in &mut corners {
            corner[0] = corner[0].greater(low_x).lesser(high_x);
        }
        let mut from = lines.at_lanes(self.from);
        let is_inside = self.from.is_above(first);
        let mut before = RowHeights::none(simd);
        if simd.any_true_mask32x8(is_inside) {
            let found = RowHeights::at_lines(&edges, from);
            before.low = is_inside.select(found.low, before.low);
            before.high = is_inside.select(found.high, before.high);
        }
        let mut cell = self.from;
        for first_step in (0..steps).step_by(LANES) {
            let mut block = [u32x8::all(simd, 0); LANES];
            for ranges in &mut block[..(steps - first_step).min(LANES)] {
                cell += i32x8::all(simd, 1);
                let to = lines.at_lanes(cell);
                let at_line = RowHeights::at_lines(&edges, to);
                let mut found =
                    RowHeights { low: at_line.low.lesser(before.low), high: at_line.high.greater(before.high) };
                for [x, y] in corners {
                    found.widen(y, from.is_at_most(x) & to.is_at_least(x));
                }
                *ranges = found.round(self.heights);
                (before, from) = (at_line, to);
            }
            // Whole vectors are written and read again when they are merged. (If written number by number, vector reads
            // would have to wait until all had reached the cache.)
            for (row, ranges) in out.chunks_exact_mut(stride).zip(transposed(block)) {
                ranges.store_slice(&mut row[first_step..first_step + LANES]);
            }
        }
    }

    /// The edges in order; those of rows that are `hidden` cross no line.
    #[inline(always)]
    fn edges(&self, hidden: mask32x8<S>) -> [RowEdge<S>; 5] {
        let [a, b, c, d] = self.corners;
        let bend = self.bend;
        [
            RowEdge::new(a, b, hidden),
            RowEdge::new(b, bend, hidden),
            RowEdge::new(bend, c, hidden),
            RowEdge::new(c, d, hidden),
            RowEdge::new(d, a, hidden),
        ]
    }
}

/// An edge of the polygon in each row.
#[derive(Clone, Copy)]
struct RowEdge<S: Simd> {
    /// Left and right end, height at the left end, height per metre along x (0 for edges along z).
    left: f32x8<S>,
    right: f32x8<S>,
    y: f32x8<S>,
    rise: f32x8<S>,
}

impl<S: Simd> RowEdge<S> {
    /// Crosses no line if it is `hidden`.
    #[inline(always)]
    fn new([ax, ay]: Points<S>, [bx, by]: Points<S>, hidden: mask32x8<S>) -> Self {
        let all = |v: f32| f32x8::all(ax.simd, v);
        let dx = bx - ax;
        let dy = by - ay;
        // Kept finite: infinity times a distance of 0 would be NaN.
        let rise = dx.equals(all(0.0)).select(all(0.0), dy / dx).lesser(all(f32::MAX)).greater(all(-f32::MAX));
        let left = hidden.select(all(f32::INFINITY), least(ax, bx));
        Self { left, right: greatest(ax, bx), y: ax.is_above(bx).select(by, ay), rise }
    }
}

/// Lowest and highest heights so far. Heights are 0 or above, except for rounding.
#[derive(Clone, Copy)]
struct RowHeights<S: Simd> {
    low: f32x8<S>,
    high: f32x8<S>,
}

impl<S: Simd> RowHeights<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        Self { low: f32x8::all(simd, f32::INFINITY), high: f32x8::all(simd, 0.0) }
    }

    /// Where edges cross lines.
    #[inline(always)]
    fn at_lines(edges: &[RowEdge<S>; 5], x: f32x8<S>) -> Self {
        let mut found = Self::none(x.simd);
        for edge in edges {
            let y = (x - edge.left) * edge.rise + edge.y;
            found.widen(y, x.is_at_least(edge.left) & x.is_at_most(edge.right));
        }
        found
    }

    /// Includes `y` in the lanes of `mask`.
    #[inline(always)]
    fn widen(&mut self, y: f32x8<S>, mask: mask32x8<S>) {
        let none = Self::none(y.simd);
        self.low = self.low.lesser(mask.select(y, none.low));
        self.high = self.high.greater(mask.select(y, none.high));
    }

    /// Rounds outwards, at least one high. Rounding may have put an edge's height just outside its triangle's, which
    /// can cost a whole cell height.
    #[inline(always)]
    fn round(self, [lowest, highest]: [f32x8<S>; 2]) -> u32x8<S> {
        let one = i32x8::all(lowest.simd, 1);
        let low: i32x8<S> = self.low.greater(lowest).lesser(highest).to_int();
        let high = self.high.lesser(highest);
        let whole: i32x8<S> = high.to_int();
        let up = whole.to_float::<f32x8<S>>().is_below(high).select(whole + one, whole);
        u32x8::from_bytes(((low << 16) | up.greater(low + one)).to_bytes())
    }
}

/// The height range of one cell of a row's polygon, as in [`RowBlock::write_ranges`], for heights of any size. `None`
/// if all of it lies below the lowest height or above 16 bits.
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
    let mut low = f32::INFINITY;
    let mut high = f32::NEG_INFINITY;
    let mut widen = |y: f32| (low, high) = (low.min(y), high.max(y));
    for i in 0..5 {
        let a = corner[i];
        let b = corner[(i + 1) % 5];
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

/// Clamps a number between two others given in any order.
trait ClampBetween {
    fn clamp_between(self, a: Self, b: Self) -> Self;
}

impl ClampBetween for f32 {
    fn clamp_between(self, a: Self, b: Self) -> Self {
        self.max(a.min(b)).min(a.max(b))
    }
}
