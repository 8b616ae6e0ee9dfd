//! The three partitions of the surface into regions: by watersheds, by sweeping rows, and as layers.
//!
//! Watersheds and sweeps leave regions that are too small; these are merged into others afterwards.
//!
//! Cost: that of the parts. Sources: see [watersheds](super::watershed), [sweeps](super::monotone) and
//! [layers](super::layers).

use super::layers::LayerScratch;
use super::monotone::{SweepScratch, rows_to_sweep};
use super::region_merge::MergeScratch;
use super::regions::{RegionLimits, Regions, list_stacked_cells};
use super::watershed::FloodScratch;
use crate::bake::DistanceField;
use crate::context::Budget;
use crate::input::Partition;
use crate::voxel::CompactHeightfield;

/// Memory that the three partitions keep from call to call.
#[derive(Clone, Debug, Default)]
pub struct RegionScratch {
    /// The spans of each cell with several.
    stacked: Vec<[u32; 2]>,
    flood: FloodScratch,
    merge: MergeScratch,
    sweep: SweepScratch,
    layers: LayerScratch,
    next: RegionPiece,
}

/// What is done next.
#[derive(Clone, Copy, Debug, Default)]
enum RegionPiece {
    #[default]
    Begin,
    /// From this row on.
    Sweep(u32),
    Flood,
    /// Merges, or stacks, as many regions as were found.
    Finish(u32),
}

/// Rows that are swept between two looks at the budget.
const ROWS: u32 = 16;

/// The surface to be divided into regions, and the method.
#[derive(Clone, Copy)]
pub(in crate::bake) struct RegionInput<'a> {
    pub(in crate::bake) field: &'a CompactHeightfield,
    /// Its distances, which watersheds need.
    pub(in crate::bake) distances: &'a DistanceField,
    pub(in crate::bake) limits: RegionLimits,
    pub(in crate::bake) partition: Partition,
}

impl RegionScratch {
    /// Prepares for [`cut`](Self::cut).
    pub(in crate::bake) fn begin(&mut self) {
        self.next = RegionPiece::Begin;
    }

    /// Divides the surface within the budget: a unit is a span. Returns whether it is finished.
    pub(in crate::bake) fn cut(&mut self, input: &RegionInput<'_>, budget: &mut Budget, out: &mut Regions) -> bool {
        let RegionInput { field, distances, limits, partition } = *input;
        let spans = field.span_count() as u64;
        if matches!(self.next, RegionPiece::Begin) {
            if partition == Partition::Watershed {
                list_stacked_cells(field, &mut self.stacked);
                self.flood.begin(field, distances, &self.stacked);
                self.next = RegionPiece::Flood;
            } else {
                self.sweep.begin(field, &mut out.id);
                self.next = RegionPiece::Sweep(field.border);
            }
            if !budget.charge(spans) {
                return false;
            }
        }
        if matches!(self.next, RegionPiece::Flood) {
            if !self.flood.flood(field, budget) {
                return false;
            }
            self.next = RegionPiece::Finish(self.flood.end(&mut out.id));
            if budget.left() == 0 {
                return false;
            }
        }
        while let RegionPiece::Sweep(row) = self.next {
            let rows = rows_to_sweep(field);
            let end = row.saturating_add(ROWS).min(rows.end);
            let swept = self.sweep.sweep(field, row..end, &mut out.id);
            let is_done = end == rows.end;
            self.next = if is_done { RegionPiece::Finish(self.sweep.count()) } else { RegionPiece::Sweep(end) };
            if !budget.charge(swept) {
                return false;
            }
        }
        if let RegionPiece::Finish(found) = self.next {
            if partition == Partition::Layers {
                out.count = self.layers.stack(field, limits.min_cells, found, &mut out.id);
            } else {
                if partition == Partition::Monotone {
                    list_stacked_cells(field, &mut self.stacked);
                }
                out.count = self.merge.merge_and_filter(field, limits, &self.stacked, found, &mut out.id);
            }
            self.next = RegionPiece::Begin;
        }
        budget.charge(spans);
        true
    }
}

/// Divides the surface into regions by watersheds of its distance field: the best polygons, the slowest of the three.
///
/// `distances` must be of the same field.
#[must_use]
pub fn watershed_regions(field: &CompactHeightfield, distances: &DistanceField, limits: RegionLimits) -> Regions {
    let mut out = Regions::default();
    watershed_regions_into(field, distances, limits, &mut RegionScratch::default(), &mut out);
    out
}

/// Like [`watershed_regions`], reusing memory.
pub fn watershed_regions_into(
    field: &CompactHeightfield,
    distances: &DistanceField,
    limits: RegionLimits,
    scratch: &mut RegionScratch,
    out: &mut Regions,
) {
    scratch.begin();
    scratch.cut(
        &RegionInput { field, distances, limits, partition: Partition::Watershed },
        &mut Budget::unlimited(),
        out,
    );
}

/// Divides the surface into regions by sweeping rows: fast, with long thin regions.
#[must_use]
pub fn monotone_regions(field: &CompactHeightfield, limits: RegionLimits) -> Regions {
    let mut out = Regions::default();
    monotone_regions_into(field, limits, &mut RegionScratch::default(), &mut out);
    out
}

/// Like [`monotone_regions`], reusing memory.
pub fn monotone_regions_into(
    field: &CompactHeightfield,
    limits: RegionLimits,
    scratch: &mut RegionScratch,
    out: &mut Regions,
) {
    scratch.begin();
    let distances = &DistanceField::default();
    let input = RegionInput { field, distances, limits, partition: Partition::Monotone };
    scratch.cut(&input, &mut Budget::unlimited(), out);
}

/// Divides the surface into layers: few regions, good for small tiles. `limits.merge_cells` is not used.
#[must_use]
pub fn layer_regions(field: &CompactHeightfield, limits: RegionLimits) -> Regions {
    let mut out = Regions::default();
    layer_regions_into(field, limits, &mut RegionScratch::default(), &mut out);
    out
}

/// Like [`layer_regions`], reusing memory.
pub fn layer_regions_into(
    field: &CompactHeightfield,
    limits: RegionLimits,
    scratch: &mut RegionScratch,
    out: &mut Regions,
) {
    scratch.begin();
    let distances = &DistanceField::default();
    let input = RegionInput { field, distances, limits, partition: Partition::Layers };
    scratch.cut(&input, &mut Budget::unlimited(), out);
}
