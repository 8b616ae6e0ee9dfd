//! What other toolkits do on their levels and meshes and state in their tests, held against this library: the stages of
//! a bake, mesh files, places, ways, what is around, small meshes written out in numbers, the demo's test cases,
//! crowds. Where a fact differs here by design, the test says how. Skipped where the data is missing.

mod answers;
mod crowds;
mod demo_cases;
mod files;
mod other_files;
mod places;
mod plain;
mod polys;
mod recast;
mod regions;
mod surroundings;
mod voxels;
mod ways;

use serde_json::Value;
use wayfare::Vec3;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::PolyPoint;
use wayfare_testkit::data;

/// The whole of a file of facts; `None` where the data is missing.
fn document(name: &str) -> Option<Value> {
    data::json(&format!("peer_tests/{name}"))
}

/// The cases of a file of facts; `None` where the data is missing.
fn facts(name: &str) -> Option<Vec<Value>> {
    document(name).map(|facts| facts["cases"].as_array().unwrap().clone())
}

/// A mesh that comes with facts that are there.
fn mesh(file: &str) -> NavMesh {
    data::detour_mesh(file).unwrap()
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
