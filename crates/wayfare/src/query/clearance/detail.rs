//! Computes the heights between the corners: clips the detail triangles of a polygon to its pieces.
//!
//! A piece has the same heights as its polygon. So each of the polygon's triangles is clipped to the piece, and the
//! remaining cells become triangles of the piece:
//!
//! ```text
//!   a-----------b         a piece that takes up parts of two triangles gets
//!   | \  .----. |         three: the quad left of a–c, cut in two, and the
//!   |  \ |    | |         triangle right of it. Both sides of a–c find the
//!   |   \|piece |         same point where it leaves the piece.
//!   d----\----c-.
//! ```
//!
//! An edge between two triangles is clipped by the same lines in the same order from both sides, each time from its
//! outside end to its inside end, so both get the same points, bit for bit, and there are no cracks. Each edge of a
//! cell knows the edge of the piece it lies on, if any: those edges form the outline, and where two of them meet is a
//! corner. Corners of pieces are rounded and may lie a few units outside the polygon, so its triangles are first
//! [grown](super::ground) by more than that. Where a grown triangle leaves the piece beside a vertex of the polygon's
//! outline, it is cut back to that vertex. A level piece, or one that lies in a single triangle, needs no detail: its
//! corners define its heights.
//!
//! Cost: the triangles of a polygon × its pieces, most of which are ruled out by their boxes; clipping is linear in a
//! piece's corners.
//!
//! Sources: Ivan Sutherland and Gary Hodgman, "Reentrant Polygon Clipping", 1974.

use super::ground::{GROWN, GroundTriangle, INSIDE, Point, box_of, cross, grow, length};
use super::plan_grid::PlanGrid;
use crate::math::Aabb;
use crate::tile::{DetailRange, DetailTri, TileBuilder, TileData, TileError};
use core::ops::Range;
use glam::Vec3;

/// A point within this distance of a line, in units, counts as on it.
const BESIDE: f64 = 1e-3;

/// A point within this distance, in units, of a corner of the piece or a vertex of the polygon's outline is moved
/// there: edges that meet there miss it slightly once the triangles are grown.
const AT_VERTEX: f64 = 1.5 * GROWN;

/// A vertex of the polygon's outline within this distance, in units, of an edge counts as on it: both were rounded.
const ROUNDED: f64 = 1.0;

/// A piece whose heights differ by no more than this, in metres, is level.
const LEVEL: f64 = 1e-4;

/// A point of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CellPoint {
    point: Point,
    /// The vertex of the polygon's outline from which it was grown, or [`INSIDE`].
    was: u32,
    /// The edge of the piece on which the cell's edge from this point to the next lies; [`INNER`] if none.
    edge: u32,
}

/// Not on the outline.
const INNER: u32 = u32::MAX;

/// The line along an edge of a piece.
#[derive(Clone, Copy, Debug)]
struct Line {
    a: Point,
    b: Point,
    length: f64,
}

impl Line {
    /// How far outside a point is, in units; 0 on the line.
    fn outside(&self, p: Point) -> f64 {
        let outside = cross(self.a, self.b, p) / self.length;
        if outside.abs() <= BESIDE { 0.0 } else { outside }
    }

    /// The point of the line nearest to another point.
    fn onto(&self, p: Point) -> Point {
        let outside = cross(self.a, self.b, p) / (self.length * self.length);
        let [x, z] = [p.x + (self.b.z - self.a.z) * outside, p.z - (self.b.x - self.a.x) * outside].map(|v| v + 0.0);
        Point { x, z, y: p.y }
    }

    /// Where the edge from an inside point to an outside point leaves the piece; if the outside point was on the line
    /// before it was grown, that original position.
    fn crossing(&self, inside: Point, outside: &CellPoint, outline: &[Point]) -> (Point, u32) {
        if let Some(&before) = outline.get(outside.was as usize)
            && self.outside(before).abs() <= ROUNDED
        {
            let at_end = [self.a, self.b].into_iter().find(|end| is_at(end, before));
            return (at_end.unwrap_or_else(|| self.onto(before)), outside.was);
        }
        let outside = outside.point;
        let from = cross(self.a, self.b, outside);
        let to = cross(self.a, self.b, inside);
        let t = from / (from - to);
        let along = |a: f64, b: f64| a + (b - a) * t;
        // Avoids negative zero.
        let [x, z] = [along(outside.x, inside.x), along(outside.z, inside.z)].map(|v| v + 0.0);
        (Point { x, z, y: along(outside.y, inside.y) }, INSIDE)
    }
}

/// Gives each piece in `cut` the detail triangles of the polygon of `base` it was cut from: `of[piece]`, in ascending
/// order.
pub(super) fn carry_details(
    base: &TileData,
    (cut, of): (&mut TileBuilder, &[u32]),
    grid: PlanGrid,
) -> Result<(), TileError> {
    let mut work = Work::default();
    let mut poly = None;
    cut.details.reserve(of.len());
    for (piece, &of) in of.iter().enumerate() {
        if poly.replace(of) != Some(of) {
            work.take_ground(base, of, grid);
        }
        work.take_piece(cut, piece as u32, grid);
        work.clip();
        let range = if work.is_plain() { DetailRange::default() } else { work.write(cut, grid)? };
        cut.details.push(range);
        work.take_back_unsound(cut, piece as u32);
    }
    if cut.detail_tris.is_empty() {
        cut.details.clear();
    }
    let all = cut.detail_verts.iter().chain(&cut.verts).copied();
    cut.bounds = Aabb::around(all);
    Ok(())
}

/// Working memory, reused from piece to piece.
#[derive(Default)]
struct Work {
    /// Triangles of the polygon.
    ground: Vec<GroundTriangle>,
    /// Vertices on their outline, before they were grown.
    outline: Vec<Point>,
    /// Corners of the piece, and the lines along its edges.
    corners: Vec<Point>,
    lines: Vec<Line>,
    /// The clipped triangles: convex, each a range of `points`.
    cells: Vec<Range<usize>>,
    points: Vec<CellPoint>,
    /// The corners of the piece in the mesh.
    places: Vec<Vec3>,
    /// The edges of all cells, sorted.
    edges: Vec<[[u64; 2]; 2]>,
    /// Points that are not corners, sorted, without duplicates.
    extra: Vec<Point>,
    /// The cell being clipped, and room for the next.
    cell: Vec<CellPoint>,
    clipped: Vec<CellPoint>,
}

impl Work {
    fn take_ground(&mut self, base: &TileData, poly: u32, grid: PlanGrid) {
        self.ground.clear();
        self.ground
            .extend(base.triangles_of(poly).map(|(corners, _)| GroundTriangle::new(corners.map(|v| point(v, grid)))));
        self.corners.clear();
        self.corners.extend(base.points_of(poly).map(|v| point(v, grid)));
        grow(&mut self.ground, &self.corners, &mut self.outline);
    }

    fn take_piece(&mut self, cut: &TileBuilder, piece: u32, grid: PlanGrid) {
        self.corners.clear();
        self.corners.extend(cut.points_of(piece).map(|v| point(v, grid)));
        let edges = self.corners.iter().zip(self.corners.iter().cycle().skip(1));
        let lines = edges.map(|(&a, &b)| Line { a, b, length: length(a, b) });
        self.lines.clear();
        self.lines.extend(lines.filter(|line| line.length > 0.0));
    }

    /// Clips the polygon's triangles to the piece.
    fn clip(&mut self) {
        self.cells.clear();
        self.points.clear();
        let reach = box_of(&self.corners);
        for k in 0..self.ground.len() {
            let GroundTriangle { corners, was, around: of } = self.ground[k];
            if of[0] > reach[2] || of[1] > reach[3] || of[2] < reach[0] || of[3] < reach[1] {
                continue;
            }
            self.cell.clear();
            self.cell.extend([0, 1, 2].map(|k| CellPoint { point: corners[k], was: was[k], edge: INNER }));
            for (edge, line) in (0..).zip(&self.lines) {
                clip_by((edge, line), (&self.cell, &self.outline), &mut self.clipped);
                core::mem::swap(&mut self.cell, &mut self.clipped);
            }
            self.take_cell();
        }
    }

    /// Replaces points near vertices by the vertices, and keeps the cell unless it is empty.
    fn take_cell(&mut self) {
        let mut before = self.cell.last().map_or(INNER, |last| last.edge);
        for at in &mut self.cell {
            let lines = [before, at.edge].into_iter().filter_map(|edge| self.lines.get(edge as usize));
            before = at.edge;
            if !self.corners.contains(&at.point) {
                let was = self.outline.get(at.was as usize).copied().filter(|was| is_at(was, at.point));
                let vertex = end_at(lines.clone(), at.point).or(was);
                let vertex = vertex.or_else(|| on_outline(&lines, &self.outline, at.point));
                at.point = vertex.unwrap_or(at.point);
            }
        }
        drop_repeated(&mut self.cell);
        if self.cell.len() > 2 {
            let first = self.points.len();
            rotate_to_best(&mut self.cell);
            self.points.append(&mut self.cell);
            self.cells.push(first..self.points.len());
        }
    }

    /// Whether the piece's corners alone define the height everywhere on it.
    fn is_plain(&self) -> bool {
        let heights = self.points.iter().map(|p| p.point.y).chain(self.corners.iter().map(|p| p.y));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        self.cells.len() < 2 || high - low <= LEVEL || self.is_thin()
    }

    /// Whether the whole piece is narrower than the distance by which points are moved to vertices.
    fn is_thin(&self) -> bool {
        let Some(&first) = self.corners.first() else { return true };
        let area2: f64 = self.corners[1..].windows(2).map(|w| -cross(first, w[0], w[1])).sum();
        let around = box_of(&self.corners);
        area2 <= AT_VERTEX * (around[2] - around[0]).max(around[3] - around[1])
    }

    /// Appends the piece's triangles and extra vertices to the tile.
    fn write(&mut self, cut: &mut TileBuilder, grid: PlanGrid) -> Result<DetailRange, TileError> {
        self.extra.clear();
        self.extra.extend(self.points.iter().map(|p| p.point).filter(|p| !self.corners.contains(p)));
        self.extra.sort_unstable_by_key(Point::key);
        self.extra.dedup_by_key(|p| p.key());
        let first_vert = cut.detail_verts.len();
        let first_tri = cut.detail_tris.len();
        cut.detail_verts.extend(self.extra.iter().map(|p| vertex(*p, grid)));
        self.edges.clear();
        for cell in &self.cells {
            let cell = &self.points[cell.clone()];
            let ends = cell.iter().zip(cell.iter().cycle().skip(1));
            self.edges.extend(ends.map(|(a, b)| [a.point.key(), b.point.key()]));
        }
        self.edges.sort_unstable();
        for cell in &self.cells {
            self.write_cell(&self.points[cell.clone()], &mut cut.detail_tris);
        }
        let verts = self.extra.len();
        let tris = cut.detail_tris.len() - first_tri;
        for (what, count) in
            [("detail vertices in one polygon", self.corners.len() + verts), ("detail triangles in one polygon", tris)]
        {
            if count > usize::from(u16::MAX) {
                return Err(TileError::TooMany { what, count });
            }
        }
        Ok(DetailRange {
            first_vert: first_vert as u32,
            first_tri: first_tri as u32,
            vert_count: verts as u16,
            tri_count: tris as u16,
        })
    }

    /// Removes the last piece's triangles if they do not add up to the piece, which happens with a few thin ones: its
    /// corners alone then define its heights.
    fn take_back_unsound(&mut self, cut: &mut TileBuilder, piece: u32) {
        let range = cut.details[piece as usize];
        if range.tri_count == 0 {
            return;
        }
        self.places.clear();
        self.places.extend(cut.points_of(piece));
        cut.detail_verts[range.first_vert as usize..].iter().for_each(|&extra| cut.bounds.grow(extra));
        if !cut.has_sound_details(piece, &self.places) {
            cut.detail_verts.truncate(range.first_vert as usize);
            cut.detail_tris.truncate(range.first_tri as usize);
            cut.details[piece as usize] = DetailRange::default();
        }
    }

    /// Appends the triangles of a cell, as a fan from its first corner.
    fn write_cell(&self, cell: &[CellPoint], tris: &mut Vec<DetailTri>) {
        // If a neighbouring cell vanished because its corners were merged, its edges are on the outline now.
        let is_outline = |k: usize| {
            let back = [cell[(k + 1) % cell.len()].point.key(), cell[k].point.key()];
            cell[k].edge != INNER || self.edges.binary_search(&back).is_err()
        };
        // A flat cell is a line with no surface under it, so its edges count as outline too.
        let corner = |k: usize| cell[k].point;
        let is_flat = |k: usize| cross(corner(0), corner(k), corner(k + 1)) >= 0.0;
        let Some(low) = (1..cell.len() - 1).find(|&k| !is_flat(k)) else { return };
        let high = (1..cell.len() - 1).rfind(|&k| !is_flat(k)).unwrap_or(low);
        for k in (low..=high).filter(|&k| !is_flat(k)) {
            let first = k == low && (0..k).all(is_outline);
            let last = k == high && (k + 1..cell.len()).all(is_outline);
            let outline = u16::from(first) | u16::from(is_outline(k)) << 1 | u16::from(last) << 2;
            let verts = [0, k, k + 1].map(|k| self.number(corner(k)) as u16);
            tris.push(DetailTri { verts, outline });
        }
    }

    /// The number of a point: corners first, then the extra vertices.
    fn number(&self, p: Point) -> usize {
        let extra = || self.extra.binary_search_by_key(&p.key(), Point::key).unwrap_or_else(|at| at);
        self.corners.iter().position(|corner| *corner == p).unwrap_or_else(|| self.corners.len() + extra())
    }
}

/// Clips a convex cell to the inner side of the line along an edge. `outline` is the polygon's, before it was grown.
fn clip_by((edge, line): (u32, &Line), (cell, outline): (&[CellPoint], &[Point]), clipped: &mut Vec<CellPoint>) {
    clipped.clear();
    let Some(&last) = cell.last() else { return };
    let mut from = last;
    let mut from_out = line.outside(last.point);
    for &to in cell {
        let to_out = line.outside(to.point);
        if from_out <= 0.0 {
            // On the line, or leaving it.
            let on_line = from_out == 0.0 && to_out >= 0.0;
            clipped.push(if on_line { CellPoint { edge, ..from } } else { from });
            if from_out < 0.0 && to_out > 0.0 {
                let (point, was) = line.crossing(from.point, &to, outline);
                clipped.push(CellPoint { point, was, edge });
            }
        } else if to_out < 0.0 {
            let (point, was) = line.crossing(to.point, &from, outline);
            clipped.push(CellPoint { point, was, edge: from.edge });
        }
        (from, from_out) = (to, to_out);
    }
    drop_repeated(clipped);
}

/// Of consecutive points at one position keeps the last, whose edge leads on.
fn drop_repeated(cell: &mut Vec<CellPoint>) {
    let count = cell.len();
    let mut kept = 0;
    for k in 0..count {
        let next = if k + 1 < count { cell[k + 1] } else { cell[0] };
        let is_last = k + 1 == count;
        // The first may have been overwritten, but only by itself or by one at the same position.
        if next.point != cell[k].point || (is_last && kept == 0) {
            cell[kept] = cell[k];
            kept += 1;
        }
    }
    cell.truncate(kept);
}

/// Starts a cell at the corner for which the smallest triangle of the fan is largest.
fn rotate_to_best(cell: &mut [CellPoint]) {
    let count = cell.len();
    if count == 3 {
        return;
    }
    let least = |first: usize| {
        let at = |k: usize| cell[(first + k) % count].point;
        (1..count - 1).map(|k| -cross(at(0), at(k), at(k + 1))).fold(f64::INFINITY, f64::min)
    };
    let mut best = 0;
    let mut area = least(0);
    for first in 1..count {
        let other = least(first);
        if other > area {
            (best, area) = (first, other);
        }
    }
    cell.rotate_left(best);
}

/// Whether a point must become a vertex.
fn is_at(v: &Point, p: Point) -> bool {
    (v.x - p.x).abs() <= AT_VERTEX && (v.z - p.z).abs() <= AT_VERTEX
}

/// The end of an edge of the piece near which a point on that edge lies.
fn end_at<'a>(lines: impl Iterator<Item = &'a Line>, p: Point) -> Option<Point> {
    nearest_at(lines.flat_map(|line| [line.a, line.b]), p)
}

/// The vertex of the polygon's outline near which a point on edges of the piece lies, if that vertex is on one of them.
fn on_outline<'a>(lines: &(impl Iterator<Item = &'a Line> + Clone), outline: &[Point], p: Point) -> Option<Point> {
    let on = |v: &Point| lines.clone().any(|line| line.outside(*v).abs() <= ROUNDED);
    nearest_at(outline.iter().copied().filter(|v| is_at(v, p) && on(v)), p)
}

fn nearest_at(vertices: impl Iterator<Item = Point>, p: Point) -> Option<Point> {
    vertices.filter(|v| is_at(v, p)).min_by(|a, b| length(*a, p).total_cmp(&length(*b, p)))
}

fn point(v: Vec3, grid: PlanGrid) -> Point {
    Point { x: grid.units(v.x), z: grid.units(v.z), y: f64::from(v.y) }
}

/// The exact position of a point of the base mesh, and that of a point in whole units.
fn vertex(p: Point, grid: PlanGrid) -> Vec3 {
    grid.place_of([p.x, p.z], p.y as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::NavMesh;
    use crate::query::test_maps::mesh;
    use crate::query::{ClearanceMesh, DefaultFilter};
    use crate::tile::TileLayout;

    /// One square of three metres with a peak of 1 m in its middle.
    fn pyramid() -> NavMesh {
        let flat = mesh(&[((0, 0), "a")]);
        let tile = flat.tiles().next().unwrap().data().edited(|tile| {
            tile.verts.iter_mut().for_each(|v| *v *= 3.0);
            tile.raise_peak(Vec3::new(1.5, 1.0, 1.5));
            tile.fit_bounds();
        });
        let layout = TileLayout { tile_width: 3.0, tile_depth: 3.0, ..flat.layout() };
        NavMesh::from_tiles(layout, vec![tile]).unwrap()
    }

    #[test]
    fn a_piece_is_as_hilly_as_its_polygon() {
        let cut = ClearanceMesh::new(&pyramid(), 0.6, &DefaultFilter::default()).unwrap();
        assert_eq!(cut.mesh().check(), []);
        let tile = cut.mesh().tiles().next().unwrap().data();
        assert_eq!((tile.polys().len(), tile.detail_verts().len(), tile.detail_tris().len()), (1, 1, 4));
        let height = |x: f32, z: f32| tile.height_at(0, Vec3::new(x, 0.0, z)).unwrap();
        assert_eq!(height(1.5, 1.5), 1.0);
        for (x, z, y) in [(0.75, 1.5, 0.5), (1.5, 2.25, 0.5), (1.0, 1.2, 2.0 / 3.0)] {
            assert!((height(x, z) - y).abs() < 1e-4, "{x} {z}: {}", height(x, z));
        }
        // Where the wall's strip cut it, the slope has risen by 0.6 of 1.5.
        assert!((tile.closest_on_outline(0, Vec3::new(0.0, 0.0, 1.5)).y - 0.4).abs() < 1e-3);
    }

    #[test]
    fn level_ground_needs_no_triangles() {
        let cut = ClearanceMesh::new(&mesh(&[((0, 0), "aa\naa")]), 0.3, &DefaultFilter::default()).unwrap();
        assert!(cut.mesh().tiles().all(|tile| tile.data().details().is_empty()));
    }
}
