//! Runs of height ranges become the sorted, disjoint spans of a heightfield.
//!
//! Ranges of a cell that overlap or touch are one span, from the lowest bottom to the highest top. Which area type its top
//! gets must not depend on the order in which triangles come:
//!
//! > A span has the area type of the highest walkable range in it (of the greatest type, where several are equally high),
//! > provided that this range's top lies no more than the climb below the span's top; else it is not walkable.
//!
//! ```text
//!   top of span  ---- +----+  not walkable       An agent that stands on the walkable range steps over what
//!                 ^   |    |                     sticks out above it by no more than the climb, so the whole
//!    <= climb ->  v   |####| ---- walkable       span counts as walkable ground.
//!                     |####|
//! ```
//!
//! (Recast merges ranges one by one and compares each with what was merged so far, so there the answer depends on the
//! order, and greater area types win over higher ground.) "Highest, then greatest" is a maximum over pairs, so ranges can
//! be merged in any order and any grouping.
//!
//! Runs are sorted by row; a row's ranges are then dealt to its columns, sorted by bottom and swept.
//!
//! Cost: linear in ranges, but for columns with many, which are sorted in n log n. Sources: own work.

use super::Heightfield;
use super::triangle_runs::{HeightRange, Run};
use crate::area::AreaId;

/// Memory of the merge, kept from field to field.
#[derive(Debug, Default)]
pub(super) struct MergeScratch {
    /// Where each row's runs start in `by_row`.
    row_starts: Vec<u32>,
    /// Runs, sorted by row.
    by_row: Vec<u32>,
    /// Where each column's entries start, for one row.
    column_starts: Vec<u32>,
    /// The entries of one row, column by column.
    entries: Vec<Entry>,
}

/// A height range and what it says about the area: ordered by bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    low: u16,
    high: u16,
    /// Top of the highest walkable range (upper bits) and its area type (lower eight); 0 if nothing is walkable.
    walkable: u32,
}

impl Entry {
    #[inline]
    fn new([low, high]: HeightRange, area: AreaId) -> Self {
        let walkable = if area.is_null() { 0 } else { u32::from(high) << 8 | u32::from(area.get()) };
        Self { low, high, walkable }
    }

    /// The area type of the merged span's top.
    #[inline]
    fn area(self, climb_vx: u32) -> AreaId {
        let within_climb = u32::from(self.high) - (self.walkable >> 8) <= climb_vx;
        if within_climb { AreaId::from_low_bits(self.walkable as u8) } else { AreaId::NULL }
    }
}

/// Replaces the spans of `out` by the merged ranges; its grid is set already.
pub(super) fn merge_runs(
    runs: &[Run],
    ranges: &[HeightRange],
    climb_vx: u32,
    scratch: &mut MergeScratch,
    out: &mut Heightfield,
) {
    let (width, depth) = (out.grid.width as usize, out.grid.depth as usize);
    out.columns.clear();
    out.columns.reserve(width * depth + 1);
    out.columns.push(0);
    out.min.clear();
    out.max.clear();
    out.area.clear();
    sort_by_row(runs, depth, scratch);
    for row in 0..depth {
        let of_row = scratch.row_starts[row] as usize..scratch.row_starts[row + 1] as usize;
        let of_row = &scratch.by_row[of_row];
        deal(runs, ranges, of_row, width, &mut scratch.column_starts, &mut scratch.entries);
        for x in 0..width {
            let column = scratch.column_starts[x] as usize..scratch.column_starts[x + 1] as usize;
            sweep(&mut scratch.entries[column], climb_vx, out);
            out.columns.push(out.area.len() as u32);
        }
    }
}

/// Sorts runs by row, stably, by counting.
fn sort_by_row(runs: &[Run], depth: usize, scratch: &mut MergeScratch) {
    let starts = &mut scratch.row_starts;
    starts.clear();
    starts.resize(depth + 1, 0);
    for run in runs {
        starts[run.row as usize] += 1;
    }
    let mut sum = 0;
    for start in starts.iter_mut() {
        sum += core::mem::replace(start, sum);
    }
    scratch.by_row.clear();
    scratch.by_row.resize(runs.len(), 0);
    for (i, run) in runs.iter().enumerate() {
        let slot = &mut starts[run.row as usize];
        scratch.by_row[*slot as usize] = i as u32;
        *slot += 1;
    }
    // Each start has moved to the next row's.
    starts.copy_within(0..depth, 1);
    starts[0] = 0;
}

/// Deals one row's ranges to its columns.
fn deal(
    runs: &[Run],
    ranges: &[HeightRange],
    of_row: &[u32],
    width: usize,
    starts: &mut Vec<u32>,
    entries: &mut Vec<Entry>,
) {
    starts.clear();
    starts.resize(width + 1, 0);
    for &i in of_row {
        let run = &runs[i as usize];
        for count in &mut starts[run.x as usize..][..run.len as usize] {
            *count += 1;
        }
    }
    let mut sum = 0;
    for start in starts.iter_mut() {
        sum += core::mem::replace(start, sum);
    }
    entries.clear();
    entries.resize(sum as usize, Entry::default());
    for &i in of_row {
        let run = &runs[i as usize];
        let values = &ranges[run.first as usize..][..run.len as usize];
        for (slot, &range) in starts[run.x as usize..].iter_mut().zip(values) {
            entries[*slot as usize] = Entry::new(range, run.area);
            *slot += 1;
        }
    }
    starts.copy_within(0..width, 1);
    starts[0] = 0;
}

/// Sorts the ranges of one column and appends the merged spans.
#[inline]
fn sweep(column: &mut [Entry], climb_vx: u32, out: &mut Heightfield) {
    if column.len() > 1 {
        column.sort_unstable();
    }
    let mut current: Option<Entry> = None;
    for &entry in column.iter() {
        if entry.low >= entry.high {
            continue;
        }
        match &mut current {
            Some(span) if entry.low <= span.high => {
                span.high = span.high.max(entry.high);
                span.walkable = span.walkable.max(entry.walkable);
            }
            _ => {
                if let Some(done) = current.replace(entry) {
                    push(done, climb_vx, out);
                }
            }
        }
    }
    if let Some(done) = current {
        push(done, climb_vx, out);
    }
}

#[inline]
fn push(span: Entry, climb_vx: u32, out: &mut Heightfield) {
    out.min.push(span.low);
    out.max.push(span.high);
    out.area.push(span.area(climb_vx));
}
