//! Random points "within a circle" lay outside it, by as much as the polygon that they fell on was large.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::input::BakeSettings;
use wayfare::math::Rng;
use wayfare::query::{DefaultFilter, SearchScratch, find_nearest, random_point_in_circle};

#[test]
fn every_point_lies_strictly_inside_also_on_polygons_larger_than_the_circle() {
    let (mesh, _) = bake(&floors(&[([0.0, 60.0], [0.0, 40.0], 0.0)]), &BakeSettings::default());
    let (filter, mut scratch, mut rng) = (DefaultFilter::default(), SearchScratch::new(), Rng::new(19));
    for (x, z) in [(30.0, 20.0), (0.7, 0.7), (59.0, 39.0)] {
        let center = find_nearest(&mesh, Vec3::new(x, 0.0, z), Vec3::splat(2.0), &filter).unwrap().place();
        for radius in [0.3, 2.0, 15.0] {
            for _ in 0..300 {
                let drawn = random_point_in_circle(&mesh, center, radius, &filter, &mut scratch, &mut rng);
                let place = drawn.unwrap().unwrap();
                let (dx, dz) = (place.point.x - center.point.x, place.point.z - center.point.z);
                assert!(dx * dx + dz * dz < radius * radius, "{radius}: {place:?}");
                let (tile, poly) = mesh.locate(place.poly).unwrap();
                assert!(tile.data().closest_point(poly, place.point).point.distance(place.point) < 1e-3);
            }
        }
    }
}
