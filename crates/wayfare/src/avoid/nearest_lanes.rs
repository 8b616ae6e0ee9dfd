//! The nearest neighbours of eight agents at once, one a lane.
//!
//! ```text
//!   . . . . . .      Eight agents that follow one another in the order of the cells look at the same cells. Each agent there is
//!   . [a b c] .      shown to all eight at once; in every lane it sinks into the list of the nearest so far, pushing out the
//!   . . . . . .      last. Nothing branches on distances but whether any lane takes it at all.
//! ```
//!
//! Cost: O(agents in the cells touched × neighbours wanted) for eight.
//!
//! Sources: own.

use super::lanes::{F8, M8};
use super::proximity_grid::{Near, ProximityGrid};
use core::ops::Range;
use glam::Vec2;

/// Working memory for one thread.
#[derive(Clone, Debug, Default)]
pub struct NearestScratch {
    distances: Vec<F8>,
    slots: Vec<[u32; 8]>,
    found: Vec<Near>,
}

/// Eight lists, sorted.
struct Lists<'a> {
    distances: &'a mut [F8],
    slots: &'a mut [[u32; 8]],
}

impl ProximityGrid {
    /// For each agent in these slots of [`order`](Self::order): calls `visit` with its slot and up to `count` others within `range`,
    /// nearest first, equally near ones in the order of slots. The same as asking [`nearest`](Self::nearest) for each, several times
    /// as fast for a crowd.
    pub fn nearest_of_slots(
        &self,
        slots: Range<usize>,
        (range, count): (f32, usize),
        scratch: &mut NearestScratch,
        mut visit: impl FnMut(usize, &[Near]),
    ) {
        let mut next = slots.start;
        let end = slots.end.min(self.order().len());
        while next < end {
            let group = next..self.group_end(next).min(end);
            next = group.end;
            if range.is_nan() || range < 0.0 || count == 0 {
                group.for_each(|slot| visit(slot, &[]));
                continue;
            }
            scratch.distances.clear();
            scratch.distances.resize(count, F8::splat(f32::INFINITY));
            scratch.slots.clear();
            scratch.slots.resize(count, [u32::MAX; 8]);
            let lists = Lists { distances: &mut scratch.distances, slots: &mut scratch.slots };
            fearless_simd::dispatch!(fearless_simd::Level::new(), _simd => self.fill(group.clone(), range, lists));
            for (lane, slot) in group.enumerate() {
                scratch.found.clear();
                for (distances, slots) in scratch.distances.iter().zip(&scratch.slots) {
                    if slots[lane] == u32::MAX {
                        break;
                    }
                    let id = self.order()[slots[lane] as usize];
                    scratch.found.push(Near { id, distance_squared: distances.0[lane] });
                }
                visit(slot, &scratch.found);
            }
        }
    }

    /// Where the group that begins at `first` ends: up to eight agents, in one row and in cells side by side.
    fn group_end(&self, first: usize) -> usize {
        let cell = self.cell_of(self.position(first));
        let last = self.cell_of_next_column(cell);
        let most = (first + 8).min(self.order().len());
        (first + 1..most).find(|&slot| self.cell_of(self.position(slot)) > last).unwrap_or(most)
    }

    #[inline(always)]
    fn fill(&self, group: Range<usize>, range: f32, lists: Lists<'_>) {
        let (mut x, mut y) = (F8::splat(f32::NAN), F8::splat(f32::NAN));
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for (lane, slot) in group.clone().enumerate() {
            let at = self.position(slot);
            (x.0[lane], y.0[lane]) = (at.x, at.y);
            low = low.min(at);
            high = high.max(at);
        }
        // What is farther than this is of no use to a lane: the range at first, then the last in its list.
        let within = F8::splat(range * range);
        let Lists { distances, slots } = lists;
        let Some(last) = distances.len().checked_sub(1) else { return };
        self.rows_near(low - range, high + range, |candidates| {
            for slot in candidates {
                let at = self.position(slot);
                let (dx, dy) = (F8::splat(at.x) - x, F8::splat(at.y) - y);
                let distance = dx * dx + dy * dy;
                let mut takes = distance.le(within) & distance.lt(distances[last]);
                if slot >= group.start && slot < group.end {
                    takes.0[slot - group.start] = false;
                }
                if takes.any() {
                    sink(takes.select(distance, F8::splat(f32::INFINITY)), slot as u32, distances, slots);
                }
            }
        });
    }
}

/// Puts a candidate into all lists; where it is infinitely far it changes nothing.
#[inline(always)]
fn sink(distance: F8, slot: u32, distances: &mut [F8], slots: &mut [[u32; 8]]) {
    let (mut distance, mut slot) = (distance, [slot; 8]);
    // What was pushed from its place goes before what is as far, for it came first.
    let mut pushed = M8([false; 8]);
    for (there, there_slot) in distances.iter_mut().zip(slots) {
        let nearer = distance.lt(*there) | pushed;
        pushed = nearer;
        let (d, s) = (*there, *there_slot);
        *there = nearer.select(distance, d);
        *there_slot = select(nearer, slot, s);
        distance = nearer.select(d, distance);
        slot = select(nearer, s, slot);
    }
}

#[inline(always)]
fn select(mask: M8, yes: [u32; 8], no: [u32; 8]) -> [u32; 8] {
    let mut chosen = no;
    for i in 0..8 {
        chosen[i] = if mask.0[i] { yes[i] } else { no[i] };
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    #[test]
    fn in_lanes_the_same_are_found_as_one_by_one() {
        let mut rng = Rng::new(11);
        let (mut grid, mut scratch, mut found) = (ProximityGrid::default(), NearestScratch::default(), Vec::new());
        for round in 0..200_u32 {
            let count = rng.below(150) as usize;
            let size = [0.5, 6.0, 40.0, 900.0][round as usize % 4];
            // Every other round on a lattice: equal distances and equal places.
            let snap = |v: f32| if round % 2 == 0 { v } else { v.floor() };
            let positions: Vec<Vec2> =
                (0..count).map(|_| Vec2::new(snap(rng.unit() * size), snap(rng.unit() * size))).collect();
            grid.rebuild(&positions, 0.5 + rng.unit() * 8.0);
            let (range, most) = (rng.unit() * 12.0, rng.below(20) as usize);
            let mut seen = 0;
            grid.nearest_of_slots(0..count, (range, most), &mut scratch, |slot, near| {
                let me = grid.order()[slot];
                grid.nearest(positions[me as usize], range, most, |id| id != me, &mut found);
                assert_eq!(near, found);
                seen += 1;
            });
            assert_eq!(seen, count);
        }
    }
}
