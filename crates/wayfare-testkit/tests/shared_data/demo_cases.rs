//! The test cases that come with the demo of the reference: paths over its `nav_test` level in one tile, rays over the
//! tiled one.

use super::{document, mesh, vec3};
use serde_json::Value;
use wayfare::Vec3;
use wayfare::area::{PathStatus, PolyFlags};
use wayfare::mesh::NavMesh;
use wayfare::query::{
    DefaultFilter, Nearest, PathRequest, SearchScratch, find_nearest, find_path, raycast, string_pull,
};

const HALF_EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);

fn ends(mesh: &NavMesh, case: &Value, filter: &DefaultFilter) -> [Nearest; 2] {
    ["start", "end"].map(|end| find_nearest(mesh, vec3(&case[end]), HALF_EXTENTS, filter).unwrap())
}

#[test]
fn its_paths_are_no_longer_here() {
    let Some(facts) = document("recastdemo_testcases_upstream_reference.json") else { return };
    let mesh = mesh("reference/mesh/navmesh_nav_test_solo.bin");
    let (filter, mut scratch) = (DefaultFilter::new(PolyFlags(3), PolyFlags::NONE), SearchScratch::new());
    let cases = facts["cases"]["path_queries"].as_array().unwrap();
    for case in cases {
        let [start, goal] = ends(&mesh, case, &filter);
        let path = find_path(&mesh, &PathRequest::new(start.place(), goal.place()), &filter, &mut scratch).unwrap();
        let status = if case["partial"] == true { PathStatus::Partial } else { PathStatus::Complete };
        assert_eq!(path.status, status, "{case}");
        let length = string_pull(&path, &mut scratch).length;
        let last = case["straight_path"].as_array().unwrap().last().map(vec3).unwrap();
        if status == PathStatus::Partial {
            let goal = vec3(&case["end"]);
            assert!(path.end.distance(goal) <= last.distance(goal) + 0.1, "{} {last} {case}", path.end);
        } else {
            // Their strings begin and end at the points asked about, ours at those of the mesh nearest to them.
            let snapped = start.point.distance(vec3(&case["start"])) + goal.point.distance(vec3(&case["end"]));
            let theirs = case["straight_length"].as_f64().unwrap() as f32;
            assert!(length <= theirs * 1.001 + snapped + 1e-3, "{length} m, theirs {theirs} m, {case}");
        }
    }
    assert!(cases.len() > 20);
}

#[test]
fn its_rays_are_free_here_too() {
    let Some(facts) = document("recastdemo_testcases_upstream_reference.json") else { return };
    let mesh = mesh("reference/mesh/navmesh_nav_test_tiled.bin");
    let (filter, mut scratch) = (DefaultFilter::new(PolyFlags(0xffef), PolyFlags::NONE), SearchScratch::new());
    let cases = facts["cases"]["raycasts"].as_array().unwrap();
    for case in cases {
        let [start, goal] = ends(&mesh, case, &filter);
        let ray = raycast(&mesh, start.place(), vec3(&case["end"]), &filter, &mut scratch).unwrap();
        assert_eq!(case["t"], "FLT_MAX", "all of the demo's rays are free");
        assert!(!ray.hit && ray.t == 1.0, "{ray:?} {case}");
        // Slots may differ from theirs: the polygons are compared by their indices in their tiles (15 bits of those
        // references).
        let indices: Vec<u64> = ray.polys.iter().map(|poly| u64::from(poly.poly().get())).collect();
        let theirs = case["path_refs"].as_array().unwrap().iter();
        let theirs: Vec<u64> = theirs.map(|bits| bits.as_u64().unwrap() & 0x7fff).collect();
        assert_eq!((indices, ray.polys.last()), (theirs, Some(&goal.poly)), "{case}");
    }
    assert_eq!(cases.len(), 4);
}
