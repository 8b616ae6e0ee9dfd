//! Paths "in any direction" led through walls, or bent where nothing was: the polygons that came with them were those
//! of the search before its shortcuts, and no string pulled through them had the points of the path.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::input::BakeSettings;
use wayfare::math::{Rng, plane};
use wayfare::mesh::PolyRef;
use wayfare::query::{
    DefaultFilter, PathRequest, PointSampler, SearchScratch, StraightPath, closest_point_on_boundary,
    find_optimal_path, string_pull,
};

#[test]
fn the_string_through_the_polygons_of_an_optimal_path_is_that_path() {
    // Ground with gaps, a fork around each of them.
    let mut level = Vec::new();
    for (x, z) in (0..6).flat_map(|z| (0..6).map(move |x| (x as f32 * 6.0, z as f32 * 6.0))) {
        level.push(([x, x + 3.5], [z, z + 6.0], 0.0));
        level.push(([x + 3.5, x + 6.0], [z, z + 3.0 + (x + z) % 5.0 * 0.3], 0.0));
    }
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    let mut bends = 0;
    for tile_size in [0, 32] {
        let (mesh, _) = bake(&floors(&level), &BakeSettings { tile_size, ..BakeSettings::default() });
        let (places, mut rng) = (PointSampler::on_mesh(&mesh, &filter), Rng::new(18));
        for _ in 0..150 {
            let mut place = || places.sample(&mesh, &mut rng).unwrap().unwrap();
            let request = PathRequest::new(place(), place());
            let found = find_optimal_path(&mesh, &request, &filter, &mut scratch).unwrap();
            assert_eq!(found.path.status, PathStatus::Complete);
            for pair in found.path.polys.windows(2) {
                assert!(mesh.poly(pair[0]).unwrap().portals().any(|portal| portal.to == pair[1]), "{request:?}");
            }
            let pulled = string_pull(&found.path, &mut scratch);
            let points = |straight: &StraightPath| -> Vec<Vec3> { straight.points.iter().map(|p| p.point).collect() };
            assert_eq!(points(&pulled), points(&found.straight), "{request:?}");
            // Every place on it lies on one of its polygons.
            for pair in found.straight.points.windows(2) {
                let between = (1..20).map(|k| pair[0].point.lerp(pair[1].point, k as f32 / 20.0));
                for p in between {
                    let beside =
                        |poly: &PolyRef| plane::distance(closest_point_on_boundary(&mesh, *poly, p).unwrap(), p);
                    assert!(found.path.polys.iter().any(|poly| beside(poly) < 1e-4), "{p} {request:?}");
                }
            }
            bends += found.straight.points.len() - 2;
        }
    }
    assert!(bends > 200, "{bends} bends");
}
