//! The ground between the corners: the detail triangles of a polygon, cut along its pieces.
//!
//! A piece of a polygon is as hilly as the polygon was. So each of the polygon's triangles is clipped by the piece, and
//! what is left of it becomes triangles of the piece:
//!
//! ```text
//!   a-----------b         a piece that takes up parts of two triangles gets
//!   | \  .----. |         three: the quad left of a–c, cut in two, and the
//!   |  \ |    | |         triangle right of it. Both sides of a–c find the
//!   |   \|piece |         same point where it leaves the piece.
//!   d----\----c-.
//! ```
//!
//! An edge between two triangles is clipped by the same lines in the same order from both sides, each time from its end
//! outside to its end inside, so both get the same points, bit for bit: there are no cracks. A piece that is level, or
//! that lies in one triangle, needs none: its own corners tell its heights.
//!
//! Cost: the triangles of a polygon × its pieces, most of them told apart by their boxes; clipping is linear in a
//! piece's corners.
//!
//! Sources: Ivan Sutherland and Gary Hodgman, "Reentrant Polygon Clipping", 1974.

use super::plan_grid::PlanGrid;
use crate::math::Aabb;
use crate::tile::{DetailRange, DetailTri, TileData, TileError};
use core::ops::Range;
use glam::Vec3;

/// How far beside a line, in units, a point is still on it: corners of pieces were rounded, and others put between.
const BESIDE: f64 = 5.0;

/// A piece whose heights differ by no more than this, in metres, is level.
const LEVEL: f64 = 1e-4;

/// A point of the ground: x and z in units of the plan, y in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    z: f64,
    y: f64,
}

impl Point {
    fn key(&self) -> [u64; 2] {
        [self.x.to_bits(), self.z.to_bits()]
    }
}

/// Twice the area of the triangle, above 0 where `p` is outside of an edge a→b. As `math::plane::cross`.
fn cross(a: Point, b: Point, p: Point) -> f64 {
    (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x)
}

/// The line along an edge of a piece.
#[derive(Clone, Copy, Debug)]
struct Line {
    a: Point,
    b: Point,
    length: f64,
}

impl Line {
    /// How far outside a point is, in units.
    fn outside(&self, p: Point) -> f64 {
        cross(self.a, self.b, p) / self.length
    }

    /// Where the way from a point inside to one that is outside leaves the piece.
    fn crossing(&self, inside: Point, outside: Point) -> Point {
        let (from, to) = (self.outside(outside), self.outside(inside));
        if to >= 0.0 {
            return inside;
        }
        let t = from / (from - to);
        let along = |a: f64, b: f64| a + (b - a) * t;
        // Whole units, as all that is cut; and no zero with a sign.
        Point {
            x: along(outside.x, inside.x).round() + 0.0,
            z: along(outside.z, inside.z).round() + 0.0,
            y: along(outside.y, inside.y),
        }
    }
}

/// Gives each piece in `cut` the ground of the polygon of `base` that it is a piece of: `of[piece]`, in ascending
/// order.
pub(super) fn carry_details(
    base: &TileData,
    (cut, of): (&mut TileData, &[u32]),
    grid: PlanGrid,
) -> Result<(), TileError> {
    let (mut work, mut poly) = (Work::default(), None);
    cut.details.reserve(of.len());
    for (piece, &of) in of.iter().enumerate() {
        if poly.replace(of) != Some(of) {
            work.take_ground(base, of, grid);
        }
        work.take_piece(cut, piece as u32, grid);
        work.clip();
        let range = if work.is_plain() { DetailRange::default() } else { work.write(cut, grid)? };
        cut.details.push(range);
    }
    if cut.detail_tris.is_empty() {
        cut.details.clear();
    }
    let all = cut.detail_verts.iter().chain(&cut.verts).copied();
    cut.bounds = Aabb::around(all);
    Ok(())
}

/// What is worked on, kept from piece to piece.
#[derive(Default)]
struct Work {
    /// Triangles of the polygon, with their boxes on the plan.
    ground: Vec<([Point; 3], [f64; 4])>,
    /// Corners of the piece, and the lines along its edges.
    corners: Vec<Point>,
    lines: Vec<Line>,
    /// What is left of the triangles: convex, each a range of `points`.
    cells: Vec<Range<usize>>,
    points: Vec<Point>,
    /// Points that are no corners, sorted, each once.
    extra: Vec<Point>,
    /// The cell that is being clipped, and room for the next.
    cell: Vec<Point>,
    clipped: Vec<Point>,
}

impl Work {
    fn take_ground(&mut self, base: &TileData, poly: u32, grid: PlanGrid) {
        let triangles = base.triangles_of(poly).map(|(corners, _)| {
            let corners = corners.map(|v| point(v, grid));
            (corners, box_of(&corners))
        });
        self.ground.clear();
        self.ground.extend(triangles);
    }

    fn take_piece(&mut self, cut: &TileData, piece: u32, grid: PlanGrid) {
        self.corners.clear();
        self.corners.extend(cut.points_of(piece).map(|v| point(v, grid)));
        let edges = self.corners.iter().zip(self.corners.iter().cycle().skip(1));
        let lines = edges.map(|(&a, &b)| Line { a, b, length: length(a, b) });
        self.lines.clear();
        self.lines.extend(lines.filter(|line| line.length > 0.0));
    }

    /// Clips the triangles of the ground by the piece.
    fn clip(&mut self) {
        self.cells.clear();
        self.points.clear();
        let reach = box_of(&self.corners);
        for (triangle, of) in &self.ground {
            if of[0] > reach[2] || of[1] > reach[3] || of[2] < reach[0] || of[3] < reach[1] {
                continue;
            }
            self.cell.clear();
            self.cell.extend(triangle);
            for line in &self.lines {
                clip_by(line, &self.cell, &mut self.clipped);
                core::mem::swap(&mut self.cell, &mut self.clipped);
            }
            if !is_sliver(&self.cell) {
                let first = self.points.len();
                let corner = |p: Point| corner_at(&self.corners, p).map_or(p, |at| self.corners[at]);
                self.points.extend(self.cell.iter().map(|&p| corner(p)));
                self.cells.push(first..self.points.len());
            }
        }
    }

    /// Whether the piece's own corners tell the height of all its ground.
    fn is_plain(&self) -> bool {
        let heights = self.points.iter().chain(&self.corners).map(|p| p.y);
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        self.cells.len() < 2 || high - low <= LEVEL
    }

    /// Appends the piece's triangles and extra vertices to the tile.
    fn write(&mut self, cut: &mut TileData, grid: PlanGrid) -> Result<DetailRange, TileError> {
        let is_corner = |p: &Point| corner_at(&self.corners, *p).is_some();
        self.extra.clear();
        self.extra.extend(self.points.iter().filter(|p| !is_corner(p)));
        self.extra.sort_unstable_by_key(Point::key);
        self.extra.dedup_by_key(|p| p.key());
        let (first_vert, first_tri) = (cut.detail_verts.len(), cut.detail_tris.len());
        cut.detail_verts.extend(self.extra.iter().map(|p| vertex(*p, grid)));
        for cell in &self.cells {
            let cell = &self.points[cell.clone()];
            for pair in cell[1..].windows(2) {
                let triangle = [cell[0], pair[0], pair[1]];
                let verts = triangle.map(|p| self.number(p));
                // What is left of nothing by rounding is a line, and no ground lies under it.
                let is_none = verts[0] == verts[1] || verts[1] == verts[2] || verts[2] == verts[0];
                if !is_none && cross(triangle[0], triangle[1], triangle[2]) < 0.0 {
                    let verts = verts.map(|v| v as u16);
                    cut.detail_tris.push(DetailTri { verts, outline: self.outline(triangle) });
                }
            }
        }
        let (verts, tris) = (self.extra.len(), cut.detail_tris.len() - first_tri);
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

    /// The number of a point: corners first, then the extra vertices.
    fn number(&self, p: Point) -> usize {
        let extra = || self.extra.binary_search_by_key(&p.key(), Point::key).unwrap_or_else(|at| at);
        corner_at(&self.corners, p).unwrap_or_else(|| self.corners.len() + extra())
    }

    /// A bit for each edge of a triangle that lies on the piece's outline.
    fn outline(&self, triangle: [Point; 3]) -> u16 {
        let mut bits = 0;
        for line in &self.lines {
            let on = triangle.map(|p| line.outside(p) >= -BESIDE);
            for k in 0..3 {
                bits |= u16::from(on[k] && on[(k + 1) % 3]) << k;
            }
        }
        bits
    }
}

/// What of a convex cell lies inside of a line.
fn clip_by(line: &Line, cell: &[Point], clipped: &mut Vec<Point>) {
    clipped.clear();
    let Some(&last) = cell.last() else { return };
    let (mut from, mut from_in) = (last, line.outside(last) <= BESIDE);
    for &to in cell {
        let to_in = line.outside(to) <= BESIDE;
        if from_in != to_in {
            clipped.push(if from_in { line.crossing(from, to) } else { line.crossing(to, from) });
        }
        if to_in {
            clipped.push(to);
        }
        (from, from_in) = (to, to_in);
    }
    clipped.dedup();
    while clipped.len() > 1 && clipped.first() == clipped.last() {
        clipped.pop();
    }
}

/// Whether a cell is nowhere wider than what points may lie beside a line.
fn is_sliver(cell: &[Point]) -> bool {
    let Some(&first) = cell.first() else { return true };
    let area2: f64 = cell[1..].windows(2).map(|w| -cross(first, w[0], w[1])).sum();
    let around = box_of(cell);
    area2 <= 2.0 * BESIDE * (around[2] - around[0]).max(around[3] - around[1])
}

fn length(a: Point, b: Point) -> f64 {
    let (dx, dz) = (b.x - a.x, b.z - a.z);
    (dx * dx + dz * dz).sqrt()
}

/// The corner at a place.
fn corner_at(corners: &[Point], p: Point) -> Option<usize> {
    corners.iter().position(|c| (c.x - p.x).abs() <= BESIDE && (c.z - p.z).abs() <= BESIDE)
}

/// Least x and z, greatest x and z.
fn box_of(points: &[Point]) -> [f64; 4] {
    let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    points.iter().fold(start, |[a, b, c, d], p| [a.min(p.x), b.min(p.z), c.max(p.x), d.max(p.z)])
}

fn point(v: Vec3, grid: PlanGrid) -> Point {
    Point { x: grid.units(v.x), z: grid.units(v.z), y: f64::from(v.y) }
}

/// Exactly the place of a point of the first mesh, and of one on whole units.
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
        let mut tile = flat.tiles().next().unwrap().data().clone();
        let wide: Vec<Vec3> = tile.verts.iter().map(|&v| v * 3.0).collect();
        tile.verts = wide;
        tile.detail_verts = vec![Vec3::new(1.5, 1.0, 1.5)];
        tile.detail_tris = (0..4).map(|k| DetailTri { verts: [k, (k + 1) % 4, 4], outline: 1 }).collect();
        tile.details = vec![DetailRange { first_vert: 0, first_tri: 0, vert_count: 1, tri_count: 4 }];
        tile.bounds = Aabb::around(tile.verts.iter().chain(&tile.detail_verts).copied());
        let layout = TileLayout { tile_width: 3.0, tile_depth: 3.0, ..flat.layout() };
        NavMesh::from_tiles(layout, vec![tile]).unwrap()
    }

    #[test]
    fn a_piece_is_as_hilly_as_its_polygon() {
        let cut = ClearanceMesh::new(&pyramid(), 0.6, &DefaultFilter::default()).unwrap();
        assert_eq!(cut.mesh().check(), []);
        let tile = cut.mesh().tiles().next().unwrap().data();
        assert_eq!((tile.polys.len(), tile.detail_verts.len(), tile.detail_tris.len()), (1, 1, 4));
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
        assert!(cut.mesh().tiles().all(|tile| tile.data().details.is_empty()));
    }
}
