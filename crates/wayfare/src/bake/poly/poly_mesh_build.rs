//! Builds the polygon mesh: turns outlines of regions into convex polygons that share vertices and know their
//! neighbours.
//!
//! ```text
//! outlines ──► triangles ──► one half-edge mesh ──► convex polygons
//!          ears          shared vertices,        longest shared edges
//!                        edges find their twins  first
//! ```
//!
//! Vertices of different outlines are merged if they lie on the same grid corner within two cell heights, since each
//! region rounds a shared corner's height from its own spans. Sharing the vertex, and so the height, closes the crack.
//! Polygons that share an edge are neighbours. An edge whose outline marks it as part of the tile's border leads to the
//! neighbouring tile. All others are walls.
//!
//! Cost: that of triangulation, plus O(vertices + edges log edges).
//!
//! Sources: the stages are Recast's (Mikko Mononen, 2009).

use super::flat_triangles::mend_flat;
use super::slits::{OutlineVert, clean_outline};
use super::triangulate::Triangulator;
use crate::area::PolyFlags;
use crate::bake::cell_point::{Point, distance_squared, onward, turn};
use crate::bake::{BakeReport, Contour, ContourSet, ContourVert, MeshPoly, PolyMesh, WarningKind};
use crate::context::Budget;
use crate::math::half_edges::{HalfEdges, PlanePoint, RingEdge};
use crate::math::index::NONE;
use crate::tile::{EdgeNeighbour, Side};
use crate::voxel::Grid;

/// Heights at one grid corner that differ by at most this, in cell heights, are one vertex.
const SAME_VERTEX_HEIGHT: u32 = 2;

/// Triangles of all outlines. The mark of a half-edge is what is on its other side according to the outline
/// ([`ContourVert::neighbour`]), or [`INNER`].
type OutlineEdges = HalfEdges<u32>;

/// Marks a half-edge that is not part of any outline.
const INNER: u32 = u32::MAX;

impl PlanePoint for Point {
    fn is_convex(a: Self, b: Self, c: Self) -> bool {
        let bend = turn(a, b, c);
        bend > 0 || (bend == 0 && onward(a, b, c) > 0)
    }

    fn length_key(a: Self, b: Self) -> u64 {
        distance_squared(a, b)
    }
}

/// Working memory of [`build_poly_mesh_into`].
#[derive(Default)]
pub struct PolyMeshScratch {
    verts: SharedVerts,
    /// The corners of the current outline as read, and those that are kept.
    corners: Vec<OutlineVert>,
    outline: Vec<OutlineVert>,
    points: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    triangulator: Triangulator,
    mesh: OutlineEdges,
    /// The outline each triangle was cut from.
    outline_of: Vec<u32>,
    polygon_of: Vec<u32>,
    renumbered: Vec<u32>,
    /// The next outline to triangulate.
    next: usize,
    join: JoinPiece,
}

/// What is done next with the triangles of all outlines.
#[derive(Clone, Copy, Debug, Default)]
enum JoinPiece {
    #[default]
    Pair,
    Merge,
    Write,
}

/// Builds the polygon mesh of a tile: see [`build_poly_mesh_into`].
#[must_use]
pub fn build_poly_mesh(contours: &ContourSet, verts_per_poly: u32, report: &mut BakeReport) -> PolyMesh {
    let mut mesh = PolyMesh::empty(contours.grid);
    build_poly_mesh_into(contours, verts_per_poly, report, &mut PolyMeshScratch::default(), &mut mesh);
    mesh
}

/// Builds the polygon mesh of a tile into `out`, reusing its memory.
///
/// `verts_per_poly` is the most corners of a polygon; below 3 it counts as 3, and polygons never have more than 65,535.
/// Outlines, or parts of them, that cannot be triangulated are left out and reported with their position.
pub fn build_poly_mesh_into(
    contours: &ContourSet,
    verts_per_poly: u32,
    report: &mut BakeReport,
    scratch: &mut PolyMeshScratch,
    out: &mut PolyMesh,
) {
    scratch.begin(contours);
    scratch.build(contours, verts_per_poly, (report, &mut Budget::unlimited()), out);
}

impl PolyMeshScratch {
    /// Prepares for [`cut`](Self::cut).
    pub(in crate::bake) fn begin(&mut self, contours: &ContourSet) {
        self.verts.start(contours.verts.len());
        self.mesh.clear();
        self.outline_of.clear();
        self.next = 0;
        self.join = JoinPiece::Pair;
    }

    /// Builds the polygons within the budget: a unit is a corner. Returns whether it is finished.
    pub(in crate::bake) fn build(
        &mut self,
        contours: &ContourSet,
        verts_per_poly: u32,
        (report, budget): (&mut BakeReport, &mut Budget),
        out: &mut PolyMesh,
    ) -> bool {
        self.cut(contours, report, budget) && self.join(contours, verts_per_poly, budget, out)
    }

    /// Triangulates outlines within the budget: a unit is a corner. Returns whether it is finished.
    fn cut(&mut self, contours: &ContourSet, report: &mut BakeReport, budget: &mut Budget) -> bool {
        while let Some(contour) = contours.contours.get(self.next) {
            self.load_outline(contours, contour);
            self.cut_outline(self.next as u32, &contours.grid, report);
            self.next += 1;
            if !budget.charge(u64::from(contour.count)) {
                return false;
            }
        }
        true
    }

    /// Merges the triangles of all outlines into polygons within the budget: a unit is a corner. Returns whether it is
    /// finished.
    fn join(&mut self, contours: &ContourSet, verts_per_poly: u32, budget: &mut Budget, out: &mut PolyMesh) -> bool {
        loop {
            let Self { mesh, verts, outline_of, .. } = self;
            let corners = u64::from(mesh.len());
            let is_same = |g: u32, h: u32| outline_of[g as usize / 3] == outline_of[h as usize / 3];
            match self.join {
                JoinPiece::Pair => {
                    // Edges of two outlines are twins if at least one of them has a neighbour; within one outline both
                    // must have one, since walls without thickness have an outline on both sides.
                    mesh.pair(verts.at.len(), |mesh, g, h| {
                        let is_open = [g, h].map(|edge| mesh.edge(edge).mark != 0);
                        if is_same(g, h) { is_open[0] && is_open[1] } else { is_open[0] || is_open[1] }
                    });
                    mend_flat(mesh, outline_of, &verts.at);
                    self.join = JoinPiece::Merge;
                }
                JoinPiece::Merge => {
                    mesh.merge(&verts.at, verts_per_poly.clamp(3, u32::from(u16::MAX)), is_same);
                    self.join = JoinPiece::Write;
                }
                JoinPiece::Write => {
                    self.write(contours, out);
                    budget.charge(corners);
                    return true;
                }
            }
            if !budget.charge(corners) {
                return false;
            }
        }
    }

    /// Reads a contour's corners, without duplicate points and spikes.
    fn load_outline(&mut self, contours: &ContourSet, contour: &Contour) {
        self.corners.clear();
        for v in contours.verts_of(contour) {
            let corner = OutlineVert { vert: NONE, at: [v.x, v.z], beyond: v.neighbour };
            self.corners.push(OutlineVert { vert: self.verts.share(v), ..corner });
        }
        clean_outline(&mut self.corners, &mut self.outline);
    }

    fn cut_outline(&mut self, number: u32, grid: &Grid, report: &mut BakeReport) {
        let outline = &self.outline;
        if outline.len() < 3 {
            let at = outline.first().map(|v| self.verts.place(v.vert, grid));
            report.warn(WarningKind::ContourDropped, 1, at);
            return;
        }
        self.points.clear();
        self.points.extend(outline.iter().map(|v| v.at));
        self.triangles.clear();
        let rest = self.triangulator.run(&self.points, &mut self.triangles);
        if let Some(corner) = rest {
            let at = self.verts.place(outline[corner as usize].vert, grid);
            report.warn(WarningKind::TriangulationIncomplete, 1, Some(at));
        }
        let n = outline.len() as u32;
        for &corners in &self.triangles {
            let beyond = [0, 1, 2].map(|k| {
                let a = corners[k];
                let b = corners[(k + 1) % 3];
                if b == (a + 1) % n { outline[a as usize].beyond } else { INNER }
            });
            self.mesh.add(corners.map(|c| outline[c as usize].vert), beyond);
            self.outline_of.push(number);
        }
    }

    /// Numbers polygons and the vertices they use, and writes them.
    fn write(&mut self, contours: &ContourSet, out: &mut PolyMesh) {
        out.clear(contours.grid);
        self.renumbered.clear();
        self.renumbered.resize(self.verts.at.len(), NONE);
        self.polygon_of.clear();
        self.polygon_of.resize(self.mesh.len() as usize, NONE);
        for start in 0..self.mesh.len() {
            if self.mesh.is_removed(start) || self.polygon_of[start as usize] != NONE {
                continue;
            }
            let contour = &contours.contours[self.outline_of[start as usize / 3] as usize];
            let first = out.corners.len() as u32;
            for h in self.mesh.ring(start) {
                self.polygon_of[h as usize] = out.polys.len() as u32;
                let vert = self.mesh.edge(h).from as usize;
                if self.renumbered[vert] == NONE {
                    self.renumbered[vert] = out.verts.len() as u32;
                    let [x, z] = self.verts.at[vert];
                    out.verts.push([x, self.verts.y[vert], z]);
                }
                out.corners.push(self.renumbered[vert]);
                // Filled in below, once all polygons have numbers: until then the half-edge's own.
                out.neighbours.push(EdgeNeighbour::poly(h));
            }
            out.polys.push(MeshPoly {
                first,
                count: out.corners.len() as u32 - first,
                region: contour.region,
                area: contour.area,
                flags: PolyFlags::WALK,
            });
        }
        for neighbour in &mut out.neighbours {
            let Some(h) = neighbour.as_poly() else { continue };
            *neighbour = self.neighbour_across(h, &contours.grid);
        }
    }

    fn neighbour_across(&self, h: u32, grid: &Grid) -> EdgeNeighbour {
        let RingEdge { from, twin, mark: beyond, .. } = *self.mesh.edge(h);
        if twin != NONE {
            return EdgeNeighbour::poly(self.polygon_of[twin as usize]);
        }
        if beyond == INNER || beyond & ContourVert::TILE_BORDER == 0 {
            return EdgeNeighbour::WALL;
        }
        let ends = [from, self.mesh.to(h)].map(|v| self.verts.at[v as usize]);
        border_side(ends, grid).map_or(EdgeNeighbour::WALL, EdgeNeighbour::border)
    }
}

/// The side of the tile on whose border line both points lie.
fn border_side(ends: [Point; 2], grid: &Grid) -> Option<Side> {
    Side::ALL.into_iter().find(|side| {
        let (axis, line) = match side {
            Side::XMin => (0, 0),
            Side::ZMax => (1, grid.depth as i32),
            Side::XMax => (0, grid.width as i32),
            Side::ZMin => (1, 0),
        };
        ends.iter().all(|end| end[axis] == line)
    })
}

/// Heights are hashed by slabs of this many cell heights, so that a corner of a tower does not collide with those
/// below.
const SLAB: i32 = 8;

/// Vertices of all outlines, each grid corner and height once. A hash table with chains; only looked up, never
/// iterated.
#[derive(Default)]
struct SharedVerts {
    at: Vec<Point>,
    y: Vec<i32>,
    /// The positions that were looked up. A height once mapped to a vertex stays so, whatever vertices come later.
    entries: Vec<SharedPlace>,
    buckets: Vec<u32>,
    shift: u32,
}

/// A position that was looked up, and its vertex.
#[derive(Clone, Copy)]
struct SharedPlace {
    at: Point,
    y: i32,
    vert: u32,
    /// The next entry of the bucket.
    next: u32,
}

impl SharedVerts {
    fn start(&mut self, expected: usize) {
        let bits = usize::BITS - expected.leading_zeros() + 1;
        self.shift = 64 - bits;
        self.buckets.clear();
        self.buckets.resize(1 << bits, NONE);
        self.at.clear();
        self.y.clear();
        self.entries.clear();
    }

    fn share(&mut self, v: &ContourVert) -> u32 {
        let at = [v.x, v.z];
        let bucket = self.bucket(at, v.y.div_euclid(SLAB));
        if let Some(vert) = self.find(bucket, |entry| entry.at == at && entry.y == v.y) {
            return vert;
        }
        let vert = self.find_near(v).unwrap_or_else(|| {
            self.at.push(at);
            self.y.push(v.y);
            self.at.len() as u32 - 1
        });
        let next = core::mem::replace(&mut self.buckets[bucket], self.entries.len() as u32);
        self.entries.push(SharedPlace { at, y: v.y, vert, next });
        vert
    }

    /// The vertex at a corner's position and nearly its height.
    fn find_near(&self, v: &ContourVert) -> Option<u32> {
        let at = [v.x, v.z];
        let reach = SAME_VERTEX_HEIGHT as i32;
        let is_near = |entry: &SharedPlace| {
            let y = self.y[entry.vert as usize];
            entry.at == at && entry.y == y && y.abs_diff(v.y) <= SAME_VERTEX_HEIGHT
        };
        let low = (v.y - reach).div_euclid(SLAB);
        let high = (v.y + reach).div_euclid(SLAB);
        (low..=high).find_map(|slab| self.find(self.bucket(at, slab), is_near))
    }

    fn find(&self, bucket: usize, is_it: impl Fn(&SharedPlace) -> bool) -> Option<u32> {
        let mut i = self.buckets[bucket];
        while let Some(entry) = self.entries.get(i as usize) {
            if is_it(entry) {
                return Some(entry.vert);
            }
            i = entry.next;
        }
        None
    }

    fn bucket(&self, at: Point, slab: i32) -> usize {
        let key = u64::from(at[0] as u32) << 32 | u64::from(at[1] as u32);
        let mixed = (key ^ u64::from(slab as u32) << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> self.shift) as usize
    }

    fn place(&self, vert: u32, grid: &Grid) -> glam::Vec3 {
        let [x, z] = self.at[vert as usize];
        grid.world(x, self.y[vert as usize], z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::bake::cell_point::turn;
    use crate::math::{Aabb, Rng};

    const GRID: Grid =
        Grid { origin: glam::Vec3::ZERO, cell_size: 1.0, cell_height: 1.0, x: 0, z: 0, width: 20, depth: 10 };

    /// Outlines given as corners (x, y, z, neighbour); regions are numbered from 1.
    fn contours(outlines: &[&[[i32; 4]]]) -> ContourSet {
        let mut set =
            ContourSet { grid: GRID, contours: Vec::new(), verts: Vec::new(), raw_vert_count: 0, max_error: 1.3 };
        for (i, outline) in outlines.iter().enumerate() {
            let first = set.verts.len() as u32;
            set.verts.extend(outline.iter().map(|&[x, y, z, n]| ContourVert { x, y, z, neighbour: n as u32 }));
            let count = outline.len() as u32;
            let region = i as u32 + 1;
            set.contours.push(Contour { first, count, region, area: AreaId::WALKABLE });
        }
        set
    }

    fn build(set: &ContourSet, verts_per_poly: u32) -> (PolyMesh, BakeReport) {
        let mut report = BakeReport::new(Aabb::EMPTY);
        let mesh = build_poly_mesh(set, verts_per_poly, &mut report);
        assert_sound(&mesh, verts_per_poly);
        (mesh, report)
    }

    /// Polygons are convex and wound up, neighbours know each other and share the edge.
    fn assert_sound(mesh: &PolyMesh, verts_per_poly: u32) {
        for i in 0..mesh.polys.len() {
            let corners = mesh.corners_of(i);
            let n = corners.len();
            assert!(n >= 3 && n <= verts_per_poly as usize);
            assert!(mesh.area2_of(i) > 0);
            for k in 0..n {
                let [a, b, c] =
                    [k, (k + 1) % n, (k + 2) % n].map(|k| mesh.verts[corners[k] as usize]).map(|v| [v[0], v[2]]);
                assert!(turn(a, b, c) >= 0, "polygon {i} is not convex");
                if let Some(other) = mesh.neighbours_of(i)[k].as_poly() {
                    let theirs = mesh.corners_of(other as usize);
                    let m = theirs.len();
                    let back = (0..m).find(|&j| theirs[j] == corners[(k + 1) % n] && theirs[(j + 1) % m] == corners[k]);
                    assert_eq!(mesh.neighbours_of(other as usize)[back.unwrap()].as_poly(), Some(i as u32));
                }
            }
        }
    }

    fn area2(mesh: &PolyMesh) -> i64 {
        (0..mesh.polys.len()).map(|i| mesh.area2_of(i)).sum()
    }

    const BORDER: i32 = i32::MIN;

    #[test]
    fn a_rectangle_is_one_polygon_with_walls_and_borders() {
        let set = contours(&[&[[0, 3, 0, BORDER], [0, 3, 10, 0], [8, 3, 10, 0], [8, 3, 0, 0]]]);
        let (mesh, report) = build(&set, 6);
        assert_eq!(mesh.polys.len(), 1);
        assert_eq!(area2(&mesh), 160);
        let k = mesh.corners_of(0).iter().position(|&v| mesh.verts[v as usize] == [0, 3, 0]).unwrap();
        let edges = mesh.neighbours_of(0);
        assert_eq!(edges[k], EdgeNeighbour::border(Side::XMin));
        assert_eq!(edges.iter().filter(|e| e.is_wall()).count(), 3);
        assert!(report.warnings.is_empty());
    }

    #[test]
    fn regions_share_vertices_and_know_each_other() {
        // The shared corners differ by one and two cell heights: still one vertex each.
        let set = contours(&[
            &[[0, 3, 0, 0], [0, 3, 10, 0], [8, 4, 10, 2], [8, 3, 0, 0]],
            &[[8, 4, 0, 1], [8, 6, 10, 0], [15, 3, 10, 0], [15, 3, 0, 0]],
        ]);
        let (mesh, _) = build(&set, 6);
        assert_eq!((mesh.polys.len(), mesh.verts.len()), (2, 6));
        assert!(mesh.neighbours_of(0).contains(&EdgeNeighbour::poly(1)));
        assert!(mesh.neighbours_of(1).contains(&EdgeNeighbour::poly(0)));
    }

    #[test]
    fn a_step_too_high_is_a_wall_though_corners_meet() {
        let set = contours(&[
            &[[0, 3, 0, 0], [0, 3, 10, 0], [8, 3, 10, 0], [8, 3, 0, 0]],
            &[[8, 5, 0, 0], [8, 5, 10, 0], [15, 5, 10, 0], [15, 5, 0, 0]],
        ]);
        let (mesh, _) = build(&set, 6);
        assert!(mesh.neighbours.iter().all(|n| n.is_wall()));
    }

    #[test]
    fn corners_per_polygon_are_limited() {
        let ring: &[[i32; 4]] = &[
            [2, 0, 0, 0],
            [0, 0, 2, 0],
            [0, 0, 5, 0],
            [2, 0, 7, 0],
            [5, 0, 7, 0],
            [7, 0, 5, 0],
            [7, 0, 2, 0],
            [5, 0, 0, 0],
        ];
        let set = contours(&[ring]);
        for limit in 3..=8 {
            let (mesh, _) = build(&set, limit);
            assert_eq!(area2(&mesh), 2 * (49 - 4 * 2));
            assert!(mesh.polys.len() >= 6usize.div_ceil(limit as usize - 2));
        }
        assert_eq!(build(&set, 8).0.polys.len(), 1);
        let mut report = BakeReport::new(Aabb::EMPTY);
        assert_eq!(build_poly_mesh(&set, 0, &mut report).polys.len(), 6, "below 3 counts as 3");
    }

    #[test]
    fn a_broken_outline_is_reported_and_the_others_stand() {
        let set = contours(&[
            &[[0, 0, 0, 0], [4, 0, 4, 0], [4, 0, 0, 0], [0, 0, 4, 0]],
            &[[5, 2, 0, 0], [5, 2, 0, 0], [6, 2, 0, 0], [5, 2, 0, 0]],
            &[[8, 1, 0, 0], [8, 1, 5, 0], [12, 1, 5, 0], [12, 1, 0, 0]],
        ]);
        let (mesh, report) = build(&set, 6);
        assert!(area2(&mesh) >= 40);
        assert_eq!(mesh.polys.last().unwrap().region, 3);
        let kinds: Vec<_> = report.warnings.iter().map(|w| (w.kind, w.count, w.first_place().is_some())).collect();
        let expected = [(WarningKind::ContourDropped, 1, true), (WarningKind::TriangulationIncomplete, 1, true)];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn spikes_and_doubled_points_leave_no_trace() {
        let plain = contours(&[&[[0, 0, 0, 7], [0, 0, 9, 8], [9, 0, 9, 9], [9, 0, 0, 10]]]);
        let messy = contours(&[&[
            [0, 0, 0, 1],
            [-3, 0, 0, 1],
            [0, 0, 0, 7],
            [0, 0, 9, 1],
            [0, 0, 9, 8],
            [9, 0, 9, 1],
            [9, 0, 12, 1],
            [9, 0, 9, 9],
            [9, 0, 0, 10],
            [0, 0, 0, 1],
        ]]);
        let a = build(&plain, 6).0;
        let b = build(&messy, 6).0;
        assert_eq!(area2(&a), area2(&b));
        assert_eq!((a.polys.len(), a.verts.len()), (b.polys.len(), b.verts.len()));
    }

    #[test]
    fn scratch_of_one_tile_does_not_show_in_the_next() {
        let one = contours(&[&[[0, 3, 0, 0], [0, 3, 10, 0], [8, 4, 10, 2], [8, 3, 0, 0]]]);
        let two = contours(&[&[[2, 0, 0, 0], [0, 0, 5, 0], [3, 0, 4, 0], [9, 0, 9, 0], [7, 0, 2, 0]]]);
        let mut scratch = PolyMeshScratch::default();
        let mut report = BakeReport::new(Aabb::EMPTY);
        let mut mesh = PolyMesh::empty(GRID);
        for set in [&one, &two, &one] {
            build_poly_mesh_into(set, 6, &mut report, &mut scratch, &mut mesh);
            let fresh = build_poly_mesh(set, 6, &mut report);
            assert_eq!((&mesh.verts, &mesh.polys, &mesh.corners), (&fresh.verts, &fresh.polys, &fresh.corners));
            assert_eq!(mesh.neighbours, fresh.neighbours);
        }
    }

    #[test]
    fn random_ground_is_covered_to_the_cell() {
        use crate::bake::test_ground::ground;
        use crate::bake::{ContourSettings, RegionLimits, build_contours, layer_regions, monotone_regions};
        let mut rng = Rng::new(5);
        for round in 0..80 {
            // Surfaces with holes of all sizes, dense enough for islands in holes and corners that touch.
            let grain = 1 + round % 4;
            let mut open = vec![false; 50 * 40];
            for cell in &mut open {
                *cell = rng.below(256) > 40 + 20 * (round as u32 % 5);
            }
            let is_open = |x: i32, z: i32| open[(z / grain * 50 + x / grain) as usize];
            let (field, _) = ground(48, 36, |x, z| if is_open(x, z) { vec![10 + (x / 9) as u16] } else { vec![] });
            let limits = RegionLimits { min_cells: round as u32 % 3 * 4, merge_cells: 60 };
            let regions = if round % 2 == 0 { monotone_regions(&field, limits) } else { layer_regions(&field, limits) };
            let mut report = BakeReport::new(Aabb::EMPTY);
            let settings = ContourSettings { max_error: [0.0, 1.0, 1.3, 2.5][round as usize % 4], max_edge_len: 12 };
            let contours = build_contours(&field, &regions, settings, &mut report);
            report.warnings.clear();
            let mesh = build_poly_mesh(&contours, 6, &mut report);
            assert!(report.warnings.is_empty(), "round {round}: {:?}", report.warnings);
            assert_sound(&mesh, 6);
            let outlines = contours.contours.iter().map(|c| {
                let corners: Vec<Point> = contours.verts_of(c).iter().map(|v| [v.x, v.z]).collect();
                (1..corners.len() - 1).map(|i| turn(corners[0], corners[i], corners[i + 1])).sum::<i64>()
            });
            assert_eq!(area2(&mesh), outlines.sum::<i64>(), "round {round}");
            if settings.max_error == 0.0 {
                let cells = regions.id.iter().filter(|&&id| id != 0).count();
                assert_eq!(area2(&mesh), 2 * cells as i64, "round {round}");
            }
        }
    }

    #[test]
    fn any_outlines_give_a_sound_mesh() {
        let mut rng = Rng::new(11);
        let mut next = |below: u32| rng.below(below) as i32;
        for round in 0..1500 {
            let n = 3 + round % 14;
            let outline: Vec<[i32; 4]> = (0..n).map(|_| [next(9), next(5), next(9), next(3)]).collect();
            let other: Vec<[i32; 4]> = (0..5).map(|_| [next(9), next(5), next(9), next(3)]).collect();
            build(&contours(&[&outline, &other]), 3 + round as u32 % 5);
        }
    }
}
