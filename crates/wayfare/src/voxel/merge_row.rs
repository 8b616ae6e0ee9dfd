//! Merges the height ranges of one row of cells into the sorted, disjoint spans of its columns.
//!
//! Ranges of a cell that overlap or touch become one span, from the lowest bottom to the highest top. The area type of
//! its top must not depend on the order in which triangles are processed:
//!
//! > A span has the area type of the highest walkable range in it (the greatest type, if several are equally high),
//! > provided that one can climb from there to the span's top over the tops of the other ranges, with no step higher
//! > than the climb; otherwise it is not walkable.
//!
//! ```text
//!   top of span  ---- +----+  not walkable       An agent that stands on the walkable range steps over what
//!                 ^   |    |                     sticks out above it by no more than the climb, so the whole
//!    <= climb ->  v   |####| ---- walkable       span counts as walkable.
//!                     |####|
//! ```
//!
//! (Recast merges ranges one by one and compares each with the result so far. So there the answer depends on the order:
//! the floor below a wall makes the wall's top walkable if the floor comes last. And greater area types win over higher
//! surfaces.)
//!
//! Each column keeps two spans at hand: the one that was touched last, and another. A range that touches the last one
//! widens it. One that does not replaces it, and the replaced span is merged with the other if they touch or there is
//! none, and otherwise goes to the column's overflow list. Most columns have a floor and a ceiling; ranges are mostly
//! processed from low to high, so few columns overflow that do not end up with more spans. A run of cells is merged
//! eight columns at a time; only overflowing columns are processed separately. At the end the spans of each column are
//! sorted by bottom and swept, since late ranges may have joined them.
//!
//! ```text
//!   range    |##|##|##|##|        columns 1 and 2: the floor is widened; 3 and 4: it becomes the other, the table is
//!   so far   |##|##|--|--|        the last
//! ```
//!
//! (Distributing all ranges to columns before merging any took as long as computing them. With one span at hand, and
//! all others distributed to their columns row by row, every column with a ceiling overflowed.)
//!
//! Cost: linear in ranges, except for columns with many spans, which are sorted in n log n. Sources: own work.

use super::Heightfield;
use super::height_range::HeightRange;
use super::row_lanes::LANES;
use super::row_tops::{CellRun, RowTops};
use crate::area::AreaId;
use crate::math::index::NONE;
use crate::math::lanes::Lanes;
use fearless_simd::prelude::*;
use fearless_simd::{mask32x8, u32x8};

/// The columns of a row while triangles are merged into them.
#[derive(Debug, Default)]
pub(super) struct RowColumns {
    /// The span of each column that was touched last.
    last: Spans,
    /// Another span of each column.
    other: Spans,
    /// The heights at which each column has tops, one bit for each `1 << top_shift` of them; beyond 32 they wrap
    /// around.
    tops: Vec<u32>,
    top_shift: u32,
    /// Further spans of overflowing columns, each with the index of the next of its column.
    crowded: Vec<(RowEntry, u32)>,
    /// The index of the first of a column's further spans; [`NONE`] if there are none.
    first_crowded: Vec<u32>,
    /// The number of further spans at which those that touch are merged.
    most_crowded: usize,
    /// More of them than this are not kept, and the row is then useless.
    room: usize,
    is_overfull: bool,
    /// The tops of all ranges.
    exact_tops: RowTops,
}

/// A span in each column of a row, with room for one more block.
#[derive(Debug, Default)]
struct Spans {
    /// [`NOTHING`] if there is none.
    range: Vec<HeightRange>,
    /// The information about its area type.
    ground: Vec<u32>,
}

/// Spans in lanes: their ranges and the information about their area types.
type SpanLanes<S> = [u32x8<S>; 2];

/// The range of an empty column, which widens nothing.
const NOTHING: HeightRange = 0xffff_0000;

/// Memory for computing the spans of a row's columns.
#[derive(Debug, Default)]
pub(super) struct RowMerger {
    /// The spans of an overflowing column.
    entries: Vec<RowEntry>,
    /// The merged spans of the row, and room for more.
    spans: Vec<RowEntry>,
    /// Number of these spans.
    merged: usize,
    /// Spans that extend above their walkable range by more than a step, as numbers, and their columns.
    steep: Vec<u32>,
    steep_columns: Vec<u32>,
    next_steep: Vec<u32>,
    /// Tops of ranges in those columns: index in the list (32), top (16).
    tops: Vec<u64>,
}

/// A height range with its area information, sorted by bottom: from the highest bits down, bottom (16), top (16), top
/// of the highest walkable range (24) and its area type (8); the last two are 0 if nothing is walkable.
type RowEntry = u64;

/// The entry of an empty column.
const EMPTY: RowEntry = (NOTHING as RowEntry) << 32;

impl RowColumns {
    /// Clears `width` columns. `climb_vx`: the height of a step; `room`: the approximate number of spans the row may
    /// have.
    pub(super) fn clear(&mut self, width: usize, climb_vx: u32, room: usize) {
        (self.room, self.is_overfull) = (room, false);
        self.top_shift = climb_vx.clamp(1, 1 << 16).next_power_of_two().ilog2();
        for spans in [&mut self.last, &mut self.other] {
            refill(&mut spans.range, width, NOTHING);
            refill(&mut spans.ground, width, 0);
        }
        refill(&mut self.tops, width, 0);
        refill(&mut self.first_crowded, width, NONE);
        self.crowded.clear();
        self.most_crowded = most_crowded(width, 0, room);
        self.exact_tops.clear();
    }

    /// Whether it had more spans than it has room for.
    pub(super) fn is_overfull(&self) -> bool {
        self.is_overfull
    }

    /// Removes references to the ranges of the band.
    pub(super) fn condense(&mut self, ranges: &[HeightRange]) {
        self.exact_tops.condense(ranges);
    }

    /// Merges a run of a triangle. `ranges`: those of the band.
    #[inline(always)]
    pub(super) fn merge<S: Simd>(&mut self, simd: S, run: CellRun, ranges: &[HeightRange], area: AreaId) {
        self.exact_tops.push(run);
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

    /// Merges the range of a triangle that lies within one cell.
    #[inline(always)]
    pub(super) fn merge_cell(&mut self, x: u32, range: HeightRange, area: AreaId) {
        let top = range & 0xffff;
        self.exact_tops.push_cell(x, top);
        let x = x as usize;
        self.tops[x] |= 1 << ((top >> self.top_shift) & 31);
        let more = entry(range, if area.is_null() { 0 } else { top << 8 | u32::from(area.get()) });
        let last = self.last.entry(x);
        if let Some(span) = joined(last, more) {
            self.last.set(x, span);
            return;
        }
        self.last.set(x, more);
        match joined(self.other.entry(x), last) {
            Some(span) => self.other.set(x, span),
            None => self.push_crowded(x, last),
        }
    }

    /// Adds a span to the further ones of its column.
    fn push_crowded(&mut self, x: usize, span: RowEntry) {
        let next = core::mem::replace(&mut self.first_crowded[x], self.crowded.len() as u32);
        self.crowded.push((span, next));
        if self.crowded.len() > self.most_crowded {
            self.merge_crowded();
        }
    }

    /// Merges ranges, where they are `given`, into eight columns from `x`.
    #[inline(always)]
    fn merge_block<S: Simd>(&mut self, given: mask32x8<S>, more: u32x8<S>, x: usize, area: AreaId) {
        let simd = more.simd;
        let nothing = u32x8::all(simd, 0);
        let top = more & u32x8::all(simd, 0xffff);
        let tops = &mut self.tops[x..x + LANES];
        let bit = u32x8::all(simd, 1) << ((top >> self.top_shift) & u32x8::all(simd, 31));
        (u32x8::from_slice(simd, tops) | given.select(bit, nothing)).store_slice(tops);
        let more_ground = match area.is_null() {
            true => nothing,
            false => given.select(top << 8 | u32x8::all(simd, u32::from(area.get())), nothing),
        };
        let more = [given.select(more, u32x8::all(simd, NOTHING)), more_ground];
        let last = self.last.lanes(simd, x);
        let (meet, joined) = join(last, more);
        if simd.all_true_mask32x8(meet) {
            self.last.store(x, joined);
            return;
        }
        self.last.store(x, select(meet, joined, more));
        // The spans that were replaced, if any.
        let gone = select(meet, [u32x8::all(simd, NOTHING), nothing], last);
        let other = self.other.lanes(simd, x);
        let (meet, joined) = join(other, gone);
        if simd.all_true_mask32x8(meet) {
            self.other.store(x, joined);
            return;
        }
        self.other.store(x, select(meet, joined, other));
        let [range, ground] = gone.map(<[u32; 8]>::from);
        let mut apart = !simd.to_bitmask_mask32x8(meet) & 0xff;
        while apart != 0 {
            let lane = apart.trailing_zeros() as usize;
            self.push_crowded(x + lane, entry(range[lane], ground[lane]));
            apart &= apart - 1;
        }
    }

    /// Merges the further spans of each column that touch: there may be one for each of many overlapping triangles.
    #[cold]
    fn merge_crowded(&mut self) {
        let before = core::mem::take(&mut self.crowded);
        let mut entries = Vec::new();
        let mut merged = Vec::new();
        for first in self.first_crowded.iter_mut().filter(|first| **first != NONE) {
            entries.clear();
            entries.extend(of_column(&before, *first));
            entries.sort_unstable();
            merged.resize(entries.len().max(merged.len()), 0);
            *first = NONE;
            let count = sweep_many(&entries, &mut merged);
            for &entry in &merged[..count] {
                let next = core::mem::replace(first, self.crowded.len() as u32);
                self.crowded.push((entry, next));
            }
        }
        self.most_crowded = most_crowded(self.tops.len(), self.crowded.len(), self.room);
        if self.crowded.len() > self.room {
            self.is_overfull = true;
            self.crowded.clear();
            self.first_crowded.fill(NONE);
        }
    }

    /// Whether one may be able to climb from a span's walkable range to its top in column `x`: each bit whose heights
    /// all lie in between has a top, since no step is longer than the heights of a bit.
    fn may_be_climbed(&self, x: usize, span: RowEntry) -> bool {
        let first = (ground(span) >> 8 >> self.top_shift) + 1;
        let needed = ((u32::from(high(span)) + 1) >> self.top_shift).saturating_sub(first);
        let bits = if needed < u32::BITS { !(u32::MAX << needed) } else { u32::MAX };
        !self.tops[x] & bits.rotate_left(first & 31) == 0
    }
}

impl Spans {
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, x: usize) -> SpanLanes<S> {
        [&self.range, &self.ground].map(|list| u32x8::from_slice(simd, &list[x..x + LANES]))
    }

    #[inline(always)]
    fn store<S: Simd>(&mut self, x: usize, [range, ground]: SpanLanes<S>) {
        range.store_slice(&mut self.range[x..x + LANES]);
        ground.store_slice(&mut self.ground[x..x + LANES]);
    }

    /// The span of column `x`; [`EMPTY`] if there is none.
    #[inline]
    fn entry(&self, x: usize) -> RowEntry {
        entry(self.range[x], self.ground[x])
    }

    #[inline]
    fn set(&mut self, x: usize, span: RowEntry) {
        (self.range[x], self.ground[x]) = ((span >> 32) as HeightRange, ground(span));
    }
}

/// Whether spans overlap or touch, or one of them is empty, and their union.
#[inline(always)]
fn join<S: Simd>([a, a_ground]: SpanLanes<S>, [b, b_ground]: SpanLanes<S>) -> (mask32x8<S>, SpanLanes<S>) {
    let low_bits = u32x8::all(a.simd, 0xffff);
    let a_low = a >> 16;
    let a_high = a & low_bits;
    let b_low = b >> 16;
    let b_high = b & low_bits;
    // Disjoint although neither is empty: their intersection is inverted, and its top is not 0.
    let common_low = a_low.greater(b_low);
    let common_high = a_high.lesser(b_high);
    let meet = common_low.is_at_most(common_high) | common_high.equals(u32x8::all(a.simd, 0));
    (meet, [a_low.lesser(b_low) << 16 | a_high.greater(b_high), a_ground.greater(b_ground)])
}

#[inline(always)]
fn select<S: Simd>(mask: mask32x8<S>, a: SpanLanes<S>, b: SpanLanes<S>) -> SpanLanes<S> {
    [mask.select(a[0], b[0]), mask.select(a[1], b[1])]
}

/// How many further spans a row may have before they are merged, given those that it has: twice as many, but not many
/// more than there is room for.
fn most_crowded(width: usize, merged: usize, room: usize) -> usize {
    const MORE: usize = 1 << 14;
    (2 * merged + 4 * width + MORE).min(room.max(merged) + MORE)
}

/// The further spans of a column.
fn of_column(crowded: &[(RowEntry, u32)], first: u32) -> impl Iterator<Item = RowEntry> {
    let mut at = first;
    core::iter::from_fn(move || {
        let &(entry, next) = crowded.get(at as usize)?;
        at = next;
        Some(entry)
    })
}

/// The same in all columns of a row and one more block.
fn refill(list: &mut Vec<u32>, width: usize, value: u32) {
    list.clear();
    list.resize(width + LANES, value);
}

/// Makes room for the spans of a row whose columns are known, and for those of the following rows if they are like the
/// previous ones: a field that grew by doubling would have twice the memory that it needs.
fn reserve(out: &mut Heightfield, row: usize) {
    let len = out.area.len();
    if out.area.capacity() - len >= row {
        return;
    }
    let cells = out.grid.cell_count() as u64;
    let done = out.columns.len() as u64 - 1;
    let in_all = (len + row) as u64 * cells / done.max(1);
    let more = (in_all + in_all / 16) as usize - len;
    out.min.reserve_exact(more.max(row));
    out.max.reserve_exact(more.max(row));
    out.area.reserve_exact(more.max(row));
}

/// A span with the information about its area type.
#[inline]
fn entry(range: HeightRange, ground: u32) -> RowEntry {
    RowEntry::from(range) << 32 | RowEntry::from(ground)
}

impl RowMerger {
    /// Appends a row's columns to a field. `ranges`: those of the band.
    pub(super) fn finish(&mut self, row: &RowColumns, ranges: &[HeightRange], climb_vx: u32, out: &mut Heightfield) {
        let begun = out.area.len();
        let first_column = out.columns.len();
        self.sweep(row, begun, out.grid.width as usize, &mut out.columns);
        let spans = &self.spans[..self.merged];
        reserve(out, spans.len());
        out.min.extend(spans.iter().map(|&span| low(span)));
        out.max.extend(spans.iter().map(|&span| high(span)));
        out.area.extend(spans.iter().map(|&span| area(span, climb_vx)));
        let is_steep = |span: RowEntry| (ground(span) != 0) & (step(span) > climb_vx);
        self.steep.clear();
        for (first, spans) in (0..).step_by(LANES).zip(spans.chunks(LANES)) {
            // They are often consecutive, or there are none.
            if spans.iter().fold(false, |any, &span| any | is_steep(span)) {
                self.steep.extend((first..).zip(spans).filter(|&(_, &span)| is_steep(span)).map(|(i, _)| i));
            }
        }
        if !self.steep.is_empty() {
            let columns = &out.columns[first_column..];
            let areas = &mut out.area[begun..];
            self.climb(row, ranges, climb_vx, (columns, begun as u32), areas);
        }
    }

    /// Computes the spans of the columns; appends the columns' ends, counted from `begun`, to `columns`.
    fn sweep(&mut self, row: &RowColumns, begun: usize, width: usize, columns: &mut Vec<u32>) {
        let Self { entries, spans, .. } = self;
        let most = 2 * row.tops.len() + row.crowded.len();
        if spans.len() < most {
            spans.resize(most, 0);
        }
        let mut count = 0;
        for x in (0..width).step_by(LANES) {
            let mut ends = [(begun + count) as u32; LANES];
            // Empty columns are often consecutive.
            if row.last.range[x..x + LANES].iter().fold(false, |any, &range| any | (range != NOTHING)) {
                for (x, end) in (x..).zip(&mut ends) {
                    if row.first_crowded[x] == NONE {
                        // Branch-free code: where triangles begin and end in a column is unpredictable, and each
                        // misprediction costs as much as two dozen instructions.
                        let a = row.last.entry(x);
                        let b = row.other.entry(x);
                        let (a, b) = (a.min(b), a.max(b));
                        let apart = low(b) > high(a);
                        spans[count] = if apart { a } else { merged(a, b) };
                        count += usize::from(a != EMPTY);
                        spans[count] = b;
                        count += usize::from(apart & (b != EMPTY));
                    } else {
                        entries.clear();
                        entries.extend([row.last.entry(x), row.other.entry(x)]);
                        entries.extend(of_column(&row.crowded, row.first_crowded[x]));
                        sort(entries);
                        count += sweep_many(entries, &mut spans[count..]);
                    }
                    *end = (begun + count) as u32;
                }
            }
            columns.extend_from_slice(&ends[..LANES.min(width - x)]);
        }
        self.merged = count;
    }

    /// Gives spans that extend above their walkable range their area type anyway, if their top can be reached from
    /// there in several steps over the tops of other ranges.
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
            let can_be = row.may_be_climbed(x, spans[span as usize]);
            if can_be {
                steep_columns.push(x as u32);
            }
            can_be
        });
        if steep.is_empty() {
            return;
        }
        // For each column, the first steep one from there.
        next_steep.clear();
        for (place, &x) in (0..).zip(steep_columns.iter()) {
            next_steep.resize(x as usize + 1, place);
        }
        tops.clear();
        row.exact_tops.each_in(steep_columns, next_steep, ranges, |place, top| {
            let span = spans[steep[place] as usize];
            if top > ground(span) >> 8 && top <= u32::from(high(span)) {
                tops.push((place as u64) << 32 | u64::from(top));
            }
        });
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

/// Merges sorted entries into `out`, which has room for all; returns the number of spans.
fn sweep_many(column: &[RowEntry], out: &mut [RowEntry]) -> usize {
    let Some((&first, rest)) = column.split_first() else { return 0 };
    let mut current = first;
    let mut count = 0;
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
fn low(entry: RowEntry) -> u16 {
    (entry >> 48) as u16
}

#[inline]
fn high(entry: RowEntry) -> u16 {
    (entry >> 32) as u16
}

/// The highest walkable top and its area type; 0 if nothing is walkable.
#[inline]
fn ground(entry: RowEntry) -> u32 {
    entry as u32
}

/// The area type of a span's top, if that is at most one step above the walkable range.
#[inline]
fn area(span: RowEntry, climb_vx: u32) -> AreaId {
    AreaId::from_low_bits(if step(span) <= climb_vx { ground(span) as u8 } else { 0 })
}

/// How far a span's top lies above its walkable range.
#[inline]
fn step(span: RowEntry) -> u32 {
    u32::from(high(span)) - (ground(span) >> 8)
}

/// The union of two entries, if they overlap or touch or one of them is [`EMPTY`].
#[inline]
fn joined(a: RowEntry, b: RowEntry) -> Option<RowEntry> {
    let (a, b) = (a.min(b), a.max(b));
    (low(b) <= high(a) || b == EMPTY).then(|| merged(a, b))
}

/// The union of two entries; the first has the lower bottom.
#[inline]
fn merged(a: RowEntry, b: RowEntry) -> RowEntry {
    let top = high(a).max(high(b));
    let ground = ground(a).max(ground(b));
    a >> 48 << 48 | RowEntry::from(top) << 32 | RowEntry::from(ground)
}

/// Sorts the entries of a column.
fn sort(column: &mut [RowEntry]) {
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
