//! A tower of two hundred floors that was baked in one tile with layer regions took two gigabytes, and where addresses
//! have 32 bits no mesh came of it: for every cell, every pair of floors was written down.

use super::floors;
use wayfare::bake::{RegionLimits, layer_regions};
use wayfare::input::BakeSettings;
use wayfare::voxel::{Grid, RasterInput, compact, rasterize};

/// The most bytes at a time that the layers of a tower take.
fn most_bytes(count: u32) -> u64 {
    let tower: Vec<_> = (0..count).map(|floor| ([0.0, 9.0], [0.0, 9.0], floor as f32 * 4.0)).collect();
    let (tower, settings) = (floors(&tower), BakeSettings::default().to_voxel().unwrap());
    let level = Grid::of_level(tower.bounds(), &settings).unwrap();
    let open = compact(&rasterize(&RasterInput::whole(&tower, &level, &settings)), 0, &settings);
    let mut layers = 0;
    let limits = RegionLimits { min_cells: 0, merge_cells: 0 };
    let taken = allocation_counter::measure(|| layers = layer_regions(&open, limits).count);
    assert_eq!(layers, count, "a layer is a floor");
    taken.bytes_max
}

#[test]
fn four_times_the_floors_take_four_times_the_memory() {
    let [small, large] = [50, 200].map(most_bytes);
    assert!(large < small * 5, "{small} bytes for 50 floors, {large} for 200");
}
