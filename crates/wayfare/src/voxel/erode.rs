//! Erodes the surface: removes what is closer to a wall or a drop than the agent's radius, where its centre cannot be.
//!
//! Distances are chamfer distances over links: 2 straight, 3 diagonally, from the spans without a walkable neighbour.
//!
//! ```text
//!     3 2 3        from each span to its eight neighbours; a diagonal one is reached by turning right at a straight one
//!     2 0 2
//!     3 2 3
//! ```
//!
//! The surface is removed from the walls inwards, one distance after the other, so only what is removed is visited;
//! most of a level stays. (Recast sweeps the whole level twice. The distances are the same: every span that is not at a
//! wall has all its neighbours, so a shortest path can take its straight and diagonal steps in any order, including
//! that of the sweeps.)
//!
//! Cost: one pass over the links, and linear in the spans removed.
//!
//! Sources: chamfer distances are from Gunilla Borgefors, "Distance transformations in digital images", 1986; their use
//! here from Mikko Mononen, Recast (`rcErodeWalkableArea`), 2009; the buckets are Robert Dial's, "Shortest-path forest
//! with topological ordering", 1969.

use super::CompactHeightfield;
use crate::area::AreaId;
use crate::context::Budget;
use crate::math::index::NONE;
use core::ops::Range;

/// Memory that [`erode_into`] and [`erode_euclidean_into`](super::erode_euclidean_into) keep from call to call.
#[derive(Debug, Default)]
pub struct ErodeScratch {
    /// 16 bits are enough: a field has at most 2^28 cells, so none is 2^14 from an edge.
    distance: Vec<u16>,
    /// The distance from which spans are kept.
    limit: u16,
    /// For the exact erosion: cells to the next obstacle in the row, and the spans to remove.
    pub(super) along_rows: Vec<u32>,
    pub(super) taken: Vec<u32>,
    /// Spans by distance; distances in use differ by at most 3.
    buckets: [Vec<u32>; 4],
    pub(super) next: ErosionPiece,
}

/// What an erosion does next: each pass over the spans goes on from the one named.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum ErosionPiece {
    #[default]
    Begin,
    /// Lists the boundary. Whether all spans are walkable is known.
    Boundary {
        from: usize,
        is_all_walkable: bool,
    },
    /// Removes what is this far from the boundary.
    Spread(u16),
    /// Of the exact erosion: along the rows, in both directions, then across them.
    Ascending(usize),
    Descending(usize),
    Across(usize),
}

/// Removes the area type of spans closer than `radius_vx` cells to where no agent can stand. 0 changes nothing.
pub fn erode(field: &mut CompactHeightfield, radius_vx: u32) {
    erode_into(field, radius_vx, &mut ErodeScratch::default());
}

/// Like [`erode`], reusing memory.
pub fn erode_into(field: &mut CompactHeightfield, radius_vx: u32, scratch: &mut ErodeScratch) {
    scratch.begin();
    scratch.erode(field, radius_vx, &mut Budget::unlimited());
}

/// Removes what [`erode_into`] would remove because of the spans `taken`, which were walkable and no longer are.
///
/// Links stay unchanged, so each span's distance is the smaller of that without `taken` and that to them: what is
/// removed here or was removed before is all that erosion would remove.
pub(crate) fn erode_around_into(
    field: &mut CompactHeightfield,
    radius_vx: u32,
    taken: &[u32],
    scratch: &mut ErodeScratch,
) {
    if radius_vx > 0 && !taken.is_empty() {
        scratch.clear(field, radius_vx);
        // They now lack a neighbour, if they did not before.
        let beside = taken.iter().flat_map(|&span| field.neighbours[span as usize]).filter(|&span| span != NONE);
        scratch.buckets[0].extend(taken.iter().copied().chain(beside));
        scratch.take_boundary(field);
        (0..scratch.limit).for_each(|distance| _ = scratch.spread(field, distance));
    }
}

impl ErodeScratch {
    /// Prepares for [`erode`](Self::erode), or for the exact erosion.
    pub(crate) fn begin(&mut self) {
        self.next = ErosionPiece::Begin;
    }

    /// Does what [`erode_into`] does, within the budget: a unit is a span. Returns whether it is finished.
    pub(crate) fn erode(&mut self, field: &mut CompactHeightfield, radius_vx: u32, budget: &mut Budget) -> bool {
        if radius_vx == 0 {
            return true;
        }
        if matches!(self.next, ErosionPiece::Begin) {
            self.clear(field, radius_vx);
            let is_all_walkable = !field.area.iter().any(|area| area.is_null());
            self.next = ErosionPiece::Boundary { from: 0, is_all_walkable };
        }
        while let ErosionPiece::Boundary { from, is_all_walkable } = self.next {
            let spans = budget.piece(from, field.span_count());
            find_boundary(field, spans.clone(), is_all_walkable, &mut self.buckets[0]);
            self.next = ErosionPiece::Boundary { from: spans.end, is_all_walkable };
            if spans.end == field.span_count() {
                self.take_boundary(field);
                self.next = ErosionPiece::Spread(0);
            }
            if !budget.charge(spans.len() as u64) {
                return false;
            }
        }
        while let ErosionPiece::Spread(distance) = self.next
            && distance < self.limit
        {
            let count = self.spread(field, distance);
            self.next = ErosionPiece::Spread(distance + 1);
            if !budget.charge(count) {
                return false;
            }
        }
        true
    }

    fn clear(&mut self, field: &CompactHeightfield, radius_vx: u32) {
        self.limit = radius_vx.saturating_mul(2).min(u32::from(u16::MAX)) as u16;
        self.distance.clear();
        self.distance.resize(field.span_count(), self.limit);
        self.buckets.iter_mut().for_each(Vec::clear);
    }

    /// Removes the spans in the first bucket.
    fn take_boundary(&mut self, field: &mut CompactHeightfield) {
        for &span in &self.buckets[0] {
            self.distance[span as usize] = 0;
            field.area[span as usize] = AreaId::NULL;
        }
    }

    /// Removes what is next to the spans at a distance, all of which are removed. Returns their number.
    fn spread(&mut self, field: &mut CompactHeightfield, now: u16) -> u64 {
        let Self { distance, buckets, limit, .. } = self;
        let limit = *limit;
        let mut spans = core::mem::take(&mut buckets[usize::from(now) % 4]);
        for &span in &spans {
            if distance[span as usize] != now {
                // Found again on a shorter path.
                continue;
            }
            let mut reach = |span: u32, distance_there: u16| {
                if span == NONE {
                    return;
                }
                let best = &mut distance[span as usize];
                if distance_there < *best {
                    *best = distance_there;
                    field.area[span as usize] = AreaId::NULL;
                    buckets[usize::from(distance_there) % 4].push(span);
                }
            };
            for direction in 0..4 {
                let beside = field.neighbours[span as usize][direction];
                reach(beside, now + 2);
                // Only if distances are needed at all: usually the diagonals exceed the limit.
                if beside != NONE && now + 3 < limit {
                    reach(field.neighbours[beside as usize][(direction + 1) % 4], now + 3);
                }
            }
        }
        let count = spans.len() as u64;
        spans.clear();
        buckets[usize::from(now) % 4] = spans;
        count
    }
}

/// Appends the spans of a range that are not walkable or lack a walkable neighbour.
fn find_boundary(field: &CompactHeightfield, spans: Range<usize>, is_all_walkable: bool, found: &mut Vec<u32>) {
    // As if all were; truncated below. Every span is written, and kept if it qualifies.
    let mut count = found.len();
    found.resize(count + spans.len(), 0);
    let areas = &field.area[spans.clone()];
    let links = &field.neighbours[spans.clone()];
    for (i, (&area, neighbours)) in spans.zip(areas.iter().zip(links)) {
        let linked = neighbours.iter().fold(true, |all, &n| all & (n != NONE));
        let inside = linked
            && (is_all_walkable || (!area.is_null() && neighbours.iter().all(|&n| !field.area[n as usize].is_null())));
        found[count] = i as u32;
        count += usize::from(!inside);
    }
    found.truncate(count);
}
