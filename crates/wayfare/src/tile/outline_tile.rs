//! Builds a tile from outlines in a plane: a point is walkable if it lies within an odd number of them, so an outline
//! within another is a hole.
//!
//! ```text
//!   .───────────.        .───────────.        .───────────.
//!   │  .───.    │        │\ .───. .·'│        │  .───.    │
//!   │  │   │    │  ───>  │ \│   │·   │  ───>  │\ │   │ .·'│      outlines ─ triangles ─ few convex polygons
//!   │  '───'    │        │.·'───' ·. │        │.·'───':   │
//!   '───────────'        '───────────'        '───────────'
//! ```
//!
//! The outlines are put into a constrained Delaunay triangulation; where they cross, they get a vertex. Triangles not
//! separated by an outline are either all inside or all outside, so testing one of them is enough: how many outlines
//! does a ray from its middle cross? Edges are sorted into bands, across the direction in which most are long, so a ray
//! tests only those of its own band. The inside triangles are merged into convex polygons.
//!
//! Cost: O(n log n) in practice; memory in proportion to the edges.
//!
//! Sources: L. Paul Chew, "Constrained Delaunay Triangulations", 1987; the triangulation is that of the crate `spade`.

use super::{SourcePoly, TileData, TileError, TileSource, build_tile};
use crate::area::{AreaId, PolyFlags};
use crate::math::half_edges::HalfEdges;
use core::ops::RangeInclusive;
use glam::{DVec2, Vec2, Vec3};
use spade::{ConstrainedDelaunayTriangulation, InsertionError, Point2, Triangulation};

/// Outlines that cannot be made into a tile.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OutlineError {
    /// A point that is not finite, or so far away that areas can no longer be computed (2⁴⁰).
    #[error("point {point} of outline {outline} is ({x}, {y}): use finite numbers below {MOST}")]
    Point {
        /// The outline.
        outline: u32,
        /// The point.
        point: u32,
        /// Its coordinates.
        x: f32,
        /// Its coordinates.
        y: f32,
    },
    /// The triangulation cannot hold the coordinates.
    #[error("the outlines cannot be triangulated: their coordinates are too large or too small")]
    Triangulation,
    /// Too many polygons or corners for a tile.
    #[error(transparent)]
    Tile(#[from] TileError),
}

impl From<InsertionError> for OutlineError {
    fn from(_: InsertionError) -> Self {
        Self::Triangulation
    }
}

const MOST: f32 = 1_099_511_627_776.0;

/// Makes a flat tile at height `y` from outlines: lists of (x, z), each implicitly closed, with either winding.
/// Outlines may touch, share edges and cross; those of fewer than three points are ignored. The tile stands alone.
///
/// ```
/// use wayfare::Vec2;
/// use wayfare::mesh::NavMesh;
/// use wayfare::tile::build_outline_tile;
///
/// let square = |low: f32, high: f32| [[low, low], [high, low], [high, high], [low, high]].map(Vec2::from).to_vec();
/// let tile = build_outline_tile(&[square(0.0, 6.0), square(2.0, 4.0)], 0.0)?;
/// let nav = NavMesh::from_tile(tile)?;
/// let path = nav.find_path([1.0, 0.0, 3.0], [5.0, 0.0, 3.0]);
/// assert!(path.is_complete() && path.length > 4.5, "around the hole");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OutlineError`] for coordinates out of range and more polygons than a tile can hold.
pub fn build_outline_tile(outlines: &[Vec<Vec2>], y: f32) -> Result<TileData, OutlineError> {
    let (verts, triangles) = triangles_inside(outlines)?;
    let (corners, polys) = convex_polygons(&verts, &triangles);
    drop(triangles);
    let verts: Vec<Vec3> = verts.iter().map(|v| Vec3::new(v.x, y, v.y)).collect();
    Ok(build_tile(&TileSource { verts: &verts, corners: &corners, polys: &polys, ..TileSource::default() })?)
}

/// The triangles inside outlines, and their vertices. The triangulation, several times their size, is freed here.
fn triangles_inside(outlines: &[Vec<Vec2>]) -> Result<(Vec<Vec2>, Vec<[u32; 3]>), OutlineError> {
    let plan = Plan::of(outlines)?;
    let triangulation = plan.triangulate()?;
    Ok(plan.triangles_inside(&triangulation))
}

/// Triangles of the same winding, joined to convex polygons: their corners one after another, and the polygons.
fn convex_polygons(verts: &[Vec2], triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<SourcePoly>) {
    let mut pieces = HalfEdges::default();
    triangles.iter().for_each(|&corners| pieces.add(corners, [(); 3]));
    pieces.pair(verts.len(), |_, _, _| true);
    pieces.merge(verts, u32::from(u16::MAX), |_, _| true);
    let mut corners = Vec::new();
    let mut polys = Vec::new();
    let mut is_seen = vec![false; pieces.len() as usize];
    for first in 0..pieces.len() {
        if pieces.is_removed(first) || is_seen[first as usize] {
            continue;
        }
        let before = corners.len();
        for h in pieces.ring(first) {
            is_seen[h as usize] = true;
            corners.push(pieces.edge(h).from);
        }
        let count = (corners.len() - before) as u16;
        polys.push(SourcePoly { count, flags: PolyFlags::WALK, area: AreaId::WALKABLE });
    }
    (corners, polys)
}

type Cdt = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// The outlines as points without duplicates and edges between them.
struct Plan {
    points: Vec<DVec2>,
    edges: Vec<[usize; 2]>,
}

impl Plan {
    fn of(outlines: &[Vec<Vec2>]) -> Result<Self, OutlineError> {
        // Negative zero becomes zero; so do numbers too close to zero for the triangulation.
        let clean = |v: f32| f64::from(if v.abs() < f32::MIN_POSITIVE { 0.0 } else { v });
        let mut points: Vec<DVec2> = Vec::new();
        for (outline, list) in (0u32..).zip(outlines) {
            for (point, p) in (0u32..).zip(list) {
                if !(p.x.abs() < MOST && p.y.abs() < MOST) {
                    return Err(OutlineError::Point { outline, point, x: p.x, y: p.y });
                }
                points.push(DVec2::new(clean(p.x), clean(p.y)));
            }
        }
        let mut sorted: Vec<usize> = (0..points.len()).collect();
        let order = |a: &DVec2, b: &DVec2| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y));
        sorted.sort_by(|&a, &b| order(&points[a], &points[b]).then(a.cmp(&b)));
        // The first of several points at one position represents all.
        let mut stands_for: Vec<usize> = (0..points.len()).collect();
        for pair in sorted.windows(2) {
            if points[pair[0]] == points[pair[1]] {
                stands_for[pair[1]] = stands_for[pair[0]];
            }
        }
        let mut index = vec![0; points.len()];
        let mut kept = Vec::new();
        for (at, &first) in stands_for.iter().enumerate() {
            if first == at {
                index[at] = kept.len();
                kept.push(points[at]);
            }
        }
        let mut edges = Vec::new();
        let mut first = 0;
        for list in outlines {
            for k in 0..if list.len() < 3 { 0 } else { list.len() } {
                let ends = [first + k, first + (k + 1) % list.len()].map(|at| index[stands_for[at]]);
                if ends[0] != ends[1] {
                    edges.push(ends);
                }
            }
            first += list.len();
        }
        Ok(Self { points: kept, edges })
    }

    fn triangulate(&self) -> Result<Cdt, OutlineError> {
        let points = self.points.iter().map(|p| Point2::new(p.x, p.y)).collect();
        let mut crossing = Vec::new();
        // The same edge twice is one constraint.
        let mut edges: Vec<[usize; 2]> = self.edges.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut cdt = Cdt::try_bulk_load_cdt(points, edges, |edge| crossing.push(edge))?;
        for [a, b] in crossing {
            let [a, b] = [a, b].map(spade::handles::FixedVertexHandle::from_index);
            cdt.add_constraint_and_split(a, b, |point| point);
        }
        Ok(cdt)
    }

    /// The triangles that lie inside, wound from x towards z, and all vertices.
    fn triangles_inside(&self, cdt: &Cdt) -> (Vec<Vec2>, Vec<[u32; 3]>) {
        let verts = cdt.vertices().map(|v| Vec2::new(v.position().x as f32, v.position().y as f32)).collect();
        let part = parts(cdt);
        // The largest triangle of each part: its middle is farthest from any edge.
        let mut largest: Vec<(f64, DVec2)> = Vec::new();
        for (face, &part) in cdt.inner_faces().zip(&part) {
            if largest.len() <= part {
                largest.resize(part + 1, (-1.0, DVec2::ZERO));
            }
            if face.area() > largest[part].0 {
                let center = face.center();
                largest[part] = (face.area(), DVec2::new(center.x, center.y));
            }
        }
        let bands = Bands::of(self);
        let inside: Vec<bool> = largest.iter().map(|(_, middle)| bands.is_inside(self, *middle)).collect();
        let mut triangles = Vec::new();
        for (face, &part) in cdt.inner_faces().zip(&part) {
            if inside[part] {
                triangles.push(face.vertices().map(|v| v.fix().index() as u32));
            }
        }
        (verts, triangles)
    }
}

/// For each inner face the part of the plane it lies in: parts are bounded by constraints.
fn parts(cdt: &Cdt) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut number = vec![NONE; cdt.num_all_faces()];
    for (place, face) in cdt.inner_faces().enumerate() {
        number[face.fix().index()] = place;
    }
    let mut part = vec![NONE; cdt.num_inner_faces()];
    let mut count = 0;
    let mut open = Vec::new();
    for (place, face) in cdt.inner_faces().enumerate() {
        if part[place] != NONE {
            continue;
        }
        part[place] = count;
        open.push(face);
        while let Some(face) = open.pop() {
            for edge in face.adjacent_edges() {
                let beyond = edge.rev().face();
                let Some(inner) = beyond.as_inner().filter(|_| !edge.is_constraint_edge()) else { continue };
                let next = number[inner.fix().index()];
                if part[next] == NONE {
                    part[next] = count;
                    open.push(inner);
                }
            }
        }
        count += 1;
    }
    part
}

/// The edges by the bands that they touch: bands of y, or of x if fewer edges then touch many of them.
struct Bands {
    /// Whether x and y are exchanged.
    is_turned: bool,
    low: f64,
    per_band: f64,
    lists: Vec<Vec<u32>>,
}

impl Bands {
    /// An edge touches at most so many bands on average: with edges that are long both ways, bands are wider.
    const TOUCHED: usize = 32;

    fn of(plan: &Plan) -> Self {
        let mut count = (plan.edges.len() / 4).clamp(1, 4096);
        let mut bands = loop {
            let [along_y, along_x] = [false, true].map(|is_turned| Self::empty(plan, is_turned, count));
            let [by_y, by_x] = [&along_y, &along_x].map(|bands| bands.touched(plan));
            if by_y.min(by_x) <= Self::TOUCHED * plan.edges.len() || count == 1 {
                break if by_x < by_y { along_x } else { along_y };
            }
            count /= 2;
        };
        for (number, &edge) in (0u32..).zip(&plan.edges) {
            for band in bands.range(plan, edge) {
                bands.lists[band].push(number);
            }
        }
        bands
    }

    /// So many bands without edges.
    fn empty(plan: &Plan, is_turned: bool, count: usize) -> Self {
        let turned = plan.points.iter().map(|&p| turn(p, is_turned).y);
        let (low, high) = turned.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
        let per_band = ((high - low) / count as f64).max(f64::MIN_POSITIVE);
        Self { is_turned, low, per_band, lists: vec![Vec::new(); count] }
    }

    /// How many bands all edges touch together.
    fn touched(&self, plan: &Plan) -> usize {
        plan.edges.iter().map(|&edge| self.range(plan, edge).count()).sum()
    }

    /// The bands that an edge touches.
    fn range(&self, plan: &Plan, edge: [usize; 2]) -> RangeInclusive<usize> {
        let [a, b] = edge.map(|at| self.band(turn(plan.points[at], self.is_turned).y));
        a.min(b)..=a.max(b)
    }

    fn band(&self, y: f64) -> usize {
        (((y - self.low) / self.per_band) as usize).min(self.lists.len() - 1)
    }

    /// Whether a ray from a point along its band crosses an odd number of edges.
    fn is_inside(&self, plan: &Plan, p: DVec2) -> bool {
        let p = turn(p, self.is_turned);
        let crosses = |&&number: &&u32| {
            let [a, b] = plan.edges[number as usize].map(|at| turn(plan.points[at], self.is_turned));
            (a.y > p.y) != (b.y > p.y) && {
                let side = (b - a).perp_dot(p - a);
                (side > 0.0) == (b.y > a.y)
            }
        };
        self.lists[self.band(p.y)].iter().filter(crosses).count() % 2 == 1
    }
}

fn turn(p: DVec2, is_turned: bool) -> DVec2 {
    if is_turned { DVec2::new(p.y, p.x) } else { p }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Rng, polygon};

    fn area(tile: &TileData) -> f32 {
        (0..tile.polys().len() as u32).map(|poly| polygon::area(&tile.points_of(poly).collect::<Vec<_>>())).sum()
    }

    fn rect(x0: f32, z0: f32, x1: f32, z1: f32) -> Vec<Vec2> {
        [[x0, z0], [x1, z0], [x1, z1], [x0, z1]].map(Vec2::from).to_vec()
    }

    fn sound(tile: &TileData) {
        tile.defects(|poly, at, defect| panic!("polygon {poly} at {at}: {defect}"));
    }

    #[test]
    fn a_hole_is_left_out_and_an_island_in_it_is_ground() {
        let tile =
            build_outline_tile(&[rect(0., 0., 9., 9.), rect(2., 2., 7., 7.), rect(4., 4., 5., 5.)], 1.5).unwrap();
        sound(&tile);
        assert_eq!(area(&tile), 81.0 - 25.0 + 1.0);
        assert!(tile.polys().len() <= 5 && tile.verts().iter().all(|v| v.y == 1.5), "{}", tile.polys().len());
    }

    #[test]
    fn outlines_may_cross_touch_and_share_edges() {
        let crossing = build_outline_tile(&[rect(0., 0., 4., 4.), rect(2., 2., 6., 6.)], 0.0).unwrap();
        sound(&crossing);
        assert_eq!(area(&crossing), 16.0 + 16.0 - 8.0);
        let beside =
            build_outline_tile(&[rect(0., 0., 4., 4.), rect(4., 1., 6., 3.), rect(0., 0., 1., 1.)], 0.0).unwrap();
        sound(&beside);
        assert_eq!(area(&beside), 16.0 + 4.0 - 1.0);
        let bow = [[0., 0.], [4., 4.], [4., 0.], [0., 4.]].map(Vec2::from).to_vec();
        assert_eq!(area(&build_outline_tile(&[bow], 0.0).unwrap()), 8.0);
    }

    #[test]
    fn nothing_and_nonsense() {
        for outlines in [vec![], vec![vec![]], vec![vec![Vec2::ZERO, Vec2::X]], vec![vec![Vec2::ONE; 5]]] {
            assert_eq!(build_outline_tile(&outlines, 0.0).unwrap().polys().len(), 0);
        }
        let bad = build_outline_tile(&[rect(0., 0., f32::NAN, 1.)], 0.0);
        assert!(matches!(bad, Err(OutlineError::Point { outline: 0, point: 1, .. })));
    }

    /// Long teeth, side by side.
    fn comb(teeth: u32, turned: bool, at: f32) -> Vec<Vec2> {
        let tips = (0..2 * teeth).map(|k| [k as f32 * 0.5, if k % 2 == 0 { 1.0 } else { 1000.0 }]);
        let all = tips.chain([[teeth as f32, 0.0], [0.0, 0.0]]);
        all.map(|[x, y]| Vec2::from(if turned { [y, x + at] } else { [x, y + at] })).collect()
    }

    #[test]
    fn combs_take_little_memory_whichever_way_they_lie() {
        for outlines in [
            vec![comb(2000, false, 0.0)],
            vec![comb(2000, true, 0.0)],
            vec![comb(2000, false, 0.0), comb(2000, true, 2000.0)],
        ] {
            let plan = Plan::of(&outlines).unwrap();
            let bands = Bands::of(&plan);
            let held: usize = bands.lists.iter().map(Vec::len).sum();
            assert!(held <= Bands::TOUCHED * plan.edges.len(), "{held} for {} edges", plan.edges.len());
            let tile = build_outline_tile(&outlines, 0.0).unwrap();
            sound(&tile);
            let expected: f32 = outlines.iter().map(|outline| outline_area(outline)).sum();
            assert!((area(&tile) / expected - 1.0).abs() < 1e-3, "{} {expected}", area(&tile));
        }
    }

    fn outline_area(outline: &[Vec2]) -> f32 {
        let edges = outline.iter().zip(outline.iter().cycle().skip(1));
        (edges.map(|(a, b)| a.as_dvec2().perp_dot(b.as_dvec2())).sum::<f64>() / 2.0).abs() as f32
    }

    /// Random boxes over each other: the area is what counting unit squares says.
    #[test]
    fn random_boxes_cover_what_a_count_says() {
        let mut rng = Rng::new(4);
        for round in 0..60 {
            let mut at = |below: u32| rng.below(below) as f32;
            let boxes: Vec<Vec<Vec2>> = (0..6)
                .map(|_| {
                    let x = at(8);
                    let z = at(8);
                    rect(x, z, x + 1.0 + at(5), z + 1.0 + at(5))
                })
                .collect();
            let tile = build_outline_tile(&boxes, 0.0).unwrap();
            sound(&tile);
            let covers = |x: f32, z: f32| {
                let inside = |b: &&Vec<Vec2>| (b[0].x..b[2].x).contains(&x) && (b[0].y..b[2].y).contains(&z);
                boxes.iter().filter(inside).count() % 2 == 1
            };
            let count = (0..14 * 14).filter(|k| covers((k % 14) as f32, (k / 14) as f32)).count();
            assert!((area(&tile) - count as f32).abs() < 1e-3, "round {round}: {} {count}", area(&tile));
        }
    }
}
