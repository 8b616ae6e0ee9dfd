//! One row of a triangle becomes height ranges: for each cell that the row's polygon covers, its lowest and highest point.
//!
//! ```text
//!   y |      .-'|'-.          Along an edge the height is a straight line, so within a cell the polygon is lowest and
//!     |   .-'   |   |'-.      highest where edges cross the cell's two x lines, or at a corner inside the cell. Each x
//!     | -'------|---|--'      line is looked at once and serves the cells on both sides.
//!     +---|-----|-----|--> x
//! ```
//!
//! No polygon is built per cell and nothing branches on the shape: for four cells at a time, all edges are evaluated at the
//! cells' right lines and all corners are compared with the cells' extents; what does not apply is masked out.
//!
//! Cost: about 40 instructions a cell with the vector instructions that every x86-64 has, and no unforeseeable branch. Only
//! operations that IEEE 754 fixes to the bit are used, one order on every machine.
//!
//! Sources: the ranges are those of clipping polygons to each cell as Recast does (Mikko Mononen, 2009); own work otherwise.

use super::grid_lines::GridLines;
use super::triangle_rows::{Point, RowPolygon};
use wide::{CmpEq, CmpGe, CmpGt, CmpLe, CmpLt, f32x4, i32x4};

/// Cells worked on together.
pub(super) const LANES: usize = 4;

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
    fn block(&self, cell: i32) -> &[f32; LANES + 1] {
        let start = (cell - self.first) as usize;
        self.lines[start..].first_chunk().unwrap_or(&[f32::INFINITY; LANES + 1])
    }
}

/// The cells of a row's polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    /// First and last cell that the polygon covers.
    pub(super) covered: [i32; 2],
    /// Of these, the first and last that are wanted.
    pub(super) wanted: [i32; 2],
}

/// The ends of the polygon's edges, corner by corner, as lanes.
struct Edges {
    /// Left and right end, height at the left end, height per metre along x (0 for edges along z).
    left: f32x4,
    right: f32x4,
    y: f32x4,
    rise: f32x4,
}

impl Edges {
    #[inline]
    fn new([ax, ay]: [f32x4; 2], [bx, by]: [f32x4; 2]) -> Self {
        let (dx, dy) = (bx - ax, by - ay);
        let upright = dx.cmp_eq(f32x4::ZERO);
        // Kept finite: infinity times the distance 0 would be no number.
        let most = f32x4::splat(f32::MAX);
        let rise = (!upright & (dy / dx)).fast_min(most).fast_max(-most);
        let turned = ax.cmp_gt(bx);
        Self { left: ax.fast_min(bx), right: ax.fast_max(bx), y: turned.blend(by, ay), rise }
    }
}

/// Lowest and highest heights so far, for four cells. Heights are 0 or above, so 0 widens no upper bound and a maximum with
/// 0 changes nothing.
#[derive(Clone, Copy)]
struct Heights {
    low: f32x4,
    high: f32x4,
}

impl Heights {
    const NONE: Self = Self { low: f32x4::new([f32::INFINITY; 4]), high: f32x4::new([0.0; 4]) };

    /// Takes in `y` in the lanes of `mask`.
    #[inline]
    fn widen(&mut self, y: f32x4, mask: f32x4) {
        self.high = self.high.fast_max(y & mask);
        self.low = self.low.fast_min(y.fast_max(!mask & f32x4::splat(f32::INFINITY)));
    }

    /// Takes in an edge's heights at lines.
    #[inline]
    fn widen_by_edge(&mut self, x: f32x4, [left, right, y, rise]: [f32; 4]) {
        let (left, right) = (f32x4::splat(left), f32x4::splat(right));
        let y = f32x4::splat(y) + (x - left) * f32x4::splat(rise);
        self.widen(y, x.cmp_ge(left) & x.cmp_le(right));
    }

    /// Takes in a corner, in the cell where it lies; in both on a line.
    #[inline]
    fn widen_by_corner(&mut self, [from, to]: [f32x4; 2], x: f32, y: f32) {
        let (x, y) = (f32x4::splat(x), f32x4::splat(y));
        self.widen(y, from.cmp_le(x) & to.cmp_ge(x));
    }

    /// Takes in what each cell's left line has, which is the right line of the cell before.
    #[inline]
    fn share_lines(&mut self, [low_before, high_before]: [f32; 2]) -> [f32; 2] {
        let (low, high) = (self.low.to_array(), self.high.to_array());
        self.low = self.low.fast_min(f32x4::new([low_before, low[0], low[1], low[2]]));
        self.high = self.high.fast_max(f32x4::new([high_before, high[0], high[1], high[2]]));
        [low[3], high[3]]
    }

    /// Rounds outwards, at least one high. Rounding may have put an edge's height just outside its triangle's, which can
    /// cost a whole cell height.
    #[inline]
    fn round(self, [lowest, highest]: [f32; 2]) -> [HeightRange; LANES] {
        let low = self.low.fast_max(f32x4::splat(lowest)).fast_min(f32x4::splat(highest));
        let high = self.high.fast_min(f32x4::splat(highest));
        let low = low.fast_trunc_int();
        let whole = high.fast_trunc_int();
        // A comparison that holds is -1.
        let above: i32x4 = wide_bits(whole.round_float().cmp_lt(high));
        let high = whole - above;
        let least = low + i32x4::splat(1);
        let too_low = least.cmp_gt(high);
        let high = too_low.blend(least, high);
        ((low << 16_i32) | high).to_array().map(i32::cast_unsigned)
    }
}

/// The bits of a comparison as whole numbers.
#[inline]
fn wide_bits(mask: f32x4) -> i32x4 {
    i32x4::new(mask.to_array().map(|lane| lane.to_bits().cast_signed()))
}

/// Writes the height range of each wanted cell of a row's polygon, and some rubbish up to the next multiple of four.
/// `heights`: those of the whole triangle, which must fit.
///
/// Never inlined: on its own its lanes stay in registers, which makes the whole rasteriser 1.5 times as fast.
#[inline(never)]
pub(super) fn write_ranges(
    polygon: &RowPolygon,
    heights: [f32; 2],
    cells: Cells,
    table: &LineTable,
    lines: &GridLines,
    out: &mut [HeightRange],
) {
    let [first, last] = cells.covered;
    let RowPolygon { below, above, bend } = polygon;
    let corner = [below.long, below.short, above.short, above.long];
    let [xs, ys] = [corner.map(|p| p.x), corner.map(|p| p.y)];
    let turn = bend.unwrap_or(above.short);
    let next = [[xs[1], turn.x, xs[3], xs[0]], [ys[1], turn.y, ys[3], ys[0]]].map(f32x4::new);
    let edges = Edges::new([xs, ys].map(f32x4::new), next);
    let second = bend.map(|b| {
        let edge = Edges::new([b.x, b.y].map(f32x4::splat), [above.short.x, above.short.y].map(f32x4::splat));
        [edge.left, edge.right, edge.y, edge.rise].map(|lanes| lanes.to_array()[0])
    });
    // A corner that rounding puts outside the covered cells belongs to the nearest.
    let (low_x, high_x) = (lines.at(first), lines.at(last.wrapping_add(1)));
    let xs = f32x4::new(xs).fast_max(f32x4::splat(low_x)).fast_min(f32x4::splat(high_x)).to_array();
    let [left, right, y, rise] = [edges.left, edges.right, edges.y, edges.rise].map(f32x4::to_array);

    let at_lines = |x: f32x4| {
        let mut found = Heights::NONE;
        for i in 0..4 {
            found.widen_by_edge(x, [left[i], right[i], y[i], rise[i]]);
        }
        if let Some(edge) = second {
            found.widen_by_edge(x, edge);
        }
        found
    };
    let mut before = [f32::INFINITY, 0.0];
    let from = cells.wanted[0];
    if from > first {
        let found = at_lines(f32x4::splat(lines.at(from)));
        before = [found.low.to_array()[0], found.high.to_array()[0]];
    }
    for (block, cell) in out.chunks_exact_mut(LANES).zip((from..=cells.wanted[1]).step_by(LANES)) {
        let x = table.block(cell);
        let [from, to] = [f32x4::new([x[0], x[1], x[2], x[3]]), f32x4::new([x[1], x[2], x[3], x[4]])];
        let mut found = at_lines(to);
        before = found.share_lines(before);
        for i in 0..4 {
            found.widen_by_corner([from, to], xs[i], ys[i]);
        }
        if let Some(Point { x, y }) = *bend {
            let x = if x > low_x { x } else { low_x };
            found.widen_by_corner([from, to], if x < high_x { x } else { high_x }, y);
        }
        block.copy_from_slice(&found.round(heights));
    }
}

/// The height range of a row's polygon that lies in one cell: from its lowest to its highest corner, kept within those of the
/// whole triangle, which must fit.
#[inline]
pub(super) fn range_of_all(polygon: &RowPolygon, [lowest, highest]: [f32; 2]) -> HeightRange {
    let RowPolygon { below, above, bend } = polygon;
    let bend = bend.unwrap_or(above.short);
    let (mut low, mut high) = (below.long.y, below.long.y);
    for p in [below.short, above.long, above.short, bend] {
        low = if p.y < low { p.y } else { low };
        high = if p.y > high { p.y } else { high };
    }
    let low = (if low > lowest { low } else { lowest }) as u32;
    let high = if high < highest { high } else { highest };
    let whole = high as u32;
    let high = whole + u32::from(high > whole as f32);
    low << 16 | high.max(low + 1)
}

/// The height range of one cell of a row's polygon, as [`write_ranges`] gives it, for heights of any size. `None` if all
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
