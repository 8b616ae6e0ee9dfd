//! Low-hanging obstacles: what sticks out of the ground by no more than the climb can be stepped onto.
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

/// Gives a span that is not walkable the area type of the walkable span below it in its column, where its top is no more
/// than `climb_vx` higher. Only area types change.
pub fn filter_low_hanging_obstacles(field: &mut Heightfield, climb_vx: u32) {
    for cell in field.columns.windows(2) {
        let column = cell[0] as usize..cell[1] as usize;
        if column.len() < 2 {
            continue;
        }
        let (tops, areas) = (&field.max[column.clone()], &mut field.area[column]);
        let mut below = areas[0];
        for i in 1..areas.len() {
            let own = areas[i];
            if own.is_null() && !below.is_null() && u32::from(tops[i] - tops[i - 1]) <= climb_vx {
                areas[i] = below;
            }
            below = own;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::voxel::column_tests::field_of_columns;

    #[test]
    fn a_curb_is_stepped_onto_and_a_wall_of_slabs_is_not() {
        let (walk, wall) = (AreaId::from_low_bits(5), AreaId::NULL);
        // Tops 2, 4, 6: the second is within the climb of the walkable one, the third only of the second.
        let mut field = field_of_columns(1, &[&[(0, 2, walk), (3, 4, wall), (5, 6, wall)]]);
        filter_low_hanging_obstacles(&mut field, 2);
        assert_eq!(field.area, [walk, walk, wall]);
        let mut field = field_of_columns(1, &[&[(0, 2, walk), (3, 5, wall)]]);
        filter_low_hanging_obstacles(&mut field, 2);
        assert_eq!(field.area, [walk, wall]);
    }
}
