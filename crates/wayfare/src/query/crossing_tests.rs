//! Filters whose costs depend on the polygons before and after.

use super::test_maps::{at, mesh, random_map};
use super::{
    AroundRequest, CostMap, CostMapRequest, Crossing, DefaultFilter, NearestGoalRequest, PathRequest, PolyPath,
    PolyPoint, QueryFilter, SearchScratch, SlicedSearch, find_optimal_path, find_path, find_path_to_nearest,
    polys_around, raycast_with_cost,
};
use crate::area::{AreaId, PathStatus};
use crate::context::Budget;
use crate::math::Rng;
use crate::mesh::{NavMesh, PolyRef, PolyState};

/// A metre costs one; who enters an area from another pays a toll.
struct Toll(f32);

impl QueryFilter for Toll {
    fn passes(&self, _: PolyRef, _: PolyState) -> bool {
        true
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        let enters = crossing.next_state().is_some_and(|next| next.area != crossing.state.area);
        crossing.length() + if enters { self.0 } else { 0.0 }
    }
}

/// The same, asked of the polygon that was entered.
struct TollBehind(f32);

impl QueryFilter for TollBehind {
    fn passes(&self, _: PolyRef, _: PolyState) -> bool {
        true
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        let has_entered = crossing.before_state().is_some_and(|before| before.area != crossing.state.area);
        crossing.length() + if has_entered { self.0 } else { 0.0 }
    }
}

/// Bars the step from one area into another.
struct OneWay {
    from: AreaId,
    into: AreaId,
}

impl QueryFilter for OneWay {
    fn passes(&self, _: PolyRef, _: PolyState) -> bool {
        true
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        let is_barred =
            crossing.state.area == self.from && crossing.next_state().is_some_and(|next| next.area == self.into);
        if is_barred { f32::INFINITY } else { crossing.length() }
    }
}

fn area(number: u8) -> AreaId {
    AreaId::new(number).unwrap()
}

/// Gives the polygons in a column, `at` x, an area type.
fn paint(mesh: &mut NavMesh, at: impl Fn(f32) -> bool, area: AreaId) {
    let polys: Vec<PolyRef> = mesh.tiles().flat_map(|t| (0..t.poly_count()).map(|i| t.reference(i))).collect();
    for poly in polys {
        if at(mesh.poly(poly).unwrap().center().x) {
            mesh.set_area(poly, area).unwrap();
        }
    }
}

/// How many borders between area types a path crosses.
fn tolls(mesh: &NavMesh, path: &PolyPath) -> f32 {
    let area = |poly: &PolyRef| mesh.state(*poly).unwrap().area;
    path.polys.windows(2).filter(|pair| area(&pair[0]) != area(&pair[1])).count() as f32
}

/// Everything that weighs costs asks the same toll, once for each border.
#[test]
fn a_toll_is_paid_by_every_search() {
    let mut mesh = mesh(&[((0, 0), "aaaaa"), ((1, 0), "aaaaa")]);
    paint(&mut mesh, |x| (3.0..7.0).contains(&x), area(9));
    let mut scratch = SearchScratch::new();
    let start = at(&mesh, (0.5, 0.5)).unwrap();
    let goal = at(&mesh, (9.5, 0.5)).unwrap();
    let filters: [&dyn QueryFilter; 2] = [&Toll(100.0), &TollBehind(100.0)];
    for filter in filters {
        let request = PathRequest::new(start, goal);
        let close = |cost: f32| (cost - 209.0).abs() < 1e-3;
        let path = find_path(&mesh, &request, filter, &mut scratch).unwrap();
        assert!(close(path.cost), "{}", path.cost);
        let mut sliced = SlicedSearch::new(&mesh, &request, filter).unwrap();
        while !sliced.step(filter, &mut Budget::new(1)) {}
        assert_eq!(sliced.path(&mesh).0, path);
        let goals = [goal];
        let nearest = find_path_to_nearest(&mesh, &NearestGoalRequest::new(start, &goals), filter, &mut scratch);
        assert!(close(nearest.unwrap().0.cost));
        let map = CostMap::new(&mesh, &CostMapRequest::new(start), filter).unwrap();
        let mut found = PolyPath::default();
        assert_eq!(map.path_to(&mesh, goal, filter, &mut found), None);
        assert!(close(found.cost), "{}", found.cost);
        let ray = raycast_with_cost(&mesh, start, goal.point, filter, &mut scratch).unwrap();
        assert!(!ray.hit && close(ray.cost), "{}", ray.cost);
        let optimal = find_optimal_path(&mesh, &request, filter, &mut scratch).unwrap();
        assert!(close(optimal.path.cost), "{}", optimal.path.cost);
    }
    // To where the last polygon is entered: before its own toll, if that is asked behind the border.
    for (filter, cost) in [(filters[0], 208.5), (filters[1], 208.5)] {
        let around = polys_around(&mesh, &AroundRequest::circle(start, 20.0), filter, &mut scratch).unwrap();
        assert!((around.last().unwrap().cost - cost).abs() < 1e-3, "{around:?}");
    }
}

#[test]
fn a_ray_through_a_vertex_pays_for_what_it_touches() {
    let mut mesh = mesh(&[((0, 0), "aa\naa")]);
    let mut scratch = SearchScratch::new();
    let polys: Vec<PolyRef> = mesh.tiles().flat_map(|t| (0..t.poly_count()).map(|i| t.reference(i))).collect();
    for (number, &poly) in polys.iter().enumerate() {
        mesh.set_area(poly, area(number as u8 + 1)).unwrap();
    }
    let start = at(&mesh, (0.5, 0.5)).unwrap();
    let goal = at(&mesh, (1.5, 1.5)).unwrap();
    for filter in [&Toll(10.0) as &dyn QueryFilter, &TollBehind(10.0)] {
        let ray = raycast_with_cost(&mesh, start, goal.point, filter, &mut scratch).unwrap();
        assert_eq!((ray.hit, ray.polys.len()), (false, 3));
        assert!((ray.cost - 20.0 - 2.0_f32.sqrt()).abs() < 1e-3, "{}", ray.cost);
    }
}

/// A door that opens in one direction: there, but not back.
#[test]
fn an_infinite_cost_bars_a_crossing() {
    let mut mesh = mesh(&[((0, 0), "aaaaaa")]);
    paint(&mut mesh, |x| x > 3.0, area(9));
    let mut scratch = SearchScratch::new();
    let left = at(&mesh, (0.5, 0.5)).unwrap();
    let right = at(&mesh, (5.5, 0.5)).unwrap();
    let filter = OneWay { from: area(9), into: mesh.state(left.poly).unwrap().area };
    let mut ask = |start: PolyPoint, goal: PolyPoint| {
        let request = PathRequest::new(start, goal);
        let plain = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
        let optimal = find_optimal_path(&mesh, &request, &filter, &mut scratch).unwrap().path;
        assert_eq!(plain.status, optimal.status);
        let ray = raycast_with_cost(&mesh, start, goal.point, &filter, &mut scratch).unwrap();
        assert_eq!(ray.cost.is_finite(), plain.status == PathStatus::Complete);
        (plain.status, plain.end.x)
    };
    assert_eq!(ask(left, right), (PathStatus::Complete, 5.5));
    assert_eq!(ask(right, left), (PathStatus::Partial, 3.0));
}

/// What a path costs is its length over the nodes and the tolls of its borders, none twice and none left out, and it
/// crosses none that another path would save. (A node stays where its portal was first met, so two searches measure
/// the same polygons a little differently: by less than a toll.)
#[test]
fn a_path_pays_each_toll_once_and_none_that_it_can_save() {
    let mut rng = Rng::new(11);
    let mut scratch = SearchScratch::new();
    let mut asked = 0;
    for _ in 0..150 {
        let mut mesh = random_map(&mut rng, 1, 8);
        let border = 1.0 + rng.below(6) as f32;
        paint(&mut mesh, |x| x > border, area(9));
        let mut place = || at(&mesh, (rng.unit() * 8.0, rng.unit() * 8.0));
        let (Some(start), Some(goal)) = (place(), place()) else { continue };
        let request = PathRequest::new(start, goal);
        let plain = find_path(&mesh, &request, &DefaultFilter::default(), &mut scratch).unwrap();
        let distance = start.point.distance(goal.point);
        for filter in [&Toll(100.0) as &dyn QueryFilter, &TollBehind(100.0)] {
            let path = find_path(&mesh, &request, filter, &mut scratch).unwrap();
            assert_eq!(path.status, plain.status);
            if path.status == PathStatus::Complete {
                let length = path.cost - 100.0 * tolls(&mesh, &path);
                assert!(length >= distance - 1e-3 && length < 50.0, "{length} of {distance}");
                assert!(tolls(&mesh, &path) <= tolls(&mesh, &plain));
                asked += 1;
            }
        }
    }
    assert!(asked > 40, "{asked}");
}
