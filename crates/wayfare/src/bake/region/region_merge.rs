//! Removes islands that are too small and merges small regions into their neighbours.
//!
//! Each region is represented by its outline as a ring of *runs*: sections of the boundary with the same region on the
//! other side, unbroken as seen from both sides, so that every run has a twin in its neighbour's ring.
//!
//! ```text
//!       C          ring of A:  B C 0      (0: a wall)
//!   +---+---+      ring of B:  A 0 C
//!   | A | B |      A and B share one run; without it the rings join into one:  C(A) C(B) 0(B) 0(A)
//!   +---+---+      and the two runs with C become one where C sees them in a row.
//! ```
//!
//! Two regions may be merged if they share exactly one run (a second one would enclose something between them), have
//! the same area type, and nowhere lie over each other. Region by region the smallest such neighbour is taken, until
//! nothing is left to merge; a merge joins two rings and three lists at their ends, so that large levels with many
//! regions cost no more per region than small ones.
//!
//! Cost: one walk along all boundaries; then proportional to the runs of the small regions.
//!
//! Sources: the limits and the order of merging are those of Mikko Mononen, Recast, 2009; union by Robert Tarjan, 1975.

use super::boundary::{Boundary, Edge, next_edge};
use super::regions::{BORDER_REGION, RegionLimits, is_inner};
use crate::area::AreaId;
use crate::math::index::NONE;
use crate::voxel::CompactHeightfield;

/// A section of a boundary with one region on the other side.
#[derive(Clone, Copy, Debug)]
struct RegionRun {
    /// The region on the other side, by its initial number; 0 for a wall.
    other: u32,
    /// Its neighbours in the ring around the region.
    next: u32,
    prev: u32,
    /// The same section in the ring of the other region.
    twin: u32,
    /// The next run of the same region, in any of its rings; dead runs stay in the list.
    sibling: u32,
    is_alive: bool,
}

#[derive(Clone, Copy, Debug)]
struct Region {
    /// The region into which it was merged, initially itself.
    parent: u32,
    /// Number of spans; 0 once it was merged or removed.
    spans: u32,
    area: AreaId,
    touches_wall: bool,
    touches_border: bool,
    visited: bool,
    /// Its runs: first, last.
    runs: [u32; 2],
    /// Regions over or under it: first, last, number.
    floors: [u32; 2],
    floor_count: u32,
    /// The last run found with this region on the other side, how often, and for which region.
    seen_run: u32,
    seen: u32,
    seen_by: u32,
}

impl Region {
    const fn new(id: u32) -> Self {
        Self {
            parent: id,
            spans: 0,
            area: AreaId::NULL,
            touches_wall: false,
            touches_border: false,
            visited: false,
            runs: [NONE; 2],
            floors: [NONE; 2],
            floor_count: 0,
            seen_run: NONE,
            seen: 0,
            seen_by: 0,
        }
    }
}

/// Repeated pairs of floors that are tolerated before duplicates are removed.
const MOST_REPEATED_PAIRS: usize = 1 << 16;

/// Memory that merging keeps from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct MergeScratch {
    marks: Vec<u8>,
    runs: Vec<RegionRun>,
    /// First and last edge of each run.
    ends: Vec<[Edge; 2]>,
    by_first: Vec<(Edge, u32)>,
    /// Runs that are whole rings, with the two regions that they separate.
    closed: Vec<([u32; 2], u32)>,
    regions: Vec<Region>,
    /// Regions over each other: the other, and the next in the list.
    floors: Vec<[u32; 2]>,
    floor_pairs: Vec<[u32; 2]>,
    stack: Vec<u32>,
    island: Vec<u32>,
    number: Vec<u32>,
}

impl MergeScratch {
    /// Removes small islands, merges small regions and numbers the remaining ones from 1, in the order of the first
    /// numbers. `id` holds regions 1…`count`, and border regions; `stacked` are the cells with several spans. Returns
    /// the new count.
    pub(super) fn merge_and_filter(
        &mut self,
        field: &CompactHeightfield,
        limits: RegionLimits,
        stacked: &[[u32; 2]],
        count: u32,
        id: &mut [u32],
    ) -> u32 {
        self.measure(field, count, id);
        self.list_floors(stacked, id);
        let boundary = Boundary { links: &field.neighbours, region: id };
        self.trace_runs(boundary);
        self.pair_twins(boundary);
        self.take_away_islands(limits.min_cells);
        self.merge_small(limits.merge_cells);
        self.renumber(id)
    }

    /// Counts each region's spans.
    fn measure(&mut self, field: &CompactHeightfield, count: u32, id: &[u32]) {
        self.regions.clear();
        self.regions.extend((0..=count).map(Region::new));
        // Consecutive spans usually belong to one region: counting in a register avoids waiting for memory.
        let mut first = 0;
        for same in id.chunk_by(|a, b| a == b) {
            if is_inner(same[0]) {
                let region = &mut self.regions[same[0] as usize];
                region.spans += same.len() as u32;
                region.area = field.area[first];
            }
            first += same.len();
        }
    }

    /// Lists the regions that lie over each other.
    ///
    /// Adjacent cells usually have the same stack of regions. Only where it differs from the previous one are there new
    /// pairs, so that a tower of hundreds of storeys does not cost the square of its storeys in every cell.
    fn list_floors(&mut self, stacked: &[[u32; 2]], id: &[u32]) {
        self.floor_pairs.clear();
        let (mut before, mut most): (&[u32], usize) = (&[], MOST_REPEATED_PAIRS);
        for &[first, end] in stacked {
            let stack = &id[first as usize..end as usize];
            if stack == before {
                continue;
            }
            let low = stack.iter().zip(before).take_while(|(a, b)| a == b).count();
            let rest = stack.len().min(before.len()) - low;
            let high = stack.iter().rev().zip(before.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
            let kept = stack.len() - high;
            for (k, &a) in stack[low..kept].iter().enumerate().filter(|(_, a)| is_inner(**a)) {
                let others = stack[..low + k].iter().chain(&stack[kept..]);
                self.floor_pairs.extend(others.filter(|b| is_inner(**b)).map(|&b| [a.min(b), a.max(b)]));
            }
            before = stack;
            if self.floor_pairs.len() > most {
                self.floor_pairs.sort_unstable();
                self.floor_pairs.dedup();
                most = self.floor_pairs.len() * 2 + MOST_REPEATED_PAIRS;
            }
        }
        self.floor_pairs.sort_unstable();
        self.floor_pairs.dedup();
        self.floors.clear();
        for k in 0..self.floor_pairs.len() {
            let [a, b] = self.floor_pairs[k];
            self.add_floor(a, b);
            self.add_floor(b, a);
        }
    }

    fn add_floor(&mut self, of: u32, other: u32) {
        let entry = self.floors.len() as u32;
        self.floors.push([other, NONE]);
        let region = &mut self.regions[of as usize];
        region.floor_count += 1;
        if region.floors[0] == NONE {
            region.floors = [entry; 2];
        } else {
            self.floors[region.floors[1] as usize][1] = entry;
            region.floors[1] = entry;
        }
    }

    /// Walks all boundaries and divides them into runs.
    fn trace_runs(&mut self, boundary: Boundary<'_>) {
        boundary.mark_edges(&mut self.marks);
        self.runs.clear();
        self.ends.clear();
        self.closed.clear();
        let mut from = 0;
        while let Some(start) = next_edge(&self.marks, &mut from) {
            self.trace_ring(boundary, start);
        }
    }

    fn trace_ring(&mut self, boundary: Boundary<'_>, start: Edge) {
        let first = self.runs.len();
        let mut edge = start;
        let mut other = boundary.region_beyond(start);
        self.push_run(start, other);
        loop {
            self.marks[edge.span as usize] &= !(1 << edge.dir);
            let next = boundary.successor(edge);
            let beyond = boundary.region_beyond(next);
            let goes_on = beyond == other && (!is_inner(beyond) || boundary.is_smooth_beyond(edge, next));
            let last = self.runs.len() - 1;
            self.ends[last][1] = edge;
            if self.marks[next.span as usize] & 1 << next.dir == 0 {
                // Back at the start. The walk began in the middle of a run: its end is joined to the first run's
                // beginning.
                if goes_on && last > first {
                    self.ends[first][0] = self.ends[last][0];
                    self.runs.pop();
                    self.ends.pop();
                } else if goes_on && is_inner(other) {
                    let own = boundary.region(start.span);
                    self.closed.push(([own.min(other), own.max(other)], first as u32));
                }
                break;
            }
            if !goes_on {
                self.push_run(next, beyond);
            }
            (edge, other) = (next, beyond);
        }
        self.close_ring(first, boundary.region(start.span));
    }

    fn push_run(&mut self, start: Edge, other: u32) {
        self.runs.push(RegionRun { other, next: 0, prev: 0, twin: NONE, sibling: NONE, is_alive: true });
        self.ends.push([start; 2]);
    }

    /// Links the runs from `first` on into a ring and assigns them to `owner`.
    fn close_ring(&mut self, first: usize, owner: u32) {
        let end = self.runs.len();
        let region = &mut self.regions[owner as usize];
        for run in first..end {
            let other = self.runs[run].other;
            region.touches_wall |= other == 0;
            region.touches_border |= other & BORDER_REGION != 0;
            self.runs[run].next = if run + 1 == end { first } else { run + 1 } as u32;
            self.runs[run].prev = if run == first { end - 1 } else { run - 1 } as u32;
            if region.runs[0] == NONE {
                region.runs = [run as u32; 2];
            } else {
                self.runs[region.runs[1] as usize].sibling = run as u32;
                region.runs[1] = run as u32;
            }
        }
    }

    /// Finds each run's twin: it begins where the run ends.
    fn pair_twins(&mut self, boundary: Boundary<'_>) {
        let inner = |run: &RegionRun| is_inner(run.other);
        self.by_first.clear();
        let with_ends = self.runs.iter().zip(&self.ends).enumerate();
        self.by_first.extend(with_ends.filter(|(_, (r, _))| inner(r)).map(|(k, (_, ends))| (ends[0], k as u32)));
        self.by_first.sort_unstable();
        for (run, ends) in self.runs.iter_mut().zip(&self.ends).filter(|(r, _)| inner(r)) {
            let first = boundary.twin(ends[1]);
            let found = self.by_first.binary_search_by_key(&first, |entry| entry.0);
            run.twin = found.map_or(NONE, |k| self.by_first[k].1);
        }
        // A ring that is a single run may begin elsewhere on the other side: there the regions identify the pair, if
        // they have only one such ring between them.
        self.closed.sort_unstable();
        for pair in self.closed.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, a), (_, b)] = *pair {
                self.runs[a as usize].twin = b;
                self.runs[b as usize].twin = a;
            }
        }
    }

    /// The region into which `id` was merged.
    fn root(&mut self, mut id: u32) -> u32 {
        while self.regions[id as usize].parent != id {
            let parent = self.regions[id as usize].parent;
            let above = self.regions[parent as usize].parent;
            self.regions[id as usize].parent = above;
            id = above;
        }
        id
    }

    /// Removes each connected surface with fewer than `min_spans` that touches no border.
    fn take_away_islands(&mut self, min_spans: u32) {
        for start in 1..self.regions.len() as u32 {
            if self.regions[start as usize].visited || self.regions[start as usize].spans == 0 {
                continue;
            }
            let mut spans = 0_u64;
            let mut touches_border = false;
            self.island.clear();
            self.stack.clear();
            self.stack.push(start);
            self.regions[start as usize].visited = true;
            while let Some(id) = self.stack.pop() {
                self.island.push(id);
                let region = self.regions[id as usize];
                spans += u64::from(region.spans);
                touches_border |= region.touches_border;
                let mut run = region.runs[0];
                while run != NONE {
                    let RegionRun { other, sibling, .. } = self.runs[run as usize];
                    if is_inner(other) && !self.regions[other as usize].visited {
                        self.regions[other as usize].visited = true;
                        self.stack.push(other);
                    }
                    run = sibling;
                }
            }
            if spans < u64::from(min_spans) && !touches_border {
                for &id in &self.island {
                    self.regions[id as usize].spans = 0;
                    self.regions[id as usize].parent = 0;
                }
            }
        }
    }

    fn merge_small(&mut self, merge_spans: u32) {
        let mut merged = true;
        while merged {
            merged = false;
            for id in 1..self.regions.len() as u32 {
                let region = self.regions[id as usize];
                if region.spans == 0 || (region.spans > merge_spans && region.touches_wall) {
                    continue;
                }
                if let Some((target, run)) = self.merge_target(id) {
                    self.merge(target, id, run);
                    merged = true;
                }
            }
        }
    }

    /// The smallest neighbour into which `id` can be merged, with the run between them as `id` sees it.
    fn merge_target(&mut self, id: u32) -> Option<(u32, u32)> {
        let mut run = self.regions[id as usize].runs[0];
        while run != NONE {
            let RegionRun { other, is_alive, sibling, twin, .. } = self.runs[run as usize];
            if is_alive && is_inner(other) {
                let other = self.root(other) as usize;
                let region = &mut self.regions[other];
                if region.seen_by != id {
                    (region.seen_by, region.seen) = (id, 0);
                }
                // A run without a twin cannot be joined: counting it twice forbids the merge.
                region.seen += if twin == NONE { 2 } else { 1 };
                region.seen_run = run;
            }
            run = sibling;
        }
        let mut best = None;
        let mut run = self.regions[id as usize].runs[0];
        while run != NONE {
            let RegionRun { other, is_alive, sibling, .. } = self.runs[run as usize];
            if is_alive && is_inner(other) {
                let other = self.root(other);
                let region = self.regions[other as usize];
                let key = (region.spans, other);
                if best.is_none_or(|(least, _)| key < least)
                    && region.seen == 1
                    && region.area == self.regions[id as usize].area
                    && !self.lie_over_each_other(id, other)
                {
                    best = Some((key, region.seen_run));
                }
            }
            run = sibling;
        }
        // Counts made for a region are void once regions change.
        self.forget_seen(id);
        best.map(|((_, target), run)| (target, run))
    }

    fn forget_seen(&mut self, id: u32) {
        let mut run = self.regions[id as usize].runs[0];
        while run != NONE {
            let RegionRun { other, sibling, .. } = self.runs[run as usize];
            if is_inner(other) {
                let other = self.root(other) as usize;
                self.regions[other].seen_by = 0;
            }
            run = sibling;
        }
    }

    fn lie_over_each_other(&mut self, a: u32, b: u32) -> bool {
        let fewer = self.regions[a as usize].floor_count <= self.regions[b as usize].floor_count;
        let (of, wanted) = if fewer { (a, b) } else { (b, a) };
        let mut entry = self.regions[of as usize].floors[0];
        while entry != NONE {
            let [other, next] = self.floors[entry as usize];
            if self.root(other) == wanted {
                return true;
            }
            entry = next;
        }
        false
    }

    /// Merges `id` into `target`; `run` is the only run between them, in the ring of `id`.
    fn merge(&mut self, target: u32, id: u32, run: u32) {
        let region = core::mem::replace(&mut self.regions[id as usize], Region::new(id));
        let into = &mut self.regions[target as usize];
        into.spans += region.spans;
        into.touches_wall |= region.touches_wall;
        into.touches_border |= region.touches_border;
        self.runs[into.runs[1] as usize].sibling = region.runs[0];
        into.runs[1] = region.runs[1];
        into.floor_count += region.floor_count;
        if region.floors[0] != NONE {
            if into.floors[0] == NONE {
                into.floors = region.floors;
            } else {
                self.floors[into.floors[1] as usize][1] = region.floors[0];
                into.floors[1] = region.floors[1];
            }
        }
        self.regions[id as usize].parent = target;
        self.regions[id as usize].visited = true;
        self.join_rings(run);
    }

    /// Removes a run and its twin, and joins the rings that contained them.
    fn join_rings(&mut self, run: u32) {
        let a = self.runs[run as usize];
        let b = self.runs[a.twin as usize];
        self.runs[run as usize].is_alive = false;
        self.runs[a.twin as usize].is_alive = false;
        if a.next == run {
            // One filled a hole in the other: both rings are gone.
            return;
        }
        self.link(a.prev, b.next);
        self.link(b.prev, a.next);
        self.join_if_in_a_row(a.prev, b.next);
        // The first joint may have removed what was at the second.
        if self.runs[b.prev as usize].is_alive && self.runs[a.next as usize].is_alive {
            self.join_if_in_a_row(b.prev, a.next);
        }
    }

    fn link(&mut self, first: u32, second: u32) {
        self.runs[first as usize].next = second;
        self.runs[second as usize].prev = first;
    }

    /// Merges two consecutive runs with the same region on the other side, if that region too has them consecutively.
    fn join_if_in_a_row(&mut self, first: u32, second: u32) {
        let a = self.runs[first as usize];
        let b = self.runs[second as usize];
        if first == second || !is_inner(a.other) || !is_inner(b.other) || a.twin == NONE || b.twin == NONE {
            return;
        }
        if self.root(a.other) != self.root(b.other) || self.runs[b.twin as usize].next != a.twin {
            return;
        }
        // `first` and the twin of `second` continue; their ends meet.
        self.runs[second as usize].is_alive = false;
        self.runs[a.twin as usize].is_alive = false;
        self.link(first, b.next);
        self.link(b.twin, self.runs[a.twin as usize].next);
        self.runs[first as usize].twin = b.twin;
        self.runs[b.twin as usize].twin = first;
    }

    /// Numbers the remaining regions and assigns every span its region's number.
    fn renumber(&mut self, id: &mut [u32]) -> u32 {
        let mut count = 0;
        self.number.clear();
        self.number.resize(self.regions.len(), 0);
        for old in 1..self.regions.len() as u32 {
            let root = self.root(old);
            if root == 0 || self.regions[root as usize].spans == 0 {
                continue;
            }
            if self.number[root as usize] == 0 {
                count += 1;
                self.number[root as usize] = count;
            }
            self.number[old as usize] = self.number[root as usize];
        }
        for region in id {
            // Border regions are above all numbers and stay.
            if let Some(&number) = self.number.get(*region as usize) {
                *region = number;
            }
        }
        count
    }
}
