//! Finds islands of open spans: everything that can be reached from one span over neighbours.
//!
//! Cost: one look at every link. Sources: breadth-first search.

use crate::math::index::NONE;
use crate::voxel::CompactHeightfield;

/// Calls `f` with the walkable spans of each island, in the order of their first spans.
pub(super) fn for_each_island(field: &CompactHeightfield, mut f: impl FnMut(&[u32])) {
    let mut seen = vec![false; field.span_count()];
    let mut island = Vec::new();
    for start in 0..field.span_count() {
        if field.area[start].is_null() || core::mem::replace(&mut seen[start], true) {
            continue;
        }
        island.clear();
        island.push(start as u32);
        let mut next = 0;
        while let Some(&span) = island.get(next) {
            next += 1;
            for beside in field.neighbours[span as usize].into_iter().filter(|&n| n != NONE) {
                if !field.area[beside as usize].is_null() && !core::mem::replace(&mut seen[beside as usize], true) {
                    island.push(beside);
                }
            }
        }
        f(&island);
    }
}
