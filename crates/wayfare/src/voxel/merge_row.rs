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
use super::row_ranges::HeightRange;
use crate::area::AreaId;

/// A stretch of cells in a row that one triangle covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// First column in the rectangle.
    pub(super) x: u32,
    /// Cells; as many height ranges belong to it, in the order of runs.
    pub(super) len: u32,
    /// The triangle's area type.
    pub(super) area: AreaId,
}

/// What the triangles have in one row, and the memory to merge it.
#[derive(Debug, Default)]
pub(super) struct RowRanges {
    pub(super) runs: Vec<Run>,
    pub(super) ranges: Vec<HeightRange>,
    /// Where each column's entries start, then where they end.
    ends: Vec<u32>,
    /// Column by column.
    entries: Vec<Entry>,
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
        self.ranges.clear();
    }

    /// Appends the row's columns to a field.
    pub(super) fn merge(&mut self, climb_vx: u32, out: &mut Heightfield) {
        let width = out.grid.width as usize;
        self.deal(width);
        let mut spans = out.area.len();
        // As if nothing merged; cut back below.
        let most = spans + self.entries.len();
        out.min.resize(most, 0);
        out.max.resize(most, 0);
        out.area.resize(most, AreaId::NULL);
        let mut start = 0;
        for &end in &self.ends[..width] {
            let column = &mut self.entries[start..end as usize];
            start = end as usize;
            sort(column);
            let mut climbs = false;
            if let Some((&first, rest)) = column.split_first() {
                let begun = spans;
                let mut write = |entry: Entry, span: usize| {
                    (out.min[span], out.max[span]) = (low(entry), high(entry));
                    out.area[span] = area(entry, climb_vx);
                    climbs |= ground(entry) != 0 && out.area[span].is_null();
                };
                let mut current = first;
                for &entry in rest {
                    let apart = low(entry) > high(current);
                    write(current, spans);
                    spans += usize::from(apart & is_solid(current));
                    current = if apart { entry } else { merged(current, entry) };
                }
                write(current, spans);
                spans += usize::from(is_solid(current));
                if climbs {
                    climb_within(column, climb_vx, &mut self.tops, out, begun..spans);
                }
            }
            out.columns.push(spans as u32);
        }
        out.min.truncate(spans);
        out.max.truncate(spans);
        out.area.truncate(spans);
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
        entries.resize(ranges.len(), 0);
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
}

#[inline]
fn low(entry: Entry) -> u16 {
    (entry >> 48) as u16
}

#[inline]
fn high(entry: Entry) -> u16 {
    (entry >> 32) as u16
}

/// Whether anything is in it: a range without heights merges with nothing.
#[inline]
fn is_solid(entry: Entry) -> bool {
    high(entry) > low(entry)
}

/// The highest walkable top and its area type; 0 if nothing is walkable.
#[inline]
fn ground(entry: Entry) -> u32 {
    entry as u32
}

/// The area type of a span's top, if that is no more than one step above the walkable range.
#[inline]
fn area(entry: Entry, climb_vx: u32) -> AreaId {
    let ground = ground(entry);
    let step = (entry >> 32) as u32 & 0xffff;
    let within_climb = step.wrapping_sub(ground >> 8) <= climb_vx;
    AreaId::from_low_bits(if within_climb { ground as u8 } else { 0 })
}

/// Two entries as one; the first has the lower bottom.
#[inline]
fn merged(a: Entry, b: Entry) -> Entry {
    let top = high(a).max(high(b));
    let ground = ground(a).max(ground(b));
    a >> 48 << 48 | Entry::from(top) << 32 | Entry::from(ground)
}

/// Gives the area type of its highest walkable range to each of a column's spans whose top can be reached from there in
/// several steps.
#[cold]
fn climb_within(
    column: &[Entry],
    climb_vx: u32,
    tops: &mut Vec<u16>,
    out: &mut Heightfield,
    spans: core::ops::Range<usize>,
) {
    for span in spans {
        let (bottom, top) = (out.min[span], out.max[span]);
        let inside = || column.iter().copied().filter(|&e| is_solid(e) && low(e) >= bottom && high(e) <= top);
        let highest = inside().map(ground).max().unwrap_or(0);
        if highest == 0 || !out.area[span].is_null() {
            continue;
        }
        tops.clear();
        tops.extend(inside().map(high).filter(|&top| u32::from(top) > highest >> 8));
        tops.sort_unstable();
        let mut at = highest >> 8;
        let reached = tops.iter().all(|&top| u32::from(top) - core::mem::replace(&mut at, u32::from(top)) <= climb_vx);
        if reached {
            out.area[span] = AreaId::from_low_bits(highest as u8);
        }
    }
}

/// Sorts the few entries of a column.
#[inline]
fn sort(column: &mut [Entry]) {
    match column {
        [] | [_] => {}
        [a, b] => (*a, *b) = ((*a).min(*b), (*a).max(*b)),
        _ if column.len() <= 16 => {
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
        _ => column.sort_unstable(),
    }
}
