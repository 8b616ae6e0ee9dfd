//! Builds regions by sweeping rows: every region is a stack of runs, one per row.
//!
//! Each row is divided into connected runs. A run that touches exactly one region of the previous row, and is the only
//! one to touch it, continues it; every other run starts a region:
//!
//! ```text
//!   row 0   1 1 1 1 1 1        a run splits: neither half continues 1
//!   row 1   2 2 . 3 3 3
//!   row 2   2 2 . 3 3 3        two runs meet: the run on both continues neither
//!   row 3   4 4 4 4 4 4
//! ```
//!
//! Since a region has one run per row, it can neither enclose anything nor lie over itself. The fastest of the three
//! partitions; its regions, and so the polygons, can be long and thin.
//!
//! Cost: linear in the number of spans; buffers grow with the runs of a row, however many floors it has.
//!
//! Sources: Mikko Mononen, Recast, 2009; monotone partitions go back to Garey, Johnson, Preparata and Tarjan, 1978.

use super::regions::{is_inner, paint_border};
use crate::math::index::NONE;
use crate::voxel::CompactHeightfield;
use core::ops::Range;

/// A run of the current row.
#[derive(Clone, Copy, Debug)]
struct SweptRun {
    /// The only region of the previous row that it touches; 0: none yet, `NONE`: several.
    onto: u32,
    /// How many of its spans touch `onto`.
    shared: u32,
    /// The region it was finally assigned.
    region: u32,
}

/// Memory that sweeping keeps from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct SweepScratch {
    sweeps: Vec<SweptRun>,
    /// For each region, how many spans of this row touch it.
    covered: Vec<u32>,
    /// The regions whose `covered` is not 0.
    touched: Vec<u32>,
}

/// The rows to sweep: those of the tile itself. None if it has no cells.
pub(super) fn rows_to_sweep(field: &CompactHeightfield) -> Range<u32> {
    let twice = 2 * field.border;
    let is_empty = field.grid.width <= twice || field.grid.depth <= twice;
    field.border..if is_empty { field.border } else { field.grid.depth - field.border }
}

impl SweepScratch {
    /// Prepares for [`sweep`](Self::sweep): border spans get their regions.
    pub(super) fn begin(&mut self, field: &CompactHeightfield, id: &mut Vec<u32>) {
        id.clear();
        id.resize(field.span_count(), 0);
        paint_border(field, |span, region| id[span] = region);
        self.covered.clear();
        self.covered.push(0);
    }

    /// Assigns every walkable span of some rows a region, from 1; all rows must be swept, in order. Returns how many
    /// spans they have.
    pub(super) fn sweep(&mut self, field: &CompactHeightfield, rows: Range<u32>, id: &mut [u32]) -> u64 {
        let border = field.border;
        let mut spans = 0;
        for z in rows {
            let first = field.columns[field.grid.index(border, z)] as usize;
            let end = field.columns[field.grid.index(field.grid.width - border - 1, z) + 1] as usize;
            self.cut_row(field, first..end, id);
            self.name_runs();
            for region in id[first..end].iter_mut().filter(|r| **r != 0) {
                *region = self.sweeps[*region as usize - 1].region;
            }
            spans += (end - first) as u64;
        }
        spans
    }

    /// How many regions there are.
    pub(super) fn count(&self) -> u32 {
        self.covered.len() as u32 - 1
    }

    /// Divides a row into runs and writes each span's run number, from 1.
    fn cut_row(&mut self, field: &CompactHeightfield, row: Range<usize>, id: &mut [u32]) {
        self.sweeps.clear();
        for span in row {
            let area = field.area[span];
            if area.is_null() {
                continue;
            }
            let region_at = |dir: usize| {
                let next = field.neighbours[span][dir] as usize;
                let joined = field.area.get(next) == Some(&area) && is_inner(id[next]);
                if joined { id[next] } else { 0 }
            };
            let mut run = region_at(0);
            let before = region_at(3);
            if run == 0 {
                self.sweeps.push(SweptRun { onto: 0, shared: 0, region: 0 });
                run = self.sweeps.len() as u32;
            }
            let sweep = &mut self.sweeps[run as usize - 1];
            if before != 0 {
                if sweep.onto == 0 || sweep.onto == before {
                    sweep.onto = before;
                    sweep.shared += 1;
                    let covered = &mut self.covered[before as usize];
                    if *covered == 0 {
                        self.touched.push(before);
                    }
                    *covered += 1;
                } else {
                    sweep.onto = NONE;
                }
            }
            id[span] = run;
        }
    }

    /// Decides which runs continue the previous region, and starts regions for the others.
    fn name_runs(&mut self) {
        for sweep in &mut self.sweeps {
            if sweep.onto != 0 && sweep.onto != NONE && self.covered[sweep.onto as usize] == sweep.shared {
                sweep.region = sweep.onto;
            } else {
                sweep.region = self.covered.len() as u32;
                self.covered.push(0);
            }
        }
        for region in self.touched.drain(..) {
            self.covered[region as usize] = 0;
        }
    }
}
