//! Mesh files: how many tiles, polygons and vertices are where, and what the connection is.

use super::{dungeon, facts, mesh};
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::format::{DetourReadError, RefBits, is_detour_file};
use wayfare::input::BakeSettings;
use wayfare::mesh::{NavMesh, Tile};
use wayfare::tile::TileCoord;
use wayfare_testkit::data;

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
                (data.polys().len() as i64, data.verts().len() as i64),
                (number("polys"), number("verts")),
                "{file} {x} {z}"
            );
            looked_at += 1;
        }
    }
    assert!(looked_at >= 8, "{looked_at} tiles looked at");
}

/// A tile cache holds no mesh: its layers are still to be made into tiles. It is told apart by what it begins with.
#[test]
fn tile_caches_are_refused_by_what_they_begin_with() {
    let Some(cases) = facts("tilecache_reader.json") else { return };
    for case in cases {
        let file = case["file"].as_str().unwrap().replace("detour_files/", "detour_files/tilecache/");
        let Some(path) = data::path(&file) else { continue };
        let bytes = std::fs::read(path).unwrap();
        let magic = u32::from_le_bytes(bytes[..4].try_into().unwrap());
        assert!(!is_detour_file(&bytes), "{file}");
        assert_eq!(NavMesh::from_detour(&bytes).unwrap_err(), DetourReadError::Magic { magic }, "{file}");
    }
}

#[test]
fn a_solo_mesh_has_the_counts_and_the_connection_of_the_builder_test() {
    let Some(cases) = facts("detour_navmesh_builder.json") else { return };
    let expected = &cases[0]["expected"];
    let number = |name: &str| expected[name].as_u64().unwrap() as usize;
    let mesh = dungeon();
    let tile = mesh.tiles().next().unwrap().data();
    assert_eq!(mesh.connection_count() as usize, number("off_mesh_con_count"));
    assert_eq!(tile.polys().len(), number("off_mesh_base"));
    assert_eq!(tile.polys().len() + 1, number("poly_count"));
    // The ends of the connection are vertices there.
    assert_eq!(tile.verts().len() + 2, number("vert_count"));
    assert_eq!(tile.details().len(), number("detail_mesh_count"));
    assert_eq!(tile.detail_tris().len(), number("detail_tri_count"));
    assert_eq!(tile.detail_verts().len(), number("detail_vert_count"));
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

/// All tiles of the dungeon, baked here and written as a set: read back, the tiles that other ports look at are the
/// same.
#[test]
fn a_baked_set_has_the_tiles_of_the_builder_and_writer_test() {
    let Some(cases) = facts("detour_mesh_set_reader_writer.json") else { return };
    let level = data::level("levels/dungeon.obj", 1.0).unwrap();
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let (baked, _) = bake_tiles(&level, &settings, &Context::default()).unwrap();
    let ours = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
    let case = &cases[0];
    for bits in [RefBits::Bits32, RefBits::Bits64] {
        let mesh = NavMesh::from_detour(&ours.to_detour(bits).unwrap()).unwrap();
        assert!((f64::from(mesh.layout().tile_width) - case["expected_tile_width"].as_f64().unwrap()).abs() < 1e-3);
        for tile in case["expected_tiles_at"].as_array().unwrap() {
            let number = |name: &str| tile[name].as_i64().unwrap();
            let (x, z) = (number("tx") as i32, number("ty") as i32);
            assert_eq!(mesh.tiles_at(x, z).count() as i64, number("layers"), "{x} {z}");
            let data = mesh.tile_at(TileCoord { x, z, layer: 0 }).unwrap().data();
            let [polys, verts] = [data.polys().len() as i64, data.verts().len() as i64];
            assert_eq!(verts, number("verts"), "{x} {z}");
            // Corners may be straight here, so that of the same outline fewer polygons may be made.
            assert!((1..=number("polys")).contains(&polys), "{x} {z}: {polys} polygons");
        }
    }
}

#[test]
fn a_baked_level_survives_the_file_and_detour() {
    for name in ["nav_test", "dungeon"] {
        let Some(level) = data::level(&format!("levels/{name}.obj"), 1.0) else { continue };
        for size in [0, 48] {
            let settings = BakeSettings { tile_size: size, ..BakeSettings::default() };
            let (baked, _) = bake_tiles(&level, &settings, &Context::default()).unwrap();
            let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
            let bytes = mesh.to_bytes();
            let again = NavMesh::from_bytes(&bytes).unwrap();
            assert_eq!(again.to_bytes(), bytes);
            for (a, b) in mesh.tiles().zip(again.tiles()) {
                assert_eq!(a.links(), b.links());
            }
            let detour = mesh.to_detour(RefBits::Bits32).unwrap();
            let back = NavMesh::from_detour(&detour).unwrap();
            println!("{name} {size}: {} bytes, {} as Detour file", bytes.len(), detour.len());
            assert_eq!(back.check(), []);
            for (a, b) in mesh.tiles().zip(back.tiles()) {
                assert_eq!((a.data().polys(), a.data().verts()), (b.data().polys(), b.data().verts()));
                // Of several links of an edge, which comes first is told by the seams of the bake, which Detour drops.
                let links = |tile: &Tile| {
                    let mut all: Vec<String> = tile.links().all().iter().map(|link| format!("{link:?}")).collect();
                    all.sort_unstable();
                    all
                };
                assert_eq!(links(a), links(b));
            }
        }
    }
}

/// Their round trip compares header counts, vertices, polygons, detail, bounding tree and connections; ours the bytes
/// of the tile, which hold all of them, and the mesh that is read. Their variants are byte orders and a layout of their
/// own: we write one, the demo's.
#[test]
fn tile_data_survives_there_and_back() {
    let Some(cases) = facts("detour_mesh_data_roundtrip.json") else { return };
    let variants: Vec<&str> = cases[0]["variants"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    assert!(variants.contains(&"C compatible LE"), "{variants:?}");
    let mesh = dungeon();
    let tile = mesh.tiles().next().unwrap();
    for bits in [RefBits::Bits32, RefBits::Bits64] {
        let written = mesh.tile_to_detour(tile.tile_ref(), bits).unwrap();
        let back = NavMesh::from_detour(&written).unwrap();
        let again = back.tiles().next().unwrap();
        assert_eq!(back.tile_to_detour(again.tile_ref(), bits), Ok(written.clone()), "{bits:?}");
        assert_eq!(
            (&again.data().verts(), &again.data().polys(), &again.data().corners(), &again.data().neighbours()),
            (&tile.data().verts(), &tile.data().polys(), &tile.data().corners(), &tile.data().neighbours())
        );
        assert_eq!(
            (&again.data().details(), &again.data().detail_verts(), &again.data().detail_tris()),
            (&tile.data().details(), &tile.data().detail_verts(), &tile.data().detail_tris())
        );
        assert!(back.connections().map(|c| *c.definition()).eq(mesh.connections().map(|c| *c.definition())));
        // The other byte order is told from anything else.
        let mut big = written;
        big[..4].reverse();
        assert_eq!(NavMesh::from_detour(&big).unwrap_err(), wayfare::format::DetourReadError::BigEndian);
    }
}
