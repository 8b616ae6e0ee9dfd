//! Straight ways over open ground had a corner where four tiles meet: each tile had its own copy of the vertex, and
//! they differed in the last bit.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::input::BakeSettings;
use wayfare::query::{DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path, string_pull};

#[test]
fn a_straight_way_over_open_ground_has_two_points() {
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    for origin in [0.0, -77.7, 1234.5] {
        let level = floors(&[([origin, origin + 24.0], [origin, origin + 24.0], 0.0)]);
        let (mesh, _) = bake(&level, &BakeSettings { tile_size: 20, ..BakeSettings::default() });
        assert_eq!(mesh.tile_count(), 16);
        let place = |x: f32, z: f32| {
            let point = Vec3::new(origin + x, 0.0, origin + z);
            find_nearest(&mesh, point, Vec3::splat(1.0), &filter).unwrap().place()
        };
        for (from, to) in [
            ([3.0, 3.0], [21.0, 21.0]),
            ([3.0, 21.0], [21.0, 3.0]),
            ([3.0, 12.0], [21.0, 12.0]),
            ([1.0, 6.0], [6.0, 23.0]),
        ] {
            let request = PathRequest::new(place(from[0], from[1]), place(to[0], to[1]));
            let path = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
            assert_eq!(path.status, PathStatus::Complete);
            let straight = string_pull(&path, &mut scratch);
            assert_eq!(straight.points.len(), 2, "{origin}: {from:?} to {to:?}: {:?}", straight.points);
        }
    }
}
