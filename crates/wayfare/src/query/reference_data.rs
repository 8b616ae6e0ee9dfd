//! The reference's meshes and its answers, for tests. Where they are missing, a test says that it was skipped.

use crate::mesh::NavMesh;
use glam::Vec3;
use serde_json::Value;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");

/// The meshes that have answers.
pub(super) const NAMES: [&str; 4] = ["nav_test_solo", "nav_test_tiled", "dungeon_solo", "dungeon_tiled"];

/// One of the reference's meshes, and its answers.
pub(super) fn load(name: &str) -> Option<(NavMesh, Value)> {
    let mesh = std::fs::read(format!("{DATA}/reference/mesh/navmesh_{name}.bin"));
    let answers = std::fs::read(format!("{DATA}/reference/query/query_{name}.json"));
    let (Ok(mesh), Ok(answers)) = (mesh, answers) else {
        println!("skipped: the reference's mesh and answers `{name}` are not here");
        return None;
    };
    Some((NavMesh::from_detour(&mesh).unwrap(), serde_json::from_slice(&answers).unwrap()))
}

/// A point in the answers.
pub(super) fn point(value: &Value) -> Vec3 {
    let number = |i: usize| value[i].as_f64().unwrap() as f32;
    Vec3::new(number(0), number(1), number(2))
}
