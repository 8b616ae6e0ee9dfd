//! Erosion: ground closer to a wall or a drop than the agent's radius is no place for the agent's center.
//!
//! Distances are chamfer distances over links: 2 straight, 3 diagonally, from the spans that lack a walkable neighbour.
//!
//! ```text
//!     3 2 3        from each span to its eight neighbours; a diagonal one is reached by turning right at a straight one
//!     2 0 2
//!     3 2 3
//! ```
//!
//! Ground is taken away from the walls inwards, one distance after the other, so only what goes is ever looked at; most
//! of a level stays. (Recast sweeps the whole level twice. The distances are the same: every span that is not at a wall
//! has all its neighbours, so a shortest way can take its straight and diagonal steps in any order, also in that of the
//! sweeps.)
//!
//! Cost: one pass over the links, and linear in the spans taken away.
//!
//! Sources: chamfer distances are from Gunilla Borgefors, "Distance transformations in digital images", 1986; their use
//! here from Mikko Mononen, Recast (`rcErodeWalkableArea`), 2009; the buckets are Robert Dial's, "Shortest-path forest
//! with topological ordering", 1969.

use super::CompactHeightfield;
use crate::area::AreaId;
use crate::math::index::NONE;

/// Memory that [`erode_into`] and [`erode_euclidean_into`](super::erode_euclidean_into) keep from call to call.
#[derive(Debug, Default)]
pub struct ErodeScratch {
    /// 16 bits are enough: a field has at most 2^28 cells, so none is 2^14 from an edge.
    distance: Vec<u16>,
    /// The distance from which on ground stays.
    limit: u16,
    /// For the exact erosion: cells to the next obstacle in the row, and the spans that it takes away.
    pub(super) along_rows: Vec<u32>,
    pub(super) taken: Vec<u32>,
    /// Spans by distance; distances differ by at most 3 at any time.
    buckets: [Vec<u32>; 4],
}

/// Takes away the area type of spans closer than `radius_vx` cells to where no agent can stand. 0 changes nothing.
pub fn erode(field: &mut CompactHeightfield, radius_vx: u32) {
    erode_into(field, radius_vx, &mut ErodeScratch::default());
}

/// [`erode`] with memory reused.
pub fn erode_into(field: &mut CompactHeightfield, radius_vx: u32, scratch: &mut ErodeScratch) {
    if radius_vx > 0 {
        scratch.begin(field, radius_vx);
        find_boundary(field, &mut scratch.buckets[0]);
        scratch.spread(field);
    }
}

/// What [`erode_into`] takes away of a field because of the spans `taken`, which were walkable and no longer are.
///
/// Links stay as they are, so each span's distance is the lesser of that without `taken` and that to them: ground that
/// is taken away here, or was before, is all that erosion takes.
pub(crate) fn erode_around_into(
    field: &mut CompactHeightfield,
    radius_vx: u32,
    taken: &[u32],
    scratch: &mut ErodeScratch,
) {
    if radius_vx > 0 && !taken.is_empty() {
        scratch.begin(field, radius_vx);
        // They lack a neighbour now, if they have not always.
        let beside = taken.iter().flat_map(|&span| field.neighbours[span as usize]).filter(|&span| span != NONE);
        scratch.buckets[0].extend(taken.iter().copied().chain(beside));
        scratch.spread(field);
    }
}

impl ErodeScratch {
    fn begin(&mut self, field: &CompactHeightfield, radius_vx: u32) {
        self.limit = radius_vx.saturating_mul(2).min(u32::from(u16::MAX)) as u16;
        self.distance.clear();
        self.distance.resize(field.span_count(), self.limit);
        self.buckets.iter_mut().for_each(Vec::clear);
    }

    /// Takes ground away from the spans in the first bucket outwards.
    fn spread(&mut self, field: &mut CompactHeightfield) {
        let Self { distance, buckets, limit, .. } = self;
        let limit = *limit;
        for &span in &buckets[0] {
            distance[span as usize] = 0;
            field.area[span as usize] = AreaId::NULL;
        }
        let mut now = 0;
        while now < limit && !buckets.iter().all(Vec::is_empty) {
            let mut spans = core::mem::take(&mut buckets[now as usize % 4]);
            for &span in &spans {
                if distance[span as usize] != now {
                    // Found again on a shorter way.
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
                        buckets[distance_there as usize % 4].push(span);
                    }
                };
                for direction in 0..4 {
                    let beside = field.neighbours[span as usize][direction];
                    reach(beside, now + 2);
                    // As long as distances are asked for at all: most often the diagonals are beyond the limit.
                    if beside != NONE && now + 3 < limit {
                        reach(field.neighbours[beside as usize][(direction + 1) % 4], now + 3);
                    }
                }
            }
            spans.clear();
            buckets[now as usize % 4] = spans;
            now += 1;
        }
    }
}

/// Lists the spans that are not walkable or lack a walkable neighbour.
fn find_boundary(field: &CompactHeightfield, found: &mut Vec<u32>) {
    let all_walkable = !field.area.iter().any(|area| area.is_null());
    // As if all were; cut back below. Every span is written and kept if it is one.
    found.resize(field.span_count(), 0);
    let mut count = 0;
    for (i, (&area, neighbours)) in field.area.iter().zip(&field.neighbours).enumerate() {
        let linked = neighbours.iter().fold(true, |all, &n| all & (n != NONE));
        let inside = linked
            && (all_walkable || (!area.is_null() && neighbours.iter().all(|&n| !field.area[n as usize].is_null())));
        found[count] = i as u32;
        count += usize::from(!inside);
    }
    found.truncate(count);
}
