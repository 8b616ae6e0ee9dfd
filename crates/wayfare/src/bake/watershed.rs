//! Regions by watersheds: the distance field is flooded from its peaks downwards, and where two floods meet is a border.
//!
//! The water sinks level by level (two units of distance each). At every level the regions that are there first grow into
//! the spans that have come dry, up to eight steps, so that an arm of a region does not run down a whole corridor before
//! the corridor could found a region of its own; then what is still without a region and touches none becomes a new one.
//!
//! ```text
//!   distance   . 1 2 3 2 1 2 3 4 3 1      level 3:  . . . A . . . . B . .
//!                                         level 2:  . . A A A . . B B B .
//!                                         level 1:  . A A A A B B B B B B
//! ```
//!
//! Recast scans all dry spans again in every step of every level, four to seven visits a span. Here a span is looked at
//! once, when it is dry *and* has a neighbour with a region: whoever gets a region queues its neighbours, each at the
//! level at which it comes dry. The outcome is the same, since a step's candidates are judged by the state before the step.
//!
//! Two spans of one cell never get the same region: where a spiral would come to lie over itself, a new region begins.
//!
//! Cost: a counting sort by level and one visit a span; memory 20 bytes a span.
//!
//! Sources: Luc Vincent and Pierre Soille, "Watersheds in Digital Spaces", 1991; Mikko Mononen, Recast, 2009 (levels of
//! two, eight steps a level, merging).

use super::DistanceField;
use super::region_merge::merge_and_filter;
use super::regions::{RegionLimits, RegionScratch, Regions, is_inner, paint_border};
use crate::area::AreaId;
use crate::math::index::NONE;
use crate::voxel::CompactHeightfield;

/// Steps that a region may grow at each level.
const STEPS_PER_LEVEL: u32 = 8;
/// After so many levels, waiting seeds are put in span order again.
const LEVELS_PER_SORT: usize = 8;
/// Region of spans that are not walkable: never labelled, never read as a region.
const BLOCKED: u32 = u32::MAX;

/// Cuts the ground into regions by watersheds of its distance field: the nicest polygons, the slowest of the three.
///
/// `distances` must be of the same field.
#[must_use]
pub fn watershed_regions(field: &CompactHeightfield, distances: &DistanceField, limits: RegionLimits) -> Regions {
    let mut out = Regions::default();
    watershed_regions_into(field, distances, limits, &mut RegionScratch::default(), &mut out);
    out
}

/// [`watershed_regions`] into memory that is already there.
pub fn watershed_regions_into(
    field: &CompactHeightfield,
    distances: &DistanceField,
    limits: RegionLimits,
    scratch: &mut RegionScratch,
    out: &mut Regions,
) {
    let mut flood = Flood::new(field, distances, &mut scratch.flood);
    flood.run();
    let found = flood.next_region - 1;
    out.id.clear();
    out.id.extend(scratch.flood.cells.iter().map(|c| if c.region == BLOCKED { 0 } else { c.region }));
    out.count = merge_and_filter(field, limits, found, &mut scratch.merge, &mut out.id);
}

/// What the flood knows of a span. Eight bytes: a neighbour costs one load.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// 0 while it has no region.
    region: u32,
    /// Twice the steps since the region's founding: a candidate joins the neighbour that grew least.
    grown: u16,
    /// At which level it comes dry, and [`QUEUED`].
    level: u16,
}

/// Set in [`Cell::level`] of spans that wait in a queue.
const QUEUED: u16 = 1 << 15;

impl Cell {
    const fn level(self) -> u16 {
        self.level & !QUEUED
    }

    const fn is_waiting(self) -> bool {
        self.region == 0 && self.level & QUEUED == 0
    }
}

/// A span that gets a region at the end of a step.
#[derive(Clone, Copy, Debug)]
struct Grown {
    span: u32,
    region: u32,
    grown: u16,
}

/// What the flood keeps from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct FloodScratch {
    cells: Vec<Cell>,
    /// The next span of the same cell, round and round.
    sibling: Vec<u32>,
    /// The queue of each level as a list: its first span, and each span's next.
    head: Vec<u32>,
    next: Vec<u32>,
    /// Spans by level, and where each level starts.
    by_level: Vec<u32>,
    level_start: Vec<u32>,
    /// Candidates of the next step.
    frontier: Vec<u32>,
    grown: Vec<Grown>,
    /// Spans that might found a region at the next level.
    seeds: Vec<u32>,
    old_seeds: Vec<u32>,
    stack: Vec<u32>,
}

struct Flood<'a> {
    links: &'a [[u32; 4]],
    areas: &'a [AreaId],
    /// Whether there is more than one area type; without, areas need not be compared.
    mixed: bool,
    /// The first level, from which the flood sinks.
    top: u16,
    next_region: u32,
    s: &'a mut FloodScratch,
}

impl<'a> Flood<'a> {
    fn new(field: &'a CompactHeightfield, distances: &DistanceField, s: &'a mut FloodScratch) -> Self {
        let top = (distances.max.div_ceil(2)).max(1) - 1;
        s.cells.clear();
        let mut first_area = AreaId::NULL;
        let mut mixed = false;
        s.cells.extend(distances.distance.iter().zip(&field.area).map(|(&d, &area)| {
            let level = (d / 2).min(top);
            if area.is_null() {
                return Cell { region: BLOCKED, grown: 0, level };
            }
            if first_area.is_null() {
                first_area = area;
            }
            mixed |= area != first_area;
            Cell { region: 0, grown: 0, level }
        }));
        paint_border(field, |span, region| s.cells[span].region = region);
        s.link_siblings(field);
        s.sort_by_level(top);
        s.head.clear();
        s.head.resize(usize::from(top) + 1, NONE);
        s.next.clear();
        s.next.resize(s.cells.len(), NONE);
        s.frontier.clear();
        s.seeds.clear();
        Self { links: &field.neighbours, areas: &field.area, mixed, top, next_region: 1, s }
    }

    fn run(&mut self) {
        for level in (0..=self.top).rev() {
            self.take_queue(level);
            self.grow(level, if level > 0 { STEPS_PER_LEVEL } else { u32::MAX });
            self.found_regions(level);
        }
        self.grow(0, u32::MAX);
        self.found_rest();
    }

    /// Moves the spans that come dry at `level` and touch a region to the frontier.
    fn take_queue(&mut self, level: u16) {
        let mut span = core::mem::replace(&mut self.s.head[usize::from(level)], NONE);
        while span != NONE {
            self.s.frontier.push(span);
            span = self.s.next[span as usize];
        }
    }

    #[inline]
    fn same_area(&self, a: usize, b: usize) -> bool {
        !self.mixed || self.areas[a] == self.areas[b]
    }

    /// Whether `region` already has a span in the same cell.
    #[inline]
    fn overlaps(&self, span: usize, region: u32) -> bool {
        let mut other = self.s.sibling[span] as usize;
        while other != span {
            if self.s.cells[other].region == region {
                return true;
            }
            other = self.s.sibling[other] as usize;
        }
        false
    }

    /// Grows all regions by up to `steps` spans.
    fn grow(&mut self, level: u16, steps: u32) {
        for _ in 0..steps {
            if self.s.frontier.is_empty() {
                return;
            }
            self.judge_frontier();
            self.s.frontier.clear();
            let mut kept = 0;
            for k in 0..self.s.grown.len() {
                let Grown { span, region, grown } = self.s.grown[k];
                // A span of the same cell may have come to the region in this very step.
                if self.overlaps(span as usize, region) {
                    self.s.cells[span as usize].level &= !QUEUED;
                    continue;
                }
                let cell = &mut self.s.cells[span as usize];
                (cell.region, cell.grown) = (region, grown);
                self.s.grown[kept] = self.s.grown[k];
                kept += 1;
            }
            for k in 0..kept {
                self.queue_neighbours(self.s.grown[k].span as usize, level);
            }
        }
    }

    /// Finds the region each candidate joins, by the state before the step.
    fn judge_frontier(&mut self) {
        self.s.grown.clear();
        for k in 0..self.s.frontier.len() {
            let span = self.s.frontier[k] as usize;
            if self.s.cells[span].region != 0 {
                continue;
            }
            let (mut best, mut region) = (u16::MAX, 0);
            for next in self.links[span] {
                let Some(&cell) = self.s.cells.get(next as usize) else { continue };
                let grown = cell.grown.saturating_add(2).min(u16::MAX - 1);
                if is_inner(cell.region)
                    && grown < best
                    && self.same_area(span, next as usize)
                    && !self.overlaps(span, cell.region)
                {
                    (best, region) = (grown, cell.region);
                }
            }
            if region == 0 {
                self.s.cells[span].level &= !QUEUED;
            } else {
                self.s.grown.push(Grown { span: span as u32, region, grown: best });
            }
        }
    }

    /// Queues the neighbours of a span that got a region: for the next step if they are dry, else for their level.
    fn queue_neighbours(&mut self, span: usize, level: u16) {
        for next in self.links[span] {
            let Some(&cell) = self.s.cells.get(next as usize) else { continue };
            if cell.is_waiting() && self.same_area(span, next as usize) {
                self.queue(next, level);
            }
        }
    }

    #[inline]
    fn queue(&mut self, span: u32, level: u16) {
        let cell = &mut self.s.cells[span as usize];
        let dry_at = cell.level();
        cell.level |= QUEUED;
        if dry_at >= level {
            self.s.frontier.push(span);
        } else {
            let head = &mut self.s.head[usize::from(dry_at)];
            self.s.next[span as usize] = core::mem::replace(head, span);
        }
    }

    /// Founds a region at every dry span that touches none, first the spans of this level, then those left from above.
    fn found_regions(&mut self, level: u16) {
        let dry = self.s.level_start[usize::from(level)] as usize..self.s.level_start[usize::from(level) + 1] as usize;
        core::mem::swap(&mut self.s.seeds, &mut self.s.old_seeds);
        self.s.seeds.clear();
        self.s.seeds.extend_from_slice(&self.s.by_level[dry]);
        self.s.seeds.extend_from_slice(&self.s.old_seeds);
        if usize::from(self.top - level).is_multiple_of(LEVELS_PER_SORT) && !self.s.old_seeds.is_empty() {
            self.s.seeds.sort_unstable();
        }
        for k in 0..self.s.seeds.len() {
            let span = self.s.seeds[k];
            if self.s.cells[span as usize].is_waiting() && self.flood(span, level) {
                self.next_region += 1;
            }
        }
        let cells = &self.s.cells;
        self.s.seeds.retain(|&span| cells[span as usize].region == 0);
    }

    /// Floods the dry spans around `seed`, and those of the next level, except where they touch another region. Returns
    /// whether anything is left of the region.
    fn flood(&mut self, seed: u32, level: u16) -> bool {
        let region = self.next_region;
        let lowest = level.saturating_sub(1);
        let mut count = 0;
        self.label(seed, region);
        self.s.stack.clear();
        self.s.stack.push(seed);
        while let Some(span) = self.s.stack.pop() {
            if self.touches_other(span as usize, region) {
                self.s.cells[span as usize].region = 0;
                if self.s.cells[span as usize].is_waiting() {
                    self.queue(span, 0);
                }
                continue;
            }
            count += 1;
            for next in self.links[span as usize] {
                let Some(&cell) = self.s.cells.get(next as usize) else { continue };
                if cell.region != 0 || !self.same_area(span as usize, next as usize) {
                    continue;
                }
                if cell.level() >= lowest {
                    if !self.overlaps(next as usize, region) {
                        self.label(next, region);
                        self.s.stack.push(next);
                    }
                } else if cell.is_waiting() {
                    self.queue(next, lowest);
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
        let foreign = |r: u32| r != 0 && r != region && r != BLOCKED;
        for (dir, next) in self.links[span].into_iter().enumerate() {
            let Some(&cell) = self.s.cells.get(next as usize) else { continue };
            if !self.same_area(span, next as usize) || (foreign(cell.region) && !is_inner(cell.region)) {
                continue;
            }
            if foreign(cell.region) {
                return true;
            }
            let corner = self.links[next as usize][(dir + 1) & 3] as usize;
            if let Some(&cell) = self.s.cells.get(corner)
                && foreign(cell.region)
                && self.same_area(span, corner)
            {
                return true;
            }
        }
        false
    }

    /// Spans that no flood would take, since each would found a region beside another or lie over its own region: every
    /// connected patch of them becomes a region.
    fn found_rest(&mut self) {
        for seed in 0..self.s.cells.len() as u32 {
            if self.s.cells[seed as usize].region != 0 {
                continue;
            }
            let region = self.next_region;
            self.next_region += 1;
            self.label(seed, region);
            self.s.stack.clear();
            self.s.stack.push(seed);
            while let Some(span) = self.s.stack.pop() {
                for next in self.links[span as usize] {
                    let Some(&cell) = self.s.cells.get(next as usize) else { continue };
                    if cell.region == 0
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

impl FloodScratch {
    fn link_siblings(&mut self, field: &CompactHeightfield) {
        self.sibling.clear();
        self.sibling.extend(0..field.span_count() as u32);
        for column in field.columns.windows(2) {
            if column[1] - column[0] > 1 {
                self.sibling[column[0] as usize..column[1] as usize].rotate_left(1);
            }
        }
    }

    /// Counting sort of the spans without a region by the level at which they come dry.
    fn sort_by_level(&mut self, top: u16) {
        let starts = &mut self.level_start;
        starts.clear();
        starts.resize(usize::from(top) + 2, 0);
        for cell in self.cells.iter().filter(|c| c.region == 0) {
            starts[usize::from(cell.level) + 1] += 1;
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
