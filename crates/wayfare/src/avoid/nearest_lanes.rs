//! The nearest neighbours of eight agents at once, one agent per lane.
//!
//! ```text
//!   . . . . . .      Eight agents that are consecutive in cell order search the same cells. Each agent found there is
//!   . [a b c] .      offered to all eight at once; in every lane it is inserted into the list of the nearest so far, pushing
//!   . . . . . .      out the last. The only branch on distances is whether any lane takes it at all.
//! ```
//!
//! Cost: O(agents in the cells touched × neighbours requested) for eight agents.
//!
//! Sources: own.

use super::proximity_grid::{Near, ProximityGrid};
use crate::math::lanes::{Level, dispatch};
use core::ops::Range;
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8, u32x8};
use glam::Vec2;

/// One entry of eight lists: the agent there and its distance.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct LanePlace {
    /// Squared.
    distances: [f32; 8],
    slots: [u32; 8],
}

/// The height range of an agent. Agents whose feet differ by the height of the taller one or more are on different
/// floors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    /// Height of its feet, metres above any fixed level.
    pub(crate) feet: f32,
    /// Height of the agent, metres.
    pub(crate) height: f32,
}

impl Standing {
    pub(crate) fn shares_floor(self, other: Self) -> bool {
        (self.feet - other.feet).abs() < self.height.max(other.height)
    }
}

/// The layers of an agent, and those it heeds. It heeds agents with a layer that is in its mask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layers {
    /// The layers that it is in, one bit each.
    pub(crate) own: u32,
    /// The layers that it heeds.
    pub(crate) mask: u32,
}

impl Layers {
    pub(crate) fn heeds(self, other: Self) -> bool {
        self.mask & other.own != 0
    }
}

/// Which agents may be neighbours, by slots of the grid; an empty list excludes nobody.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Company<'a> {
    pub(crate) floors: &'a [Standing],
    pub(crate) layers: &'a [Layers],
}

/// Greatest distance within a group of agents, as a multiple of the range. Wider groups fill more lanes, but visit more
/// agents that are near to few of them.
const APART: f32 = 2.0;
/// No agent.
const NONE: u32 = u32::MAX;

/// Working memory for one thread.
#[derive(Clone, Debug, Default)]
pub struct NearestScratch {
    lists: Vec<LanePlace>,
    found: Vec<Near>,
}

impl ProximityGrid {
    /// For each agent in these slots of [`order`](Self::order): calls `visit` with its slot and up to `count` others
    /// within `range`, nearest first, ties in the order of slots. Same result as [`nearest`](Self::nearest) for each,
    /// several times as fast for a crowd.
    pub fn nearest_of_slots(
        &self,
        slots: Range<usize>,
        range: f32,
        count: usize,
        scratch: &mut NearestScratch,
        visit: impl FnMut(usize, &[Near]),
    ) {
        self.nearest_at(Level::new(), slots, (|_| (range, count), Company::default()), scratch, visit);
    }

    /// The same, where `wanted` returns the range and the number for each slot. Only agents on the same floor and in
    /// layers that the agent heeds are found.
    pub(crate) fn nearest_of_each(
        &self,
        slots: Range<usize>,
        (wanted, company): (impl Fn(usize) -> (f32, usize), Company<'_>),
        scratch: &mut NearestScratch,
        visit: impl FnMut(usize, &[Near]),
    ) {
        self.nearest_at(Level::new(), slots, (wanted, company), scratch, visit);
    }

    fn nearest_at(
        &self,
        level: Level,
        slots: Range<usize>,
        (wanted, company): (impl Fn(usize) -> (f32, usize), Company<'_>),
        scratch: &mut NearestScratch,
        mut visit: impl FnMut(usize, &[Near]),
    ) {
        let NearestScratch { lists, found } = scratch;
        let mut next = slots.start;
        let end = slots.end.min(self.order().len());
        while next < end {
            let group = next..self.group_end(next, wanted(next).0).min(end);
            next = group.end;
            // An empty entry has the least distance that is out of range; if no neighbours are wanted, 0.
            let mut nobody = LanePlace { distances: [0.0; 8], slots: [NONE; 8] };
            let mut widest = 0.0_f32;
            let mut most = 0;
            for (distance, slot) in nobody.distances.iter_mut().zip(group.clone()) {
                let (range, count) = wanted(slot);
                let count = count.min(self.order().len());
                if range >= 0.0 && count > 0 {
                    *distance = (range * range).next_up();
                    (widest, most) = (widest.max(range), most.max(count));
                }
            }
            lists.clear();
            lists.resize(most, nobody);
            dispatch!(level, simd => self.fill(simd, group.clone(), (widest, company), lists));
            for (lane, slot) in group.enumerate() {
                found.clear();
                let own = &lists[..wanted(slot).1.min(most)];
                for place in own.iter().take_while(|place| place.slots[lane] != NONE) {
                    let id = self.order()[place.slots[lane] as usize];
                    found.push(Near { id, distance_squared: place.distances[lane] });
                }
                visit(slot, found);
            }
        }
    }

    /// The end of the group that starts at `first`: up to eight agents in one row of cells.
    fn group_end(&self, first: usize, range: f32) -> usize {
        let at = self.position(first);
        let row = self.row_of(at.y);
        let most = (first + 8).min(self.order().len());
        let apart = |&slot: &usize| {
            let other = self.position(slot);
            self.row_of(other.y) != row || (other.x - at.x).abs() > range * APART
        };
        (first + 1..most).find(apart).unwrap_or(most)
    }

    #[inline(always)]
    fn fill<S: Simd>(
        &self,
        simd: S,
        group: Range<usize>,
        (range, Company { floors, layers }): (f32, Company<'_>),
        lists: &mut [LanePlace],
    ) {
        // Lanes without an agent are infinitely far from everything.
        let mut x = [f32::INFINITY; 8];
        let mut y = [f32::INFINITY; 8];
        let mut feet = [0.0; 8];
        let mut height = [0.0; 8];
        for (lane, standing) in floors.iter().skip(group.start).take(group.len().min(8)).enumerate() {
            (feet[lane], height[lane]) = (standing.feet, standing.height);
        }
        let (feet, height): (f32x8<S>, f32x8<S>) = (feet.simd_into(simd), height.simd_into(simd));
        let mut masks = [0; 8];
        for (mask, layers) in masks.iter_mut().zip(layers.iter().skip(group.start).take(group.len())) {
            *mask = layers.mask;
        }
        let masks: u32x8<S> = masks.simd_into(simd);
        let none = u32x8::splat(simd, 0);
        let nobody = f32x8::splat(simd, f32::INFINITY);
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        for (lane, slot) in group.clone().enumerate().take(8) {
            let at = self.position(slot);
            (x[lane], y[lane]) = (at.x, at.y);
            low = low.min(at);
            high = high.max(at);
        }
        let (x, y): (f32x8<S>, f32x8<S>) = (x.simd_into(simd), y.simd_into(simd));
        let window = self.window(low - range, high + range);
        for row in window.rows {
            let candidates = self.slots_of(row, window.columns);
            let xs = &self.x[candidates.clone()];
            let ys = &self.y[candidates.clone()];
            for ((slot, at_x), at_y) in candidates.zip(xs).zip(ys) {
                let dx = x - *at_x;
                let dy = y - *at_y;
                let oneself: f32x8<S> = ONESELF[slot.wrapping_sub(group.start).min(8)].simd_into(simd);
                let mut distance = (dx * dx + dy * dy).max(oneself);
                if let Some(other) = floors.get(slot) {
                    let same = (feet - other.feet).abs().simd_lt(height.max(f32x8::splat(simd, other.height)));
                    distance = same.select(distance, nobody);
                }
                if let Some(other) = layers.get(slot) {
                    distance = (masks & other.own).simd_eq(none).select(nobody, distance);
                }
                let Some(last) = lists.last() else { return };
                if distance.simd_lt(f32x8::simd_from(simd, last.distances)).any_true() {
                    sink(simd, distance, slot as u32, lists);
                }
            }
        }
    }
}

/// Infinite in the lane of the agent itself, for each of the lanes; the last row is for other agents.
const ONESELF: [[f32; 8]; 9] = {
    let mut all = [[0.0; 8]; 9];
    let mut lane = 0;
    while lane < 8 {
        all[lane][lane] = f32::INFINITY;
        lane += 1;
    }
    all
};

/// Inserts a candidate into all lists; a list in which it is too far does not change.
///
/// Each entry depends only on the candidate and on the old values of itself and the entry before it, so no entry waits
/// for another. If the candidate is nearer than the entry before, that one moves here; else the nearer of candidate and
/// entry stays. Of equal distances the candidate comes last.
#[inline(always)]
fn sink<S: Simd>(simd: S, distance: f32x8<S>, slot: u32, lists: &mut [LanePlace]) {
    let slot = u32x8::splat(simd, slot);
    let mut pushed = mask32x8::splat(simd, false);
    let mut before = f32x8::splat(simd, f32::NEG_INFINITY);
    let mut before_slot = slot;
    for place in lists {
        let there = f32x8::simd_from(simd, place.distances);
        let there_slot = u32x8::simd_from(simd, place.slots);
        let nearer = distance.simd_lt(there);
        place.slots = pushed.select(before_slot, nearer.select(slot, there_slot)).into();
        // No distance is NaN or negative zero.
        place.distances = before.max(distance.min(there)).into();
        (before, before_slot, pushed) = (there, there_slot, nearer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    #[test]
    fn in_lanes_the_same_are_found_as_one_by_one() {
        let mut rng = Rng::new(11);
        let mut grid = ProximityGrid::default();
        let mut scratch = NearestScratch::default();
        let mut found = Vec::new();
        for round in 0..200_u32 {
            let count = rng.below(150) as usize;
            let size = [0.5, 6.0, 40.0, 900.0][round as usize % 4];
            // Every other round on a lattice: equal distances and equal positions.
            let snap = |v: f32| if round % 2 == 0 { v } else { v.floor() };
            let positions: Vec<Vec2> =
                (0..count).map(|_| Vec2::new(snap(rng.unit() * size), snap(rng.unit() * size))).collect();
            grid.rebuild(&positions, 0.5 + rng.unit() * 8.0);
            let widest = rng.unit() * 12.0;
            let most = rng.below(20) as usize;
            // In every third round all request the same.
            let part = |slot: usize| if round % 3 == 0 { 0 } else { slot % 5 };
            // In every other round there are several floors.
            let stand = |_| Standing { feet: 1.9 * rng.below(3) as f32, height: 2.0 - 0.5 * rng.below(3) as f32 };
            let floors: Vec<Standing> = (0..if round % 2 == 0 { 0 } else { count }).map(stand).collect();
            // In some rounds there are layers.
            let layer = |_| Layers { own: rng.below(4), mask: rng.below(4) };
            let layers: Vec<Layers> = (0..if round % 5 < 3 { 0 } else { count }).map(layer).collect();
            let company = Company { floors: &floors, layers: &layers };
            let wanted = |slot: usize| (widest * [1.0, 0.3, 0.9, 0.0, -1.0][part(slot)], most >> (part(slot) / 2));
            for level in [Level::baseline(), Level::new()] {
                let mut seen = 0;
                grid.nearest_at(level, 0..count, (wanted, company), &mut scratch, |slot, near| {
                    let me = grid.order()[slot];
                    let (range, most) = wanted(slot);
                    let counts = |id: u32| {
                        let other = grid.order().iter().position(|&other| other == id).unwrap();
                        floors.get(slot).zip(floors.get(other)).is_none_or(|(own, other)| own.shares_floor(*other))
                            && layers.get(slot).zip(layers.get(other)).is_none_or(|(own, other)| own.heeds(*other))
                    };
                    let accept = |id| id != me && counts(id);
                    grid.nearest(positions[me as usize], range, most, accept, &mut found);
                    assert_eq!(near, found);
                    seen += 1;
                });
                assert_eq!(seen, count);
            }
        }
    }

    #[test]
    fn a_request_for_all_is_one_for_as_many_as_there_are() {
        let mut grid = ProximityGrid::default();
        let positions: Vec<Vec2> = (0..20).map(|i| Vec2::new(i as f32, 0.0)).collect();
        grid.rebuild(&positions, 1.0);
        grid.nearest_of_slots(0..20, 100.0, usize::MAX, &mut NearestScratch::default(), |_, near| {
            assert_eq!(near.len(), 19);
        });
    }
}
