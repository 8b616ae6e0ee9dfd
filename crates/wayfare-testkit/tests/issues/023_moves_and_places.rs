//! An agent moved along a wall, was looked up again where it stood, and was suddenly on other ground: the move and the
//! look-up did not agree on what "inside a polygon" means.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::input::BakeSettings;
use wayfare::math::Rng;
use wayfare::query::{DefaultFilter, SearchScratch, find_nearest, move_along_surface};

#[test]
fn whoever_moves_is_found_where_the_move_ended_and_never_changes_island() {
    // Two grounds, two voxels apart after erosion, and a tower of floors.
    let level =
        floors(&[([0.0, 10.0], [0.0, 20.0], 0.0), ([10.4, 20.0], [0.0, 20.0], 0.0), ([2.0, 8.0], [2.0, 8.0], 3.0)]);
    for tile_size in [0, 20] {
        let (mesh, _) = bake(&level, &BakeSettings { tile_size, ..BakeSettings::default() });
        let (filter, mut scratch, mut rng) = (DefaultFilter::default(), SearchScratch::new(), Rng::new(23));
        let components = mesh.components();
        for start in [[5.0, 0.0, 15.0], [15.0, 0.0, 5.0], [5.0, 3.0, 5.0]] {
            let mut at = find_nearest(&mesh, start, Vec3::splat(1.0), &filter).unwrap().place();
            let component = components.component(at.poly);
            for _ in 0..400 {
                let step = Vec3::new(rng.unit() - 0.5, 0.0, rng.unit() - 0.5) * 6.0;
                at = move_along_surface(&mesh, at, at.point + step, &filter, &mut scratch).unwrap().place;
                let found = find_nearest(&mesh, at.point, Vec3::new(0.5, 1.0, 0.5), &filter).unwrap();
                let apart = (found.point - at.point) * Vec3::new(1.0, 0.0, 1.0);
                assert!(apart.length() < 1e-4, "{at:?} {found:?}");
                assert_eq!((components.component(at.poly), components.component(found.poly)), (component, component));
            }
        }
    }
}
