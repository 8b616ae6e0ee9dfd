//! Builds regions by watersheds: the distance field is flooded from its peaks downwards, and where two floods meet is a
//! boundary.
//!
//! The water sinks level by level (two units of distance each). At every level the existing regions first grow into the
//! spans that have fallen dry, up to eight steps, so that an arm of a region does not run down a whole corridor before
//! the corridor could start a region of its own; then what is still without a region and touches none becomes a new
//! one.
//!
//! ```text
//!   distance   . 1 2 3 2 1 2 3 4 3 1      level 3:  . . . A . . . . B . .
//!                                         level 2:  . . A A A . . B B B .
//!                                         level 1:  . A A A A B B B B B B
//! ```
//!
//! Recast scans all dry spans again in every step of every level, four to seven visits per span. Here a span is visited
//! once, when it is dry *and* has a neighbour with a region: a span that gets a region offers it to its neighbours, and
//! each keeps the best offer (of the neighbour that grew least) until it is dry and accepts it. The result is the same,
//! since what is accepted in a step was offered in the steps before.
//!
//! Two spans of one cell never get the same region: where a spiral would lie over itself, a new region begins.
//!
//! Cost: a counting sort by level and one visit per span; memory 16 bytes a span.
//!
//! Sources: Luc Vincent and Pierre Soille, "Watersheds in Digital Spaces", 1991; Mikko Mononen, Recast, 2009 (levels of
//! two, eight steps a level, merging).

use super::regions::{BORDER_REGION, paint_border};
use crate::area::AreaId;
use crate::bake::DistanceField;
use crate::context::Budget;
use crate::voxel::CompactHeightfield;

/// Steps that a region may grow at each level.
const STEPS_PER_LEVEL: u32 = 8;
/// After this many levels, remaining seeds are put in span order again.
const LEVELS_PER_SORT: u16 = 8;
/// Region of spans that are not walkable: never labelled, never read as a region.
const BLOCKED: u32 = u32::MAX;
/// Set in [`FloodCell::region`] of spans that belong to the region; without it, the region was only offered to them.
const TAKEN: u32 = 1 << 30;

impl FloodScratch {
    /// Prepares for a flood. The cells with several spans are given in the form of
    /// [`list_stacked_cells`](super::regions::list_stacked_cells).
    pub(super) fn begin(&mut self, field: &CompactHeightfield, distances: &DistanceField, stacked: &[[u32; 2]]) {
        let top = (distances.max.div_ceil(2)).max(1) - 1;
        self.cells.clear();
        self.cells.extend(distances.distance.iter().zip(&field.area).map(|(&d, &area)| FloodCell {
            region: if area.is_null() { BLOCKED } else { 0 },
            grown: 0,
            level: (d / 2).min(top),
        }));
        let first_area = field.area.iter().find(|a| !a.is_null()).copied().unwrap_or(AreaId::NULL);
        let mixed = field.area.iter().fold(false, |mixed, &a| mixed | (!a.is_null() & (a != first_area)));
        paint_border(field, |span, region| self.cells[span].region = region);
        self.sort_by_level(top);
        self.mark_stacks(stacked);
        self.frontier.clear();
        self.left_over.clear();
        self.state = FloodState { mixed, top, level: Some(top), next_region: 1 | TAKEN, labelled: 0 };
    }

    /// Floods level by level within the budget: a unit is a span that gets a region. Returns whether it is finished.
    pub(super) fn flood(&mut self, field: &CompactHeightfield, budget: &mut Budget) -> bool {
        let mut flood = Flood { links: &field.neighbours, areas: &field.area, state: self.state, s: self };
        let is_done = flood.run(budget);
        let state = flood.state;
        self.state = state;
        is_done
    }

    /// Writes the region of every span, 1…n, and returns n.
    pub(super) fn end(&mut self, id: &mut Vec<u32>) -> u32 {
        id.clear();
        if id.capacity() == 0 {
            // The list of dry spans is no longer needed; its memory is as large as that of the ids.
            core::mem::swap(id, &mut self.by_level);
            id.clear();
        }
        let inner = |region: u32| if region == BLOCKED { 0 } else { region & !TAKEN };
        id.extend(self.cells.iter().map(|c| inner(c.region)));
        self.state.next_region - 1 - TAKEN
    }
}

/// The flood's data of a span. Eight bytes: a neighbour costs one load.
#[derive(Clone, Copy, Debug)]
struct FloodCell {
    /// 0 while it has no region and touches none; a region while it only touches it; with [`TAKEN`] when it belongs to
    /// it.
    region: u32,
    /// Steps since the region's start. While offered: four times the steps it would have, plus the direction of the
    /// offer; the smallest is the best.
    grown: u16,
    /// The level at which it falls dry, and whether there are spans [`BELOW`] and [`ABOVE`].
    level: u16,
}

/// Set in [`FloodCell::level`] where the span before or after lies in the same cell. Levels have 14 bits: a field has
/// at most 2^28 cells, so no span is farther than 2^13 steps from an edge.
const BELOW: u16 = 1 << 14;
const ABOVE: u16 = 1 << 15;
const STACKED: u16 = BELOW | ABOVE;
/// The maximum number of steps that are counted.
const MAX_GROWN: u16 = (1 << 14) - 2;

impl FloodCell {
    const fn level(self) -> u16 {
        self.level & !STACKED
    }

    const fn is_free(self) -> bool {
        self.region < TAKEN
    }
}

/// Memory that the flood keeps from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct FloodScratch {
    cells: Vec<FloodCell>,
    /// Spans by level, and where each level starts.
    by_level: Vec<u32>,
    level_start: Vec<u32>,
    /// Dry spans with an offer, and those of the next step.
    frontier: Vec<u32>,
    next_frontier: Vec<u32>,
    /// Dry spans without an offer, and those that could not start a region at the last level.
    seeds: Vec<u32>,
    left_over: Vec<u32>,
    stack: Vec<u32>,
    rejected: Vec<u32>,
    state: FloodState,
}

/// The progress of a flood.
#[derive(Clone, Copy, Debug, Default)]
struct FloodState {
    /// Whether there is more than one area type; otherwise areas need not be compared.
    mixed: bool,
    /// The first level, from which the flood sinks.
    top: u16,
    /// The next level; `None` after the last.
    level: Option<u16>,
    next_region: u32,
    /// Spans that have a region.
    labelled: usize,
}

struct Flood<'a> {
    links: &'a [[u32; 4]],
    areas: &'a [AreaId],
    state: FloodState,
    s: &'a mut FloodScratch,
}

impl Flood<'_> {
    fn run(&mut self, budget: &mut Budget) -> bool {
        while let Some(level) = self.state.level {
            let before = self.state.labelled;
            self.look_at_level(level);
            self.grow(level, if level > 0 { STEPS_PER_LEVEL } else { u32::MAX });
            self.found_regions(level);
            self.state.level = level.checked_sub(1);
            if !budget.charge((self.state.labelled - before) as u64) {
                return false;
            }
        }
        self.grow(0, u32::MAX);
        if self.state.labelled < self.s.by_level.len() {
            self.found_rest();
        }
        true
    }

    /// Divides the spans that fall dry into those that touch a region and those that might start one.
    fn look_at_level(&mut self, level: u16) {
        let s = &mut *self.s;
        let dry = s.level_start[usize::from(level)] as usize..s.level_start[usize::from(level) + 1] as usize;
        s.seeds.clear();
        for &span in &s.by_level[dry] {
            let region = s.cells[span as usize].region;
            if region == 0 {
                s.seeds.push(span);
            } else if region < TAKEN {
                s.frontier.push(span);
            }
        }
        s.seeds.append(&mut s.left_over);
        if (self.state.top - level).is_multiple_of(LEVELS_PER_SORT) {
            s.seeds.sort_unstable();
        }
    }

    #[inline]
    fn same_area(&self, a: usize, b: usize) -> bool {
        !self.state.mixed || self.areas[a] == self.areas[b]
    }

    /// Whether `region` already has a span in the same cell.
    #[inline]
    fn overlaps(&self, span: usize, region: u32) -> bool {
        self.s.cells[span].level & STACKED != 0 && self.s.has_sibling_in(span, region)
    }

    /// Grows all regions by up to `steps` spans.
    fn grow(&mut self, level: u16, steps: u32) {
        for _ in 0..steps {
            if self.s.frontier.is_empty() {
                return;
            }
            self.take_offers();
            self.make_offers(level);
            core::mem::swap(&mut self.s.frontier, &mut self.s.next_frontier);
        }
    }

    /// Assigns the spans of the frontier the regions they were offered. Those that get none leave the frontier.
    fn take_offers(&mut self) {
        let mut kept = 0;
        for k in 0..self.s.frontier.len() {
            let span = self.s.frontier[k];
            let mut cell = self.s.cells[span as usize];
            // It may have been flooded, or be in the frontier twice.
            if !cell.is_free() || cell.region == 0 {
                continue;
            }
            if cell.level & STACKED != 0 && self.s.has_sibling_in(span as usize, cell.region | TAKEN) {
                self.seek_offer(span as usize);
                cell = self.s.cells[span as usize];
                if cell.region == 0 {
                    continue;
                }
            }
            self.s.cells[span as usize] = FloodCell { region: cell.region | TAKEN, grown: cell.grown >> 2, ..cell };
            self.s.frontier[kept] = span;
            kept += 1;
        }
        self.s.frontier.truncate(kept);
        self.state.labelled += kept;
    }

    /// Offers the regions of the frontier to its neighbours; the dry ones are next.
    fn make_offers(&mut self, level: u16) {
        let s = &mut *self.s;
        let cells = &mut s.cells[..];
        s.next_frontier.clear();
        for &span in &s.frontier {
            let own = cells[span as usize];
            for (dir, &next) in self.links[span as usize].iter().enumerate() {
                let Some(cell) = cells.get_mut(next as usize) else { continue };
                if !cell.is_free() || (self.state.mixed && self.areas[span as usize] != self.areas[next as usize]) {
                    continue;
                }
                if cell.region == 0 && cell.level() >= level {
                    s.next_frontier.push(next);
                }
                cell.take_better(own, dir);
            }
        }
    }

    /// Finds the best region among the neighbours of a span, excluding those that it would lie over.
    fn seek_offer(&mut self, span: usize) {
        let mut cell = FloodCell { region: 0, ..self.s.cells[span] };
        for (dir, &next) in self.links[span].iter().enumerate() {
            let Some(&beside) = self.s.cells.get(next as usize) else { continue };
            if beside.region & (TAKEN | BORDER_REGION) == TAKEN
                && self.same_area(span, next as usize)
                && !self.overlaps(span, beside.region)
            {
                cell.take_better(beside, (dir + 2) & 3);
            }
        }
        self.s.cells[span] = cell;
    }

    /// Starts a region at every dry span that touches none.
    fn found_regions(&mut self, level: u16) {
        for k in 0..self.s.seeds.len() {
            let seed = self.s.seeds[k];
            if self.s.cells[seed as usize].region != 0 {
                continue;
            }
            if self.flood(seed, level) {
                self.state.next_region += 1;
            } else if self.s.cells[seed as usize].region == 0 {
                self.s.left_over.push(seed);
            }
        }
    }

    /// Floods the dry spans around `seed`, and those of the next level, except where they touch another region. Returns
    /// whether anything is left of the region.
    fn flood(&mut self, seed: u32, level: u16) -> bool {
        let region = self.state.next_region;
        let lowest = level.saturating_sub(1);
        let mut count = 0;
        self.s.rejected.clear();
        self.label(seed, region);
        self.s.stack.clear();
        self.s.stack.push(seed);
        while let Some(span) = self.s.stack.pop() {
            if self.touches_other(span as usize, region) {
                self.s.cells[span as usize].region = 0;
                self.s.rejected.push(span);
                continue;
            }
            count += 1;
            let own = self.s.cells[span as usize];
            for (dir, &next) in self.links[span as usize].iter().enumerate() {
                let Some(&cell) = self.s.cells.get(next as usize) else { continue };
                if !cell.is_free() || !self.same_area(span as usize, next as usize) {
                    continue;
                }
                if cell.level() < lowest {
                    self.s.cells[next as usize].take_better(own, dir);
                } else if !self.overlaps(next as usize, region) {
                    self.label(next, region);
                    self.s.stack.push(next);
                }
            }
        }
        self.state.labelled += count;
        // They may now be offered the surrounding regions.
        for k in 0..self.s.rejected.len() {
            let span = self.s.rejected[k];
            if self.s.cells[span as usize].region == 0 {
                self.seek_offer(span as usize);
                if self.s.cells[span as usize].region != 0 {
                    self.s.frontier.push(span);
                }
            }
        }
        count > 0
    }

    #[inline]
    fn label(&mut self, span: u32, region: u32) {
        let cell = &mut self.s.cells[span as usize];
        (cell.region, cell.grown) = (region, 0);
    }

    /// Whether one of the eight neighbours belongs to another region.
    fn touches_other(&self, span: usize, region: u32) -> bool {
        let cells = &self.s.cells[..];
        let foreign = |cell: &FloodCell| !cell.is_free() && cell.region != region && cell.region != BLOCKED;
        for (dir, next) in self.links[span].into_iter().enumerate() {
            let Some(cell) = cells.get(next as usize) else { continue };
            if !self.same_area(span, next as usize) || cell.region & BORDER_REGION != 0 {
                continue;
            }
            if foreign(cell) {
                return true;
            }
            let corner = self.links[next as usize][(dir + 1) & 3] as usize;
            if let Some(cell) = cells.get(corner)
                && foreign(cell)
                && self.same_area(span, corner)
            {
                return true;
            }
        }
        false
    }

    /// Spans that no flood takes, since each would start a region beside another or lie over its own region: every
    /// connected patch of them becomes a region.
    fn found_rest(&mut self) {
        for seed in 0..self.s.cells.len() as u32 {
            if !self.s.cells[seed as usize].is_free() {
                continue;
            }
            let region = self.state.next_region;
            self.state.next_region += 1;
            self.label(seed, region);
            self.s.stack.clear();
            self.s.stack.push(seed);
            while let Some(span) = self.s.stack.pop() {
                for next in self.links[span as usize] {
                    let Some(&cell) = self.s.cells.get(next as usize) else { continue };
                    if cell.is_free()
                        && self.same_area(span as usize, next as usize)
                        && !self.overlaps(next as usize, region)
                    {
                        self.label(next, region);
                        self.s.stack.push(next);
                    }
                }
            }
        }
    }
}

impl FloodCell {
    /// Takes the offer of a neighbour in direction `dir`, if it is better than the best so far.
    #[inline]
    const fn take_better(&mut self, from: Self, dir: usize) {
        let steps = if from.grown < MAX_GROWN { from.grown + 1 } else { MAX_GROWN };
        // Of equals, the one in the lowest direction as seen from here.
        let offer = steps << 2 | ((dir as u16 + 2) & 3);
        if self.region == 0 || offer < self.grown {
            (self.region, self.grown) = (from.region & !TAKEN, offer);
        }
    }
}

impl FloodScratch {
    #[inline(never)]
    fn has_sibling_in(&self, span: usize, region: u32) -> bool {
        let is_in = |other: usize| self.cells[other].region == region;
        let mut low = span;
        let mut high = span;
        while self.cells[low].level & BELOW != 0 {
            low -= 1;
            if is_in(low) {
                return true;
            }
        }
        while self.cells[high].level & ABOVE != 0 {
            high += 1;
            if is_in(high) {
                return true;
            }
        }
        false
    }

    fn mark_stacks(&mut self, stacked: &[[u32; 2]]) {
        for &[first, end] in stacked {
            for span in first..end - 1 {
                self.cells[span as usize].level |= ABOVE;
                self.cells[span as usize + 1].level |= BELOW;
            }
        }
    }

    /// Counting sort of the spans without a region by the level at which they fall dry.
    fn sort_by_level(&mut self, top: u16) {
        let starts = &mut self.level_start;
        starts.clear();
        starts.resize(usize::from(top) + 2, 0);
        for cell in &self.cells {
            starts[usize::from(cell.level) + 1] += u32::from(cell.region == 0);
        }
        for level in 1..starts.len() {
            starts[level] += starts[level - 1];
        }
        self.by_level.clear();
        self.by_level.resize(starts[starts.len() - 1] as usize, 0);
        for (span, cell) in self.cells.iter().enumerate().filter(|(_, c)| c.region == 0) {
            let place = &mut starts[usize::from(cell.level)];
            self.by_level[*place as usize] = span as u32;
            *place += 1;
        }
        // Each start has moved on to the next level's.
        starts.rotate_right(1);
        starts[0] = 0;
    }
}
