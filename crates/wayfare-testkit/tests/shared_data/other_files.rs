//! The mesh files of other projects: read, written, looked through, and broken.

use std::path::PathBuf;
use wayfare::format::{DetourRefs, RefBits};
use wayfare::math::{Rng, plane, polygon};
use wayfare::mesh::NavMesh;
use wayfare_testkit::data;

fn meshes() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let dirs = ["reference/mesh", "detour_files", "detour_files/go-detour", "detour_files/go-detour/solomesh"];
    for dir in dirs.into_iter().chain(["detour_files/gonavmesh", "detour_files/upstream"]) {
        let Some(dir) = data::path(dir) else { continue };
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
                assert_eq!(a.data().polys(), b.data().polys(), "{name}");
                assert_eq!((a.data(), a.links()), (b.data(), b.links()), "{name}");
            }
            assert!(mesh.connections().eq(again.connections()), "{name}");
        }
        let links: usize = mesh.tiles().map(|t| t.links().all().len()).sum();
        println!("{name}: {} tiles, {links} links, {} connections", mesh.tile_count(), mesh.connection_count());
    }
}

/// Capacities and the references of all tiles, as they stand in a set.
fn references(set: &[u8], bits: RefBits) -> (Vec<u8>, Vec<Vec<u8>>) {
    let (width, head) = if bits == RefBits::Bits32 { (4, 8) } else { (8, 16) };
    let (mut found, mut at) = (Vec::new(), 40);
    while at < set.len() {
        found.push(set[at..at + width].to_vec());
        at += head + u32::from_le_bytes(set[at + width..at + width + 4].try_into().unwrap()) as usize;
    }
    found.sort();
    (set[32..40].to_vec(), found)
}

/// Who stored a reference beside such a file has it mean the same in what is written, and can look it up here.
#[test]
fn references_of_other_projects_keep_their_numbers() {
    for (name, bytes) in meshes() {
        let (mesh, refs) = (NavMesh::from_detour(&bytes).unwrap(), DetourRefs::of_file(&bytes).unwrap());
        let back = mesh.to_detour_with(refs).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(references(&back, refs.bits()), references(&bytes, refs.bits()), "{name}");
        for tile in mesh.tiles() {
            let last = tile.reference(tile.poly_count() - 1);
            assert_eq!(refs.encode(last).and_then(|word| refs.decode(word)), Some(last), "{name}");
        }
        println!("{name}: {refs:?}");
    }
}

#[test]
fn their_polygons_and_details_are_wound_as_ours() {
    for (name, bytes) in meshes() {
        let mesh = NavMesh::from_detour(&bytes).unwrap();
        for tile in mesh.tiles() {
            for poly in 0..tile.poly_count() {
                let points: Vec<_> = tile.data().points_of(poly).collect();
                assert!(polygon::area(&points) > 0.0, "{name}: polygon {poly}");
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

/// Broken copies: an error or a mesh, never a panic, and whatever loads can be checked and written.
#[test]
fn broken_copies_do_no_harm() {
    let mut rng = Rng::new(8);
    let (mut refused, mut loaded) = (0, 0);
    for (_, whole) in meshes().into_iter().filter(|(_, bytes)| bytes.len() < 40_000) {
        for round in 0..40 {
            let mut bytes = whole.clone();
            if round % 4 == 0 {
                bytes.truncate(rng.below(bytes.len() as u32) as usize);
            }
            for _ in 0..round % 4 {
                // Counts and indices stand near the front and in multiples of four.
                let reach = if round % 2 == 0 { 300.min(bytes.len() as u32) } else { bytes.len() as u32 };
                let at = (rng.below(reach / 4 - 1) * 4) as usize;
                let values = [u32::MAX, 0, i32::MAX as u32, 1, 0x10000, rng.next_u64() as u32];
                bytes[at..at + 4].copy_from_slice(&values[rng.below(6) as usize].to_le_bytes());
            }
            match NavMesh::from_detour(&bytes) {
                Ok(mesh) => {
                    loaded += 1;
                    let _ = (mesh.check(), mesh.to_bytes(), mesh.to_detour(RefBits::Bits64));
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    println!("{loaded} broken copies loaded, {refused} were refused");
}
