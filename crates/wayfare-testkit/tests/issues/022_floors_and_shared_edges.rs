//! Somebody between two floors was put on the wrong one, and a point exactly on the edge between two polygons was on
//! none.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::input::BakeSettings;
use wayfare::math::Aabb;
use wayfare::query::{DefaultFilter, find_nearest, find_nearest_in};

#[test]
fn limits_above_and_below_choose_the_floor() {
    let level = floors(&[([0.0, 12.0], [0.0, 12.0], 0.0), ([0.0, 12.0], [0.0, 12.0], 3.0)]);
    let (mesh, _) = bake(&level, &BakeSettings::default());
    let (filter, point) = (DefaultFilter::default(), Vec3::new(6.0, 1.9, 6.0));
    let within = |below: f32, above: f32| {
        let limits = Aabb { min: point - Vec3::new(1.0, below, 1.0), max: point + Vec3::new(1.0, above, 1.0) };
        find_nearest_in(&mesh, point, &limits, &filter).map(|found| found.point.y.round())
    };
    assert_eq!((within(4.0, 4.0), within(4.0, 0.5), within(0.5, 0.5)), (Some(3.0), Some(0.0), None));
    // Whoever stands on a floor, a little above or below it, is on that one.
    for (y, floor) in [(0.3, 0.0), (-0.2, 0.0), (3.4, 3.0), (2.7, 3.0)] {
        let found = find_nearest(&mesh, Vec3::new(6.0, y, 6.0), Vec3::new(1.0, 4.0, 1.0), &filter).unwrap();
        assert_eq!((found.point.y.round(), found.over), (floor, true), "{y}");
    }
}

#[test]
fn a_point_on_an_edge_or_a_corner_is_over_a_polygon() {
    let level = floors(&[([0.0, 18.0], [0.0, 6.0], 0.0), ([0.0, 6.0], [0.0, 18.0], 0.0)]);
    let (mesh, _) = bake(&level, &BakeSettings { tile_size: 20, ..BakeSettings::default() });
    let filter = DefaultFilter::default();
    for tile in mesh.tiles() {
        for poly in 0..tile.poly_count() {
            let points: Vec<Vec3> = tile.data().points_of(poly).collect();
            for point in &points {
                let found = find_nearest(&mesh, *point, Vec3::splat(0.5), &filter).unwrap();
                assert!(found.over, "{point}");
                // The same answer from any height within the climb: it depends on nothing but the place.
                let above = find_nearest(&mesh, *point + Vec3::Y * 0.3, Vec3::splat(0.5), &filter).unwrap();
                assert_eq!(above.poly, found.poly, "{point}");
            }
        }
    }
}
