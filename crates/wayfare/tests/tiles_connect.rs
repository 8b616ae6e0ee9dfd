//! Levels baked in tiles: every invariant of the mesh holds, links agree from both sides, and what the untiled mesh connects
//! the tiles connect.

use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::{Components, NavMesh, PolyRef};

/// The triangles of an OBJ file of the shared data, if it is there.
fn level(name: &str) -> Option<TriMesh> {
    let path = format!("{}/../../../shared/data/levels/{name}.obj", env!("CARGO_MANIFEST_DIR"));
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {path} is missing");
        return None;
    };
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let c: Vec<f32> = words.map(|w| w.parse().unwrap()).collect();
                verts.push(Vec3::new(c[0], c[1], c[2]));
            }
            Some("f") => {
                let f: Vec<u32> = words.map(|w| w.split('/').next().unwrap().parse::<u32>().unwrap() - 1).collect();
                tris.extend((2..f.len()).map(|k| [f[0], f[k - 1], f[k]]));
            }
            _ => {}
        }
    }
    Some(TriMesh::new(verts, tris).unwrap().0)
}

fn bake(level: &TriMesh, tile_size: u32) -> NavMesh {
    let settings = BakeSettings { tile_size, ..BakeSettings::default() };
    let baked = bake_tiles(level, &settings, &Context::default()).unwrap().0;
    NavMesh::from_tiles(baked.layout, baked.tiles).unwrap()
}

/// The polygon whose ground is right above or below a point, within half a metre.
fn ground_at(mesh: &NavMesh, point: Vec3) -> Option<PolyRef> {
    let mut found = None;
    let near = Aabb::from_center(point, Vec3::new(0.0, 0.5, 0.0));
    mesh.tiles_in_box(&near, |tile| {
        tile.tree().polys_in_box(&near, |poly, _| {
            if tile.data().height_at(poly, point).is_some_and(|y| (y - point.y).abs() < 0.5) {
                found = Some(tile.reference(poly));
            }
        });
    });
    found
}

#[test]
fn tiles_connect_what_the_untiled_mesh_connects() {
    for name in ["nav_test", "dungeon"] {
        let Some(level) = level(name) else { continue };
        let solo = bake(&level, 0);
        assert_eq!(solo.check(), [], "{name} in one tile");
        let solo_islands = Components::of(&solo);
        for size in [32, 48, 64, 100] {
            let tiled = bake(&level, size);
            assert_eq!(tiled.check(), [], "{name} in tiles of {size} cells");
            let islands = Components::of(&tiled);
            // Where each island of the untiled mesh is found in the tiles.
            let mut places: Vec<(u32, u32)> = Vec::new();
            let (mut met, mut missed) = (0, 0);
            for tile in solo.tiles() {
                for poly in 0..tile.poly_count() {
                    let mut center = tile.data().center_of(poly);
                    center.y = tile.data().height_at(poly, center).unwrap_or(center.y);
                    let Some(other) = ground_at(&tiled, center) else {
                        missed += 1;
                        continue;
                    };
                    met += 1;
                    let pair = (solo_islands.component(tile.reference(poly)), islands.component(other));
                    places.push((pair.0.unwrap(), pair.1.unwrap()));
                }
            }
            places.sort_unstable();
            places.dedup();
            let distinct = |side: fn(&(u32, u32)) -> u32| {
                let mut numbers: Vec<u32> = places.iter().map(side).collect();
                numbers.sort_unstable();
                numbers.dedup();
                numbers.len()
            };
            println!("{name} {size}: {met} met, {missed} missed, {} islands, {places:?}", islands.count());
            assert!(missed * 20 <= met, "{name} {size}: {missed} of {met} places have no ground in the tiles");
            assert_eq!(
                (distinct(|p| p.0), distinct(|p| p.1)),
                (places.len(), places.len()),
                "{name} {size}: {places:?}"
            );
        }
    }
}

#[test]
fn a_baked_level_survives_the_file_and_detour() {
    for name in ["nav_test", "dungeon"] {
        let Some(level) = level(name) else { continue };
        for size in [0, 48] {
            let mesh = bake(&level, size);
            let bytes = mesh.to_bytes();
            let again = NavMesh::from_bytes(&bytes).unwrap();
            assert_eq!(again.to_bytes(), bytes);
            for (a, b) in mesh.tiles().zip(again.tiles()) {
                assert_eq!(a.links(), b.links());
            }
            let detour = mesh.to_detour(wayfare::mesh::RefBits::Bits32).unwrap();
            let back = NavMesh::from_detour(&detour).unwrap();
            let links = |mesh: &NavMesh| mesh.tiles().map(|t| t.links().all().len()).sum::<usize>();
            println!(
                "{name} {size}: {} bytes, {} as Detour file, {} links, {} there",
                bytes.len(),
                detour.len(),
                links(&mesh),
                links(&back)
            );
            assert_eq!(back.check(), []);
            for (a, b) in mesh.tiles().zip(back.tiles()) {
                assert_eq!((a.data().polys.as_slice(), &a.data().verts), (b.data().polys.as_slice(), &b.data().verts));
            }
        }
    }
}
