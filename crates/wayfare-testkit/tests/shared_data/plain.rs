//! Small meshes and polygons, written out in numbers.

use super::{document, facts, number, vec3};
use serde_json::Value;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::corridor::fuse_start;
use wayfare::math::polygon;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{DefaultFilter, PolyPoint, SearchScratch, move_along_surface};
use wayfare::tile::{SourcePoly, TileSource, build_tile};

fn points(flat: &Value) -> Vec<Vec3> {
    let flat = flat.as_array().unwrap();
    flat.chunks(3).map(|p| Vec3::new(number(&p[0]), number(&p[1]), number(&p[2]))).collect()
}

fn mesh_of(verts: &[Vec3], triangles: &[[u32; 3]]) -> NavMesh {
    let poly = SourcePoly { count: 3, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
    let tile = build_tile(&TileSource {
        agent_height: 2.0,
        agent_climb: 0.5,
        verts,
        corners: triangles.as_flattened(),
        polys: &vec![poly; triangles.len()],
        ..TileSource::default()
    });
    NavMesh::from_tile(tile.unwrap()).unwrap()
}

/// Moves over two triangles: how many polygons they visit and where they end.
#[test]
fn moves_over_two_triangles_visit_what_they_visit_there() {
    let Some(facts) = document("navcat_small_cases.json") else { return };
    let facts = &facts["cases"]["move_along_surface"];
    let triangles: Vec<[u32; 3]> = facts["navmesh"]["polys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| [0, 1, 2].map(|k| t[k].as_u64().unwrap() as u32))
        .collect();
    let mesh = mesh_of(&points(&facts["navmesh"]["verts"]), &triangles);
    let poly = mesh.tiles().next().unwrap().reference(facts["start_poly"].as_u64().unwrap() as u32);
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    for case in facts["cases"].as_array().unwrap() {
        let (start, end) = (vec3(&case["start"]), vec3(&case["end"]));
        let moved = move_along_surface(&mesh, PolyPoint { poly, point: start }, end, &filter, &mut scratch).unwrap();
        let (at, count) = (moved.place.point, moved.visited.len() as u64);
        if let Some(tolerance) = case.get("end_tolerance") {
            assert!(at.distance(end) <= number(tolerance), "{moved:?} {case}");
        }
        if let Some(range) = case.get("expected_x_range") {
            assert!((number(&range[0])..=number(&range[1])).contains(&at.x), "{moved:?} {case}");
        }
        if let Some(visited) = case.get("visited") {
            assert_eq!(visited.as_array().unwrap().len() as u64, count, "{moved:?} {case}");
        }
        if case.get("name").is_some() {
            // A start half a metre outside of its polygon: there the move stops at an edge a metre off, with one
            // polygon visited. Here it goes to where it was to end, over the polygon that is there, since that ground
            // connects.
            assert!((at.distance(end), count) < (1e-3, 3), "{moved:?} {case}");
        } else if let Some(expected) = case.get("visited_count") {
            assert_eq!(expected.as_u64(), Some(count), "{moved:?} {case}");
        }
        assert!(case.get("visited_count_min").and_then(Value::as_u64).is_none_or(|least| count >= least), "{case}");
    }
}

#[test]
fn a_move_along_a_strip_of_twenty_triangles_arrives() {
    let Some(facts) = document("navcat_small_cases.json") else { return };
    let facts = &facts["cases"]["move_along_corridor"];
    let verts: Vec<Vec3> = (0..=10).flat_map(|i| [0.0, 1.0].map(|z| Vec3::new(i as f32, 0.0, z))).collect();
    let triangles: Vec<[u32; 3]> =
        (0..10).map(|i| 2 * i).flat_map(|b| [[b, b + 2, b + 3], [b, b + 3, b + 1]]).collect();
    let mesh = mesh_of(&verts, &triangles);
    let start = PolyPoint { poly: mesh.tiles().next().unwrap().reference(0), point: vec3(&facts["start"]) };
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    let moved = move_along_surface(&mesh, start, vec3(&facts["end"]), &filter, &mut scratch).unwrap();
    assert_eq!((moved.place.point, moved.visited.len() > 1), (vec3(&facts["end"]), true));
}

#[test]
fn points_on_outlines_are_inside() {
    let Some(facts) = document("navcat_small_cases.json") else { return };
    for case in facts["cases"]["point_in_poly"].as_array().unwrap() {
        let mut outline = points(&case["poly"]);
        // Winding does not matter there; here polygons wind in one way.
        if polygon::area(&outline) < 0.0 {
            outline.reverse();
        }
        assert_eq!(polygon::contains(&outline, vec3(&case["pt"])), case["expected"] == true, "{case}");
    }
}

#[test]
fn starts_that_moved_are_fused() {
    let Some(facts) = document("navcat_small_cases.json") else { return };
    let row = |numbers: &Value| -> Vec<PolyRef> {
        let all = numbers.as_array().unwrap().iter();
        all.map(|n| PolyRef::new(1, 0, n.as_u64().unwrap() as u32).unwrap()).collect()
    };
    for case in facts["cases"]["merge_start_moved"].as_array().unwrap() {
        let mut path = row(&case["path"]);
        fuse_start(&mut path, &row(&case["visited"]));
        assert_eq!(path, row(&case["expected"]), "{case}");
    }
}

/// The ports clip a polygon to a polygon of twelve corners inside the circle to find random points in it. Here points
/// are thrown into the circle itself, so what is held is only what both need: whether a circle touches a polygon.
#[test]
fn circles_touch_the_polygons_that_they_are_cut_to() {
    let Some(cases) = facts("detour_polygon_by_circle_constraint.json") else { return };
    for case in cases {
        let outline = wound(points(&case["polygon"]));
        assert!(polygon::overlaps_circle(&outline, vec3(&case["center"]), number(&case["radius"])), "{case}");
    }
}

/// There, the polygon that two polygons share is computed; here, whether they share any: the center of what they share
/// there lies in both, and they overlap.
#[test]
fn polygons_that_share_ground_overlap() {
    let Some(cases) = facts("detour_convex_convex_intersection.json") else { return };
    for case in cases {
        let [p, q, shared] = ["p", "q", "expected_verts"].map(|name| wound(points(&case[name])));
        let middle = polygon::center(&shared);
        assert!(polygon::overlap(&p, &q, 1e-3), "{case}");
        assert!(polygon::contains(&p, middle) && polygon::contains(&q, middle), "{middle} {case}");
        let apart: Vec<Vec3> = q.iter().map(|v| *v + Vec3::X * 20.0).collect();
        assert!(!polygon::overlap(&p, &apart, 1e-3), "{case}");
    }
}

fn wound(mut outline: Vec<Vec3>) -> Vec<Vec3> {
    if polygon::area(&outline) < 0.0 {
        outline.reverse();
    }
    outline
}
