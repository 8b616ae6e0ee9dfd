//! Detour files, read, written and broken.

use super::*;
use crate::math::index::TileSlot;
use crate::math::{Rng, plane};
use crate::mesh::{AddTileError, NavMesh, OffMeshConnection, PolyRef};
use crate::tile::sketch::sketch;
use crate::tile::{TileCoord, TileLayout};
use glam::Vec3;
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

/// A set of one tile, written by hand from the structures' definitions.
#[test]
fn the_errors_name_what_is_wrong() {
    let mut mesh = NavMesh::new(TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 });
    mesh.add_tile(sketch(TileCoord::default(), "ab\n.c")).unwrap();
    let set = mesh.to_detour(RefBits::Bits32).unwrap();
    let tile_at = 40 + 8;
    let spoilt = |at: usize, value: u32| {
        let mut bytes = set.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        NavMesh::from_detour(&bytes).unwrap_err()
    };
    let tile = |error| DetourReadError::Tile { index: 0, error };
    assert_eq!(spoilt(0, 1), DetourReadError::Magic { magic: 1 });
    assert_eq!(spoilt(0, u32::from_le_bytes(*b"MSET")), DetourReadError::BigEndian);
    assert_eq!(spoilt(4, 2), DetourReadError::Version { version: 2 });
    assert_eq!(spoilt(8, u32::MAX), DetourReadError::Parameter { name: "number of tiles", value: -1.0 });
    assert_eq!(spoilt(8, 2), DetourReadError::NoTile { index: 1, count: 2 });
    assert_eq!(spoilt(tile_at + 4, 6), tile(DetourTileError::Version { version: 6 }));
    assert_eq!(spoilt(tile_at + 24, u32::MAX), tile(DetourTileError::Count { name: "number of polygons", value: -1 }));
    assert!(matches!(
        spoilt(tile_at + 24, 1 << 20),
        DetourReadError::Tile { error: DetourTileError::Truncated { .. }, .. }
    ));
    assert!(matches!(spoilt(40, 0), DetourReadError::Reference { salt: 0, .. }));
    // A bare tile is read with links of either size.
    for bits in [RefBits::Bits32, RefBits::Bits64] {
        let head = if bits == RefBits::Bits32 { 48 } else { 56 };
        let bare = mesh.to_detour(bits).unwrap().split_off(head);
        assert_eq!(mesh.tile_to_detour(TileSlot::new(0), bits), Ok(Some(bare.clone())));
        assert_eq!(mesh.tile_to_detour(TileSlot::new(1), bits), Ok(None));
        let alone = NavMesh::from_detour(&bare).unwrap();
        let [a, b] = [&alone, &mesh].map(|m| m.tiles().next().unwrap().data());
        assert_eq!((&a.verts, &a.polys, &a.neighbours), (&b.verts, &b.polys, &b.neighbours));
    }
    let mut many = sketch(TileCoord::default(), "a");
    many.polys[0].count = 8;
    many.corners = [[0, 1], [1, 2], [2, 3], [3, 0]].concat();
    many.neighbours = vec![crate::tile::EdgeNeighbour::WALL; 8];
    let mesh = NavMesh::from_tiles(mesh.layout(), vec![many]).unwrap();
    assert_eq!(mesh.to_detour(RefBits::Bits32), Err(DetourWriteError::Corners { slot: 0, poly: 0, count: 8 }));
}

/// Connections leave the mesh as polygons of the tile they start in and come back as connections.
#[test]
fn connections_survive_there_and_back() {
    let tile = |x, z| sketch(TileCoord { x, z, layer: 0 }, "aa\naa");
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let mut mesh = NavMesh::from_tiles(layout, vec![tile(0, 0), tile(1, 0), tile(0, 1)]).unwrap();
    for (k, end) in
        [Vec3::new(1.5, 0.0, 1.5), Vec3::new(3.5, 0.0, 0.5), Vec3::new(0.5, 0.0, 3.5)].into_iter().enumerate()
    {
        let (area, flags) = (crate::area::AreaId::from_low_bits(7 + k as u8), crate::area::PolyFlags(8));
        let start = Vec3::new(0.5, 0.2, 0.5);
        let jump = OffMeshConnection { start, end, radius: 0.3, two_way: k == 1, area, flags, user_id: 40 + k as u32 };
        mesh.add_connection(jump).unwrap();
    }
    for bits in [RefBits::Bits32, RefBits::Bits64] {
        let back = NavMesh::from_detour(&mesh.to_detour(bits).unwrap()).unwrap();
        assert!(mesh.connections().eq(back.connections()));
        assert!(back.connections().all(|c| c.passage(0).is_some()));
        assert!(mesh.tiles().zip(back.tiles()).all(|(a, b)| a.links() == b.links()));
    }
    assert_eq!(NavMesh::new(layout).to_detour(RefBits::Bits32).unwrap().len(), 40);
}

#[test]
fn far_slots_are_refused_with_their_limit() {
    let mut mesh = NavMesh::new(TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 });
    mesh.add_at_any(TileSlot::new(65_535), 1, sketch(TileCoord::default(), "a")).unwrap();
    let mut set = mesh.to_detour(RefBits::Bits64).unwrap();
    let again = NavMesh::from_detour(&set).unwrap();
    assert_eq!(again.slot_count(), 65_536);
    for slot in [65_536, (1 << 27) + 1] {
        set[32..36].copy_from_slice(&PolyRef::TILE_SLOTS.to_le_bytes());
        set[40..48].copy_from_slice(&PolyRef::new(1, slot, 0).unwrap().to_bits().to_le_bytes());
        let error = AddTileError::SlotFar { slot, limit: 65_536 };
        assert_eq!(NavMesh::from_detour(&set).unwrap_err(), DetourReadError::Add { index: 0, error });
    }
}

/// What is written is read: the greatest capacity, and no slot that the reader would refuse.
#[test]
fn writer_and_reader_agree_on_slots() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "a");
    let mut mesh = NavMesh::from_tiles(layout, vec![tile(0)]).unwrap();
    let mut set = mesh.to_detour(RefBits::Bits64).unwrap();
    for (capacity, is_read) in [(1u32 << 28, true), ((1 << 28) + 1, false)] {
        set[32..36].copy_from_slice(&capacity.to_le_bytes());
        assert_eq!(NavMesh::from_detour(&set).is_ok(), is_read, "{capacity}");
    }
    // So many slots were used that a far one is in order, but a set does not tell of those that are empty.
    let mut many = NavMesh::from_tiles(layout, (0..8_200).map(tile).collect()).unwrap();
    many.add_tile_at(TileSlot::new(65_600), 1, tile(8_200)).unwrap();
    let back = NavMesh::from_detour(&many.to_detour(RefBits::Bits64).unwrap()).unwrap();
    assert_eq!((back.tile_count(), back.slot_count()), (8_201, 65_601));
    (1..8_200).for_each(|slot| drop(many.remove_tile(TileSlot::new(slot))));
    let far = DetourWriteError::SlotFar { slot: 65_600, tiles: 2, limit: 65_536 };
    assert_eq!(many.to_detour(RefBits::Bits64), Err(far));
    // Nor one so high that the capacity would be all of 2^28.
    mesh.add_at_any(TileSlot::new((1 << 27) + 1), 1, tile(1)).unwrap();
    let far = DetourWriteError::SlotFar { slot: (1 << 27) + 1, tiles: 2, limit: 65_536 };
    assert_eq!(mesh.to_detour(RefBits::Bits64), Err(far));
}
