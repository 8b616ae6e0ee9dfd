//! Builds the detail mesh: triangles over each polygon that follow the heights of the surface.
//!
//! Polygons only have the heights of their corners. Over each, a triangulation is refined until no sample of the
//! surface is farther above or below it than the error bound:
//!
//! 1. edges are sampled and keep the samples they need; an edge that two polygons share is sampled once, so both follow
//!    it alike and no crack opens;
//! 2. inside, the sample with the greatest error becomes a vertex, again and again. Each sample remembers its triangle,
//!    so after an insertion only the samples of the few changed triangles are examined.
//!
//! Vertices have heights of the surface or of the polygon's corners, never interpolated or beyond: no spikes. This
//! terminates: each round uses up a sample.
//!
//! Cost: O(samples + vertices log samples) on regular terrain; a polygon over level ground costs only its samples.
//!
//! Sources: M. Garland and P. Heckbert, "Fast polygonal approximation of terrains and height fields", 1995 (greedy
//! insertion); where samples are taken follows Recast (Mikko Mononen, 2009–2010), which triangulates anew for each
//! vertex.

use super::frame::OutlineFrame;
use super::heights::{Floor, Ground};
use super::incremental_delaunay::{Delaunay, Vertex};
use super::sample::Sample;
use super::sampling::{Bound, Edge, EdgeSample, EdgeScratch, InnerSamples, sample_edge, steps_between};
use crate::bake::cell_point::{Point, turn};
use crate::bake::{BakeReport, DetailMesh, DetailPatch, PolyMesh, Regions, WarningKind};
use crate::context::Budget;
use crate::input::VoxelSettings;
use crate::math::index::NONE;
use crate::tile::DetailTri;
use crate::voxel::{CompactHeightfield, Grid};
use core::cmp::Reverse;
use glam::Vec3;
use std::collections::BinaryHeap;

/// The most vertices of one patch: its triangles, at most twice as many, must fit in 16 bits.
const MAX_PATCH_VERTS: usize = 32_767;

/// How closely the detail mesh follows the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetailSampling {
    /// Distance between samples in metres, at least a cell. 0: no samples, polygons have the heights of their corners.
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
    /// The heightfield they were made from.
    pub field: &'a CompactHeightfield,
    /// Its regions.
    pub regions: &'a Regions,
    /// How far outlines may deviate from the edge of the voxels, in cells.
    pub edge_max_error: f32,
    /// How closely the mesh follows the surface.
    pub sampling: DetailSampling,
}

/// Working memory of [`build_detail_mesh_into`].
#[derive(Default)]
pub struct DetailScratch {
    delaunay: Delaunay,
    edge: EdgeScratch,
    /// Samples kept on each edge, from the lower end to the higher, in order of the mesh's corners.
    edge_samples: Vec<EdgeSample>,
    /// Where the samples of each edge lie in `edge_samples`.
    edge_ranges: Vec<[u32; 2]>,
    ring: Vec<Point>,
    bounds: Vec<Bound>,
    strict: Vec<u32>,
    /// World positions of the patch's vertices, in cells of the tile itself.
    places: Vec<[f64; 2]>,
    /// The worst sample of each triangle that has one beyond the error bound.
    worst: BinaryHeap<SampleCandidate>,
    next: Next,
}

/// The polygon whose edges are sampled next or, after all edges, whose patch is built next.
#[derive(Clone, Copy)]
enum Next {
    Edges(usize),
    Patch(usize),
}

impl Default for Next {
    fn default() -> Self {
        Self::Edges(0)
    }
}

/// A sample that may become a vertex: its error (as bits, which sort like the number), the sample, its triangle and the
/// triangle's version. Greatest error first, then lowest sample.
type SampleCandidate = (u64, Reverse<u32>, u32, u32);

/// Builds the detail mesh: see [`build_detail_mesh_into`].
#[must_use]
pub fn build_detail_mesh(input: &DetailInput<'_>, report: &mut BakeReport) -> DetailMesh {
    let mut out = DetailMesh::default();
    build_detail_mesh_into(input, report, &mut DetailScratch::default(), &mut out);
    out
}

/// Builds the detail mesh of a tile into `out`, reusing its memory.
///
/// A patch that would have more vertices than its 16-bit indices can count keeps what it has and is reported.
pub fn build_detail_mesh_into(
    input: &DetailInput<'_>,
    report: &mut BakeReport,
    scratch: &mut DetailScratch,
    out: &mut DetailMesh,
) {
    scratch.begin(input.mesh, out);
    scratch.follow(input, report, &mut Budget::unlimited(), out);
}

impl DetailScratch {
    /// Prepares for [`follow`](Self::follow).
    pub(in crate::bake) fn begin(&mut self, mesh: &PolyMesh, out: &mut DetailMesh) {
        out.patches.clear();
        out.verts.clear();
        out.tris.clear();
        self.edge_samples.clear();
        self.edge_ranges.clear();
        self.edge_ranges.resize(mesh.corners.len(), [0; 2]);
        self.next = Next::Edges(0);
    }

    /// Builds patches within the budget: a unit is a cell of the box around a polygon, or a sample on its edges.
    /// Returns whether it is finished.
    pub(in crate::bake) fn follow(
        &mut self,
        input: &DetailInput<'_>,
        report: &mut BakeReport,
        budget: &mut Budget,
        out: &mut DetailMesh,
    ) -> bool {
        let mesh = input.mesh;
        let sampler = Sampler::new(input);
        let count = mesh.polys.len();
        while let Next::Edges(poly) = self.next {
            let before = self.edge_samples.len();
            if poly < count && sampler.spacing > 0.0 {
                sampler.sample_edges(poly, self);
                self.next = Next::Edges(poly + 1);
            } else {
                self.next = Next::Patch(0);
            }
            if !budget.charge((self.edge_samples.len() - before) as u64) {
                return false;
            }
        }
        while let Next::Patch(poly) = self.next
            && poly < count
        {
            let limited = sampler.build_patch(poly, self);
            if limited {
                let [x, y, z] = mesh.verts[mesh.corners_of(poly)[0] as usize];
                report.warn(WarningKind::DetailLimit, 1, Some(mesh.grid.world(x, y, z)));
            }
            sampler.write_patch(poly, self, out);
            self.next = Next::Patch(poly + 1);
            if !budget.charge(cells_around(mesh, poly)) && poly + 1 < count {
                return false;
            }
        }
        true
    }
}

/// The cells of the box around a polygon.
fn cells_around(mesh: &PolyMesh, poly: usize) -> u64 {
    let side = |axis: usize| {
        let along = mesh.corners_of(poly).iter().map(|&v| mesh.verts[v as usize][axis]);
        let (low, high) = along.fold((i32::MAX, i32::MIN), |(low, high), at| (low.min(at), high.max(at)));
        u64::from(high.abs_diff(low))
    };
    side(0) * side(2)
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

    /// Samples the edges of polygon `i`; an edge shared with an earlier polygon has been sampled there.
    fn sample_edges(&self, i: usize, scratch: &mut DetailScratch) {
        let mesh = self.input.mesh;
        let poly = &mesh.polys[i];
        let corners = mesh.corners_of(i);
        for (k, neighbour) in mesh.neighbours_of(i).iter().enumerate() {
            let a = corners[k];
            let b = corners[(k + 1) % corners.len()];
            let corner = poly.first as usize + k;
            if let Some(twin) = neighbour.as_poly().filter(|&other| (other as usize) < i)
                && let Some(theirs) = self.edge_of(twin, b, a)
            {
                scratch.edge_ranges[corner] = scratch.edge_ranges[theirs];
                continue;
            }
            let mut ends = [self.vert(a), self.vert(b)];
            let dx = f64::from(ends[1][0] - ends[0][0]);
            let dz = f64::from(ends[1][2] - ends[0][2]);
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

    /// The corner at which polygon `poly` has the edge from vertex `a` to `b`.
    fn edge_of(&self, poly: u32, a: u32, b: u32) -> Option<usize> {
        let corners = self.input.mesh.corners_of(poly as usize);
        let n = corners.len();
        let k = (0..n).find(|&k| corners[k] == a && corners[(k + 1) % n] == b)?;
        Some(self.input.mesh.polys[poly as usize].first as usize + k)
    }

    /// Triangulates one polygon; returns whether it hit the vertex limit.
    fn build_patch(&self, poly: usize, scratch: &mut DetailScratch) -> bool {
        self.start_patch(poly, scratch);
        if self.spacing == 0.0 || scratch.delaunay.triangles.is_empty() {
            return false;
        }
        let frame = OutlineFrame::around(&scratch.ring);
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
        let frame = OutlineFrame::around(ring);
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
        // The line of an edge is numbered by the strict corner at which it starts; other corners lie on it alone.
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

    /// Adds the samples that edges keep to the outline; returns whether the limit was hit.
    fn add_edges(&self, poly: usize, frame: &OutlineFrame, scratch: &mut DetailScratch) -> bool {
        let mesh = self.input.mesh;
        let corners = mesh.corners_of(poly);
        let n = corners.len();
        for k in 0..n {
            let [from, to] = scratch.edge_ranges[mesh.polys[poly].first as usize + k];
            if from == to {
                continue;
            }
            let a = self.vert(corners[k]);
            let b = self.vert(corners[(k + 1) % n]);
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
                    let low = f64::from(low[axis]);
                    let high = f64::from(high[axis]);
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

    fn take_inner_samples(&self, poly: usize, frame: &OutlineFrame, scratch: &mut DetailScratch) {
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

    /// Inserts the worst sample until all are within the error bound; returns whether the limit was hit.
    fn refine(&self, frame: &OutlineFrame, scratch: &mut DetailScratch) -> bool {
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
    fn candidate(&self, delaunay: &Delaunay, t: u32) -> Option<SampleCandidate> {
        let (error, sample) = delaunay.worst_sample(t, self.max_error)?;
        Some((error.to_bits(), Reverse(sample), t, delaunay.triangles[t as usize].version))
    }

    fn write_patch(&self, poly: usize, scratch: &DetailScratch, out: &mut DetailMesh) {
        let grid = &self.input.mesh.grid;
        let corners = self.input.mesh.polys[poly].count as usize;
        let first_vert = out.verts.len() as u32;
        let first_tri = out.tris.len() as u32;
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

/// World position of a point between grid lines. The sum of cell numbers is exact, so tiles that share a point get the
/// same bits.
fn world(grid: &Grid, [x, z]: [f64; 2], y: i32) -> Vec3 {
    let along = |origin: f32, first: i32, at: f64| {
        (f64::from(origin) + (f64::from(first) + at) * f64::from(grid.cell_size)) as f32
    };
    Vec3::new(along(grid.origin.x, grid.x, x), grid.world_y(y), along(grid.origin.z, grid.z, z))
}
