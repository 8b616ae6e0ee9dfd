//! `.way` files, read, written and broken.

use super::seal::{directory_of, seal};
use super::*;
use crate::area::{AreaId, AreaInfo, AreaTable, PolyFlags};
use crate::mesh::TileRef;
use crate::mesh::{AddConnectionError, NavMesh, OffMeshConnection, PolyRef};
use crate::tile::test_sketch::sketch;
use crate::tile::{DetailRange, DetailTri, SeamCell, Side, TileCoord, TileLayout};
use glam::Vec3;

/// Two tiles side by side in slots 0 and 5, a removed tile, changed state, a connection and a removed one: every
/// section has something in it.
fn small() -> NavMesh {
    small_file().mesh
}

fn small_file() -> WayFile {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let mut mesh = NavMesh::new(layout);
    mesh.set_user_id(0x1234_5678_9abc_def0);
    let mut first = sketch(TileCoord { x: 0, z: 0, layer: 0 }, "a.\nab").to_builder();
    first.user_id = 7;
    first.detail_verts = vec![Vec3::new(0.5, 0.25, 0.5)];
    first.detail_tris = (0..4).map(|k| DetailTri { verts: [k, (k + 1) % 4, 4], outline: 1 }).collect();
    first.details = vec![DetailRange::default(); 3];
    first.details[0] = DetailRange { first_vert: 0, first_tri: 0, vert_count: 1, tri_count: 4 };
    first.baked_for.cell_size = 0.5;
    let edge = (0..).find(|&e| first.neighbours[e].as_border() == Some(Side::XMin)).unwrap() as u32;
    first.seams = vec![SeamCell { edge, cell: -1, here: 3, there: 4 }];
    mesh.add_tile(first.build().unwrap()).unwrap();
    let slot = mesh.add_tile(sketch(TileCoord { x: 9, z: 9, layer: 2 }, "z")).unwrap();
    mesh.remove_tile(slot).unwrap();
    mesh.add_tile_at(TileRef::new(77, 5).unwrap(), sketch(TileCoord { x: 1, z: 0, layer: 0 }, "a.\nab")).unwrap();
    let changed = PolyRef::new(77, 5, 1).unwrap();
    mesh.set_flags(changed, PolyFlags(0x8001)).unwrap();
    mesh.set_area(changed, AreaId::new(33).unwrap()).unwrap();
    let jump = OffMeshConnection {
        start: Vec3::new(0.5, 0.0, 0.5),
        end: Vec3::new(3.5, 0.0, 0.5),
        radius: 0.4,
        two_way: true,
        area: AreaId::new(5).unwrap(),
        flags: PolyFlags(2),
        user_id: 99,
    };
    let gone = mesh.add_connection(jump).unwrap();
    mesh.add_connection(jump).unwrap();
    mesh.remove_connection(gone).unwrap();
    let info = |id, name: &str, cost| AreaInfo { area: AreaId::from_low_bits(id), name: name.into(), cost };
    mesh.set_areas(AreaTable::new(vec![info(33, "wäter", 2.5), info(5, "", 1.0)]).unwrap());
    let key = |x, z, key| (TileCoord { x, z, layer: 0 }, key);
    let keys = [key(0, 0, 0xfeed_0123_4567_89ab), key(1, 0, 7), key(2, 0, 0)].into_iter().collect();
    let mut file = WayFile::new(mesh, keys);
    // Of mesh, tiles, and a place without a tile; of modules that nobody knows.
    file.sections.set("layers.plan", 3, vec![1, 2, 3]);
    file.sections.set("a", 0, vec![]);
    file.tile_sections.get_mut(TileCoord { x: 1, z: 0, layer: 0 }).set("layers", 1, vec![4; 9]);
    file.tile_sections.get_mut(TileCoord { x: 1, z: 0, layer: 0 }).set("graph", u32::MAX, vec![5]);
    file.tile_sections.get_mut(TileCoord { x: -3, z: 8, layer: 1 }).set("layers", 1, vec![6; 7]);
    file
}

fn same(a: &NavMesh, b: &NavMesh) {
    assert_eq!((a.layout(), a.user_id(), a.slot_count()), (b.layout(), b.user_id(), b.slot_count()));
    assert_eq!(a.tile_count(), b.tile_count());
    for (t, u) in a.tiles().zip(b.tiles()) {
        assert_eq!((t.slot(), t.salt(), t.data(), t.states()), (u.slot(), u.salt(), u.data(), u.states()));
        assert_eq!(t.links(), u.links());
    }
    assert!(a.connections().eq(b.connections()));
    assert_eq!(a.areas(), b.areas());
}

#[test]
fn a_mesh_comes_back_as_it_was() {
    let file = small_file();
    let bytes = file.to_bytes();
    let read = WayFile::from_bytes(&bytes).unwrap();
    assert_eq!((read.cache.keys(), read.digest()), (file.cache.keys(), file.digest()));
    assert_eq!((read.to_bytes() == bytes, file.cache.keys().iter().len()), (true, 3));
    assert_eq!((&read.sections, &read.tile_sections), (&file.sections, &file.tile_sections));
    // The mesh alone has no keys.
    let (mesh, mut again) = (file.mesh, NavMesh::from_bytes(&bytes).unwrap());
    same(&mesh, &again);
    assert_eq!((again.digest(), again.to_bytes() == bytes), (mesh.digest(), false));
    same(&NavMesh::from_bytes(&again.to_bytes()).unwrap(), &mesh);
    // Life goes on the same way: the same slot and salt come next, the same index for a connection.
    let mut mesh = mesh;
    let next = sketch(TileCoord { x: 5, z: 5, layer: 0 }, "a");
    let added = [mesh.add_tile(next.clone()).unwrap(), again.add_tile(next).unwrap()];
    assert_eq!(added.map(|tile| tile.slot().get()), [1; 2]);
    let jump = *mesh.connections().next().unwrap().definition();
    assert_eq!(mesh.add_connection(jump), again.add_connection(jump));
    same(&mesh, &again);
    let empty = NavMesh::new(mesh.layout());
    assert_eq!(NavMesh::from_bytes(&empty.to_bytes()).unwrap().to_bytes(), empty.to_bytes());
}

/// The bytes of version 3, written down: a later version must still read them.
#[test]
fn version_3_stays_readable() {
    let bytes = include_bytes!("version_3.way");
    let file = WayFile::from_bytes(bytes).unwrap();
    same(&file.mesh, &small());
    assert_eq!((file.cache.keys(), file.digest().as_str()), (small_file().cache.keys(), VERSION_3_DIGEST));
}

const VERSION_3_DIGEST: &str = "9f2ff58b2bba953b";

#[test]
fn version_1_is_refused_and_says_what_to_do() {
    let bytes = [&MAGIC[..], &1u32.to_le_bytes(), &[0; 100]].concat();
    let error = NavMesh::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, ReadError::OldVersion { version: 1 });
    assert!(error.to_string().ends_with("bake the mesh anew"));
    let bytes = [&MAGIC[..], &4u32.to_le_bytes(), &[0; 100]].concat();
    assert_eq!(NavMesh::from_bytes(&bytes).unwrap_err(), ReadError::Version { version: 4 });
}

/// Writes the file anew, for a change of the format before its first release.
#[test]
#[ignore = "overwrites the golden file"]
fn write_version_3() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/format/way/version_3.way");
    std::fs::write(path, small_file().to_bytes()).unwrap();
    println!("digest {}", small_file().digest());
}

#[test]
fn every_prefix_is_refused() {
    let bytes = small_file().to_bytes();
    for length in 0..bytes.len() {
        let error = NavMesh::from_bytes(&bytes[..length]).unwrap_err();
        assert!(matches!(error, ReadError::Magic | ReadError::End { .. }), "{length}: {error}");
    }
}

#[test]
fn every_altered_byte_is_refused() {
    let bytes = small_file().to_bytes();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut altered = bytes.clone();
            altered[at] ^= 1 << bit;
            assert!(NavMesh::from_bytes(&altered).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn a_surplus_byte_is_refused() {
    let mut bytes = small_file().to_bytes();
    bytes.push(0);
    let have = bytes.len() as u64;
    assert_eq!(NavMesh::from_bytes(&bytes).unwrap_err(), ReadError::End { have });
    // Between body and tail, where the mark stays in its place.
    let mut bytes = small_file().to_bytes();
    bytes.insert(bytes.len() - TRAILER_BYTES, 0);
    assert_eq!(NavMesh::from_bytes(&bytes).unwrap_err(), ReadError::Length { have, want: have - 1 });
}

#[test]
fn a_stream_of_tiles_has_the_bytes_of_their_mesh() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let tiles: Vec<_> =
        (0..3).map(|x| sketch(TileCoord { x, z: 0, layer: 0 }, ["a.\nab", "aa", "ab\ncc"][x as usize])).collect();
    let other = small_file();
    let keys = other.cache.keys().clone();
    let WayFile { mesh: other, sections, tile_sections, .. } = other;
    let connections: Vec<_> = other.connections().map(|c| *c.definition()).collect();
    let mut mesh = NavMesh::from_tiles(layout, tiles.clone()).unwrap();
    mesh.set_user_id(9);
    mesh.add_connection(connections[0]).unwrap();
    mesh.set_areas(other.areas().clone());
    let mut bytes = Vec::new();
    let mut stream = WayStream::new(layout, 9, &mut bytes);
    for tile in &tiles {
        stream.tile_with(tile, tile_sections.get(tile.coord()), &mut bytes).unwrap();
    }
    let mut elsewhere = tile_sections.clone();
    tiles.iter().for_each(|tile| drop(elsewhere.remove(tile.coord())));
    let areas = other.areas();
    let end = WayEnd { connections: &connections, areas, keys: &keys, sections: &sections, tile_sections: &elsewhere };
    let digest = stream.finish(end, &mut bytes).unwrap();
    let file = WayFile { sections, tile_sections, ..WayFile::new(mesh, keys.clone()) };
    assert!(digest == file.digest() && bytes == file.to_bytes());
    let flat = TileLayout { tile_depth: -1.0, ..layout };
    let mut stream = WayStream::new(flat, 9, &mut Vec::new());
    let senseless = WriteError::Layout { what: "tile depth", value: -1.0 };
    assert_eq!(stream.tile(&tiles[0], &mut Vec::new()), Err(senseless));
    let before = bytes.len();
    let stream = WayStream::new(layout, 9, &mut Vec::new());
    let nowhere = OffMeshConnection { start: Vec3::NAN, ..connections[0] };
    let end = WayEnd { connections: &[connections[0], nowhere], ..WayEnd::default() };
    assert_eq!(stream.finish(end, &mut bytes), Err(WriteError::Connection { index: 1 }));
    assert_eq!(bytes.len(), before);
    let mut stream = WayStream::new(layout, 9, &mut Vec::new());
    stream.tile(&tiles[1], &mut Vec::new()).unwrap();
    let end = WayEnd { tile_sections: &file.tile_sections, ..WayEnd::default() };
    let written = WriteError::TileWritten { coord: tiles[1].coord() };
    assert_eq!(stream.finish(end, &mut bytes), Err(written));
}

/// A game changes a mesh that it has loaded, and saves it: what is said of its tiles is still true.
#[test]
fn keys_are_forgotten_of_tiles_that_have_changed_and_not_of_states() {
    let at = |x| TileCoord { x, z: 0, layer: 0 };
    let kept = |file: &WayFile| {
        let again = WayFile::from_bytes(&file.to_bytes()).unwrap();
        again.cache.keys().iter().map(|(coord, _)| coord).collect::<Vec<_>>()
    };
    let mut file = small_file();
    file.mesh.set_flags(PolyRef::new(77, 5, 1).unwrap(), PolyFlags(4)).unwrap();
    assert_eq!(kept(&file), [at(0), at(1), at(2)]);
    let second = TileRef::new(77, 5).unwrap();
    let (_, old) = file.mesh.replace_tile(second, sketch(at(1), "aa\naa")).unwrap();
    assert_eq!(kept(&file), [at(0), at(2)]);
    file.mesh.add_tile(sketch(at(2), "a")).unwrap();
    assert_eq!(kept(&file), [at(0)]);
    file.mesh.remove_tile(TileRef::new(1, 0).unwrap()).unwrap();
    assert_eq!(kept(&file), []);
    // Whatever becomes of the mesh, the cache has what was baked.
    let as_baked = file.cache.unchanged_tile(at(1), 7).unwrap().unwrap();
    assert_eq!((&as_baked.verts(), file.cache.unchanged_tile(at(1), 8)), (&old.verts(), None));
    assert_eq!(file.cache.unchanged_tile(at(2), 0), Some(None));
}

/// Whoever can compute the checksum can write anything: nothing but an error or a sound mesh may come of it.
#[test]
fn altered_bytes_with_a_right_checksum_do_no_harm() {
    let bytes = small_file().to_bytes();
    let end = bytes.len() - CHECKSUM_BYTES;
    let mut accepted = 0;
    for at in HEAD_BYTES..end {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut altered = bytes.clone();
            altered[at] = value;
            seal(&mut altered);
            if let Ok(file) = WayFile::from_bytes(&altered) {
                accepted += 1;
                let _ = file.mesh.check();
                assert!(file.to_bytes() == altered, "{value} at {at} is read, but not written again");
            }
        }
    }
    assert!(accepted > 0, "some fields, as coordinates, may have any value");
}

/// A file must not make a mesh cost more than the file can account for: not by one far tile, not by promising more than
/// it holds.
#[test]
fn far_slots_are_refused_with_their_limit() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "a");
    let with_far = |slot: u32| {
        let mut mesh = NavMesh::from_tiles(layout, vec![tile(0)]).unwrap();
        mesh.add_at_any(TileRef::new(3, slot).unwrap(), tile(1)).unwrap();
        mesh
    };
    let near = with_far(65_535);
    same(&NavMesh::from_bytes(&near.to_bytes()).unwrap(), &near);
    for slot in [65_536, PolyRef::TILE_SLOTS - 1] {
        let mut bytes = with_far(slot).to_bytes();
        let far = ReadError::Tile { slot, error: crate::mesh::AddTileError::SlotFar { slot, limit: 65_536 } };
        assert_eq!(NavMesh::from_bytes(&bytes).unwrap_err(), far);
        // The number of empty slots, the first of the mesh part.
        let count = directory_of(&bytes).unwrap() - 4 * 4;
        bytes[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        seal(&mut bytes);
        assert_eq!(NavMesh::from_bytes(&bytes).unwrap_err(), far);
    }
    // As far as the limit goes, also after the tiles that raised it have gone.
    let mut mesh = NavMesh::from_tiles(layout, (0..8_200).map(tile).collect()).unwrap();
    assert_eq!(mesh.slot_limit(), 8 * 8_201);
    mesh.add_tile_at(TileRef::new(3, 8 * 8_201 - 1).unwrap(), tile(9_000)).unwrap();
    (0..8_200).for_each(|slot| drop(mesh.remove_tile(TileRef::new(1, slot).unwrap())));
    let again = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
    same(&again, &mesh);
    assert_eq!((again.slot_limit(), mesh.slot_limit()), (8 * 8_202, 8 * 8_202));
}

#[test]
fn far_connections_are_refused_with_their_limit() {
    let tile = sketch(TileCoord { x: 0, z: 0, layer: 0 }, "aa");
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let mut mesh = NavMesh::from_tiles(layout, vec![tile]).unwrap();
    let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
    let [start, end] = [0.5, 1.5].map(|x| Vec3::new(x, 0.0, 0.5));
    let jump = OffMeshConnection { start, end, radius: 0.1, two_way: false, area, flags, user_id: 0 };
    let far = |index| AddConnectionError::IndexFar { index, limit: 65_536 };
    for index in [65_536, PolyRef::POLYS - 1] {
        assert_eq!(mesh.add_connection_at(index, 2, jump).unwrap_err(), far(index));
        let mut bad = mesh.clone();
        bad.place_connection(index, 2, jump).unwrap();
        let refused = ReadError::Connection { index, error: far(index) };
        assert_eq!(NavMesh::from_bytes(&bad.to_bytes()).unwrap_err(), refused);
    }
    mesh.add_connection_at(65_535, 2, jump).unwrap();
    // As far as the limit goes, also after the connections that raised it have gone.
    let low: Vec<PolyRef> = (0..8_200).map(|_| mesh.add_connection(jump).unwrap()).collect();
    assert_eq!(mesh.connection_limit(), 8 * 8_202);
    mesh.add_connection_at(8 * 8_202 - 1, 1, jump).unwrap();
    for reference in low {
        mesh.remove_connection(reference).unwrap();
    }
    let again = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
    same(&again, &mesh);
    assert_eq!((again.connection_limit(), mesh.connection_limit()), (8 * 8_203, 8 * 8_203));
}

/// What `to_bytes` would have written otherwise is refused, and says what it is.
#[test]
fn what_would_not_come_back_the_same_is_refused() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let mesh = NavMesh::from_tiles(layout, vec![sketch(TileCoord::default(), "a")]).unwrap();
    let whole = mesh.to_bytes();
    let refused = |at: usize, new: &[u8]| {
        let mut bytes = whole.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        seal(&mut bytes);
        NavMesh::from_bytes(&bytes).unwrap_err()
    };
    let directory = directory_of(&whole).unwrap();
    assert!(matches!(refused(directory + 12, &f32::NAN.to_le_bytes()), ReadError::Layout { what: "origin y", .. }));
    let size = ReadError::Layout { what: "tile depth", value: -1.0 };
    assert_eq!(refused(directory + 24, &(-1.0f32).to_le_bytes()), size);
    assert_eq!(refused(directory + 62, &[7]), ReadError::Value { what: "reserved bytes of a tile", value: 7 });

    // Two tiles the other way round.
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "a");
    let two = NavMesh::from_tiles(layout, vec![tile(0), tile(1)]).unwrap().to_bytes();
    let records = directory_of(&two).unwrap() + 56;
    let mut turned = two.clone();
    turned[records..records + 80].rotate_left(40);
    seal(&mut turned);
    let order = ReadError::Order { what: "tile slot", value: 0, before: 1 };
    assert_eq!(NavMesh::from_bytes(&turned).unwrap_err(), order);
}
