//! Finds what eroded a span: the edge nearest to it, and what is on the other side of that edge.
//!
//! An edge is a side of an open span without a neighbour. What is on the other side is looked up in the solid column
//! there:
//!
//! ```text
//!    wall     |####      ceiling  ####      drop            slope       /
//!             |####                                                  /
//!    _________|          _____ |_____       ____|           ________/ (its own reason)
//! ```
//!
//! Distances from all edges are measured as in the erosion, 2 straight and 3 diagonally, and each span remembers the
//! edge that reached it first.
//!
//! Cost: O(n log n) in the spans near edges. Sources: Edsger Dijkstra, 1959; the chamfer distances are those of
//! `erode`.

use super::explain_map::{Reason, Verdict};
use crate::math::index::NONE;
use crate::voxel::{CompactHeightfield, DIRECTIONS, Grid, Heightfield};
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Solid spans with the filters' decisions, and open spans before erosion.
pub(super) struct Edges<'a> {
    pub(super) level: &'a Grid,
    pub(super) solid: &'a Heightfield,
    /// Of each solid span.
    pub(super) filtered: &'a [Verdict],
    /// The open spans before erosion; those removed by volumes have no area type.
    pub(super) open: &'a CompactHeightfield,
    pub(super) height_vx: u32,
    pub(super) climb_vx: u32,
}

/// The edge nearest to a span: its cell, and what is on the other side.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestEdge {
    pub(super) cell: [i32; 2],
    pub(super) cause: Reason,
}

impl Edges<'_> {
    /// The nearest edge of each open span, up to `limit` away in units of the erosion.
    pub(super) fn nearest(&self, limit: u32) -> Vec<Option<NearestEdge>> {
        let mut found: Vec<Option<NearestEdge>> = vec![None; self.open.span_count()];
        let mut distance = vec![limit; self.open.span_count()];
        let mut queue = BinaryHeap::new();
        let grid = &self.open.grid;
        for cell in 0..grid.cell_count() {
            let place = [cell as u32 % grid.width, cell as u32 / grid.width];
            for span in self.open.column(cell) {
                if let Some(cause) = self.edge_of(span, place) {
                    distance[span] = 0;
                    found[span] = Some(NearestEdge { cell: place.map(|c| c as i32), cause });
                    queue.push(Reverse((0, span as u32)));
                }
            }
        }
        while let Some(Reverse((now, span))) = queue.pop() {
            if distance[span as usize] != now {
                continue;
            }
            for direction in 0..4 {
                let beside = self.open.neighbours[span as usize][direction];
                if beside == NONE {
                    continue;
                }
                let diagonal = self.open.neighbours[beside as usize][(direction + 1) % 4];
                for (next, there) in [(beside, now + 2), (diagonal, now + 3)] {
                    if next != NONE && there < distance[next as usize] {
                        distance[next as usize] = there;
                        found[next as usize] = found[span as usize];
                        queue.push(Reverse((there, next)));
                    }
                }
            }
        }
        found
    }

    /// What is on the other side of the first side of a span without a neighbour.
    fn edge_of(&self, span: usize, place: [u32; 2]) -> Option<Reason> {
        if self.open.area[span].is_null() {
            return Some(Reason::Volume);
        }
        let mut causes = (0..4).filter_map(|direction| {
            let beside = self.open.neighbours[span][direction];
            if beside == NONE {
                return Some(self.beyond(span, place, direction));
            }
            self.open.area[beside as usize].is_null().then_some(Reason::Volume)
        });
        // A wall is the most intuitive reason.
        let first = causes.next()?;
        Some(causes.fold(first, |found, other| if other == Reason::Wall { other } else { found }))
    }

    fn beyond(&self, span: usize, [x, z]: [u32; 2], direction: usize) -> Reason {
        let (dx, dz) = DIRECTIONS[direction];
        let grid = &self.solid.grid;
        let nx = x as i32 + dx;
        let nz = z as i32 + dz;
        let in_level = |cell: i64, first: i32, count: u32| (0..i64::from(count)).contains(&(cell - i64::from(first)));
        let column = i64::from(grid.x) + i64::from(nx);
        let row = i64::from(grid.z) + i64::from(nz);
        let inside = in_level(column, self.level.x, self.level.width) && in_level(row, self.level.z, self.level.depth);
        if !inside || nx < 0 || nz < 0 || nx >= grid.width as i32 || nz >= grid.depth as i32 {
            return Reason::LevelEdge;
        }
        let floor = u32::from(self.open.y[span]);
        let spans = self.solid.column(grid.index(nx as u32, nz as u32));
        if spans.is_empty() {
            return Reason::Nothing;
        }
        if let Some(level) = spans.clone().find(|&s| u32::from(self.solid.max[s]).abs_diff(floor) <= self.climb_vx) {
            let reason = self.filtered[level].reason;
            // Walkable and within the climb, but not connected: there is no headroom in between.
            return if reason == Reason::Walkable { Reason::LowCeiling } else { reason };
        }
        let body = floor + self.climb_vx..floor + self.height_vx;
        let blocks = |s: usize| u32::from(self.solid.min[s]) < body.end && u32::from(self.solid.max[s]) > body.start;
        if spans.into_iter().any(blocks) { Reason::Wall } else { Reason::Drop }
    }
}
