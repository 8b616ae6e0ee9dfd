//! The height ranges of one row of cells become the sorted, disjoint spans of its columns.
//!
//! Ranges of a cell that overlap or touch are one span, from the lowest bottom to the highest top. Which area type its top
//! gets must not depend on the order in which triangles come:
//!
//! > A span has the area type of the highest walkable range in it (of the greatest type, where several are equally high),
//! > provided that one can climb from there to the span's top over the tops of the other ranges, no step higher than the
//! > climb; else it is not walkable.
//!
//! ```text
//!   top of span  ---- +----+  not walkable       An agent that stands on the walkable range steps over what
//!                 ^   |    |                     sticks out above it by no more than the climb, so the whole
//!    <= climb ->  v   |####| ---- walkable       span counts as walkable ground.
//!                     |####|
//! ```
//!
//! (Recast merges ranges one by one and compares each with what was merged so far. So there the answer depends on the order:
//! the floor below a wall makes the wall's top walkable if the floor comes last. And greater area types win over higher
//! ground.)
//!
//! The row's ranges are dealt to its columns by counting, sorted by bottom within each column, and swept.
//!
//! Cost: linear in ranges, but for columns with many, which are sorted in n log n. Sources: own work.

use super::Heightfield;
use super::row_ranges::{HeightRange, LANES};
use crate::area::AreaId;

/// A stretch of cells in a row that one triangle covers.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// First column in the rectangle.
    x: u32,
    /// Cells; as many height ranges belong to it, in the order of runs.
    len: u32,
    /// The triangle's area type.
    area: AreaId,
}

/// What the triangles have in one row, and the memory to merge it.
#[derive(Debug, Default)]
pub(super) struct RowRanges {
    runs: Vec<Run>,
    /// The runs' height ranges, and room for more.
    ranges: Vec<HeightRange>,
    /// How many of them there are.
    filled: usize,
    /// Where each column's entries start, then where they end.
    ends: Vec<u32>,
    /// Column by column.
    entries: Vec<Entry>,
    /// The merged spans of the row, and room for more.
    spans: Vec<Entry>,
    /// How many of them there are.
    merged: usize,
    /// The tops in one span.
    tops: Vec<u16>,
}

/// A height range and what it says about the area, ordered by bottom: from the highest bits down, bottom (16), top (16), top
/// of the highest walkable range (24) and its area type (8); the last two are 0 if nothing is walkable.
type Entry = u64;

impl RowRanges {
    /// Begins a row.
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.filled = 0;
    }

    /// Adds a run of `len` cells from column `x` on. Its ranges must be written to what is returned, which is longer than
    /// the run by up to a block.
    #[inline]
    pub(super) fn add_run(&mut self, x: u32, len: u32, area: AreaId) -> &mut [HeightRange] {
        self.runs.push(Run { x, len, area });
        let room = (len as usize).next_multiple_of(LANES);
        let start = self.filled;
        self.filled += len as usize;
        if self.ranges.len() < start + room {
            self.ranges.resize((start + room) * 2, 0);
        }
        &mut self.ranges[start..start + room]
    }

    /// Appends the row's columns to a field.
    pub(super) fn merge(&mut self, climb_vx: u32, out: &mut Heightfield) {
        self.deal(out.grid.width as usize);
        let begun = out.area.len();
        let first_column = out.columns.len();
        self.sweep(begun, &mut out.columns);
        let Self { entries, ends, tops, .. } = self;
        let spans = &self.spans[..self.merged];
        out.min.extend(spans.iter().map(|&span| low(span)));
        out.max.extend(spans.iter().map(|&span| high(span)));
        out.area.extend(spans.iter().map(|&span| area(span, climb_vx)));
        for (i, &span) in spans.iter().enumerate() {
            if ground(span) != 0 && out.area[begun + i].is_null() {
                // Which column it is in: that is the first which ends beyond it.
                let x = out.columns[first_column..].partition_point(|&end| end as usize <= begun + i);
                let start = if x == 0 { 0 } else { ends[x - 1] };
                let column = &entries[start as usize..ends[x] as usize];
                out.area[begun + i] = climb_within(column, span, climb_vx, tops);
            }
        }
    }

    /// Deals the ranges to their columns.
    fn deal(&mut self, width: usize) {
        let Self { runs, ranges, ends, entries, .. } = self;
        ends.clear();
        ends.resize(width, 0);
        for run in runs.iter() {
            for count in &mut ends[run.x as usize..][..run.len as usize] {
                *count += 1;
            }
        }
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += core::mem::replace(end, sum);
        }
        // Every place is written below.
        entries.resize(self.filled, 0);
        let mut next = 0;
        for run in runs.iter() {
            let values = &ranges[next..][..run.len as usize];
            next += run.len as usize;
            let walkable = if run.area.is_null() { 0 } else { u32::MAX };
            for (end, &range) in ends[run.x as usize..].iter_mut().zip(values) {
                let ground = (range << 8 | u32::from(run.area.get())) & 0x00ff_ffff & walkable;
                entries[*end as usize] = Entry::from(range) << 32 | Entry::from(ground);
                *end += 1;
            }
        }
    }

    /// Merges each column's entries; appends the columns' ends, counted from `begun`, to `columns`.
    fn sweep(&mut self, begun: usize, columns: &mut Vec<u32>) {
        let Self { entries, ends, spans, .. } = self;
        if spans.len() < entries.len() {
            spans.resize(entries.len(), 0);
        }
        let mut count = 0;
        let mut start = 0;
        columns.extend(ends.iter().map(|&end| {
            let column = &mut entries[start..end as usize];
            start = end as usize;
            let merged = &mut spans[count..];
            // Most columns have few entries. Their sorting networks and sweeps are straight code: where triangles begin and
            // end in a column cannot be foreseen, and each wrong guess costs as much as two dozen instructions.
            count += match column.len() {
                0 => 0,
                1 => sweep_sorted::<1>(column, merged),
                2 => sweep_few::<2>(column, merged, &[[0, 1]]),
                3 => sweep_few::<3>(column, merged, &[[0, 1], [1, 2], [0, 1]]),
                4 => sweep_few::<4>(column, merged, &[[0, 1], [2, 3], [0, 2], [1, 3], [1, 2]]),
                _ => {
                    sort(column);
                    sweep_many(column, merged)
                }
            };
            (begun + count) as u32
        }));
        self.merged = count;
    }
}

/// Sorts `N` entries by a network of comparisons and merges them to `out`; returns the number of spans.
#[inline]
fn sweep_few<const N: usize>(column: &mut [Entry], out: &mut [Entry], network: &[[usize; 2]]) -> usize {
    if let Some(column) = column.first_chunk_mut::<N>() {
        for &[a, b] in network {
            (column[a], column[b]) = (column[a].min(column[b]), column[a].max(column[b]));
        }
    }
    sweep_sorted::<N>(column, out)
}

/// Merges `N` sorted entries to `out`, which has room for all; returns the number of spans.
#[inline]
fn sweep_sorted<const N: usize>(column: &[Entry], out: &mut [Entry]) -> usize {
    let (Some(column), Some(out)) = (column.first_chunk::<N>(), out.first_chunk_mut::<N>()) else { return 0 };
    sweep_many(column, out)
}

/// Merges sorted entries to `out`, which has room for all; returns the number of spans.
#[inline]
fn sweep_many(column: &[Entry], out: &mut [Entry]) -> usize {
    let Some((&first, rest)) = column.split_first() else { return 0 };
    let (mut current, mut count) = (first, 0);
    for &entry in rest {
        let apart = low(entry) > high(current);
        out[count] = current;
        count += usize::from(apart);
        current = if apart { entry } else { merged(current, entry) };
    }
    out[count] = current;
    count + 1
}

#[inline]
fn low(entry: Entry) -> u16 {
    (entry >> 48) as u16
}

#[inline]
fn high(entry: Entry) -> u16 {
    (entry >> 32) as u16
}

/// The highest walkable top and its area type; 0 if nothing is walkable.
#[inline]
fn ground(entry: Entry) -> u32 {
    entry as u32
}

/// The area type of a span's top, if that is no more than one step above the walkable range.
#[inline]
fn area(span: Entry, climb_vx: u32) -> AreaId {
    let step = u32::from(high(span)) - (ground(span) >> 8);
    AreaId::from_low_bits(if step <= climb_vx { ground(span) as u8 } else { 0 })
}

/// Two entries as one; the first has the lower bottom.
#[inline]
fn merged(a: Entry, b: Entry) -> Entry {
    let top = high(a).max(high(b));
    let ground = ground(a).max(ground(b));
    a >> 48 << 48 | Entry::from(top) << 32 | Entry::from(ground)
}

/// The area type of a span's highest walkable range, if the span's top can be reached from there in several steps.
#[cold]
fn climb_within(column: &[Entry], span: Entry, climb_vx: u32, tops: &mut Vec<u16>) -> AreaId {
    let mut at = ground(span) >> 8;
    tops.clear();
    tops.extend(column.iter().map(|&e| high(e)).filter(|&top| u32::from(top) > at && top <= high(span)));
    tops.sort_unstable();
    let reached = tops.iter().all(|&top| u32::from(top) - core::mem::replace(&mut at, u32::from(top)) <= climb_vx);
    AreaId::from_low_bits(if reached { ground(span) as u8 } else { 0 })
}

/// Sorts the entries of a column.
#[inline]
fn sort(column: &mut [Entry]) {
    if column.len() > 48 {
        column.sort_unstable();
        return;
    }
    for i in 1..column.len() {
        let entry = column[i];
        let mut at = i;
        while at > 0 && column[at - 1] > entry {
            column[at] = column[at - 1];
            at -= 1;
        }
        column[at] = entry;
    }
}
