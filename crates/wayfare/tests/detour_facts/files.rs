//! What other ports of Detour state in their tests about mesh files: how many tiles, polygons and vertices are where, what the
//! connection is, and which polygons a box finds. Skipped where the data is missing.

use serde_json::Value;
use std::path::PathBuf;
use wayfare::Vec3;
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, RefBits};
use wayfare::tile::TileCoord;

fn data(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")).join(path)
}

fn facts(name: &str) -> Option<Vec<Value>> {
    let path = data("peer_tests").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is missing", path.display());
        return None;
    };
    let facts: Value = serde_json::from_str(&text).unwrap();
    Some(facts["cases"].as_array().unwrap().clone())
}

fn mesh(file: &str) -> NavMesh {
    NavMesh::from_detour(&std::fs::read(data(file)).unwrap()).unwrap()
}

fn vec3(value: &Value) -> Vec3 {
    let c: Vec<f32> = value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect();
    Vec3::new(c[0], c[1], c[2])
}

#[test]
fn sets_hold_the_tiles_that_other_ports_find() {
    let Some(cases) = facts("detour_mesh_set_reader.json") else { return };
    let mut looked_at = 0;
    for case in cases {
        let file = case["file"].as_str().unwrap();
        let mesh = mesh(file);
        if let Some(width) = case["expected_tile_width"].as_f64() {
            assert!((f64::from(mesh.layout().tile_width) - width).abs() < 1e-3, "{file}");
        }
        if let Some(count) = case["upstream_num_tiles"].as_u64() {
            assert_eq!(u64::from(mesh.tile_count()), count, "{file}");
        }
        for tile in case["expected_tiles_at"].as_array().unwrap() {
            let number = |name: &str| tile[name].as_i64().unwrap();
            let (x, z) = (number("tx") as i32, number("ty") as i32);
            assert_eq!(mesh.tiles_at(x, z).count() as i64, number("layers"), "{file} {x} {z}");
            let data = mesh.tile_at(TileCoord { x, z, layer: 0 }).unwrap().data();
            assert_eq!(
                (data.polys.len() as i64, data.verts.len() as i64),
                (number("polys"), number("verts")),
                "{file} {x} {z}"
            );
            looked_at += 1;
        }
    }
    assert!(looked_at >= 8, "{looked_at} tiles looked at");
}

#[test]
fn a_solo_mesh_has_the_counts_and_the_connection_of_the_builder_test() {
    let Some(cases) = facts("detour_navmesh_builder.json") else { return };
    let expected = &cases[0]["expected"];
    let number = |name: &str| expected[name].as_u64().unwrap() as usize;
    let mesh = mesh("detour_files/upstream/dungeon_solo_navmesh_polyref64.bin");
    let tile = mesh.tiles().next().unwrap().data();
    assert_eq!(mesh.connection_count() as usize, number("off_mesh_con_count"));
    assert_eq!(tile.polys.len(), number("off_mesh_base"));
    assert_eq!(tile.polys.len() + 1, number("poly_count"));
    // The ends of the connection are vertices there.
    assert_eq!(tile.verts.len() + 2, number("vert_count"));
    assert_eq!(tile.details.len(), number("detail_mesh_count"));
    assert_eq!(tile.detail_tris.len(), number("detail_tri_count"));
    assert_eq!(tile.detail_verts.len(), number("detail_vert_count"));
    let jump = mesh.connections().next().unwrap().definition();
    assert_eq!((jump.radius, jump.user_id, jump.flags.0, jump.area.get(), jump.two_way), (0.1, 17767, 12, 2, true));
    // Written back, the head of the tile has the same counts.
    let back = mesh.to_detour(RefBits::Bits64).unwrap();
    let field = |k: usize| i32::from_le_bytes(back[56 + 4 * k..60 + 4 * k].try_into().unwrap()) as usize;
    let names =
        ["poly_count", "vert_count", "detail_mesh_count", "detail_vert_count", "detail_tri_count", "off_mesh_base"];
    for (name, k) in names.into_iter().zip([6, 7, 9, 10, 11, 14]) {
        assert_eq!(field(k), number(name), "{name}");
    }
}

#[test]
fn boxes_find_the_polygons_that_other_ports_find() {
    let Some(cases) = facts("detour_query_polygons.json") else { return };
    let mesh = mesh("detour_files/upstream/dungeon_solo_navmesh_polyref64.bin");
    for case in cases {
        let near = Aabb::from_center(vec3(&case["center"]), vec3(&case["half_extents"]));
        let mut found = Vec::new();
        mesh.tiles_in_box(&near, |tile| tile.tree().polys_in_box(&near, |poly, _| found.push(u64::from(poly))));
        found.sort_unstable();
        let mut expected: Vec<u64> =
            case["expected_polys"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect();
        expected.sort_unstable();
        // Detour's answer counts what its quantised boxes touch, up to two cells of 0.3 m beyond the box asked for; ours is
        // exact.
        let mut boxes = std::collections::BTreeMap::new();
        mesh.tiles().for_each(|t| t.tree().polys_in_box(&t.bounds(), |poly, b| _ = boxes.insert(u64::from(poly), *b)));
        let wide = Aabb::from_center(vec3(&case["center"]), vec3(&case["half_extents"]) + Vec3::splat(0.6));
        assert!(found.iter().all(|poly| expected.contains(poly)), "{found:?} {case}");
        for poly in expected.iter().filter(|poly| !found.contains(poly)) {
            let exact = boxes[poly];
            assert!(!exact.overlaps(&near) && exact.overlaps(&wide), "polygon {poly} {case}");
        }
    }
}
