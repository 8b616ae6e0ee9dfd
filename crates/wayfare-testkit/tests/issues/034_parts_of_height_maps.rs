//! A corner of a height map of 16,384 × 16,384 points could not be baked on a small machine: all of it was held. Now a
//! part is, and the bake within bounds comes out the same.

use wayfare::Vec3;
use wayfare::bake::{EmptyBake, bake_tiles};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, HeightMap, HeightPart, HeightScale};
use wayfare::math::Aabb;

#[test]
fn a_bake_within_bounds_needs_a_part() {
    let (size, origin) = ([150u32, 170], Vec3::new(-40.0, 3.0, 7.0));
    let scale = HeightScale { origin, spacing: 0.7, step: 0.02 };
    let height = |x: u32, z: u32| (100 + (x * 37 % 41) + (z * 53 % 29)) as u16;
    let all = (0..size[1]).flat_map(|z| (0..size[0]).map(move |x| height(x, z))).collect::<Vec<_>>();
    let range = [*all.iter().min().unwrap(), *all.iter().max().unwrap()];
    let map = HeightMap::new(size[0], size[1], all, scale).unwrap();
    let within = Aabb { min: Vec3::new(-11.3, 4.0, 30.1), max: Vec3::new(17.0, 9.0, 61.7) };
    let [columns, rows] = scale.needed(size, &within);
    let held = rows.clone().flat_map(|z| columns.clone().map(move |x| (x, z)));
    let samples: Vec<u16> = held.map(|(x, z)| map.sample(x, z)).collect();
    assert!(samples.len() < map.samples().len() / 8);
    let part = HeightMap::of_part(size, HeightPart { columns, rows, samples, range }, scale).unwrap();
    for tile_size in [0, 32] {
        let settings = BakeSettings { tile_size, bounds: Some(within), ..BakeSettings::default() };
        let [whole, part] = [&map, &part].map(|map| bake_tiles(map, &settings, &Context::default()).unwrap());
        assert!(whole.1.stats.polys > 0);
        assert_eq!(whole, part);
    }
    let settings = BakeSettings { bounds: Some(within), ..BakeSettings::default() };
    assert_eq!(EmptyBake::of(&map, &settings), EmptyBake::of(&part, &settings));
}
