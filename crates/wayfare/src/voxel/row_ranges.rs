//! Eight rows of triangles become height ranges: for each cell that a row's polygon covers, its lowest and highest
//! point.
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
//! right lines and all corners are compared with the cells' extents; what does not apply is masked out.
//!
//! Lanes of rows rather than of cells, since most triangles of a level are a few cells wide: cutting the rows then
//! costs as much as their cells, and a block of neighbouring cells is mostly empty.
//!
//! Small triangles have no more than four rows in a band: two of them share the lanes. Their numbers then come from two
//! places, but lanes that would be idle work.
//!
//! Cost: about 400 instructions for eight rows and 150 for every step. Only operations that IEEE 754 fixes to the bit
//! are used, one order on every machine: vectors of any width give the same bits.
//!
//! Sources: the ranges are those of clipping polygons to each cell as Recast does (Mikko Mononen, 2009); own work
//! otherwise.

use super::grid_lines::GridLines;
use super::height_range::{HeightRange, round};
use super::lanes::Lanes;
use super::triangle_rows::{RowPolygon, RowTriangle, top};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, i32x8, mask32x8, u32x8};
use glam::Vec3;

/// Rows worked on together.
pub(super) const LANES: usize = 8;

/// The places of points, x and y.
type Points<S> = [f32x8<S>; 2];

#[inline(always)]
fn least<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    b.is_below(a).select(b, a)
}

#[inline(always)]
fn greatest<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    b.is_above(a).select(b, a)
}

/// Consecutive rows of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) triangle: &'a RowTriangle,
    /// The first of them; one of the triangle's.
    pub(super) first: i32,
    /// How many; what lies beyond in the lanes is rubbish.
    pub(super) count: usize,
}

/// A number of each triangle in the lanes of its rows: eight of the first, or four of each.
#[inline(always)]
fn of_each<S: Simd, const PAIR: bool>(simd: S, [a, b]: [f32; 2]) -> f32x8<S> {
    if PAIR { simd.combine_f32x4(simd.splat_f32x4(a), simd.splat_f32x4(b)) } else { f32x8::all(simd, a) }
}

/// As [`of_each`].
#[inline(always)]
fn integer_of_each<S: Simd, const PAIR: bool>(simd: S, [a, b]: [i32; 2]) -> i32x8<S> {
    if PAIR { simd.combine_i32x4(simd.splat_i32x4(a), simd.splat_i32x4(b)) } else { i32x8::all(simd, a) }
}

/// As [`of_each`], for corners.
#[inline(always)]
fn point_of_each<S: Simd, const PAIR: bool>(simd: S, [a, b]: [Vec3; 2]) -> [f32x8<S>; 3] {
    [of_each::<S, PAIR>(simd, [a.x, b.x]), of_each::<S, PAIR>(simd, [a.y, b.y]), of_each::<S, PAIR>(simd, [a.z, b.z])]
}

/// Eight rows of a triangle, or four rows of each of two.
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
    /// Lowest and highest of the whole triangles.
    heights: [f32x8<S>; 2],
}

impl<S: Simd> RowBlock<S> {
    /// Cuts rows of a triangle, or with `PAIR` up to four rows of each of two triangles, whose heights must fit.
    /// `columns`: first and last cell that are wanted.
    #[inline(always)]
    pub(super) fn new<const PAIR: bool>(
        simd: S,
        [a, b]: [Rows<'_>; 2],
        [lines_x, lines_z]: [&GridLines; 2],
        columns: [i32; 2],
    ) -> Self {
        let p = a.triangle;
        let q = b.triangle;
        let lanes = if PAIR { [0, 1, 2, 3, 0, 1, 2, 3] } else { [0, 1, 2, 3, 4, 5, 6, 7] };
        let lanes = i32x8::simd_from(simd, lanes);
        let rows = lanes + integer_of_each::<S, PAIR>(simd, [a.first, b.first]);
        let bend_row = integer_of_each::<S, PAIR>(simd, [p.bend, q.bend]);
        let low = point_of_each::<S, PAIR>(simd, [p.corners[0], q.corners[0]]);
        let middle = point_of_each::<S, PAIR>(simd, [p.corners[1], q.corners[1]]);
        let high = point_of_each::<S, PAIR>(simd, [p.corners[2], q.corners[2]]);

        // The sections at the high sides of the rows: x and y on the long side, x and y on the short side.
        let above_rows = rows + i32x8::all(simd, 1);
        let z = lines_z.at_lanes(above_rows);
        let long = between(z, low, high, of_each::<S, PAIR>(simd, [p.per_z[0], q.per_z[0]]));
        let is_lower = above_rows.is_at_most(bend_row);
        let upper_per_z = of_each::<S, PAIR>(simd, [p.per_z[2], q.per_z[2]]);
        let per_z = is_lower.select(of_each::<S, PAIR>(simd, [p.per_z[1], q.per_z[1]]), upper_per_z);
        let either =
            |axis: usize| [is_lower.select(low[axis], middle[axis]), is_lower.select(middle[axis], high[axis])];
        let [fx, tx] = either(0);
        let [fy, ty] = either(1);
        let [fz, tz] = either(2);
        let short = between(z, [fx, fy, fz], [tx, ty, tz], per_z);
        let is_above = above_rows.is_above(integer_of_each::<S, PAIR>(simd, [p.rows[1], q.rows[1]]));
        let [top_p, top_q] = [top(p.corners), top(q.corners)];
        let above = [
            is_above.select(of_each::<S, PAIR>(simd, [top_p.long.x, top_q.long.x]), long[0]),
            is_above.select(of_each::<S, PAIR>(simd, [top_p.long.y, top_q.long.y]), long[1]),
            is_above.select(of_each::<S, PAIR>(simd, [top_p.short.x, top_q.short.x]), short[0]),
            is_above.select(of_each::<S, PAIR>(simd, [top_p.short.y, top_q.short.y]), short[1]),
        ];

        // Those at the low sides: of the first row of each triangle, then as above the row before.
        let at_p = p.section(a.first, lines_z.at(a.first));
        let at_q = if PAIR { q.section(b.first, lines_z.at(b.first)) } else { at_p };
        let below = [
            shifted::<S, PAIR>(of_each::<S, PAIR>(simd, [at_p.long.x, at_q.long.x]), above[0]),
            shifted::<S, PAIR>(of_each::<S, PAIR>(simd, [at_p.long.y, at_q.long.y]), above[1]),
            shifted::<S, PAIR>(of_each::<S, PAIR>(simd, [at_p.short.x, at_q.short.x]), above[2]),
            shifted::<S, PAIR>(of_each::<S, PAIR>(simd, [at_p.short.y, at_q.short.y]), above[3]),
        ];

        let corners = [[below[0], below[1]], [below[2], below[3]], [above[2], above[3]], [above[0], above[1]]];
        let is_bent = rows.equals(bend_row);
        let bend = [is_bent.select(middle[0], above[2]), is_bent.select(middle[1], above[3])];
        let mut left = bend[0];
        let mut right = bend[0];
        for [x, _] in corners {
            (left, right) = (least(left, x), greatest(right, x));
        }
        let covered = lines_x.cells_lanes(left, right);
        let from = covered[0].greater(i32x8::all(simd, columns[0]));
        // Rubbish in the other lanes must not be stepped through.
        let is_row = lanes.is_below(integer_of_each::<S, PAIR>(simd, [a.count as i32, b.count as i32]));
        let count = covered[1].lesser(i32x8::all(simd, columns[1])) - from + i32x8::all(simd, 1);
        let count = is_row.select(count, i32x8::all(simd, 0));
        let heights = [
            of_each::<S, PAIR>(simd, [p.heights[0], q.heights[0]]),
            of_each::<S, PAIR>(simd, [p.heights[1], q.heights[1]]),
        ];
        Self { simd, corners, bend, covered, from, count, heights }
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

    /// Wanted cells of each row; 0 or less for none.
    #[inline(always)]
    pub(super) fn count(&self) -> [i32; LANES] {
        self.count.into()
    }

    /// Writes the height ranges of the first `steps` wanted cells of all rows: those of row `i` from `i * stride` on;
    /// rubbish where a row has fewer. `stride`: `steps` or more, a multiple of eight.
    #[inline(always)]
    pub(super) fn write_ranges(&self, lines: &GridLines, out: &mut [HeightRange], [stride, steps]: [usize; 2]) {
        let simd = self.simd;
        let [first, last] = self.covered;
        // A row within one cell reaches from its lowest to its highest corner: no line cuts it.
        let is_within_cell = first.equals(last);
        let edges = self.edges(is_within_cell);
        // A corner that rounding puts outside the covered cells belongs to the nearest.
        let low_x = lines.at_lanes(first);
        let high_x = lines.at_lanes(last + i32x8::all(simd, 1));
        let [a, b, c, d] = self.corners;
        let mut corners = [a, b, c, d, self.bend];
        for corner in &mut corners {
            corner[0] = corner[0].greater(low_x).lesser(high_x);
        }
        let mut from = lines.at_lanes(self.from);
        let is_inside = self.from.is_above(first);
        let mut before = Heights::none(simd);
        if simd.any_true_mask32x8(is_inside) {
            let found = Heights::at_lines(&edges, from);
            before.low = is_inside.select(found.low, before.low);
            before.high = is_inside.select(found.high, before.high);
        }
        let mut cell = self.from;
        for first_step in (0..steps).step_by(LANES) {
            let mut block = [u32x8::all(simd, 0); LANES];
            for ranges in &mut block[..(steps - first_step).min(LANES)] {
                cell += i32x8::all(simd, 1);
                let to = lines.at_lanes(cell);
                let at_line = Heights::at_lines(&edges, to);
                let mut found =
                    Heights { low: at_line.low.lesser(before.low), high: at_line.high.greater(before.high) };
                for [x, y] in corners {
                    found.widen(y, from.is_at_most(x) & to.is_at_least(x));
                }
                *ranges = found.round(self.heights);
                (before, from) = (at_line, to);
            }
            for (row, ranges) in out.chunks_exact_mut(stride).zip(transposed(block)) {
                ranges.store_slice(&mut row[first_step..first_step + LANES]);
            }
        }
    }

    /// The edges around; those of rows that are `hidden` cross no line.
    #[inline(always)]
    fn edges(&self, hidden: mask32x8<S>) -> [Edge<S>; 5] {
        let [a, b, c, d] = self.corners;
        let bend = self.bend;
        [
            Edge::new(a, b, hidden),
            Edge::new(b, bend, hidden),
            Edge::new(bend, c, hidden),
            Edge::new(c, d, hidden),
            Edge::new(d, a, hidden),
        ]
    }
}

/// The lanes of `rows` moved up by one within each triangle; `first` in the lowest.
#[inline(always)]
fn shifted<S: Simd, const PAIR: bool>(first: f32x8<S>, rows: f32x8<S>) -> f32x8<S> {
    let simd = rows.simd;
    if PAIR { simd.slide_within_blocks_f32x8::<3>(first, rows) } else { simd.slide_f32x8::<7>(first, rows) }
}

/// The points at `z` of edges between corners, or their nearer ends; `per_z`: one over their extents in z.
#[inline(always)]
fn between<S: Simd>(z: f32x8<S>, from: [f32x8<S>; 3], to: [f32x8<S>; 3], per_z: f32x8<S>) -> Points<S> {
    let zero = f32x8::all(z.simd, 0.0);
    let one = f32x8::all(z.simd, 1.0);
    let t = (z - from[2]) * per_z;
    // Also where t is NaN: an edge along x, cut at its own z.
    let t = t.is_above(zero).select(t, zero);
    let t = t.is_below(one).select(t, one);
    [t * (to[0] - from[0]) + from[0], t * (to[1] - from[1]) + from[1]]
}

/// Turns eight steps of eight rows into eight rows of eight steps: whole vectors are written and read again by those
/// who merge them. (Written number by number, the vectors read from them had to wait until all had reached the cache.)
///
/// Interleaving vector `i` with vector `i + 4` moves the highest bit of the vector's number below the lowest of the
/// lane's; three times that, and the two have changed places.
#[inline(always)]
fn transposed<S: Simd>(mut block: [u32x8<S>; LANES]) -> [u32x8<S>; LANES] {
    for _ in 0..3 {
        let from = block;
        for i in 0..LANES / 2 {
            (block[2 * i], block[2 * i + 1]) = from[i].simd.interleave_u32x8(from[i], from[i + LANES / 2]);
        }
    }
    block
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
    /// Crosses no line where it is `hidden`.
    #[inline(always)]
    fn new([ax, ay]: Points<S>, [bx, by]: Points<S>, hidden: mask32x8<S>) -> Self {
        let all = |v: f32| f32x8::all(ax.simd, v);
        let dx = bx - ax;
        let dy = by - ay;
        // Kept finite: infinity times the distance 0 would be NaN.
        let rise = dx.equals(all(0.0)).select(all(0.0), dy / dx).lesser(all(f32::MAX)).greater(all(-f32::MAX));
        let left = hidden.select(all(f32::INFINITY), least(ax, bx));
        Self { left, right: greatest(ax, bx), y: ax.is_above(bx).select(by, ay), rise }
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
        Self { low: f32x8::all(simd, f32::INFINITY), high: f32x8::all(simd, 0.0) }
    }

    /// Where edges cross lines.
    #[inline(always)]
    fn at_lines(edges: &[Edge<S>; 5], x: f32x8<S>) -> Self {
        let mut found = Self::none(x.simd);
        for edge in edges {
            let y = (x - edge.left) * edge.rise + edge.y;
            found.widen(y, x.is_at_least(edge.left) & x.is_at_most(edge.right));
        }
        found
    }

    /// Takes in `y` in the lanes of `mask`.
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

/// The height range of one cell of a row's polygon, as [`RowBlock::write_ranges`] gives it, for heights of any size.
/// `None` if all lies below the floor or above 16 bits.
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

/// Keeping a number between two others given in any order.
trait ClampBetween {
    fn clamp_between(self, a: Self, b: Self) -> Self;
}

impl ClampBetween for f32 {
    fn clamp_between(self, a: Self, b: Self) -> Self {
        self.max(a.min(b)).min(a.max(b))
    }
}
