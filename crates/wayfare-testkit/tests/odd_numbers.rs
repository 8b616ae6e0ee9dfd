//! Questions with numbers that are none, endless, huge or tiny: each ends, and what it answers about a place that is
//! finite is finite.

use wayfare::area::PathStatus;
use wayfare::input::Partition;
use wayfare::math::Aabb;
use wayfare::query::{
    CostMap, DefaultFilter, PathRequest, PolyPath, PolyPoint, SearchLimits, SearchScratch, closest_point_on_boundary,
    closest_point_on_poly, find_distance_to_wall, find_nearest, find_nearest_in, find_optimal_path, find_path,
    find_path_to_box, find_path_to_nearest, local_neighbourhood, move_along_surface, poly_height, polys_around_circle,
    polys_around_shape, polys_in_box, random_point_in_circle, raycast_with_cost, string_pull,
};
use wayfare::{Vec3, math};
use wayfare_scenes::scene;
use wayfare_testkit::levels::{bake, connect};
use wayfare_testkit::{polys, property};

const ODD: [f32; 14] = [
    f32::NAN,
    -f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    1e30,
    -1e30,
    f32::MAX,
    f32::MIN,
    1e-40,
    -0.0,
    0.0,
    1.0,
    2.5,
    5.0,
];

#[test]
fn every_question_ends_and_answers_with_numbers() {
    let nav = connect(bake(&scene("two_floors").unwrap(), Partition::Watershed, 48).0);
    let (all, filter) = (polys(&nav), DefaultFilter::default());
    let limits = SearchLimits::default();
    property("every_question_ends_and_answers_with_numbers", 1000, |rng| {
        let scratch = &mut SearchScratch::new();
        let mut number = || ODD[rng.whole(0, ODD.len() as i32 - 1) as usize];
        let [a, b, c, d] = [(); 4].map(|()| Vec3::new(number(), number(), number()));
        let mut poly = || all[rng.whole(0, all.len() as i32 - 1) as usize];
        let (start, goal) = (PolyPoint { poly: poly(), point: a }, PolyPoint { poly: poly(), point: b });
        let bounds = Aabb { min: b, max: c };
        assert!(find_nearest(&nav, a, c, &filter).is_none_or(|near| near.point.is_finite()), "{a} {c}");
        assert!(find_nearest_in(&nav, a, &bounds, &filter).is_none_or(|near| near.point.is_finite()));
        let _ = (polys_in_box(&nav, &bounds, &filter), poly_height(&nav, start.poly, a));
        let (on, border) = (closest_point_on_poly(&nav, start.poly, a), closest_point_on_boundary(&nav, start.poly, a));
        assert!(on.is_ok() && border.is_ok_and(|p| p.is_finite() || !a.is_finite()), "{a}");
        let request = PathRequest::new(start, goal);
        let found = find_path(&nav, &request, &filter, scratch).unwrap();
        let pulled = string_pull(&found, scratch);
        let optimal = find_optimal_path(&nav, &request, &filter, scratch).unwrap();
        for (path, straight) in [(&found, &pulled), (&optimal.path, &optimal.straight)] {
            let is_nowhere = path.status == PathStatus::None && path.polys.is_empty() && straight.points.is_empty();
            assert_eq!(is_nowhere, !a.is_finite(), "{a} {b} {path:?}");
            assert!(!(path.cost.is_nan() || straight.length.is_nan()), "{a} {b} {path:?} {straight:?}");
        }
        assert!(a.is_finite() || (optimal.bound, optimal.straight.length) == (f32::INFINITY, 0.0), "{a} {b}");
        let ray = raycast_with_cost(&nav, start, b, &filter, scratch).unwrap();
        assert!((0.0..=1.0).contains(&ray.t), "{ray:?}");
        let moved = move_along_surface(&nav, start, b, &filter, scratch).unwrap();
        assert!(moved.place.point.is_finite() || !a.is_finite(), "{a} {b} {moved:?}");
        find_distance_to_wall(&nav, start, d.x, &filter, scratch).unwrap();
        polys_around_circle(&nav, start, d.x, &filter, scratch).unwrap();
        polys_around_shape(&nav, start, &[b, c, d], &filter, scratch).unwrap();
        local_neighbourhood(&nav, start, d.x, &filter, scratch).unwrap();
        random_point_in_circle(&nav, start, d.x, &filter, &mut math::Rng::new(1), scratch).unwrap();
        find_path_to_box(&nav, start, &bounds, limits, &filter, scratch).unwrap();
        let (path, which) = find_path_to_nearest(&nav, start, &[goal, start], limits, &filter, scratch).unwrap();
        assert_eq!(which.is_some(), path.status == PathStatus::Complete, "{path:?}");
        let costs = CostMap::new(&nav, start, SearchLimits { max_cost: d.x, ..limits }, &filter).unwrap();
        assert!(costs.path_to(&nav, goal, &filter, &mut PolyPath::default()).is_none());
    });
}
