//! Median filter: removes specks and smooths ragged boundaries of area types.
//!
//! Each walkable span takes the median of the area types of its 3 x 3 neighbourhood over links. If a neighbour is
//! missing or not walkable, the span's own type replaces it, so the borders of the surface are not worn away.
//!
//! Cost: nine links and a small sort per span. Sources: Mikko Mononen, Recast (`rcMedianFilterWalkableArea`), 2010.

use super::CompactHeightfield;
use crate::area::AreaId;
use crate::math::index::NONE;

/// Smooths the area types of walkable spans. `scratch` is memory that can be reused between calls.
pub fn median_filter(field: &mut CompactHeightfield, scratch: &mut Vec<AreaId>) {
    scratch.clear();
    scratch.extend((0..field.span_count()).map(|span| median_around(field, span)));
    field.area.copy_from_slice(scratch);
}

/// The median of a span's neighbourhood; its own type if it is not walkable.
fn median_around(field: &CompactHeightfield, span: usize) -> AreaId {
    let own = field.area[span];
    if own.is_null() {
        return own;
    }
    let mut around = [own; 9];
    let area = |n: u32| if n == NONE || field.area[n as usize].is_null() { own } else { field.area[n as usize] };
    for direction in 0..4 {
        let beside = field.neighbours[span][direction];
        if beside != NONE {
            around[2 * direction] = area(beside);
            around[2 * direction + 1] = area(field.neighbours[beside as usize][(direction + 1) % 4]);
        }
    }
    around.sort_unstable();
    around[4]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::BakeSettings;
    use crate::voxel::compact;
    use crate::voxel::test_columns::field_of_columns;

    #[test]
    fn specks_go_and_edges_stay() {
        let map = ["aaabbb", "aabbbb", "aaabab", "aaabbb"];
        let floor = |letter: char| [(0, 1, AreaId::from_low_bits(if letter == 'a' { 3 } else { 9 }))];
        let columns: Vec<_> = map.iter().flat_map(|row| row.chars().map(floor)).collect();
        let slices: Vec<&[(u16, u16, AreaId)]> = columns.iter().map(<[_; 1]>::as_slice).collect();
        let settings = BakeSettings::default().to_voxel().unwrap();
        let mut field = compact(&field_of_columns(6, &slices), 0, &settings);
        median_filter(&mut field, &mut Vec::new());
        let letter = |a: &AreaId| if a.get() == 3 { 'a' } else { 'b' };
        let rows: Vec<String> = field.area.chunks(6).map(|row| row.iter().map(letter).collect()).collect();
        assert_eq!(rows, ["aaabbb", "aaabbb", "aaabbb", "aaabbb"]);
    }
}
