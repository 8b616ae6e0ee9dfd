//! Makes low-hanging obstacles walkable: what protrudes by at most the climb can be stepped onto.
//!
//! ```text
//!          __   <- not walkable itself (too steep, too small), but within the climb of the walkable span below:
//!    _____|__|____                                                               it becomes walkable
//! ```
//!
//! A span that became walkable this way does not pass it on: a wall of thin slabs is not a staircase.
//!
//! Cost: one pass over the spans. Sources: Mikko Mononen, Recast (`rcFilterLowHangingWalkableObstacles`), 2009.

use super::Heightfield;
use crate::area::AreaId;

/// Gives a span that is not walkable the area type of the walkable span below it in its column, if its top is at most
/// `climb_vx` higher. Only area types change.
pub fn filter_low_hanging_obstacles(field: &mut Heightfield, climb_vx: u32) {
    let mut found = Vec::new();
    for z in 0..field.grid.depth {
        step_onto_obstacles(field, z, climb_vx, &mut found);
    }
}

/// Spans processed together.
const BLOCK: usize = 16;

/// Like [`filter_low_hanging_obstacles`], for one row.
///
/// Obstacles are rare, so all spans of the row are first tested in one straight pass, as if they were one column;
/// apparent obstacles above a span of the previous column are removed afterwards.
pub(super) fn step_onto_obstacles(field: &mut Heightfield, z: u32, climb_vx: u32, found: &mut Vec<u32>) {
    let starts = &field.columns[field.grid.index(0, z)..=field.grid.index(0, z + 1)];
    let (&[begin, ..], &[.., end]) = (starts, starts) else { return };
    let tops = &field.max[begin as usize..end as usize];
    let areas = &field.area[begin as usize..end as usize];
    let climb = climb_vx.min(u32::from(u16::MAX)) as u16;
    let is_obstacle = |tops: &[u16], areas: &[AreaId]| {
        areas[1].is_null() & !areas[0].is_null() & (tops[1].wrapping_sub(tops[0]) <= climb)
    };
    found.clear();
    for first in (0..tops.len()).step_by(BLOCK) {
        let last = (first + BLOCK + 1).min(tops.len());
        let tops = &tops[first..last];
        let areas = &areas[first..last];
        let pairs = || tops.windows(2).zip(areas.windows(2)).map(|(tops, areas)| is_obstacle(tops, areas));
        if pairs().fold(false, |any, one| any | one) {
            let above = |pair: usize| begin + (first + pair + 1) as u32;
            found.extend(pairs().enumerate().filter(|&(_, is)| is).map(|(pair, _)| above(pair)));
        }
    }
    // None of them supports another: they are not walkable. So the order does not matter.
    found.retain(|obstacle| starts.binary_search(obstacle).is_err());
    for &obstacle in found.iter() {
        field.area[obstacle as usize] = field.area[obstacle as usize - 1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::test_columns::field_of_columns;

    #[test]
    fn a_curb_is_stepped_onto_and_a_wall_of_slabs_is_not() {
        let walk = AreaId::from_low_bits(5);
        let wall = AreaId::NULL;
        // Tops 2, 4, 6: the second is within the climb of the walkable one, the third only of the second.
        let mut field = field_of_columns(1, &[&[(0, 2, walk), (3, 4, wall), (5, 6, wall)]]);
        filter_low_hanging_obstacles(&mut field, 2);
        assert_eq!(field.area, [walk, walk, wall]);
        let mut field = field_of_columns(1, &[&[(0, 2, walk), (3, 5, wall)]]);
        filter_low_hanging_obstacles(&mut field, 2);
        assert_eq!(field.area, [walk, wall]);
    }
}
