//! What other implementations' tests say of corridors, held to the data beside the checkout.

use super::{fuse_start, test_ground::world};
use crate::corridor::{CornerAt, CorridorScratch, PathCorridor};
use crate::math::funnel::Portal;
use crate::mesh::PolyRef;
use crate::query::PolyPath;
use glam::Vec3;

/// A file of the data, or a word that it is missing.
fn data(name: &str) -> Option<serde_json::Value> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let folder = std::env::var("WAYFARE_DATA").unwrap_or_else(|_| beside.into());
    match std::fs::read_to_string(format!("{folder}/peer_tests/{name}")) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(_) => {
            println!("skipped: {name} is not beside the checkout");
            None
        }
    }
}

fn row(numbers: &serde_json::Value) -> Vec<PolyRef> {
    let all = numbers.as_array().unwrap().iter();
    all.map(|n| PolyRef::new(1, 0, n.as_u64().unwrap() as u32).unwrap()).collect()
}

#[test]
fn a_start_that_moved_is_fused() {
    let Some(facts) = data("crowd_merge_corridor_start_moved_upstream.json") else { return };
    let mut judged = 0;
    for case in facts["cases"].as_array().unwrap() {
        let mut path = row(&case["path"]);
        fuse_start(&mut path, &row(&case["visited"]));
        // There, a path that does not fit its array is cut; ours has no such limit.
        path.truncate(case["max_path"].as_u64().unwrap() as usize);
        assert_eq!(path.len() as u64, case["expected_len"].as_u64().unwrap(), "{case}");
        if let Some(expected) = case.get("expected_path") {
            assert_eq!(path, row(expected), "{case}");
            judged += 1;
        }
    }
    assert!(judged > 4);
}

#[test]
fn corners_behind_the_agent_are_left_out_and_the_row_ends_at_a_link() {
    let Some(facts) = data("crowd_path_corridor_find_corners.json") else { return };
    // That test prunes a string that was made up. Here the rule is held on the same start with portals that give such a string.
    let first = facts["cases"][1]["straight_path"][0].as_array().unwrap().clone();
    let start = Vec3::new(10.0, 20.0, 30.0);
    let near = Vec3::new(10.0, 20.0, first[2].as_f64().unwrap() as f32);
    let mesh = world("aaaa");
    let tile = mesh.tiles().next().unwrap();
    let bend = Vec3::new(11.0, 21.0, 32.0);
    let gate = Vec3::new(12.0, 22.0, 33.0);
    let connection = PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap();
    let mut polys: Vec<PolyRef> = (0..3).map(|poly| tile.reference(poly)).collect();
    polys.extend([connection, tile.reference(3)]);
    let beyond = Portal { left: bend, right: bend };
    let portals = vec![Portal { left: near, right: near }, beyond, Portal { left: gate, right: gate }, beyond];
    let mut corridor = PathCorridor::new(crate::query::PolyPoint { poly: polys[0], point: start });
    corridor.follow(&PolyPath { polys, portals, start, end: bend, ..PolyPath::default() }).unwrap();
    let corners = corridor.corners(8, &mut CorridorScratch::new());
    let seen: Vec<(Vec3, CornerAt)> = corners.iter().map(|c| (c.point, c.at)).collect();
    assert!(matches!(seen[..], [(a, _), (b, CornerAt::Link)] if a == bend && b == gate), "{seen:?}");
}
