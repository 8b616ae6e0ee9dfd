//! One row of a triangle becomes height ranges: for each cell that the row's polygon covers, its lowest and highest point.
//!
//! ```text
//!   y |      .-'|'-.          Along an edge the height is a straight line, so within a cell the polygon is lowest and
//!     |   .-'   |   |'-.      highest where edges cross the cell's two x lines, or at a corner inside the cell. Each x
//!     | -'------|---|--'      line is looked at once and serves the cells on both sides.
//!     +---|-----|-----|--> x
//! ```
//!
//! No polygon is built per cell and nothing branches on the shape: for four cells at a time, all five edges are evaluated
//! at the cells' right lines and all five corners are compared with the cells' extents; what does not apply is masked out
//! by turning it into a NaN, which no comparison prefers.
//!
//! Cost: about 25 instructions a cell. Sources: the ranges are those of clipping polygons to each cell as Recast does
//! (Mikko Mononen, 2009); own work otherwise.

use super::grid_lines::GridLines;
use super::triangle_rows::Point;

/// Cells worked on together.
const LANES: usize = 4;
type Lanes = [f32; LANES];

/// Lowest and highest bits of a span's place in its column, `low << 16 | high`: solid from `low` up to below `high`.
pub(super) type HeightRange = u32;

/// A cell that a triangle's row covers but in whose heights nothing lies: below the floor or above 16 bits.
const EMPTY: HeightRange = u32::MAX << 16;

/// The highest top: one below the greatest number of 16 bits.
const HIGHEST: f32 = (u16::MAX - 1) as f32;

/// Heights in metres to whole cell heights.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeightScale {
    pub(super) floor: f32,
    pub(super) per_metre: f32,
}

impl HeightScale {
    /// Height above the floor in cell heights, not rounded.
    #[inline]
    fn scaled(self, y: f32) -> f32 {
        (y - self.floor) * self.per_metre
    }

    /// Whether everything between the heights fits 16 bits above the floor.
    #[inline]
    pub(super) fn holds(self, [low, high]: [f32; 2]) -> bool {
        self.scaled(low) >= 0.0 && self.scaled(high) <= HIGHEST - 1.0
    }

    /// The range of everything between the heights if that is a single one. Heights must be held.
    #[inline]
    pub(super) fn single(self, [low, high]: [f32; 2]) -> Option<HeightRange> {
        let [low, high] = [self.scaled(low), self.scaled(high)].map(|y| y as u32);
        (low == high).then_some(low << 16 | (low + 1))
    }

    /// Rounds outwards, at least one high. Heights must be held.
    #[inline]
    fn round_block(self, low: &Lanes, high: &Lanes) -> [HeightRange; LANES] {
        let mut ranges = [0; LANES];
        for i in 0..LANES {
            let low = whole(self.scaled(low[i]), |whole, y| whole > y, -1.0);
            let high = whole(self.scaled(high[i]), |whole, y| whole < y, 1.0);
            let high = if high > low + 1.0 { high } else { low + 1.0 };
            ranges[i] = (low + TO_WHOLE).to_bits() << 16 | (high + TO_WHOLE).to_bits() & 0xffff;
        }
        ranges
    }

    /// As [`round_block`](Self::round_block) for any heights: cut off at the floor and at 16 bits.
    fn round_any(self, low: f32, high: f32) -> HeightRange {
        let (low, high) = (self.scaled(low), self.scaled(high));
        if !(high >= 0.0 && low < HIGHEST && low <= high) {
            return EMPTY;
        }
        let low = low.max(0.0) as u32;
        let high = high.min(HIGHEST).ceil() as u32;
        low << 16 | high.max(low + 1)
    }
}

/// Adding it to a number from 0 to 2^22 leaves the nearest whole number in the low bits.
const TO_WHOLE: f32 = 8_388_608.0;

/// The nearest whole number, moved by `step` where it lies on the wrong side. `floor` and `ceil` are calls on processors
/// without SSE4.1, which is where x86-64 begins.
#[inline]
fn whole(y: f32, wrong: impl Fn(f32, f32) -> bool, step: f32) -> f32 {
    let nearest = (y + TO_WHOLE) - TO_WHOLE;
    if wrong(nearest, y) { nearest + step } else { nearest }
}

/// A stretch of cells in one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    /// First and last cell that the polygon covers.
    pub(super) covered: [i32; 2],
    /// Of these, the first and last that are wanted.
    pub(super) wanted: [i32; 2],
}

/// The x lines of the columns that are worked on, computed once per field.
#[derive(Debug, Default)]
pub(super) struct LineTable {
    first: i32,
    lines: Vec<f32>,
}

impl LineTable {
    /// Tabulates the lines of the columns from `first` to `last`.
    pub(super) fn fill(&mut self, lines: &GridLines, [first, last]: [i32; 2]) {
        self.first = first;
        self.lines.clear();
        let end = i64::from(last) + 2 + LANES as i64;
        self.lines.extend((i64::from(first)..end).map(|k| lines.at(k as i32)));
    }

    /// The lines at the low sides of four cells and of the one after.
    #[inline]
    fn block(&self, cell: i32) -> &[f32] {
        &self.lines[(cell - self.first) as usize..][..LANES + 1]
    }
}

/// Appends the height range of each wanted cell of a row's polygon. `held`: whether the heights are known to fit.
pub(super) fn add_ranges(
    polygon: &[Point; 5],
    cells: Cells,
    table: &LineTable,
    lines: &GridLines,
    (scale, held): (HeightScale, bool),
    ranges: &mut Vec<HeightRange>,
) {
    let [first, last] = cells.covered;
    let [from, to] = cells.wanted;
    let edges = Edges::new(polygon);
    // A corner that rounding puts outside the covered cells belongs to the nearest.
    let corners = polygon.map(|p| Point { x: clamp(p.x, lines.at(first), lines.at(last.wrapping_add(1))), y: p.y });
    let mut before = if from > first { edges.at(lines.at(from)) } else { NOTHING };
    let mut cell = from;
    while cell <= to {
        let x = table.block(cell);
        let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        edges.widen(x, &mut low, &mut high);
        let next = [low[LANES - 1], high[LANES - 1]];
        share_lines(before, &mut low, &mut high);
        before = next;
        for corner in &corners {
            widen_by_corner(*corner, x, &mut low, &mut high);
        }
        let block = if held {
            scale.round_block(&low, &high)
        } else {
            core::array::from_fn(|i| scale.round_any(low[i], high[i]))
        };
        let used = ((to - cell) as usize + 1).min(LANES);
        ranges.extend_from_slice(&block[..used]);
        cell += LANES as i32;
    }
}

/// No heights.
const NOTHING: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

/// The edges of a row's polygon, each from left to right.
struct Edges {
    left: [f32; 5],
    right: [f32; 5],
    /// Height at the left end.
    y: [f32; 5],
    /// Height per metre along x; 0 for edges along z.
    rise: [f32; 5],
}

impl Edges {
    #[inline]
    fn new(polygon: &[Point; 5]) -> Self {
        let mut edges = Self { left: [0.0; 5], right: [0.0; 5], y: [0.0; 5], rise: [0.0; 5] };
        for i in 0..5 {
            let (a, b) = (polygon[i], polygon[(i + 1) % 5]);
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            edges.left[i] = if a.x < b.x { a.x } else { b.x };
            edges.right[i] = if a.x < b.x { b.x } else { a.x };
            edges.y[i] = if a.x < b.x { a.y } else { b.y };
            edges.rise[i] = if dx == 0.0 { 0.0 } else { dy / dx };
        }
        edges
    }

    /// Widens each range to the edges' heights at the right lines of a block.
    #[inline]
    fn widen(&self, x: &[f32], low: &mut Lanes, high: &mut Lanes) {
        for edge in 0..5 {
            let (left, right, y, rise) = (self.left[edge], self.right[edge], self.y[edge], self.rise[edge]);
            for i in 0..LANES {
                let at = x[i + 1];
                widen(y + (at - left) * rise, (at < left) | (at > right), &mut low[i], &mut high[i]);
            }
        }
    }

    /// The edges' heights at one line.
    fn at(&self, x: f32) -> [f32; 2] {
        let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        self.widen(&[x; LANES + 1], &mut low, &mut high);
        [low[0], high[0]]
    }
}

/// Each cell's range takes in what its left line has, which is the right line of the cell before.
#[inline]
fn share_lines([low_before, high_before]: [f32; 2], low: &mut Lanes, high: &mut Lanes) {
    let (lines_low, lines_high) = (*low, *high);
    for i in 0..LANES {
        let (l, h) = if i == 0 { (low_before, high_before) } else { (lines_low[i - 1], lines_high[i - 1]) };
        low[i] = if l < low[i] { l } else { low[i] };
        high[i] = if h > high[i] { h } else { high[i] };
    }
}

/// Widens the range of the cell in which a corner lies; both cells' on a line.
#[inline]
fn widen_by_corner(corner: Point, x: &[f32], low: &mut Lanes, high: &mut Lanes) {
    for i in 0..LANES {
        widen(corner.y, (corner.x < x[i]) | (corner.x > x[i + 1]), &mut low[i], &mut high[i]);
    }
}

/// Widens a range to `y` unless that is masked out.
#[inline]
fn widen(y: f32, masked: bool, low: &mut f32, high: &mut f32) {
    let y = f32::from_bits(y.to_bits() | 0u32.wrapping_sub(u32::from(masked)));
    *low = if y < *low { y } else { *low };
    *high = if y > *high { y } else { *high };
}

#[inline]
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}
