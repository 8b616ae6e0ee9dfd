//! Prepares eight rows to be cut at once: the numbers of their triangles in lanes, and the intersections with the rows'
//! lines.
//!
//! ```text
//!   triangle a:  x y z x y z …             lanes    a a b c c d e e
//!   triangle b:  x y z x y z …      →      x        . . . . . . . .
//!   triangle c:  x y z x y z …             y        . . . . . . . .     one vector for each number
//! ```
//!
//! The rows are those of one triangle, or the few of several, which are collected until there are eight: most triangles
//! have one to three rows in a band, and empty lanes would cost as much.
//!
//! Cost: about 150 instructions for eight rows of one triangle, about 250 if each has its own. Only operations that
//! IEEE 754 defines exactly are used.
//!
//! Sources: scan conversion as in any software renderer; own otherwise.

use super::grid_lines::GridLines;
use super::triangle_rows::{RowTriangle, SHAPE};
use crate::math::lanes::{Lanes, transposed};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, i32x8, mask32x8};

/// Rows processed together.
pub(super) const LANES: usize = 8;

/// The positions of points, x and y.
pub(super) type Points<S> = [f32x8<S>; 2];

/// A row of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) triangle: &'a RowTriangle,
    pub(super) row: i32,
}

/// Rows collected until there are eight.
#[derive(Clone, Copy)]
pub(super) struct WaitingRows<'a> {
    /// Those after the first few are not wanted.
    pub(super) rows: [Row<'a>; LANES],
    pub(super) count: usize,
}

/// A row in each lane, cut.
pub(super) struct RowLanes<S: Simd> {
    pub(super) simd: S,
    /// On the low side of the row: the points on the long and on the short side.
    pub(super) below: [Points<S>; 2],
    /// The same on the high side.
    pub(super) above: [Points<S>; 2],
    /// The middle corner, and whether it lies in the row.
    pub(super) middle: Points<S>,
    pub(super) is_bent: mask32x8<S>,
    /// Lowest and highest of the whole triangle.
    pub(super) heights: [f32x8<S>; 2],
    /// Whether there is a row in the lane at all.
    pub(super) is_row: mask32x8<S>,
}

impl<S: Simd> RowLanes<S> {
    /// A row of a triangle and the next seven, all of which cross the triangle.
    #[inline(always)]
    pub(super) fn of_triangle(simd: S, Row { triangle, row }: Row<'_>, lines_z: &GridLines) -> Self {
        let all = |v: i32| i32x8::all(simd, v);
        let numbers = triangle.shape.map(|v| f32x8::all(simd, v));
        let lanes = LaneNumbers::new(numbers, [all(triangle.rows[0]), all(triangle.rows[1]), all(triangle.bend)]);
        let rows = i32x8::simd_from(simd, [0, 1, 2, 3, 4, 5, 6, 7]) + all(row);
        let above = lanes.above(rows, lines_z);
        // The high side of one row is the low side of the next.
        let first = triangle.section(row, lines_z.at(row));
        let before = |first: f32, above: f32x8<S>| simd.slide_f32x8::<7>(f32x8::all(simd, first), above);
        let below = [
            [before(first.long.x, above[0][0]), before(first.long.y, above[0][1])],
            [before(first.short.x, above[1][0]), before(first.short.y, above[1][1])],
        ];
        lanes.cut(rows, [below, above], rows.equals(rows))
    }

    /// The first `count` of some rows.
    #[inline(always)]
    pub(super) fn of_rows(simd: S, rows: &[Row<'_>; LANES], count: usize, lines_z: &GridLines) -> Self {
        let half = |from: usize| {
            transposed(rows.map(|Row { triangle, .. }| f32x8::from_slice(simd, &triangle.shape[from..from + LANES])))
        };
        let mut numbers = [f32x8::all(simd, 0.0); SHAPE];
        numbers[..LANES].copy_from_slice(&half(0));
        numbers[LANES..].copy_from_slice(&half(LANES));
        let each = |of: [i32; LANES]| i32x8::simd_from(simd, of);
        let of_triangles = [
            each(rows.map(|at| at.triangle.rows[0])),
            each(rows.map(|at| at.triangle.rows[1])),
            each(rows.map(|at| at.triangle.bend)),
        ];
        let lanes = LaneNumbers::new(numbers, of_triangles);
        let number = each([0, 1, 2, 3, 4, 5, 6, 7]);
        let rows = each(rows.map(|at| at.row));
        let sections = [lanes.below(rows, lines_z), lanes.above(rows, lines_z)];
        lanes.cut(rows, sections, number.is_below(i32x8::all(simd, count as i32)))
    }
}

/// The numbers of a triangle in each lane.
struct LaneNumbers<S: Simd> {
    /// The corners from low to high z: x, y and z.
    low: [f32x8<S>; 3],
    middle: [f32x8<S>; 3],
    high: [f32x8<S>; 3],
    /// One over the extent in z of the long side, the lower and the upper short side.
    per_z: [f32x8<S>; 3],
    heights: [f32x8<S>; 2],
    /// First and last row, and that of the middle corner.
    first: i32x8<S>,
    last: i32x8<S>,
    bend: i32x8<S>,
}

impl<S: Simd> LaneNumbers<S> {
    #[inline(always)]
    fn new(shape: [f32x8<S>; SHAPE], [first, last, bend]: [i32x8<S>; 3]) -> Self {
        let [lx, ly, lz, mx, my, mz, hx, hy, hz, long, lower, upper, lowest, highest, _, _] = shape;
        Self {
            low: [lx, ly, lz],
            middle: [mx, my, mz],
            high: [hx, hy, hz],
            per_z: [long, lower, upper],
            heights: [lowest, highest],
            first,
            last,
            bend,
        }
    }

    /// The points on the low sides of rows, as in [`RowTriangle::section`].
    #[inline(always)]
    fn below(&self, rows: i32x8<S>, lines_z: &GridLines) -> [Points<S>; 2] {
        let is_first = rows.is_at_most(self.first);
        let is_pointed = self.middle[2].is_above(self.low[2]);
        let [long, short] = self.sides(rows, lines_z);
        let end = |axis: usize| is_pointed.select(self.low[axis], self.middle[axis]);
        [
            [is_first.select(self.low[0], long[0]), is_first.select(self.low[1], long[1])],
            [is_first.select(end(0), short[0]), is_first.select(end(1), short[1])],
        ]
    }

    /// The same on their high sides.
    #[inline(always)]
    fn above(&self, rows: i32x8<S>, lines_z: &GridLines) -> [Points<S>; 2] {
        let is_last = rows.is_at_least(self.last);
        let is_pointed = self.middle[2].is_below(self.high[2]);
        let [long, short] = self.sides(rows + i32x8::all(rows.simd, 1), lines_z);
        let end = |axis: usize| is_pointed.select(self.high[axis], self.middle[axis]);
        [
            [is_last.select(self.high[0], long[0]), is_last.select(self.high[1], long[1])],
            [is_last.select(end(0), short[0]), is_last.select(end(1), short[1])],
        ]
    }

    /// The intersections of a row's low line (not the first row's) with the long side and the short sides.
    #[inline(always)]
    fn sides(&self, rows: i32x8<S>, lines_z: &GridLines) -> [Points<S>; 2] {
        let z = lines_z.at_lanes(rows);
        let [per_long, per_lower, per_upper] = self.per_z;
        let is_lower = rows.is_at_most(self.bend);
        let from = |axis: usize| is_lower.select(self.low[axis], self.middle[axis]);
        let to = |axis: usize| is_lower.select(self.middle[axis], self.high[axis]);
        let per_z = is_lower.select(per_lower, per_upper);
        let short = between(z, [from(0), from(1), from(2)], [to(0), to(1), to(2)], per_z);
        [between(z, self.low, self.high, per_long), short]
    }

    #[inline(always)]
    fn cut(self, rows: i32x8<S>, [below, above]: [[Points<S>; 2]; 2], is_row: mask32x8<S>) -> RowLanes<S> {
        RowLanes {
            simd: rows.simd,
            below,
            above,
            middle: [self.middle[0], self.middle[1]],
            is_bent: rows.equals(self.bend),
            heights: self.heights,
            is_row,
        }
    }
}

/// The points at `z` of edges between corners, or their nearer ends; `per_z`: the reciprocals of their extents in z.
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
