//! Detour files, read, written and broken.

use super::*;
use crate::math::plane;
use crate::mesh::NavMesh;
use std::path::PathBuf;

fn data(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")).join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is missing", path.display());
    None
}

fn meshes() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let dirs = ["reference/mesh", "detour_files", "detour_files/go-detour", "detour_files/go-detour/solomesh"];
    for dir in dirs.into_iter().chain(["detour_files/gonavmesh", "detour_files/upstream"]) {
        let Some(dir) = data(dir) else { continue };
        let mut files: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        for file in files.into_iter().filter(|f| f.extension().is_some_and(|e| e == "bin")) {
            found.push((file.display().to_string(), std::fs::read(file).unwrap()));
        }
    }
    found
}

#[test]
fn meshes_of_other_projects_load_and_survive_there_and_back() {
    for (name, bytes) in meshes() {
        let mesh = NavMesh::from_detour(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        for bits in [RefBits::Bits32, RefBits::Bits64] {
            let back = mesh.to_detour(bits).unwrap();
            let again = NavMesh::from_detour(&back).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(again.tile_count(), mesh.tile_count());
            for (a, b) in mesh.tiles().zip(again.tiles()) {
                assert_eq!((a.slot(), a.salt()), (b.slot(), b.salt()));
                assert_eq!(a.data().polys, b.data().polys, "{name}");
                assert_eq!((a.data(), a.links()), (b.data(), b.links()), "{name}");
            }
            assert!(mesh.connections().eq(again.connections()), "{name}");
        }
        let links: usize = mesh.tiles().map(|t| t.links().all().len()).sum();
        println!("{name}: {} tiles, {links} links, {} connections", mesh.tile_count(), mesh.connection_count());
    }
}

#[test]
fn their_polygons_and_details_are_wound_as_ours() {
    for (name, bytes) in meshes() {
        let mesh = NavMesh::from_detour(&bytes).unwrap();
        for tile in mesh.tiles() {
            for poly in 0..tile.poly_count() {
                let points: Vec<_> = tile.data().points_of(poly).collect();
                assert!(plane::polygon_area2(&points) < 0.0, "{name}: polygon {poly}");
                for (t, _) in tile.data().triangles_of(poly) {
                    let area = plane::cross(t[0], t[1], t[2]);
                    if area > 1e-3 {
                        println!("{name}: detail of polygon {poly} {area}");
                    }
                }
            }
        }
    }
}

#[test]
fn meshes_of_other_projects_check_clean() {
    for (name, bytes) in meshes() {
        let found = NavMesh::from_detour(&bytes).unwrap().check();
        for violation in &found {
            println!("{name}: {violation}");
        }
        if name.contains("reference") {
            assert!(found.is_empty(), "{name}: {}", found[0]);
        }
    }
}
