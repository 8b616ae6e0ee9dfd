//! Cutting a level of a million triangles into the parts that its tiles need took two minutes instead of half a second:
//! every part copied the lists of the parts before it.

use super::surface;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::voxel::{Grid, TriangleBins};

/// What sorting a level's triangles into tiles of 12 m takes: allocations, bytes in all, and entries in the tiles'
/// lists.
fn work(level: &TriMesh) -> (u64, u64, usize) {
    let settings = BakeSettings::default().to_voxel().unwrap();
    let grid = Grid::of_level(level.bounds(), &settings).unwrap();
    let mut entries = 0;
    let taken = allocation_counter::measure(|| {
        let bins = TriangleBins::new(level, &grid, 40, settings.border_vx);
        let tiles = (0..bins.rows()).flat_map(|row| (0..bins.columns()).map(move |column| (column, row)));
        entries = tiles.map(|(column, row)| bins.tile(column, row).len()).sum();
    });
    (taken.count_total, taken.bytes_total, entries)
}

#[test]
fn sixteen_times_the_triangles_are_sixteen_times_the_work() {
    let level = |side| surface(side, side, 1.0, |x, z| ((x * 7 + z * 3) % 5) as f32 * 0.1);
    let [small, large] = [level(100), level(400)].map(|level| work(&level));
    assert!(large.2 > 320_000, "every triangle is in some list: {large:?}");
    assert!(large.0 <= small.0 && large.0 <= 8, "{small:?} {large:?}");
    assert!(large.1 <= small.1 * 17 && large.2 <= small.2 * 17, "{small:?} {large:?}");
}
