//! What other ports of Detour state in their tests, held against this library on the same meshes: files, places, ways, what is
//! around, small meshes written out in numbers, and the demo's test cases. Where a fact differs here by design, the test says how.
//! Skipped where the data is missing.

mod demo_cases;
mod files;
#[path = "../reference/mod.rs"]
mod level;
mod places;
mod plain;
mod surroundings;
mod ways;

use serde_json::Value;
use std::path::PathBuf;
use wayfare::Vec3;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::PolyPoint;

/// A file of the shared data, which is there.
fn shared(path: &str) -> PathBuf {
    level::data().unwrap().join(path)
}

/// The whole of a file of facts; `None` where the data is missing.
fn document(name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(level::data()?.join("peer_tests").join(name)).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

/// The cases of a file of facts; `None` where the data is missing.
fn facts(name: &str) -> Option<Vec<Value>> {
    document(name).map(|facts| facts["cases"].as_array().unwrap().clone())
}

fn mesh(file: &str) -> NavMesh {
    NavMesh::from_detour(&std::fs::read(shared(file)).unwrap()).unwrap()
}

/// The mesh that most facts are about: the demo's dungeon in one tile, with a connection that must change nothing.
fn dungeon() -> NavMesh {
    mesh("detour_files/upstream/dungeon_solo_navmesh_polyref64.bin")
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn vec3(value: &Value) -> Vec3 {
    Vec3::new(number(&value[0]), number(&value[1]), number(&value[2]))
}

/// References have the same bits there and here: salt, tile, polygon.
fn reference(value: &Value) -> PolyRef {
    PolyRef::from_bits(value.as_u64().unwrap()).unwrap()
}

fn references(value: &Value) -> Vec<PolyRef> {
    value.as_array().unwrap().iter().map(reference).collect()
}

fn place(poly: &Value, point: &Value) -> PolyPoint {
    PolyPoint { poly: reference(poly), point: vec3(point) }
}
