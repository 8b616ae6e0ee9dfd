//! Cuts a triangle into the rows of the grid: one polygon of at most five corners per row.
//!
//! ```text
//!        z      +  top
//!   -----|-----/-\---------
//!        |   p+---+q          p: on the long side, from the lowest to the highest corner in z
//!    row |   /     \          q: on the short sides, through the middle corner m
//!   -----|--p+------+q-----
//!        |  |   m,+           row polygon: p, q below; m if it lies in the row; q, p above
//!        |  +-''
//!        +-------------- x
//! ```
//!
//! Only the points p and q on each row line are computed, always from the triangle's own corners: errors do not
//! accumulate from row to row, and a row does not depend on where the rectangle begins. Corners are sorted first, so
//! their order in the triangle does not matter either.
//!
//! Cost: two points per row. Sources: scan conversion as in any software renderer.

use super::extent::extent_of;
use super::grid_lines::GridLines;
use super::height_range::{HeightRange, fits, single};
use crate::area::AreaId;
use glam::Vec3;

/// A point on a row line or at a corner: x in metres and y in cell heights, not rounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) x: f32,
    pub(super) y: f32,
}

impl Point {
    #[inline]
    fn of(corner: Vec3) -> Self {
        Self { x: corner.x, y: corner.y }
    }
}

/// Where a row line cuts a triangle: on its long side and on its short sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSection {
    pub(super) long: Point,
    pub(super) short: Point,
}

/// The part of a triangle in one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowPolygon {
    /// Its edges along the row's low and high side.
    pub(super) below: RowSection,
    pub(super) above: RowSection,
    /// The middle corner, if it is in the row: the short sides go through it from below to above.
    pub(super) bend: Option<Point>,
}

/// The distance from the origin up to which f32 can distinguish adjacent cells.
const MOST_CELLS: i32 = 1 << 24;

/// The number of values of a triangle: two vectors.
pub(super) const SHAPE: usize = 16;

/// The most cells across a narrow triangle.
const NARROW: i32 = 8;

/// Whether f32 can distinguish adjacent cells.
#[inline]
pub(super) fn is_countable(cell: i32) -> bool {
    (-MOST_CELLS..MOST_CELLS).contains(&cell)
}

/// A triangle ready to be cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowTriangle {
    /// Its corners from low to high z, y in cell heights: nine numbers; the reciprocals of the extent in z of the long
    /// side, the lower and the upper short side; lowest and highest corner, in cell heights. In one list, from which
    /// lanes are filled.
    pub(super) shape: [f32; SHAPE],
    /// First and last row.
    pub(super) rows: [i32; 2],
    /// Row that contains the middle corner.
    pub(super) bend: i32,
    pub(super) kind: TriangleKind,
    pub(super) area: AreaId,
}

/// How the height ranges of a triangle are computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum TriangleKind {
    /// All cells have the same one.
    Level(HeightRange),
    /// In lanes, with other narrow ones: all step from cell to cell as often as the widest.
    Narrow,
    /// In lanes, with other wide ones.
    Wide,
    /// Cell by cell: lanes cannot process it, since part of it lies below the lowest height or above 16 bits, or its
    /// cells cannot be counted in f32.
    Odd,
}

impl RowTriangle {
    /// A triangle whose first and last row are `rows`. Corners with y in cell heights.
    ///
    /// Inlined so that it is written in place: returned in memory, it would be stored number by number and copied in
    /// vectors, which would have to wait for the stores.
    #[inline(always)]
    pub(super) fn new(corners: [Vec3; 3], area: AreaId, rows: [i32; 2], [lines_x, lines_z]: [&GridLines; 2]) -> Self {
        let heights = extent_of(corners.map(|corner| corner.y));
        let columns = extent_of(corners.map(|corner| corner.x)).map(|x| lines_x.cell(x));
        let kind = if !(fits(heights) && columns.into_iter().chain(rows).all(is_countable)) {
            TriangleKind::Odd
        } else {
            let is_narrow = columns[1] - columns[0] < NARROW;
            let sloping = if is_narrow { TriangleKind::Narrow } else { TriangleKind::Wide };
            single(heights).map_or(sloping, TriangleKind::Level)
        };
        let [a, b, c] = sorted_by_z(corners);
        let [long, lower, upper] = [1.0 / (c.z - a.z), 1.0 / (b.z - a.z), 1.0 / (c.z - b.z)];
        let [lowest, highest] = heights;
        let shape = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, long, lower, upper, lowest, highest, 0.0, 0.0];
        let bend = lines_z.cell(b.z).clamp(rows[0], rows[1]);
        Self { shape, rows, bend, kind, area }
    }

    /// From low to high z; y in cell heights.
    #[inline]
    fn corners(&self) -> [Vec3; 3] {
        let [ax, ay, az, bx, by, bz, cx, cy, cz, ..] = self.shape;
        [Vec3::new(ax, ay, az), Vec3::new(bx, by, bz), Vec3::new(cx, cy, cz)]
    }

    /// Its lowest corner, in cell heights.
    #[inline]
    pub(super) fn lowest(&self) -> f32 {
        self.shape[12]
    }

    /// The part in one of its rows.
    pub(super) fn polygon(&self, row: i32, lines: &GridLines) -> RowPolygon {
        let [below, above] = [row, row.saturating_add(1)].map(|row| self.section(row, lines.at(row)));
        let bend = (row == self.bend).then(|| Point::of(self.corners()[1]));
        RowPolygon { below, above, bend }
    }

    /// The section at the low side of `row`, which is at `z`: the triangle's ends at its first row and after its last.
    #[inline]
    pub(super) fn section(&self, row: i32, z: f32) -> RowSection {
        if row <= self.rows[0] {
            return bottom(self.corners());
        } else if row > self.rows[1] {
            return top(self.corners());
        }
        let [low, middle, high] = self.corners();
        let [long, lower, upper] = [self.shape[9], self.shape[10], self.shape[11]];
        let long = between(low, high, z, long);
        let short = if row <= self.bend { between(low, middle, z, lower) } else { between(middle, high, z, upper) };
        RowSection { long, short }
    }
}

/// The corners from low to high z; ties by x, then y, so that equal triangles come out equal whatever corner they begin
/// with.
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

/// The section through the lowest corner: the whole edge if the triangle's lowest edge runs along x.
#[inline]
fn bottom([low, middle, _]: [Vec3; 3]) -> RowSection {
    let short = if middle.z > low.z { low } else { middle };
    RowSection { long: Point::of(low), short: Point::of(short) }
}

/// The section through the highest corner.
#[inline]
fn top([_, middle, high]: [Vec3; 3]) -> RowSection {
    let short = if middle.z < high.z { high } else { middle };
    RowSection { long: Point::of(high), short: Point::of(short) }
}

/// The point of the edge from `a` up to `b` at `z`, or its nearer end.
#[inline]
fn between(a: Vec3, b: Vec3, z: f32, per_z: f32) -> Point {
    let t = (z - a.z) * per_z;
    // Also where t is NaN: an edge along x, cut at its own z.
    let t = if t > 0.0 { t } else { 0.0 };
    let t = if t < 1.0 { t } else { 1.0 };
    Point { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_of(corners: [Vec3; 3]) -> Vec<RowPolygon> {
        let lines = GridLines::new(0.0, 1.0);
        let [low, _, high] = sorted_by_z(corners);
        let rows = lines.cells(low.z, high.z);
        let triangle = RowTriangle::new(corners, AreaId::WALKABLE, rows, [&lines; 2]);
        (rows[0]..=rows[1]).map(|row| triangle.polygon(row, &lines)).collect()
    }

    /// The polygon's corners in order around it.
    fn around(polygon: &RowPolygon) -> Vec<Point> {
        let RowPolygon { below, above, bend } = polygon;
        [Some(below.long), Some(below.short), *bend, Some(above.short), Some(above.long)]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Twice the area of a polygon in x and y.
    fn area2(polygon: &RowPolygon) -> f32 {
        let p = around(polygon);
        (0..p.len()).map(|i| (p[i], p[(i + 1) % p.len()])).map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f32>().abs()
    }

    #[test]
    fn rows_add_up_to_the_triangle() {
        // With y = z the polygons' areas in x and y are those in x and z.
        let at = |x: f32, z: f32| Vec3::new(x, z, z);
        let corners = [at(0.5, 0.25), at(7.0, 2.5), at(2.0, 5.75)];
        let rows = rows_of(corners);
        assert_eq!(rows.len(), 6);
        let whole = (6.5f32 * 5.5 - 1.5 * 2.25).abs();
        assert!((rows.iter().map(area2).sum::<f32>() - whole).abs() < 1e-4);
        for turned in [[2, 0, 1], [1, 0, 2]] {
            let same = rows_of(turned.map(|i: usize| corners[i]));
            assert_eq!(format!("{same:?}"), format!("{rows:?}"), "corner order {turned:?}");
        }
    }

    #[test]
    fn a_wall_along_x_is_one_row_with_all_its_corners() {
        let corners = [Vec3::new(0.0, 0.0, 2.0), Vec3::new(4.0, 0.0, 2.0), Vec3::new(1.0, 3.0, 2.0)];
        let rows = rows_of(corners);
        assert_eq!(rows.len(), 1);
        for corner in corners {
            assert!(around(&rows[0]).iter().any(|p| p.x == corner.x && p.y == corner.y));
        }
    }
}
