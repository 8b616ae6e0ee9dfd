//! The detail mesh: triangles over each polygon that follow the ground's heights.
//!
//! Polygons only know the heights of their corners. Over each, a triangulation grows until no sample of the ground is
//! further above or below it than the error bound:
//!
//! 1. edges are sampled and keep the samples they need; an edge that two polygons share is sampled once, so both follow
//!    it alike and no crack opens;
//! 2. inside, the sample with the greatest error becomes a vertex, again and again. Each sample remembers its triangle,
//!    so one insertion looks again only at the samples of the few triangles it changed.
//!
//! Vertices have heights of the ground or of the polygon's corners, nothing in between and nothing beyond: no spikes.
//! It ends: each round uses up a sample.
//!
//! Cost: O(samples + vertices log samples) on even ground; a polygon over level ground costs its samples alone.
//!
//! Sources: M. Garland and P. Heckbert, "Fast polygonal approximation of terrains and height fields", 1995 (greedy
//! insertion); where samples are taken follows Recast (Mikko Mononen, 2009–2010), which triangulates anew for each
//! vertex.

use super::frame::Frame;
use super::heights::{Floor, Ground};
use super::incremental_delaunay::{Delaunay, Sample, Vertex};
use super::sampling::{Bound, Edge, EdgeSample, EdgeScratch, InnerSamples, sample_edge, steps_between};
use crate::bake::cell_point::{Point, turn};
use crate::bake::{BakeReport, DetailMesh, DetailPatch, PolyMesh, Regions, WarningKind};
use crate::input::VoxelSettings;
use crate::math::index::NONE;
use crate::tile::DetailTri;
use crate::voxel::{CompactHeightfield, Grid};
use core::cmp::Reverse;
use glam::Vec3;
use std::collections::BinaryHeap;

/// Most vertices of one patch: its triangles, at most twice as many, must be countable in 16 bits.
const MAX_PATCH_VERTS: usize = 32_767;

/// How finely the ground is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetailSampling {
    /// Distance between samples in metres. 0: no samples, polygons have the heights of their corners. Else at least a
    /// cell is between two samples.
    pub distance: f32,
    /// How far the mesh may be above or below a sample, in metres.
    pub max_error: f32,
}

impl DetailSampling {
    /// What the settings ask for.
    #[must_use]
    pub fn of(settings: &VoxelSettings) -> Self {
        Self { distance: settings.detail_sample_dist, max_error: settings.detail_sample_max_error }
    }
}

/// What the detail mesh is built from.
#[derive(Clone, Copy)]
pub struct DetailInput<'a> {
    /// The polygons.
    pub mesh: &'a PolyMesh,
    /// The ground they were made from.
    pub field: &'a CompactHeightfield,
    /// Its regions.
    pub regions: &'a Regions,
    /// How far outlines may have left the voxels' edge, in cells.
    pub edge_max_error: f32,
    /// How finely the ground is followed.
    pub sampling: DetailSampling,
}

/// Working memory of [`build_detail_mesh_into`].
#[derive(Default)]
pub struct DetailScratch {
    delaunay: Delaunay,
    edge: EdgeScratch,
    /// Samples kept on each edge, from the lesser end to the greater, in order of the mesh's corners.
    edge_samples: Vec<EdgeSample>,
    /// Where the samples of each edge lie in `edge_samples`.
    edge_ranges: Vec<[u32; 2]>,
    ring: Vec<Point>,
    bounds: Vec<Bound>,
    strict: Vec<u32>,
    /// World places of the patch's vertices, in cells of the tile proper.
    places: Vec<[f64; 2]>,
    /// The worst sample of each triangle that has one beyond the error bound.
    worst: BinaryHeap<Candidate>,
}

/// A sample that may become a vertex: its error (as bits, which order like the number), the sample, its triangle and
/// the triangle's version. Greatest error first, then lowest sample.
type Candidate = (u64, Reverse<u32>, u32, u32);

/// Builds the detail mesh: see [`build_detail_mesh_into`].
#[must_use]
pub fn build_detail_mesh(input: &DetailInput<'_>, report: &mut BakeReport) -> DetailMesh {
    let mut out = DetailMesh::default();
    build_detail_mesh_into(input, report, &mut DetailScratch::default(), &mut out);
    out
}

/// Builds the detail mesh of a tile into `out`, whose memory is used again.
///
/// A patch that would have more vertices than its 16-bit indices can count keeps what it has and is reported.
pub fn build_detail_mesh_into(
    input: &DetailInput<'_>,
    report: &mut BakeReport,
    scratch: &mut DetailScratch,
    out: &mut DetailMesh,
) {
    out.patches.clear();
    out.verts.clear();
    out.tris.clear();
    let sampler = Sampler::new(input);
    sampler.sample_edges(scratch);
    for poly in 0..input.mesh.polys.len() {
        let limited = sampler.build_patch(poly, scratch);
        if limited {
            let [x, y, z] = input.mesh.verts[input.mesh.corners_of(poly)[0] as usize];
            report.warn(WarningKind::DetailLimit, 1, Some(input.mesh.grid.world(x, y, z)));
        }
        sampler.write_patch(poly, scratch, out);
    }
}

struct Sampler<'a> {
    input: &'a DetailInput<'a>,
    ground: Ground<'a>,
    /// Cells between samples; 0 for none.
    spacing: f64,
    /// Error bound in cell heights.
    max_error: f64,
}

impl<'a> Sampler<'a> {
    fn new(input: &'a DetailInput<'a>) -> Self {
        let grid = &input.mesh.grid;
        let DetailSampling { distance, max_error } = input.sampling;
        let spacing = if distance > 0.0 { f64::from(distance / grid.cell_size).max(1.0) } else { 0.0 };
        Self {
            input,
            ground: Ground::new(input.field, input.regions, input.edge_max_error),
            spacing,
            max_error: f64::from(max_error / grid.cell_height),
        }
    }

    fn vert(&self, v: u32) -> [i32; 3] {
        self.input.mesh.verts[v as usize]
    }

    /// Samples every edge once: a shared edge by the polygon that comes first.
    fn sample_edges(&self, scratch: &mut DetailScratch) {
        let mesh = self.input.mesh;
        scratch.edge_samples.clear();
        scratch.edge_ranges.clear();
        scratch.edge_ranges.resize(mesh.corners.len(), [0; 2]);
        if self.spacing == 0.0 {
            return;
        }
        for (i, poly) in mesh.polys.iter().enumerate() {
            let corners = mesh.corners_of(i);
            for (k, neighbour) in mesh.neighbours_of(i).iter().enumerate() {
                let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
                let corner = poly.first as usize + k;
                if let Some(twin) = neighbour.as_poly().filter(|&other| (other as usize) < i)
                    && let Some(theirs) = self.edge_of(twin, b, a)
                {
                    scratch.edge_ranges[corner] = scratch.edge_ranges[theirs];
                    continue;
                }
                let mut ends = [self.vert(a), self.vert(b)];
                let (dx, dz) = (f64::from(ends[1][0] - ends[0][0]), f64::from(ends[1][2] - ends[0][2]));
                let length = (dx * dx + dz * dz).sqrt().max(1.0);
                let inwards = [dz / length, -dx / length];
                ends.sort_unstable_by_key(|v| [v[0], v[2]]);
                let border = neighbour.as_border().is_some();
                let first = scratch.edge_samples.len() as u32;
                sample_edge(
                    &Edge { ends, region: poly.region, border, inwards },
                    &self.ground,
                    [self.spacing, self.max_error],
                    &mut scratch.edge,
                    &mut scratch.edge_samples,
                );
                scratch.edge_ranges[corner] = [first, scratch.edge_samples.len() as u32];
            }
        }
    }

    /// The corner at which polygon `poly` has the edge from vertex `a` to `b`.
    fn edge_of(&self, poly: u32, a: u32, b: u32) -> Option<usize> {
        let corners = self.input.mesh.corners_of(poly as usize);
        let n = corners.len();
        let k = (0..n).find(|&k| corners[k] == a && corners[(k + 1) % n] == b)?;
        Some(self.input.mesh.polys[poly as usize].first as usize + k)
    }

    /// Triangulates one polygon; tells whether it hit the vertex limit.
    fn build_patch(&self, poly: usize, scratch: &mut DetailScratch) -> bool {
        self.start_patch(poly, scratch);
        if self.spacing == 0.0 || scratch.delaunay.triangles.is_empty() {
            return false;
        }
        let frame = Frame::around(&scratch.ring);
        let mut limited = self.add_edges(poly, &frame, scratch);
        self.take_inner_samples(poly, &frame, scratch);
        limited |= self.refine(&frame, scratch);
        limited
    }

    /// The triangulation of the polygon's corners.
    fn start_patch(&self, poly: usize, scratch: &mut DetailScratch) {
        let corners = self.input.mesh.corners_of(poly);
        let n = corners.len();
        let DetailScratch { ring, strict, delaunay, places, .. } = scratch;
        ring.clear();
        ring.extend(corners.iter().map(|&v| self.vert(v)).map(|[x, _, z]| [x, z]));
        let frame = Frame::around(ring);
        delaunay.verts.clear();
        places.clear();
        strict.clear();
        for (k, &corner) in corners.iter().enumerate() {
            if turn(ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]) > 0 {
                strict.push(k as u32);
            }
            let at = frame.of_cell(ring[k]);
            delaunay.verts.push(Vertex { at, y: self.vert(corner)[1], lines: [NONE; 2] });
            places.push(ring[k].map(f64::from));
        }
        if strict.len() < 3 {
            delaunay.triangles.clear();
            return;
        }
        // The line of an edge is numbered by the strict corner it starts from; corners amid it lie on it alone.
        let mut line = strict[strict.len() - 1];
        for k in 0..n as u32 {
            let before = line;
            if strict.binary_search(&k).is_ok() {
                line = k;
            }
            delaunay.verts[k as usize].lines = [before, line];
        }
        delaunay.start(strict);
        let mut after = strict[0];
        for k in (strict[0] + 1..n as u32).chain(0..strict[0]) {
            if strict.binary_search(&k).is_err() {
                delaunay.join_outline(after, k);
            }
            after = k;
        }
    }

    /// Puts the samples that edges keep on the outline; tells whether the limit was hit.
    fn add_edges(&self, poly: usize, frame: &Frame, scratch: &mut DetailScratch) -> bool {
        let mesh = self.input.mesh;
        let corners = mesh.corners_of(poly);
        let n = corners.len();
        for k in 0..n {
            let [from, to] = scratch.edge_ranges[mesh.polys[poly].first as usize + k];
            if from == to {
                continue;
            }
            let (a, b) = (self.vert(corners[k]), self.vert(corners[(k + 1) % n]));
            let forward = [a[0], a[2]] <= [b[0], b[2]];
            let [low, high] = if forward { [a, b] } else { [b, a] };
            let steps = steps_between([low, high], self.spacing);
            let line = scratch.delaunay.verts[k].lines[1];
            let mut after = k as u32;
            for i in 0..to - from {
                if scratch.delaunay.verts.len() >= MAX_PATCH_VERTS {
                    return true;
                }
                let index = if forward { from + i } else { to - 1 - i };
                let sample = scratch.edge_samples[index as usize];
                let part = f64::from(sample.step) / f64::from(steps);
                let along = |axis: usize| {
                    let (low, high) = (f64::from(low[axis]), f64::from(high[axis]));
                    low + (high - low) * part
                };
                let place = [along(0), along(2)];
                let vertex = Vertex { at: frame.of(place), y: sample.y, lines: [line, NONE] };
                after = scratch.delaunay.insert_on_outline(after, vertex);
                scratch.places.push(place);
            }
        }
        false
    }

    fn take_inner_samples(&self, poly: usize, frame: &Frame, scratch: &mut DetailScratch) {
        let grid = &self.input.mesh.grid;
        let [corner_x, near_y, corner_z] = self.vert(self.input.mesh.corners_of(poly)[0]);
        let floor = Floor { region: self.input.mesh.polys[poly].region, near_y };
        let mut trail = self.ground.trail(floor, [corner_x, corner_z]);
        let DetailScratch { ring, delaunay, bounds, .. } = scratch;
        // The cast saturates.
        let step = (self.spacing + 0.5).floor() as i32;
        InnerSamples { ring, step, origin: [grid.x, grid.z] }.for_each(bounds, |x, z| {
            if let Some(y) = trail.height([x, z]) {
                delaunay.samples.push(Sample::new(frame.of_center([x, z]), y));
            }
        });
        delaunay.place_samples();
    }

    /// Inserts the worst sample until all are within the error bound; tells whether the limit was hit.
    fn refine(&self, frame: &Frame, scratch: &mut DetailScratch) -> bool {
        let DetailScratch { delaunay, worst, places, .. } = scratch;
        worst.clear();
        for t in 0..delaunay.triangles.len() as u32 {
            worst.extend(self.candidate(delaunay, t));
        }
        while let Some((_, Reverse(sample), t, version)) = worst.pop() {
            if delaunay.triangles[t as usize].version != version {
                continue;
            }
            if delaunay.verts.len() >= MAX_PATCH_VERTS {
                return true;
            }
            if !delaunay.insert_sample(sample) {
                worst.extend(self.candidate(delaunay, t));
                continue;
            }
            places.push(frame.to_cells(delaunay.samples[sample as usize].at));
            for &t in &delaunay.changed {
                // A triangle named twice gets two candidates; the second is stale once the first is inserted.
                worst.extend(self.candidate(delaunay, t));
            }
        }
        false
    }

    /// The worst sample of a triangle, if it is beyond the error bound.
    fn candidate(&self, delaunay: &Delaunay, t: u32) -> Option<Candidate> {
        let (error, sample) = delaunay.worst_sample(t, self.max_error)?;
        Some((error.to_bits(), Reverse(sample), t, delaunay.triangles[t as usize].version))
    }

    fn write_patch(&self, poly: usize, scratch: &DetailScratch, out: &mut DetailMesh) {
        let grid = &self.input.mesh.grid;
        let corners = self.input.mesh.polys[poly].count as usize;
        let (first_vert, first_tri) = (out.verts.len() as u32, out.tris.len() as u32);
        let extra = scratch.delaunay.verts.iter().zip(&scratch.places).skip(corners);
        out.verts.extend(extra.map(|(v, &place)| world(grid, place, v.y)));
        out.tris.extend(scratch.delaunay.triangles.iter().map(|t| DetailTri {
            verts: t.verts.map(|v| v as u16),
            outline: (0..3).filter(|&k| t.across[k] == NONE).fold(0, |bits, k| bits | 1 << k),
        }));
        out.patches.push(DetailPatch {
            first_vert,
            vert_count: out.verts.len() as u32 - first_vert,
            first_tri,
            tri_count: out.tris.len() as u32 - first_tri,
        });
    }
}

/// World position of a place between grid lines. The sum of cell numbers is exact, so tiles that share a place share
/// its bits.
fn world(grid: &Grid, [x, z]: [f64; 2], y: i32) -> Vec3 {
    let along = |origin: f32, first: i32, at: f64| {
        (f64::from(origin) + (f64::from(first) + at) * f64::from(grid.cell_size)) as f32
    };
    Vec3::new(along(grid.origin.x, grid.x, x), grid.world_y(y), along(grid.origin.z, grid.z, z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::bake::test_ground::{ground, ground_with_border};
    use crate::bake::{Contour, ContourSet, ContourVert, build_poly_mesh};
    use crate::math::Aabb;

    /// The polygon mesh of outlines given as corners (x, y, z), all of region 1.
    fn mesh_of(field: &CompactHeightfield, outlines: &[&[[i32; 3]]]) -> PolyMesh {
        let border = field.border;
        let grid = Grid {
            x: field.grid.x + border as i32,
            z: field.grid.z + border as i32,
            width: field.grid.width - 2 * border,
            depth: field.grid.depth - 2 * border,
            ..field.grid
        };
        let mut set = ContourSet { grid, contours: Vec::new(), verts: Vec::new(), raw_vert_count: 0, max_error: 1.3 };
        for outline in outlines {
            let first = set.verts.len() as u32;
            let on_border = |a: &[i32; 3], b: &[i32; 3]| {
                border > 0
                    && ((a[0] == b[0] && (a[0] == 0 || a[0] == grid.width as i32))
                        || (a[2] == b[2] && (a[2] == 0 || a[2] == grid.depth as i32)))
            };
            for (i, v) in outline.iter().enumerate() {
                let next = &outline[(i + 1) % outline.len()];
                let neighbour = if on_border(v, next) { ContourVert::TILE_BORDER } else { 1 };
                set.verts.push(ContourVert { x: v[0], y: v[1], z: v[2], neighbour });
            }
            set.contours.push(Contour { first, count: outline.len() as u32, region: 1, area: AreaId::WALKABLE });
        }
        let mut report = BakeReport::new(Aabb::EMPTY);
        let mesh = build_poly_mesh(&set, 6, &mut report);
        assert!(report.warnings.is_empty());
        mesh
    }

    fn build(field: &CompactHeightfield, regions: &Regions, mesh: &PolyMesh, distance: f32) -> DetailMesh {
        let sampling = DetailSampling { distance, max_error: mesh.grid.cell_height };
        let input = DetailInput { mesh, field, regions, edge_max_error: 1.3, sampling };
        let mut report = BakeReport::new(Aabb::EMPTY);
        let detail = build_detail_mesh(&input, &mut report);
        assert!(report.warnings.is_empty());
        assert_sound(mesh, &detail);
        detail
    }

    /// All vertices of a patch, corners first.
    fn verts_of(mesh: &PolyMesh, detail: &DetailMesh, poly: usize) -> Vec<Vec3> {
        let patch = detail.patches[poly];
        let corners = mesh.corners_of(poly).iter().map(|&v| mesh.verts[v as usize]);
        let extra = &detail.verts[patch.first_vert as usize..][..patch.vert_count as usize];
        corners.map(|[x, y, z]| mesh.grid.world(x, y, z)).chain(extra.iter().copied()).collect()
    }

    /// Triangles are wound up, cover their polygon, use every vertex, and mark exactly the outline.
    fn assert_sound(mesh: &PolyMesh, detail: &DetailMesh) {
        assert_eq!(detail.patches.len(), mesh.polys.len());
        for (i, patch) in detail.patches.iter().enumerate() {
            let verts = verts_of(mesh, detail, i);
            let tris = &detail.tris[patch.first_tri as usize..][..patch.tri_count as usize];
            let mut used = vec![false; verts.len()];
            let (mut area2, mut outline) = (0.0f64, 0);
            for t in tris {
                let [a, b, c] = t.verts.map(|v| verts[v as usize]);
                let up = -f64::from(crate::math::plane::cross(a, b, c));
                assert!(up > 0.0, "patch {i}: {t:?}");
                area2 += up;
                outline += t.outline.count_ones() as usize;
                t.verts.iter().for_each(|&v| used[v as usize] = true);
            }
            assert!(used.iter().all(|&u| u));
            let cell = f64::from(mesh.grid.cell_size);
            let expected = mesh.area2_of(i) as f64 * cell * cell;
            assert!((area2 - expected).abs() <= 1e-4 * expected, "patch {i}: {area2} of {expected}");
            // Euler, for a triangulated disc.
            assert_eq!(tris.len() + 2 + outline, 2 * verts.len());
        }
    }

    /// Height of a patch above a place in cells.
    fn height_at(mesh: &PolyMesh, detail: &DetailMesh, poly: usize, x: f32, z: f32) -> Option<f32> {
        let verts = verts_of(mesh, detail, poly);
        let patch = detail.patches[poly];
        let grid = &mesh.grid;
        let p = Vec3::new(
            grid.origin.x + (grid.x as f32 + x) * grid.cell_size,
            0.0,
            grid.origin.z + (grid.z as f32 + z) * grid.cell_size,
        );
        detail.tris[patch.first_tri as usize..][..patch.tri_count as usize].iter().find_map(|t| {
            let [a, b, c] = t.verts.map(|v| verts[v as usize]);
            let cross = |a, b| -crate::math::plane::cross(a, b, p);
            let (u, v, w) = (cross(b, c), cross(c, a), cross(a, b));
            let slack = -1e-4;
            (u >= slack && v >= slack && w >= slack)
                .then(|| ((u * a.y + v * b.y + w * c.y) / (u + v + w) - grid.origin.y) / grid.cell_height)
        })
    }

    /// Bumpy ground: steps of at most one a cell.
    fn bumps(seed: u32) -> impl Fn(i32, i32) -> Vec<u16> {
        move |x, z| {
            let (x, z) = (f64::from(x) / 7.0 + f64::from(seed), f64::from(z) / 5.0);
            vec![(30.0 + 6.0 * (x.sin() + (z * 1.3 + x * 0.4).cos() + (0.7 * z - x).sin())) as u16]
        }
    }

    #[test]
    fn level_ground_needs_no_vertex() {
        let (field, regions) = ground(40, 30, |_, _| vec![7]);
        let mesh = mesh_of(&field, &[&[[0, 7, 0], [0, 7, 30], [40, 7, 30], [40, 7, 0]]]);
        let detail = build(&field, &regions, &mesh, 3.0);
        assert_eq!((detail.verts.len(), detail.tris.len()), (0, 2));
    }

    #[test]
    fn distance_zero_means_the_corners_alone() {
        let (field, regions) = ground(40, 30, bumps(1));
        let mesh = mesh_of(&field, &[&[[0, 30, 0], [0, 30, 30], [40, 30, 30], [40, 30, 0]]]);
        let detail = build(&field, &regions, &mesh, 0.0);
        assert_eq!((detail.verts.len(), detail.tris.len()), (0, 2));
    }

    #[test]
    fn every_sample_is_within_the_error_bound() {
        for seed in 0..12 {
            let (field, regions) = ground(60, 50, bumps(seed));
            let ring: &[[i32; 3]] = &[[3, 30, 10], [0, 30, 33], [20, 30, 49], [47, 30, 47], [58, 30, 20], [40, 30, 1]];
            let mesh = mesh_of(&field, &[ring]);
            let step = [1, 2, 6][seed as usize % 3];
            let detail = build(&field, &regions, &mesh, step as f32 * 0.5);
            assert!(detail.verts.len() > 3);
            let corners: Vec<Point> =
                mesh.corners_of(0).iter().map(|&v| mesh.verts[v as usize]).map(|v| [v[0], v[2]]).collect();
            let mut looked = 0;
            InnerSamples { ring: &corners, step, origin: [0, 0] }.for_each(&mut Vec::new(), |x, z| {
                let have = height_at(&mesh, &detail, 0, x as f32 + 0.5, z as f32 + 0.5).unwrap();
                let want = f32::from(field.y[field.grid.index(x as u32, z as u32)]);
                assert!((have - want).abs() <= 1.01, "({x}, {z}): {have}, ground {want}");
                looked += 1;
            });
            assert!(looked > 40);
            // No spikes: nothing outside the range of the ground.
            let (low, high) = (field.y.iter().min().unwrap(), field.y.iter().max().unwrap());
            let range = mesh.grid.world_y(i32::from(*low))..=mesh.grid.world_y(i32::from(*high));
            assert!(detail.verts.iter().all(|v| range.contains(&v.y)));
        }
    }

    #[test]
    fn ground_beyond_a_straight_border_of_regions_is_followed() {
        let (field, mut regions) = ground(90, 60, bumps(3));
        for z in 0..60_u32 {
            // The regions meet in a zigzag of ten cells to both sides, far out of reach from the straight border.
            let meet = 35 + (z % 40).abs_diff(20);
            for x in 0..90 {
                regions.id[field.grid.index(x, z)] = if x < meet { 1 } else { 2 };
            }
        }
        let mut mesh = mesh_of(
            &field,
            &[
                &[[0, 30, 0], [0, 30, 60], [45, 30, 60], [45, 30, 0]],
                &[[45, 30, 0], [45, 30, 60], [90, 30, 60], [90, 30, 0]],
            ],
        );
        mesh.polys[1].region = 2;
        let detail = build(&field, &regions, &mesh, 1.5);
        let assert_near = |poly: usize, [x, z]: [f32; 2], slack: f32| {
            let have = height_at(&mesh, &detail, poly, x, z).unwrap();
            let want = f32::from(field.y[field.grid.index(x as u32, z as u32)]);
            assert!((have - want).abs() <= slack, "({x}, {z}): {have}, ground {want}");
        };
        for z in (3..60).step_by(3).map(|z| z as f32 + 0.5) {
            for x in (3..90).step_by(3).filter(|&x| x != 45) {
                assert_near(usize::from(x > 45), [x as f32 + 0.5, z], 1.01);
            }
            // Between the samples of the edge the ground may rise by a step.
            assert_near(0, [45.0, z], 2.01);
        }
    }

    #[test]
    fn shared_edges_have_the_same_vertices_on_both_sides() {
        let (field, regions) = ground(60, 40, bumps(5));
        let mesh = mesh_of(
            &field,
            &[
                &[[0, 30, 0], [0, 30, 40], [33, 30, 40], [21, 30, 0]],
                &[[21, 30, 0], [33, 30, 40], [60, 30, 40], [60, 30, 0]],
            ],
        );
        let detail = build(&field, &regions, &mesh, 1.0);
        let on_edge = |poly: usize| {
            let [a, b] = [[21, 0], [33, 40]].map(|[x, z]| mesh.grid.world(x, 0, z));
            let mut found: Vec<_> = verts_of(&mesh, &detail, poly)
                .into_iter()
                .filter(|&v| crate::math::plane::cross(a, b, v).abs() < 1e-3)
                .map(|v| v.to_array().map(f32::to_bits))
                .collect();
            found.sort_unstable();
            found
        };
        assert!(on_edge(0).len() > 4);
        assert_eq!(on_edge(0), on_edge(1));
    }

    #[test]
    fn neighbouring_tiles_see_the_same_heights_along_their_border() {
        // The ground of columns 0..40, cut at column 20. Each tile sees six columns beyond its border.
        let tile = |first: i32| {
            let (mut field, regions) = ground_with_border(20, 30, 6, move |x, z| bumps(9)(x + first, z));
            field.grid.x += first;
            let mesh = mesh_of(&field, &[&[[0, 30, 0], [0, 30, 30], [20, 30, 30], [20, 30, 0]]]);
            let detail = build(&field, &regions, &mesh, 1.0);
            let line = mesh.grid.world_x(20 - first);
            let mut on_border: Vec<_> =
                detail.verts.iter().filter(|v| v.x == line).map(|v| v.to_array().map(f32::to_bits)).collect();
            on_border.sort_unstable();
            on_border
        };
        assert!(tile(0).len() > 3);
        assert_eq!(tile(0), tile(20));
    }

    #[test]
    fn corners_on_straight_edges_are_vertices_of_the_triangles() {
        let (field, regions) = ground(40, 30, bumps(2));
        let mut mesh = mesh_of(&field, &[&[[0, 30, 0], [0, 30, 30], [40, 30, 30], [40, 30, 0]]]);
        mesh.verts.extend([[0, 33, 10], [0, 29, 20]]);
        let k = mesh.corners.iter().position(|&v| mesh.verts[v as usize] == [0, 30, 0]).unwrap();
        mesh.corners.splice(k + 1..k + 1, [4, 5]);
        mesh.neighbours.extend([crate::tile::EdgeNeighbour::WALL; 2]);
        mesh.polys[0].count = 6;
        for distance in [0.0, 1.0] {
            build(&field, &regions, &mesh, distance);
        }
    }

    #[test]
    fn scratch_of_one_tile_does_not_show_in_the_next() {
        let (field, regions) = ground(60, 40, bumps(5));
        let one = mesh_of(&field, &[&[[0, 30, 0], [0, 30, 40], [33, 30, 40], [21, 30, 0]]]);
        let two = mesh_of(&field, &[&[[21, 30, 0], [33, 30, 40], [60, 30, 40], [60, 30, 0]]]);
        let (mut scratch, mut out) = (DetailScratch::default(), DetailMesh::default());
        let mut report = BakeReport::new(Aabb::EMPTY);
        for mesh in [&one, &two, &one] {
            let sampling = DetailSampling { distance: 1.5, max_error: 0.25 };
            let input = DetailInput { mesh, field: &field, regions: &regions, edge_max_error: 1.3, sampling };
            build_detail_mesh_into(&input, &mut report, &mut scratch, &mut out);
            let fresh = build_detail_mesh(&input, &mut report);
            assert_eq!((&out.verts, &out.tris, &out.patches), (&fresh.verts, &fresh.tris, &fresh.patches));
        }
    }
}
