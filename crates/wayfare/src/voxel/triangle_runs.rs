//! One triangle becomes runs of cells: for every row of the grid that it crosses, the cells it covers there and the lowest
//! and highest point it has in each.
//!
//! A row cuts the triangle to a polygon of at most five edges. Along an edge the height is a straight line, so inside a cell
//! the lowest and highest points lie where the edges enter and leave the cell: no polygon needs to be built per cell, each
//! edge just widens the height range of the cells that it passes.
//!
//! ```text
//!        z                    row polygon: long side, short side (bent at the middle corner m if m lies
//!        |      +  top        in the row), and the cuts along the row's two grid lines
//!   -----|-----/-\---------
//!        |   p+---+q          p: on the long side, from the lowest to the highest corner in z
//!    row |   /     \          q: on the short sides, by way of the middle corner
//!   -----|--p+------+q-----
//!        |  |   m,+           Every cell's height range comes from the edges' heights at the cell's two x lines
//!        |  +-''              and from edge ends inside the cell.
//!        +-------------- x
//! ```
//!
//! Only the two sections p, q of a row line are computed, from the triangle's own corners: no error adds up from row to
//! row, and a row does not depend on where the rectangle begins. Corners are sorted first, so the order in which a triangle
//! names them does not matter either.
//!
//! Cost: about 5 edge setups a row and 5 straight-line evaluations a cell, eight cells at a time without branches.
//!
//! Sources: the cells' height ranges are those of clipping to each cell as Recast does (Mikko Mononen, 2009); walking edges
//! instead of clipping polygons is scan conversion as in any software renderer.

use super::grid_lines::GridLines;
use crate::area::AreaId;
use glam::Vec3;

/// Cells worked on together.
const LANES: usize = 8;

/// A stretch of cells in one row that one triangle covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Row in the rectangle.
    pub(super) row: u32,
    /// First column in the rectangle.
    pub(super) x: u32,
    /// Cells.
    pub(super) len: u32,
    /// Where its height ranges start in the list of ranges.
    pub(super) first: u32,
    /// The triangle's area type.
    pub(super) area: AreaId,
}

/// The solid part of one cell: `[low, high)` in cell heights. `low >= high` means none.
pub(super) type HeightRange = [u16; 2];

/// A place in the middle of a row line or at a corner: x and y.
#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
}

/// Where a row line cuts a triangle: on its long side and on its short sides.
#[derive(Clone, Copy)]
struct Section {
    long: Point,
    short: Point,
}

/// Cuts triangles into runs over a window of the level's cells.
pub(super) struct RunMaker<'a> {
    pub(super) lines_x: GridLines,
    pub(super) lines_z: GridLines,
    /// Height of the level's floor.
    pub(super) floor: f32,
    /// Cell heights per metre.
    pub(super) per_height: f32,
    /// Cells of the level that may be written: first and last column.
    pub(super) columns: [i32; 2],
    /// First and last row.
    pub(super) rows: [i32; 2],
    /// The rectangle's corner, from which runs are counted.
    pub(super) corner: [i32; 2],
    pub(super) runs: &'a mut Vec<Run>,
    pub(super) ranges: &'a mut Vec<HeightRange>,
}

impl RunMaker<'_> {
    /// Adds the runs of one triangle.
    pub(super) fn add(&mut self, corners: [Vec3; 3], area: AreaId) {
        let [min_x, max_x] = extent(corners.map(|c| c.x));
        if self.lines_x.cell(min_x) > self.columns[1].saturating_add(1)
            || self.lines_x.cell(max_x) < self.columns[0].saturating_sub(1)
        {
            return;
        }
        let corners = sorted_by_z(corners);
        let [low, _, high] = corners;
        let (first, mut last) = (self.lines_z.cell(low.z), self.lines_z.cell(high.z));
        if last > first && last <= self.rows[1] && high.z <= self.lines_z.at(last) {
            // It only touches the line below its last row.
            last -= 1;
        }
        let (from, to) = (first.max(self.rows[0]), last.min(self.rows[1]));
        if from > to {
            return;
        }
        let mut below = if from == first { bottom(corners) } else { section(corners, self.lines_z.at(from)) };
        for row in from..=to {
            let above = if row == last { top(corners) } else { section(corners, self.lines_z.at(row + 1)) };
            let bent = (row == first || self.lines_z.at(row) < corners[1].z)
                && (row == last || corners[1].z < self.lines_z.at(row + 1));
            let middle = bent.then_some(Point { x: corners[1].x, y: corners[1].y });
            self.add_row(row, [below, above], middle, area);
            below = above;
        }
    }

    /// Adds the run of one row: between two sections, by way of the middle corner if that lies in the row.
    fn add_row(&mut self, row: i32, [below, above]: [Section; 2], middle: Option<Point>, area: AreaId) {
        let bend = middle.unwrap_or(below.short);
        let xs = [below.long.x, below.short.x, above.long.x, above.short.x, bend.x];
        let (mut min_x, mut max_x) = (xs[0], xs[0]);
        for x in xs {
            min_x = if x < min_x { x } else { min_x };
            max_x = if x > max_x { x } else { max_x };
        }
        let (first, mut last) = (self.lines_x.cell(min_x), self.lines_x.cell(max_x));
        if last > first && last <= self.columns[1] && max_x <= self.lines_x.at(last) {
            last -= 1;
        }
        let (from, to) = (first.max(self.columns[0]), last.min(self.columns[1]));
        if from > to {
            return;
        }
        let edges = [
            Edge::new(below.long, above.long),
            Edge::new(below.long, below.short),
            Edge::new(above.long, above.short),
            Edge::new(below.short, bend),
            Edge::new(bend, above.short),
        ];
        let len = (to - from + 1) as u32;
        let start = self.ranges.len();
        self.runs.push(Run {
            row: (row - self.corner[1]) as u32,
            x: (from - self.corner[0]) as u32,
            len,
            first: start as u32,
            area,
        });
        let mut cell = from;
        while cell <= to {
            let block = self.block(cell, [first, last], &edges);
            let used = ((to - cell + 1) as usize).min(LANES);
            self.ranges.extend_from_slice(&block[..used]);
            cell += LANES as i32;
        }
    }

    /// The height ranges of eight cells from `cell` on, of a row whose polygon spans the cells `first` to `last`.
    #[inline]
    fn block(&self, cell: i32, [first, last]: [i32; 2], edges: &[Edge; 5]) -> [HeightRange; LANES] {
        let (mut left, mut right) = ([0.0f32; LANES], [0.0f32; LANES]);
        for i in 0..LANES {
            let k = cell.wrapping_add(i as i32);
            left[i] = if k <= first { f32::NEG_INFINITY } else { self.lines_x.at(k) };
            right[i] = if k >= last { f32::INFINITY } else { self.lines_x.at(k.wrapping_add(1)) };
        }
        let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        for edge in edges {
            edge.widen(&left, &right, &mut low, &mut high);
        }
        let mut ranges = [[0; 2]; LANES];
        for i in 0..LANES {
            ranges[i] = self.quantise(low[i], high[i]);
        }
        ranges
    }

    /// Rounds a height range outwards to whole cell heights, at least one high. Nothing is left of a range below the floor
    /// or above the 16 bits.
    #[inline]
    fn quantise(&self, low: f32, high: f32) -> HeightRange {
        let (low, high) = ((low - self.floor) * self.per_height, (high - self.floor) * self.per_height);
        if !(high >= 0.0 && low <= HIGHEST && low <= high) {
            return [0, 0];
        }
        let low = low.max(0.0) as u32;
        let high = high.min(HIGHEST + 1.0);
        let whole = high as u32;
        let high = whole + u32::from(high > whole as f32);
        [low as u16, high.max(low + 1) as u16]
    }
}

/// The lowest a span's bottom can be and still leave room for its top in 16 bits.
const HIGHEST: f32 = (u16::MAX - 1) as f32;

/// An edge of a row's polygon, from left to right.
#[derive(Clone, Copy)]
struct Edge {
    from: Point,
    to: Point,
    /// Height per metre along x.
    rise: f32,
    /// Its lowest and highest point.
    low: f32,
    high: f32,
}

impl Edge {
    #[inline]
    fn new(a: Point, b: Point) -> Self {
        let (from, to) = if a.x <= b.x { (a, b) } else { (b, a) };
        let (low, high) = if a.y <= b.y { (a.y, b.y) } else { (b.y, a.y) };
        Self { from, to, rise: (to.y - from.y) / (to.x - from.x), low, high }
    }

    /// Widens each cell's height range by what of the edge lies between the cell's lines. Values are kept between the
    /// edge's ends: one rounding beyond them can cost a whole cell height.
    #[inline]
    fn widen(&self, left: &[f32; LANES], right: &[f32; LANES], lowest: &mut [f32; LANES], highest: &mut [f32; LANES]) {
        for i in 0..LANES {
            let enter =
                if left[i] <= self.from.x { self.from.y } else { self.from.y + (left[i] - self.from.x) * self.rise };
            let leave =
                if right[i] >= self.to.x { self.to.y } else { self.from.y + (right[i] - self.from.x) * self.rise };
            let (low, high) = if enter < leave { (enter, leave) } else { (leave, enter) };
            let low = if low > self.low { low } else { self.low };
            let high = if high < self.high { high } else { self.high };
            let touched = left[i] <= self.to.x && right[i] >= self.from.x;
            lowest[i] = if touched & (low < lowest[i]) { low } else { lowest[i] };
            highest[i] = if touched & (high > highest[i]) { high } else { highest[i] };
        }
    }
}

/// Smallest and greatest of three.
#[inline]
fn extent([a, b, c]: [f32; 3]) -> [f32; 2] {
    [a.min(b).min(c), a.max(b).max(c)]
}

/// The corners from low to high z; ties by x, then y, so that equal triangles come out equal whatever corner they begin with.
#[inline]
fn sorted_by_z([mut a, mut b, mut c]: [Vec3; 3]) -> [Vec3; 3] {
    let before = |p: Vec3, q: Vec3| (p.z, p.x, p.y) < (q.z, q.x, q.y);
    if before(b, a) {
        (a, b) = (b, a);
    }
    if before(c, b) {
        (b, c) = (c, b);
    }
    if before(b, a) {
        (a, b) = (b, a);
    }
    [a, b, c]
}

/// The section through the lowest corner: its whole edge where the triangle's lowest edge lies along x.
#[inline]
fn bottom([low, middle, _]: [Vec3; 3]) -> Section {
    let short = if middle.z > low.z { low } else { middle };
    Section { long: point(low), short: point(short) }
}

/// The section through the highest corner.
#[inline]
fn top([_, middle, high]: [Vec3; 3]) -> Section {
    let short = if middle.z < high.z { high } else { middle };
    Section { long: point(high), short: point(short) }
}

/// The section at `z`.
#[inline]
fn section(corners: [Vec3; 3], z: f32) -> Section {
    let [low, middle, high] = corners;
    if z <= low.z {
        return bottom(corners);
    }
    if z >= high.z {
        return top(corners);
    }
    let (from, to) = if z < middle.z { (low, middle) } else { (middle, high) };
    Section { long: between(low, high, z), short: between(from, to, z) }
}

/// The point of the edge `a`–`b` at `z`, where `a.z <= z < b.z`.
#[inline]
fn between(a: Vec3, b: Vec3, z: f32) -> Point {
    let t = (z - a.z) / (b.z - a.z);
    Point { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t }
}

#[inline]
fn point(corner: Vec3) -> Point {
    Point { x: corner.x, y: corner.y }
}
