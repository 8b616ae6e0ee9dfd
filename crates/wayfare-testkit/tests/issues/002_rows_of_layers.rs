//! Houses of many storeys crashed the bake with monotone or layer regions: the buffers for the sweeps of a row had room
//! for one storey.

use super::{bake, floors, ground_at};
use wayfare::Vec3;
use wayfare::input::{BakeSettings, Partition};

#[test]
fn a_row_may_hold_any_number_of_storeys() {
    const STOREYS: u16 = 60;
    let storey = |k: u16| 3.0 * f32::from(k);
    let house = floors(&(0..STOREYS).map(|k| ([0.0, 9.0], [0.0, 9.0], storey(k))).collect::<Vec<_>>());
    for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
        for tile_size in [0, 16] {
            let (mesh, report) = bake(&house, &BakeSettings { partition, tile_size, ..BakeSettings::default() });
            assert!(report.stats.regions >= u64::from(STOREYS), "{partition:?}");
            for k in 0..STOREYS {
                let there = ground_at(&mesh, Vec3::new(4.5, storey(k), 4.5), 0.5);
                assert!(there.is_some(), "{partition:?}, tiles of {tile_size}: storey {k} is missing");
            }
        }
    }
}
