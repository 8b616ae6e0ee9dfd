//! The height ranges of one row of cells become the sorted, disjoint spans of its columns.
//!
//! Ranges of a cell that overlap or touch are one span, from the lowest bottom to the highest top. Which area type its
//! top gets must not depend on the order in which triangles come:
//!
//! > A span has the area type of the highest walkable range in it (of the greatest type, where several are equally
//! > high), provided that one can climb from there to the span's top over the tops of the other ranges, no step higher
//! > than the climb; else it is not walkable.
//!
//! ```text
//!   top of span  ---- +----+  not walkable       An agent that stands on the walkable range steps over what
//!                 ^   |    |                     sticks out above it by no more than the climb, so the whole
//!    <= climb ->  v   |####| ---- walkable       span counts as walkable ground.
//!                     |####|
//! ```
//!
//! (Recast merges ranges one by one and compares each with what was merged so far. So there the answer depends on the
//! order: the floor below a wall makes the wall's top walkable if the floor comes last. And greater area types win over
//! higher ground.)
//!
//! Each column keeps the span that was touched last. A range that touches it widens it; one that does not takes its
//! place, and the span goes to the list of a crowded row. Ranges come from low to high, mostly, so few rows are crowded
//! beyond the spans that they end up with. A run of cells is merged eight columns at a time; only where a span has to
//! go is a column looked at by itself. At the end the crowded columns' spans are dealt by counting, sorted by bottom
//! and swept, for ranges that came late may have joined them.
//!
//! ```text
//!   range    |##|##|##|##|        columns 1 and 2: the floor is widened; 3 and 4: the floor goes, the table stays
//!   so far   |##|##|--|--|
//! ```
//!
//! (Dealing all ranges to columns before merging any took as long as making them.)
//!
//! Cost: linear in ranges, but for columns with many spans, which are sorted in n log n. Sources: own work.

use super::Heightfield;
use super::lanes::Lanes;
use super::row_ranges::{HeightRange, LANES};
use crate::area::AreaId;
use fearless_simd::prelude::*;
use fearless_simd::{mask32x8, u32x8};

/// A stretch of cells in a row that one triangle covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// First column in the rectangle.
    pub(super) x: u32,
    /// Cells, at least one.
    pub(super) len: u32,
    /// Where its ranges are among those of the band.
    pub(super) first: u64,
    /// Whether its cells have one range each, or all share the first.
    pub(super) is_uniform: bool,
}

/// The columns of a row while triangles are merged into them.
#[derive(Debug, Default)]
pub(super) struct RowColumns {
    /// The span that each column has or was touched last; [`NOTHING`] in empty columns. With room for a block more.
    range: Vec<HeightRange>,
    /// What is known of its area type.
    ground: Vec<u32>,
    /// Ranges that each column was given.
    given: Vec<u32>,
    /// Spans that had to go, with their columns.
    crowded: Vec<(u32, Entry)>,
    runs: Vec<Run>,
}

/// The range of an empty column: widens nothing.
const NOTHING: HeightRange = 0xffff_0000;

/// Memory to make spans of a row's columns.
#[derive(Debug, Default)]
pub(super) struct RowMerger {
    /// Where each column's entries start, then where they end.
    ends: Vec<u32>,
    /// Column by column.
    entries: Vec<Entry>,
    /// The merged spans of the row, and room for more.
    spans: Vec<Entry>,
    /// How many of them there are.
    merged: usize,
    /// Spans that stick out of their walkable range by more than a step, as their numbers, and their columns.
    steep: Vec<u32>,
    steep_columns: Vec<u32>,
    next_steep: Vec<u32>,
    /// Tops of ranges in those columns: place in the list (32), top (16).
    tops: Vec<u64>,
}

/// A height range and what it says about the area, ordered by bottom: from the highest bits down, bottom (16), top
/// (16), top of the highest walkable range (24) and its area type (8); the last two are 0 if nothing is walkable.
type Entry = u64;

/// The entry of an empty column.
const EMPTY: Entry = (NOTHING as Entry) << 32;

impl RowColumns {
    /// Empties `width` columns.
    pub(super) fn clear(&mut self, width: usize) {
        for (list, nothing) in [(&mut self.range, NOTHING), (&mut self.ground, 0), (&mut self.given, 0)] {
            list.clear();
            list.resize(width + LANES, nothing);
        }
        self.crowded.clear();
        self.runs.clear();
    }

    /// Merges a run of a triangle. `ranges`: those of the band.
    #[inline(always)]
    pub(super) fn merge<S: Simd>(&mut self, simd: S, run: Run, ranges: &[HeightRange], area: AreaId) {
        self.runs.push(run);
        let lane = u32x8::simd_from(simd, [0, 1, 2, 3, 4, 5, 6, 7]);
        let uniform = u32x8::all(simd, ranges[run.first as usize]);
        for done in (0..run.len).step_by(LANES) {
            let more = match run.is_uniform {
                true => uniform,
                false => u32x8::from_slice(simd, &ranges[(run.first + u64::from(done)) as usize..][..LANES]),
            };
            self.merge_block(lane.is_below(u32x8::all(simd, run.len - done)), more, (run.x + done) as usize, area);
        }
    }

    /// Merges ranges, where they are `given`, into eight columns from `x` on.
    #[inline(always)]
    fn merge_block<S: Simd>(&mut self, given: mask32x8<S>, more: u32x8<S>, x: usize, area: AreaId) {
        let simd = more.simd;
        let (nothing, low_bits) = (u32x8::all(simd, 0), u32x8::all(simd, 0xffff));
        let range = &mut self.range[x..x + LANES];
        let ground = &mut self.ground[x..x + LANES];
        let count = &mut self.given[x..x + LANES];
        let (old, old_ground) = (u32x8::from_slice(simd, range), u32x8::from_slice(simd, ground));
        let more = given.select(more, u32x8::all(simd, NOTHING));
        let (old_low, old_high) = (old >> 16, old & low_bits);
        let (low, high) = (more >> 16, more & low_bits);
        let more_ground = match area.is_null() {
            true => nothing,
            false => given.select(high << 8 | u32x8::all(simd, u32::from(area.get())), nothing),
        };
        // Apart, though both are something: the common part of two spans is inside out, and its top not 0.
        let (common_low, common_high) = (old_low.greater(low), old_high.lesser(high));
        let meet = common_low.is_at_most(common_high) | common_high.equals(nothing);
        let joined = old_low.lesser(low) << 16 | old_high.greater(high);
        let joined_ground = old_ground.greater(more_ground);
        (u32x8::from_slice(simd, count) + given.select(u32x8::all(simd, 1), nothing)).store_slice(count);
        if simd.all_true_mask32x8(meet) {
            joined.store_slice(range);
            joined_ground.store_slice(ground);
            return;
        }
        meet.select(joined, more).store_slice(range);
        meet.select(joined_ground, more_ground).store_slice(ground);
        let (old, old_ground) = (simd.as_array_u32x8(old), simd.as_array_u32x8(old_ground));
        let mut apart = !simd.to_bitmask_mask32x8(meet) & 0xff;
        while apart != 0 {
            let lane = apart.trailing_zeros() as usize;
            self.crowded.push(((x + lane) as u32, entry(old[lane], old_ground[lane])));
            apart &= apart - 1;
        }
    }
}

/// Makes room for a row's spans whose columns are there already, and for those of the rows to come if they are like
/// those before: a field that grew by doubling would have twice the memory that it needs.
fn reserve(out: &mut Heightfield, row: usize) {
    let len = out.area.len();
    if out.area.capacity() - len >= row {
        return;
    }
    let (cells, done) = (out.grid.cell_count() as u64, out.columns.len() as u64 - 1);
    let in_all = (len + row) as u64 * cells / done.max(1);
    let more = (in_all + in_all / 16) as usize - len;
    out.min.reserve_exact(more.max(row));
    out.max.reserve_exact(more.max(row));
    out.area.reserve_exact(more.max(row));
}

/// A span with what is known of its area type.
#[inline]
fn entry(range: HeightRange, ground: u32) -> Entry {
    Entry::from(range) << 32 | Entry::from(ground)
}

impl RowMerger {
    /// Appends a row's columns to a field. `ranges`: those of the band.
    pub(super) fn finish(&mut self, row: &RowColumns, ranges: &[HeightRange], climb_vx: u32, out: &mut Heightfield) {
        let width = out.grid.width as usize;
        let begun = out.area.len();
        let first_column = out.columns.len();
        if row.crowded.is_empty() {
            self.take(row, begun, width, &mut out.columns);
        } else {
            self.deal(row, width);
            self.sweep(begun, &mut out.columns);
        }
        let spans = &self.spans[..self.merged];
        reserve(out, spans.len());
        out.min.extend(spans.iter().map(|&span| low(span)));
        out.max.extend(spans.iter().map(|&span| high(span)));
        out.area.extend(spans.iter().map(|&span| area(span, climb_vx)));
        self.steep.resize(spans.len(), 0);
        let mut count = 0;
        for (i, &span) in spans.iter().enumerate() {
            self.steep[count] = i as u32;
            count += usize::from((ground(span) != 0) & (step(span) > climb_vx));
        }
        self.steep.truncate(count);
        if count > 0 {
            let (columns, areas) = (&out.columns[first_column..], &mut out.area[begun..]);
            self.climb(row, ranges, climb_vx, (columns, begun as u32), areas);
        }
    }

    /// Takes the spans of a row with no more than one in a column.
    fn take(&mut self, row: &RowColumns, begun: usize, width: usize, columns: &mut Vec<u32>) {
        let spans = &mut self.spans;
        if spans.len() <= width {
            spans.resize(width + 1, 0);
        }
        let mut count = 0;
        columns.extend(row.range[..width].iter().zip(&row.ground).map(|(&range, &ground)| {
            spans[count] = entry(range, ground);
            count += usize::from(range != NOTHING);
            (begun + count) as u32
        }));
        self.merged = count;
    }

    /// Deals all spans to their columns.
    fn deal(&mut self, row: &RowColumns, width: usize) {
        let Self { ends, entries, .. } = self;
        ends.clear();
        ends.extend(row.range[..width].iter().map(|&range| u32::from(range != NOTHING)));
        for &(x, _) in &row.crowded {
            ends[x as usize] += 1;
        }
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += core::mem::replace(end, sum);
        }
        // Every place is written below; one more takes what empty columns have.
        entries.resize(sum as usize + 1, 0);
        for &(x, entry) in &row.crowded {
            let end = &mut ends[x as usize];
            entries[*end as usize] = entry;
            *end += 1;
        }
        for ((end, &range), &ground) in ends.iter_mut().zip(&row.range).zip(&row.ground) {
            if range != NOTHING {
                entries[*end as usize] = entry(range, ground);
                *end += 1;
            }
        }
        entries.truncate(sum as usize);
    }

    /// Merges each column's entries; appends the columns' ends, counted from `begun`, to `columns`.
    fn sweep(&mut self, begun: usize, columns: &mut Vec<u32>) {
        let Self { entries, ends, spans, .. } = self;
        let filled = entries.len();
        // Room for the second of a column that has none.
        entries.extend([EMPTY; 2]);
        if spans.len() < entries.len() {
            spans.resize(entries.len(), 0);
        }
        let mut count = 0;
        let mut start = 0;
        columns.extend(ends.iter().map(|&end| {
            let column = start..end as usize;
            start = end as usize;
            // Empty columns come many in a row. Others mostly have few entries; one or two are straight code: where
            // triangles begin and end in a column cannot be foreseen, and each wrong guess costs as much as two dozen
            // instructions.
            if column.is_empty() {
            } else if column.len() <= 2 {
                let a = entries[column.start];
                let b = if column.len() < 2 { EMPTY } else { entries[column.start + 1] };
                let (a, b) = (a.min(b), a.max(b));
                let apart = low(b) > high(a);
                spans[count] = if apart { a } else { merged(a, b) };
                count += 1;
                spans[count] = b;
                count += usize::from(apart & (b != EMPTY));
            } else {
                sort(&mut entries[column.clone()]);
                count += sweep_many(&entries[column], &mut spans[count..]);
            }
            (begun + count) as u32
        }));
        entries.truncate(filled);
        self.merged = count;
    }

    /// Gives spans that stick out of their walkable range their area type all the same, if their top can be reached
    /// from there in several steps over the tops of other ranges.
    fn climb(
        &mut self,
        row: &RowColumns,
        ranges: &[HeightRange],
        climb_vx: u32,
        (columns, begun): (&[u32], u32),
        areas: &mut [AreaId],
    ) {
        let Self { steep, steep_columns, next_steep, spans, tops, .. } = self;
        steep_columns.clear();
        let mut x = 0;
        steep.retain(|&span| {
            while columns[x] <= begun + span {
                x += 1;
            }
            // Each range is a step at most.
            let can_be = step(spans[span as usize]).div_ceil(climb_vx.max(1)) <= row.given[x];
            if can_be {
                steep_columns.push(x as u32);
            }
            can_be
        });
        if steep.is_empty() {
            return;
        }
        // The first steep column from each column on.
        next_steep.clear();
        for (place, &x) in (0..).zip(steep_columns.iter()) {
            next_steep.resize(x as usize + 1, place);
        }
        tops.clear();
        for run in &row.runs {
            let Some(&first) = next_steep.get(run.x as usize) else { continue };
            let rest = &steep_columns[first as usize..];
            for (place, &x) in (first as usize..).zip(rest).take_while(|(_, x)| **x < run.x + run.len) {
                let at = run.first + u64::from(if run.is_uniform { 0 } else { x - run.x });
                let (top, span) = (ranges[at as usize] & 0xffff, spans[steep[place] as usize]);
                if top > ground(span) >> 8 && top <= u32::from(high(span)) {
                    tops.push((place as u64) << 32 | u64::from(top));
                }
            }
        }
        tops.sort_unstable();
        let mut rest = &tops[..];
        for (place, &span) in (0..).zip(steep.iter()) {
            let (own, more) = rest.split_at(rest.partition_point(|&top| top >> 32 <= place));
            rest = more;
            let mut at = ground(spans[span as usize]) >> 8;
            let reached = own.iter().all(|&top| top as u32 - core::mem::replace(&mut at, top as u32) <= climb_vx);
            if reached {
                areas[span as usize] = AreaId::from_low_bits(ground(spans[span as usize]) as u8);
            }
        }
    }
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
    AreaId::from_low_bits(if step(span) <= climb_vx { ground(span) as u8 } else { 0 })
}

/// How far a span's top lies above its walkable range.
#[inline]
fn step(span: Entry) -> u32 {
    u32::from(high(span)) - (ground(span) >> 8)
}

/// Two entries as one; the first has the lower bottom.
#[inline]
fn merged(a: Entry, b: Entry) -> Entry {
    let top = high(a).max(high(b));
    let ground = ground(a).max(ground(b));
    a >> 48 << 48 | Entry::from(top) << 32 | Entry::from(ground)
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
