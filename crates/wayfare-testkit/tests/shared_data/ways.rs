//! Ways: paths in one piece and in slices, pulled strings, crossings, rays, moves.

use super::{dungeon, facts, number, place, references, vec3};
use serde_json::Value;
use wayfare::area::PathStatus;
use wayfare::context::Budget;
use wayfare::math::plane;
use wayfare::mesh::NavMesh;
use wayfare::query::{
    Crossings, DefaultFilter, PathRequest, PointKind, PolyPath, SearchScratch, SlicedSearch, StraightPath,
    add_crossings, find_path, move_along_surface, raycast_with_cost, string_pull,
};

fn request(case: &Value) -> PathRequest {
    PathRequest::new(place(&case["start_ref"], &case["start_pos"]), place(&case["end_ref"], &case["end_pos"]))
}

/// The path is theirs or, by the string pulled through it, no longer than theirs; a partial one ends no farther from
/// the goal.
fn assert_as_good(mesh: &NavMesh, case: &Value, path: &PolyPath) {
    let (request, mut scratch) = (request(case), SearchScratch::new());
    let polys = references(&case["expected_path_refs"]);
    if case["expected_status"] == "DT_SUCCESS" {
        let theirs = PolyPath::along(mesh, &polys, request.start.point, request.goal.point).unwrap();
        let [ours, theirs] = [path, &theirs].map(|path| string_pull(path, &mut scratch).length);
        assert_eq!(path.status, PathStatus::Complete, "{case}");
        assert!(ours <= theirs * 1.0001, "{ours} m, theirs {theirs} m {case}");
    } else {
        let goal = request.goal.point;
        let last = mesh.poly(*polys.last().unwrap()).unwrap();
        let points: Vec<_> = last.points().collect();
        let theirs = wayfare::math::polygon::closest_on_border(&points, goal).unwrap().point;
        assert_eq!(path.status, PathStatus::Partial, "{case}");
        assert!(path.end.distance(goal) <= theirs.distance(goal) + 1e-3, "{} {theirs} {case}", path.end);
    }
}

#[test]
fn paths_are_as_good_as_those_of_other_ports() {
    let Some(cases) = facts("detour_find_path.json") else { return };
    let (mesh, filter, mut scratch) = (dungeon(), DefaultFilter::default(), SearchScratch::new());
    let mut same = 0;
    for case in &cases {
        let path = find_path(&mesh, &request(case), &filter, &mut scratch).unwrap();
        same += usize::from(path.polys == references(&case["expected_path_refs"]));
        assert_as_good(&mesh, case, &path);
    }
    assert!(same + 2 >= cases.len(), "{same} of {} paths lead over the same polygons", cases.len());
}

/// The slices there look for shortcuts ("any angle"); ours search as in one piece. The strings pulled through both are
/// compared.
#[test]
fn sliced_paths_are_as_good_as_those_of_other_ports() {
    let Some(cases) = facts("detour_find_path_sliced.json") else { return };
    let (mesh, filter) = (dungeon(), DefaultFilter::default());
    for case in &cases {
        let mut search = SlicedSearch::new(&mesh, &request(case), &filter).unwrap();
        while !search.step(&filter, &mut Budget::new(10)) {}
        let (path, gone) = search.path(&mesh);
        assert_eq!(gone, None);
        assert_as_good(&mesh, case, &path);
    }
}

/// Their path over polygons with our string through it. That of a partial path ends at the point of its last polygon
/// nearest to the goal.
fn string_along(mesh: &NavMesh, case: &Value) -> (PolyPath, StraightPath) {
    let (request, polys) = (request(case), references(&case["path_refs"]));
    let end = wayfare::query::closest_point_on_boundary(mesh, *polys.last().unwrap(), request.goal.point).unwrap();
    let path = PolyPath::along(mesh, &polys, request.start.point, end).unwrap();
    let straight = string_pull(&path, &mut SearchScratch::new());
    (path, straight)
}

/// Same points in the same order. Where several portals meet in a corner, a point there names the last polygon that is
/// entered; here a bend names the first.
fn assert_points(case: &Value, straight: &StraightPath) {
    let expected = case["expected_points"].as_array().unwrap();
    let all: Vec<_> = straight.points.iter().map(|p| p.point).collect();
    assert_eq!(all.len(), expected.len(), "{all:?} {case}");
    for (ours, theirs) in straight.points.iter().zip(expected) {
        assert!(ours.point.distance(vec3(&theirs["pos"])) <= number(&case["tolerance"]), "{ours:?} {theirs}");
        match theirs["flags"].as_u64().unwrap() {
            1 => assert_eq!(ours.kind, PointKind::Start, "{theirs}"),
            2 => assert_eq!(ours.kind, PointKind::End, "{theirs}"),
            _ => assert!(!matches!(ours.kind, PointKind::Start | PointKind::End), "{theirs}"),
        }
    }
}

#[test]
fn strings_bend_where_those_of_other_ports_bend() {
    let Some(cases) = facts("detour_find_straight_path.json") else { return };
    let mesh = dungeon();
    cases.iter().for_each(|case| assert_points(case, &string_along(&mesh, case).1));
    assert!(cases.len() >= 5);
}

#[test]
fn crossings_are_those_of_the_reference() {
    let Some(cases) = facts("detour_straight_path_crossings_upstream_reference.json") else { return };
    let mesh = dungeon();
    for case in &cases {
        let (path, straight) = string_along(&mesh, case);
        let crossings = if case["options"] == 1 { Crossings::Areas } else { Crossings::All };
        assert_points(case, &add_crossings(&mesh, &path, crossings, &straight).unwrap());
    }
}

#[test]
fn rays_end_where_those_of_the_reference_end() {
    let Some(cases) = facts("detour_raycast_upstream_reference.json") else { return };
    let (mesh, filter, mut scratch) = (dungeon(), DefaultFilter::default(), SearchScratch::new());
    for case in &cases {
        let request = request(case);
        let ray = raycast_with_cost(&mesh, request.start, request.goal.point, &filter, &mut scratch).unwrap();
        assert_eq!((ray.hit, &ray.polys), (case["hit"] == true, &references(&case["expected_path_refs"])), "{case}");
        // There, a ray that hits nothing has t = FLT_MAX; here it has come all the way: 1.
        let t = case["expected_t"].as_f64().unwrap_or(1.0) as f32;
        assert!((ray.t - t).abs() < 1e-4, "{ray:?} {case}");
        assert!(ray.normal.distance(vec3(&case["expected_hit_normal"])) < 1e-4, "{ray:?} {case}");
        // The cost there is that of the way in space, as here.
        let cost = number(&case["path_cost_with_DT_RAYCAST_USE_COSTS"]);
        assert!((ray.cost - cost).abs() < 0.01 * cost, "{} {case}", ray.cost);
    }
}

#[test]
fn moves_end_where_those_of_other_ports_end() {
    let Some(cases) = facts("detour_move_along_surface.json") else { return };
    let (mesh, filter, mut scratch) = (dungeon(), DefaultFilter::default(), SearchScratch::new());
    for case in &cases {
        let request = request(case);
        let moved = move_along_surface(&mesh, request.start, request.goal.point, &filter, &mut scratch).unwrap();
        let expected = vec3(&case["expected_pos"]);
        assert!(plane::distance(moved.place.point, expected) <= number(&case["tolerance"]), "{moved:?} {case}");
        assert_eq!(moved.visited, references(&case["expected_visited_refs"]), "{case}");
    }
}
