//! Builds the outlines of regions: traces them along the cells' edges, simplifies and repairs them, and joins them with
//! their holes.
//!
//! ```text
//!   regions ──► rings ──► simplified ──► in conflict? ──► heights ──► holes joined ──► contours
//!                              ▲              │ keep more of the
//!                              └──────────────┘ raw corners there
//! ```
//!
//! A simplified outline may cross itself or another outline of its region, or pass over one of its holes. Then the
//! edges concerned keep one more corner, in the outline of the neighbouring region as well, and both regions are
//! checked again; in the limit the raw outlines remain, which are simple. So nothing is dropped for being difficult,
//! and two regions keep the same corners along their common boundary.
//!
//! Cost: one walk along all boundaries, simplification, and testing each region's edges against each other.
//!
//! Sources: Mikko Mononen, Recast, 2009 (the stages); the repair is ours.

use super::crossings::{OutlineEdge, find_conflicts, side_at_corner, turn, winding};
use super::edge_rows::EdgeRows;
use super::holes::HoleJoiner;
use super::rings::{RawVert, Ring, RingCorner, Rings, corner_height};
use super::simplify::{ContourSettings, Simplifier};
use crate::area::AreaId;
use crate::bake::{BakeReport, Contour, ContourSet, ContourVert, Regions, WarningKind};
use crate::context::Budget;
use crate::voxel::{CompactHeightfield, Grid};
use glam::Vec3;

/// Memory that [`build_contours_into`] keeps from call to call.
#[derive(Clone, Debug, Default)]
pub struct ContourScratch {
    rings: Rings,
    /// Kept corners of all rings, as indices within their ring.
    simple: Vec<u32>,
    pending: Vec<u32>,
    edges: Vec<OutlineEdge>,
    rows: EdgeRows,
    /// Where the rings of each region start.
    ring_start: Vec<u32>,
    /// Regions to be simplified, and a flag for each region.
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    /// Regions whose outlines crossed, folded or passed over one another; keeping a thin region does not count.
    was_mended: Vec<bool>,
    /// Edges to be refined, as ring and index within the simplified ring.
    refine: Vec<(u32, u32)>,
    joiner: HoleJoiner,
    phase: ContourPhase,
}

/// The next phase.
#[derive(Clone, Copy, Debug, Default)]
enum ContourPhase {
    #[default]
    Begin,
    Trace,
    Simplify,
    /// The next region whose outlines will be written.
    Emit(u32),
}

/// The surface whose outlines are built.
#[derive(Clone, Copy)]
pub(in crate::bake) struct ContourInput<'a> {
    pub(in crate::bake) field: &'a CompactHeightfield,
    pub(in crate::bake) regions: &'a Regions,
    pub(in crate::bake) settings: ContourSettings,
}

/// Builds the simplified outlines of all regions. Outlines that had to be repaired or vanished, and holes that could
/// not be joined, are counted in `report` with a position.
#[must_use]
pub fn build_contours(
    field: &CompactHeightfield,
    regions: &Regions,
    settings: ContourSettings,
    report: &mut BakeReport,
) -> ContourSet {
    let mut out = ContourSet::empty(field.grid);
    build_contours_into(field, regions, settings, report, &mut ContourScratch::default(), &mut out);
    out
}

/// Like [`build_contours`], reusing memory.
pub fn build_contours_into(
    field: &CompactHeightfield,
    regions: &Regions,
    settings: ContourSettings,
    report: &mut BakeReport,
    scratch: &mut ContourScratch,
    out: &mut ContourSet,
) {
    scratch.begin();
    scratch.outline(&ContourInput { field, regions, settings }, report, &mut Budget::unlimited(), out);
}

impl ContourSet {
    /// A set without outlines.
    #[must_use]
    pub fn empty(grid: Grid) -> Self {
        Self { grid, contours: Vec::new(), verts: Vec::new(), raw_vert_count: 0, max_error: 0.0 }
    }

    /// Removes all outlines, keeping the memory.
    pub fn clear(&mut self, grid: Grid) {
        self.grid = grid;
        self.contours.clear();
        self.verts.clear();
        self.raw_vert_count = 0;
    }

    /// The vertices of an outline.
    #[must_use]
    pub fn verts_of(&self, contour: &Contour) -> &[ContourVert] {
        &self.verts[contour.first as usize..(contour.first + contour.count) as usize]
    }
}

/// The field's grid without its border.
fn tile_proper(field: &CompactHeightfield) -> Grid {
    let grid = field.grid;
    let border = field.border;
    Grid {
        x: grid.x + border as i32,
        z: grid.z + border as i32,
        width: grid.width.saturating_sub(2 * border),
        depth: grid.depth.saturating_sub(2 * border),
        ..grid
    }
}

impl ContourScratch {
    /// Prepares for [`outline`](Self::outline).
    pub(in crate::bake) fn begin(&mut self) {
        self.phase = ContourPhase::Begin;
    }

    /// Outlines the regions within the budget: a unit is a span, or a corner. Returns whether it is finished.
    pub(in crate::bake) fn outline(
        &mut self,
        input: &ContourInput<'_>,
        report: &mut BakeReport,
        budget: &mut Budget,
        out: &mut ContourSet,
    ) -> bool {
        let ContourInput { field, regions, settings } = *input;
        if matches!(self.phase, ContourPhase::Begin) {
            out.clear(tile_proper(field));
            out.max_error = settings.max_error;
            self.rings.begin(field);
            self.phase = ContourPhase::Trace;
        }
        if matches!(self.phase, ContourPhase::Trace) {
            if !self.rings.trace(field, regions, budget) {
                return false;
            }
            out.raw_vert_count = self.rings.verts.len() as u32;
            self.begin_simplifying(regions.count);
            self.phase = ContourPhase::Simplify;
        }
        if matches!(self.phase, ContourPhase::Simplify) {
            if !self.simplify_all(settings, budget) {
                return false;
            }
            self.phase = ContourPhase::Emit(1);
        }
        while let ContourPhase::Emit(region) = self.phase
            && region <= regions.count
        {
            let before = out.verts.len();
            self.emit(field, region, report, out);
            self.phase = ContourPhase::Emit(region + 1);
            if !budget.charge((out.verts.len() - before) as u64) && region < regions.count {
                return false;
            }
        }
        true
    }

    /// Marks all regions to be simplified.
    fn begin_simplifying(&mut self, count: u32) {
        let count = count as usize;
        self.simple.clear();
        self.ring_start.clear();
        let rings = &self.rings.rings;
        let mut ring = 0;
        for region in 0..=count as u32 + 1 {
            while ring < rings.len() && rings[ring].region < region {
                ring += 1;
            }
            self.ring_start.push(ring as u32);
        }
        self.dirty.clear();
        self.dirty.extend((1..=count as u32).rev());
        self.is_dirty.clear();
        self.is_dirty.resize(count + 1, true);
        self.was_mended.clear();
        self.was_mended.resize(count + 1, false);
    }

    /// Simplifies all rings until no region's outlines conflict. Returns whether it is finished.
    fn simplify_all(&mut self, settings: ContourSettings, budget: &mut Budget) -> bool {
        while let Some(region) = self.dirty.pop() {
            self.is_dirty[region as usize] = false;
            self.simplify_region(region, settings);
            self.find_flaws(region, settings);
            self.keep_more_corners(region, settings);
            let corners: u64 = self.rings_of(region).map(|ring| u64::from(self.rings.rings[ring].count)).sum();
            if !budget.charge(corners) && !self.dirty.is_empty() {
                return false;
            }
        }
        true
    }

    fn rings_of(&self, region: u32) -> core::ops::Range<usize> {
        self.ring_start[region as usize] as usize..self.ring_start[region as usize + 1] as usize
    }

    fn simplify_region(&mut self, region: u32, settings: ContourSettings) {
        for k in self.rings_of(region) {
            let ring = self.rings.rings[k];
            let raw = &self.rings.verts[ring.raw()];
            let first = self.simple.len();
            Simplifier { ring: raw, settings, pending: &mut self.pending }.run(&mut self.simple);
            drop_doubles(raw, &mut self.simple, first);
            let ring = &mut self.rings.rings[k];
            (ring.simple_first, ring.simple_count) = (first as u32, (self.simple.len() - first) as u32);
        }
    }

    fn corner(&self, ring: &Ring, place: u32) -> RingCorner {
        let k = self.simple[(ring.simple_first + place) as usize];
        self.rings.verts[(ring.first + k) as usize].at
    }

    /// Lists the edges of a region that must be refined.
    fn find_flaws(&mut self, region: u32, settings: ContourSettings) {
        self.edges.clear();
        self.refine.clear();
        for r in self.rings_of(region) {
            let ring = self.rings.rings[r];
            let n = ring.simple_count;
            let mut area2 = 0;
            for place in 0..n {
                let a = self.corner(&ring, place);
                let b = self.corner(&ring, (place + 1) % n);
                let before = self.corner(&ring, (place + n - 1) % n);
                area2 += turn(self.corner(&ring, 0), a, b);
                self.edges.push(OutlineEdge { a, b, before, ring: r as u32, place });
            }
            self.find_flipped_slits(r);
            let is_inside_out = if ring.is_hole() { area2 < 0 } else { area2 > 0 };
            self.was_mended[region as usize] |= is_inside_out;
            if is_inside_out || (area2 == 0 && self.is_needed(region, &ring, settings)) {
                self.refine.extend((0..n.max(1)).map(|place| (r as u32, place)));
            }
        }
        let refine = &mut self.refine;
        let kept = refine.len();
        find_conflicts(&mut self.edges, |s, t| refine.extend([(s.ring, s.place), (t.ring, t.place)]));
        self.was_mended[region as usize] |= refine.len() > kept;
        if self.refine.is_empty() {
            self.find_misplaced_rings(region);
        }
    }

    /// Lists the edges beside the base of each slit that is now outside its region.
    fn find_flipped_slits(&mut self, r: usize) {
        let Self { rings, simple, refine, .. } = self;
        let ring = rings.rings[r];
        if !ring.has_slits {
            return;
        }
        let raw = &rings.verts[ring.raw()];
        let kept = &simple[ring.simple()];
        let n = kept.len() as u32;
        let raw = |place: u32| &raw[kept[(place % n) as usize] as usize];
        let at = |place: u32| raw(place).at;
        for tip in 0..n {
            if !raw(tip).is_slit(ring.region) || at(tip + n - 1) != at(tip + 1) {
                continue;
            }
            let length = (1..n / 2).take_while(|k| at(tip + n - k) == at(tip + k)).count() as u32;
            let [first, last] = [tip + n - length, tip + length];
            if 2 * length + 1 < n && side_at_corner(at(first + n - 1), at(first), at(last + 1), at(first + 1)) < 0 {
                refine.extend([(r as u32, (first + n - 1) % n), (r as u32, last % n)]);
            }
        }
    }

    /// Whether a ring must not vanish. If an outline vanishes, its neighbours close over it, and what it loses to walls
    /// is within the error bound; but its holes, or the neighbouring tile, would be left without a surface in between.
    /// A hole is needed if it is longer than the error bound.
    fn is_needed(&self, region: u32, ring: &Ring, settings: ContourSettings) -> bool {
        let raw = &self.rings.verts[ring.raw()];
        if ring.is_hole() {
            return ring.area != 0 && extent(raw) as f32 > settings.max_error;
        }
        self.rings_of(region).len() > 1 || raw.iter().any(RawVert::is_tile_border)
    }

    /// Finds rings that are now on the wrong side of another ring of their region, without crossing it.
    fn find_misplaced_rings(&mut self, region: u32) {
        let rings = self.rings_of(region);
        if rings.len() < 2 {
            return;
        }
        self.rows.index(&self.edges);
        for r in rings {
            let ring = self.rings.rings[r];
            // A corner of the ring that is on no other, and how often the others wind around it.
            let seen = (0..ring.simple_count).find_map(|place| {
                let corner = self.corner(&ring, place);
                let beside = self.rows.at(corner[1]).map(|k| &self.edges[k as usize]);
                let others = beside.filter(|e| e.ring != r as u32).map(|e| [e.a, e.b]);
                winding(others, corner).map(|turns| (corner, turns))
            });
            let Some((corner, turns)) = seen else { continue };
            if turns == i32::from(ring.is_hole()) {
                continue;
            }
            // Refine the edges that passed over the corner when they were simplified.
            for e in self.edges.iter().filter(|e| e.ring != r as u32) {
                let other = self.rings.rings[e.ring as usize];
                if self.swept_over(&other, e.place, corner) {
                    self.refine.push((e.ring, e.place));
                    self.was_mended[region as usize] = true;
                }
            }
        }
    }

    /// Whether `corner` lies between a simplified edge and the raw corners that it replaces.
    fn swept_over(&self, ring: &Ring, place: u32, corner: RingCorner) -> bool {
        let raw = &self.rings.verts[ring.raw()];
        let (from, to) = self.ends(ring, place);
        let n = raw.len() as u32;
        let steps = if to > from { to - from } else { to + n - from };
        let at = |k: u32| raw[((from + k) % n) as usize].at;
        let path = (0..steps).map(|k| [at(k), at(k + 1)]).chain(core::iter::once([at(steps), at(0)]));
        winding(path, corner) != Some(0)
    }

    /// The raw corners between which a simplified edge lies.
    fn ends(&self, ring: &Ring, place: u32) -> (u32, u32) {
        let kept = &self.simple[ring.simple()];
        (kept[place as usize], kept[(place as usize + 1) % kept.len()])
    }

    /// Keeps one more corner for each edge to be refined, and marks the regions on both sides.
    fn keep_more_corners(&mut self, region: u32, settings: ContourSettings) {
        self.refine.sort_unstable();
        self.refine.dedup();
        for k in 0..self.refine.len() {
            let (r, place) = self.refine[k];
            let ring = self.rings.rings[r as usize];
            // A vanished outline is one section, from its first corner all around.
            let (from, to) = if ring.simple_count == 0 { (0, 0) } else { self.ends(&ring, place) };
            let raw = &self.rings.verts[ring.raw()];
            let line = Simplifier { ring: raw, settings, pending: &mut self.pending };
            if line.steps(from, to) < 2 {
                continue;
            }
            let kept = line.farthest(from, to, 0.0).unwrap_or_else(|| line.middle(from, to));
            self.keep(&ring, kept);
            self.mark_dirty(region);
        }
    }

    /// Makes a ring's corner a joint, and the same corner in the neighbouring ring.
    fn keep(&mut self, ring: &Ring, place: u32) {
        let raw = &mut self.rings.verts[ring.raw()];
        raw[place as usize].is_joint = true;
        let before = raw[(place as usize + raw.len() - 1) % raw.len()];
        let (Some(beyond), true) = (before.inner_beyond(), before.beyond == raw[place as usize].beyond) else { return };
        // Seen from the other side, the edge before the corner starts at it.
        let is_twin = |v: &RawVert| v.at == ring_corner(before) && v.dir == (before.dir + 2) & 3 && !v.is_joint;
        let mut found = false;
        for r in self.rings_of(beyond) {
            let range = self.rings.rings[r].raw();
            for vert in self.rings.verts[range].iter_mut().filter(|v| is_twin(v)) {
                vert.is_joint = true;
                found = true;
            }
        }
        if found {
            self.mark_dirty(beyond);
        }
    }

    fn mark_dirty(&mut self, region: u32) {
        if !core::mem::replace(&mut self.is_dirty[region as usize], true) {
            self.dirty.push(region);
        }
    }

    /// Appends the finished outlines of a region.
    fn emit(&mut self, field: &CompactHeightfield, region: u32, report: &mut BakeReport, out: &mut ContourSet) {
        let Some(first) = self.rings_of(region).next() else { return };
        let start = self.rings.verts[self.rings.rings[first].first as usize];
        let area = field.area[start.span as usize];
        let place = |v: &ContourVert| Some(out_grid_world(field, v));
        if self.was_mended[region as usize] {
            let at = finished(field, &start);
            report.warn(WarningKind::ContourRepaired, 1, place(&at));
        }
        for r in self.rings_of(region) {
            if !self.rings.rings[r].is_hole() {
                self.emit_outline(field, r, report, out, (region, area));
            }
        }
    }

    fn emit_outline(
        &mut self,
        field: &CompactHeightfield,
        outline: usize,
        report: &mut BakeReport,
        out: &mut ContourSet,
        (region, area): (u32, AreaId),
    ) {
        let Self { rings, simple, joiner, .. } = self;
        let ring = rings.rings[outline];
        let kept = |ring: &Ring| {
            let raw = &rings.verts[ring.raw()];
            simple[ring.simple()].iter().map(|&k| finished(field, &raw[k as usize]))
        };
        let world = |v: &ContourVert| Some(out_grid_world(field, v));
        joiner.clear();
        joiner.path.extend(kept(&ring));
        if has_no_area(&joiner.path) {
            let at = finished(field, &rings.verts[ring.first as usize]);
            report.warn(WarningKind::ContourDropped, 1, world(&at));
            return;
        }
        let range = self.ring_start[region as usize] as usize..self.ring_start[region as usize + 1] as usize;
        for hole in rings.rings[range].iter().filter(|r| r.is_hole()) {
            let first = joiner.corners.len();
            joiner.corners.extend(kept(hole));
            // A slit has no area, but is a hole nevertheless.
            if has_no_area(&joiner.corners[first..]) && hole.area != 0 {
                joiner.corners.truncate(first);
            } else {
                joiner.add_hole(first);
            }
        }
        joiner.join_all(region, |at| report.warn(WarningKind::HoleDropped, 1, world(&at)));
        let first = out.verts.len() as u32;
        out.verts.extend_from_slice(&joiner.path);
        out.contours.push(Contour { first, count: joiner.path.len() as u32, region, area });
    }
}

/// Drops kept corners that lie on the one that follows, from `first` on.
fn drop_doubles(raw: &[RawVert], kept: &mut Vec<u32>, first: usize) {
    let at = |k: u32| raw[k as usize].at;
    let mut end = first;
    for k in first..kept.len() {
        let next = if k + 1 == kept.len() { kept[first] } else { kept[k + 1] };
        if at(kept[k]) != at(next) {
            kept[end] = kept[k];
            end += 1;
        }
    }
    kept.truncate(end);
}

/// The longer side of the box around a ring, in cells.
fn extent(ring: &[RawVert]) -> i32 {
    let side = |axis: usize| {
        let along = || ring.iter().map(|v| v.at[axis]);
        along().max().unwrap_or(0) - along().min().unwrap_or(0)
    };
    side(0).max(side(1))
}

/// Where the edge that starts at a raw corner ends.
fn ring_corner(vert: RawVert) -> RingCorner {
    let [dx, dz] = super::rings::STEP[usize::from(vert.dir)];
    [vert.at[0] + dx, vert.at[1] + dz]
}

fn has_no_area(path: &[ContourVert]) -> bool {
    let [first, rest @ ..] = path else { return true };
    let at = |v: &ContourVert| [v.x, v.z];
    rest.windows(2).map(|w| turn(at(first), at(&w[0]), at(&w[1]))).sum::<i64>() == 0
}

/// A raw corner with its height.
fn finished(field: &CompactHeightfield, vert: &RawVert) -> ContourVert {
    let y = i32::from(corner_height(field, vert.edge()));
    ContourVert { x: vert.at[0], y, z: vert.at[1], neighbour: vert.neighbour() }
}

fn out_grid_world(field: &CompactHeightfield, vert: &ContourVert) -> Vec3 {
    tile_proper(field).world(vert.x, vert.y, vert.z)
}
