//! Removes spans under low ceilings, where the agent cannot stand.
//!
//! Cost: one pass over the spans. Sources: Mikko Mononen, Recast (`rcFilterWalkableLowHeightSpans`), 2009.

use super::Heightfield;
use crate::area::AreaId;

/// Removes the area type of spans with less than `height_vx` of free space above. Only area types change.
pub fn filter_low_height(field: &mut Heightfield, height_vx: u32) {
    for z in 0..field.grid.depth {
        take_low_ground(field, z, height_vx);
    }
}

/// Like [`filter_low_height`], for one row.
pub(super) fn take_low_ground(field: &mut Heightfield, z: u32, height_vx: u32) {
    let cells = field.grid.index(0, z)..field.grid.index(0, z + 1) + 1;
    for cell in field.columns[cells].windows(2) {
        let column = cell[0] as usize..cell[1] as usize;
        // The topmost span is under the open sky.
        for i in column.start..column.end.saturating_sub(1) {
            if u32::from(field.min[i + 1] - field.max[i]) < height_vx {
                field.area[i] = AreaId::NULL;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::test_columns::field_of_columns;

    #[test]
    fn only_low_ceilings_take_the_ground() {
        let walk = AreaId::WALKABLE;
        let mut field = field_of_columns(1, &[&[(0, 1, walk), (5, 6, walk), (11, 65535, walk)], &[]]);
        filter_low_height(&mut field, 5);
        assert_eq!(field.area, [AreaId::NULL, walk, walk]);
    }
}
