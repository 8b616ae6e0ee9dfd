//! The lines between the cells of a level along one axis, and the cell of a coordinate.
//!
//! Everything is computed from the level's origin and the cell's number in the level, never from a tile's corner or
//! incrementally, so a cell gets the same bits in whichever rectangle it is rasterised.

use crate::math::lanes::Lanes;
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, i32x8};

/// One axis of a level's grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridLines {
    origin: f32,
    size: f32,
    per_metre: f32,
}

impl GridLines {
    pub(super) fn new(origin: f32, size: f32) -> Self {
        Self { origin, size, per_metre: 1.0 / size }
    }

    /// The position of the line at the low side of cell `k`. Computed as the high side of the cell below, as in the
    /// reference; on levels whose walls lie on the lines the last bit decides.
    #[inline]
    pub(super) fn at(&self, k: i32) -> f32 {
        (self.origin + (k.wrapping_sub(1)) as f32 * self.size) + self.size
    }

    /// The cell that contains `v`; clamped to 32 bits.
    #[inline]
    pub(super) fn cell(&self, v: f32) -> i32 {
        let cells = (v - self.origin) * self.per_metre;
        let whole = cells as i32;
        if cells < whole as f32 { whole.saturating_sub(1) } else { whole }
    }

    /// Like [`at`](Self::at), for eight cells, less than 2^24 from the origin.
    #[inline(always)]
    pub(super) fn at_lanes<S: Simd>(&self, k: i32x8<S>) -> f32x8<S> {
        let size = f32x8::all(k.simd, self.size);
        let origin = f32x8::all(k.simd, self.origin);
        ((k - i32x8::all(k.simd, 1)).to_float::<f32x8<S>>() * size + origin) + size
    }

    /// Like [`cell`](Self::cell), for eight numbers, less than 2^24 cells from the origin.
    #[inline(always)]
    fn cell_lanes<S: Simd>(&self, v: f32x8<S>) -> i32x8<S> {
        let cells = (v - f32x8::all(v.simd, self.origin)) * f32x8::all(v.simd, self.per_metre);
        let whole: i32x8<S> = cells.to_int();
        cells.is_below(whole.to_float::<f32x8<S>>()).select(whole - i32x8::all(v.simd, 1), whole)
    }

    /// Like [`cells`](Self::cells), for eight intervals, less than 2^24 cells from the origin.
    #[inline(always)]
    pub(super) fn cells_lanes<S: Simd>(&self, low: f32x8<S>, high: f32x8<S>) -> [i32x8<S>; 2] {
        let first = self.cell_lanes(low);
        let last = self.cell_lanes(high);
        let only_touches = last.is_above(first) & high.is_at_most(self.at_lanes(last));
        [first, only_touches.select(last - i32x8::all(last.simd, 1), last)]
    }

    /// The first and last cell that an interval from `low` to `high` covers. An interval that only touches a line from
    /// below does not extend beyond it.
    #[inline]
    pub(super) fn cells(&self, low: f32, high: f32) -> [i32; 2] {
        let first = self.cell(low);
        let last = self.cell(high);
        [first, if last > first && high <= self.at(last) { last - 1 } else { last }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_lie_between_their_lines() {
        let lines = GridLines::new(-3.7, 0.3);
        for k in -20..500 {
            let middle = (lines.at(k) + lines.at(k + 1)) * 0.5;
            assert_eq!(lines.cell(middle), k);
        }
        assert_eq!((lines.cell(f32::MAX), lines.cell(f32::MIN)), (i32::MAX, i32::MIN));
    }

    #[test]
    fn touching_a_line_is_not_crossing_it() {
        let lines = GridLines::new(0.0, 0.5);
        assert_eq!(lines.cells(0.25, 1.0), [0, 1]);
        assert_eq!(lines.cells(1.0, 1.0), [2, 2]);
        assert_eq!(lines.cells(-0.25, 1.25), [-1, 2]);
    }
}
