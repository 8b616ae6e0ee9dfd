//! States that are stored, restored and refused.

use super::*;
use crate::mesh::StaleReason;
use crate::tile::test_sketch::sketch;
use crate::tile::{TileCoord, TileLayout};
use glam::Vec3;

const CHECKSUM_BYTES: usize = 8;

fn mesh() -> NavMesh {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 1.0 };
    let tile = |x, map| sketch(TileCoord { x, z: 0, layer: 0 }, map);
    let mut mesh = NavMesh::from_tiles(layout, vec![tile(0, "ab"), tile(1, "cd"), tile(2, "ef")]).unwrap();
    let jump = crate::mesh::OffMeshConnection {
        start: Vec3::new(0.5, 0.0, 0.5),
        end: Vec3::new(5.5, 0.0, 0.5),
        radius: 0.2,
        two_way: true,
        area: AreaId::WALKABLE,
        flags: PolyFlags::WALK,
        user_id: 0,
    };
    mesh.add_connection(jump).unwrap();
    mesh
}

fn change(mesh: &mut NavMesh) {
    mesh.set_flags(PolyRef::new(1, 1, 1).unwrap(), PolyFlags(0x700)).unwrap();
    mesh.set_area(PolyRef::new(1, 2, 0).unwrap(), AreaId::new(40).unwrap()).unwrap();
    mesh.set_flags(PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap(), PolyFlags::NONE).unwrap();
}

#[test]
fn a_delta_brings_back_exactly_what_was_changed() {
    let (mut changed, fresh) = (mesh(), mesh());
    change(&mut changed);
    let delta = changed.store_delta();
    assert!(delta.len() < 110, "{} bytes", delta.len());
    let mut again = fresh.clone();
    again.set_flags(PolyRef::new(1, 0, 0).unwrap(), PolyFlags::NONE).unwrap();
    again.restore_delta(&delta).unwrap();
    assert_eq!(again.to_bytes(), changed.to_bytes());
    // One that names nothing fits any mesh, and takes all changes back.
    let nothing = NavMesh::new(TileLayout { origin: Vec3::ONE, ..fresh.layout() }).store_delta();
    assert_eq!(nothing, fresh.store_delta());
    again.restore_delta(&nothing).unwrap();
    assert_eq!(again.to_bytes(), fresh.to_bytes());
}

#[test]
fn a_tile_comes_back_as_it_was_left() {
    let mut mesh = mesh();
    let before = mesh.clone();
    change(&mut mesh);
    let tile = TileRef::new(1, 1).unwrap();
    let stored = mesh.store_tile_state(tile).unwrap();
    assert_eq!(Ok(stored.len()), mesh.tile_state_size(tile));
    let data = before.tile(tile).unwrap().data().clone();
    let (new, _) = mesh.replace_tile(tile, data).unwrap();
    assert_ne!(mesh.store_tile_state(new).unwrap(), stored);
    mesh.restore_tile_state(new, &stored).unwrap();
    assert_eq!(mesh.store_tile_state(new).unwrap(), stored);
    assert_eq!(before.tile(tile).unwrap().state(1).flags, PolyFlags::WALK, "the snapshot must not change");
}

#[test]
fn a_state_is_refused_where_it_does_not_belong() {
    let mut mesh = mesh();
    change(&mut mesh);
    let [one, two, nine] = [1, 2, 9].map(|slot| TileRef::new(1, slot).unwrap());
    let stored = mesh.store_tile_state(one).unwrap();
    let digests = [one, two].map(|tile| tile_digest(mesh.tile(tile).unwrap().data()));
    let other = RestoreError::OtherTile { tile: two, stored: digests[0], found: digests[1] };
    assert_eq!(mesh.restore_tile_state(two, &stored), Err(other));
    let stale = |tile, reason| Err(RestoreError::Stale(StaleTile { tile, reason }));
    assert_eq!(mesh.restore_tile_state(nine, &stored), stale(nine, StaleReason::Removed));
    let kind = RestoreError::Kind { found: StateKind::Tile, wanted: StateKind::Delta };
    assert_eq!(mesh.restore_delta(&stored), Err(kind));
    let delta = mesh.store_delta();
    let data = mesh.tile(one).unwrap().data().clone();
    let (new, _) = mesh.replace_tile(one, data).unwrap();
    let bytes = mesh.to_bytes();
    assert_eq!(mesh.restore_delta(&delta), stale(one, StaleReason::Replaced));
    mesh.remove_tile(new).unwrap();
    assert_eq!(mesh.restore_delta(&delta), stale(one, StaleReason::Removed));
    assert_ne!(mesh.to_bytes(), bytes);
}

/// Another connection may have the same reference: that of another level, or one that was added in its place.
#[test]
fn the_state_of_another_connection_is_refused() {
    let mut mesh = mesh();
    change(&mut mesh);
    let (delta, reference) = (mesh.store_delta(), PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap());
    let jump = mesh.remove_connection(reference).unwrap();
    let mut other = mesh.clone();
    mesh.add_connection_at(0, 1, jump).unwrap();
    assert_eq!(mesh.restore_delta(&delta), Ok(()));
    let jump = crate::mesh::OffMeshConnection { end: Vec3::new(3.5, 0.0, 0.5), ..jump };
    other.add_connection_at(0, 1, jump).unwrap();
    let refused = other.restore_delta(&delta);
    assert!(
        matches!(refused, Err(RestoreError::OtherConnection { reference: r, stored, found })
            if r == reference && stored != found),
        "{refused:?}"
    );
}

/// Tiles that are far away are taken out and come back as shipped, with what was stored of them.
#[test]
fn a_delta_is_exact_after_tiles_went_and_came_back() {
    let shipped = mesh();
    let mut game = shipped.clone();
    change(&mut game);
    let expected = (game.to_bytes(), game.store_delta());
    for tile in [1, 0, 2].map(|slot| TileRef::new(1, slot).unwrap()) {
        let state = game.store_tile_state(tile).unwrap();
        let handed_back = game.remove_tile(tile).unwrap();
        let as_shipped = shipped.tile(tile).unwrap().data().clone();
        assert_eq!(handed_back.polys() == as_shipped.polys(), tile.slot().get() == 0, "it has the state of now");
        game.add_tile_at(tile, as_shipped).unwrap();
        game.restore_tile_state(tile, &state).unwrap();
    }
    assert_eq!((game.to_bytes(), game.store_delta()), expected);
    let mut loaded = shipped.clone();
    loaded.restore_delta(&game.store_delta()).unwrap();
    assert_eq!(loaded.to_bytes(), expected.0);
    assert!(loaded.connections().eq(game.connections()));
}

#[test]
fn every_prefix_every_altered_byte_and_a_surplus_byte_are_refused_with_numbers() {
    let mut mesh = mesh();
    change(&mut mesh);
    let tile = TileRef::new(1, 1).unwrap();
    for (bytes, delta) in [(mesh.store_delta(), true), (mesh.store_tile_state(tile).unwrap(), false)] {
        let mut restore = |b: &[u8]| if delta { mesh.restore_delta(b) } else { mesh.restore_tile_state(tile, b) };
        restore(&bytes).unwrap();
        let whole = bytes.len() as u64;
        for have in 0..bytes.len() {
            let want = if have < 16 { Envelope::LEAST as u64 } else { whole };
            let cut = RestoreError::Length { have: have as u64, want };
            assert_eq!(restore(&bytes[..have]), Err(cut));
        }
        for at in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[at] ^= 0x10;
            let error = restore(&altered).unwrap_err();
            let named = match at {
                0..7 => matches!(error, RestoreError::Magic { found } if found[..] == altered[..8]),
                7 => matches!(error, RestoreError::Magic { .. } | RestoreError::Version { .. }),
                8..16 => matches!(error, RestoreError::Length { have, .. } if have == whole),
                _ => matches!(error, RestoreError::Checksum { have, want } if have != want),
            };
            assert!(named, "byte {at}: {error}");
            assert!(error.to_string().len() > 30);
        }
        let more = RestoreError::Length { have: whole + 1, want: whole };
        assert_eq!(restore(&[&bytes[..], &[0]].concat()), Err(more));
        let mut newer = bytes.clone();
        newer[7] = b'4';
        assert_eq!(restore(&newer), Err(RestoreError::Version { found: 4, known: 3 }));
    }
}

/// The bytes with their length and their checksum set right again.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - CHECKSUM_BYTES);
    envelope::seal(Writer { bytes })
}

#[test]
fn intact_bytes_that_promise_other_than_they_hold_are_refused() {
    let mut mesh = mesh();
    change(&mut mesh);
    let tile = TileRef::new(1, 1).unwrap();
    let (state, delta) = (mesh.store_tile_state(tile).unwrap(), mesh.store_delta());
    let end = state.len() - CHECKSUM_BYTES;
    let without = |count: usize| resealed([&state[..end - count], &[0; 8]].concat());
    assert_eq!(mesh.restore_tile_state(tile, &resealed(state.clone())), Ok(()));
    let flags = RestoreError::Short { what: "next flags and area type" };
    assert_eq!(mesh.restore_tile_state(tile, &without(1)), Err(flags));
    let numbers = RestoreError::Short { what: "digest and number of polygons" };
    assert_eq!(mesh.restore_tile_state(tile, &without(end - 20)), Err(numbers));
    let more = resealed([&state[..end], &[0; 13]].concat());
    assert_eq!(mesh.restore_tile_state(tile, &more), Err(RestoreError::Surplus { bytes: 5 }));
    let mut polys = state.clone();
    polys[24] = 3;
    let count = RestoreError::PolyCount { tile, stored: 3, found: 2 };
    assert_eq!(mesh.restore_tile_state(tile, &resealed(polys)), Err(count));
    let mut area = state;
    area[28 + 2] = 64;
    let value = RestoreError::Value { what: "area type", value: 64 };
    assert_eq!(mesh.restore_tile_state(tile, &resealed(area)), Err(value));
    for (length, what) in [(16, "number of tiles"), (20, "next tile"), (39, "next polygon")] {
        let cut = resealed([&delta[..length], &[0; 8]].concat());
        assert_eq!(mesh.restore_delta(&cut), Err(RestoreError::Short { what }));
    }
    let last = delta.len() - CHECKSUM_BYTES - 19;
    let in_connection = [(last, "next connection"), (last + 8, "digest of a connection")];
    for (length, what) in [(last - 2, "number of connections")].into_iter().chain(in_connection) {
        let cut = resealed([&delta[..length], &[0; 8]].concat());
        assert_eq!(mesh.restore_delta(&cut), Err(RestoreError::Short { what }));
    }
    // The record of the first tile again in the place of the second's.
    let record = 20..20 + 18 + 7;
    let twice = resealed([&delta[..record.end], &delta[record.clone()], &delta[record.end + record.len()..]].concat());
    assert_eq!(mesh.restore_delta(&twice), Err(RestoreError::Order { slot: 1, before: 1 }));
    mesh.remove_connection(PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap()).unwrap();
    let reference = PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap();
    assert_eq!(mesh.restore_delta(&delta), Err(RestoreError::NoConnection { reference }));
}

/// The second version had no digest of a connection, the first no length, either.
#[test]
fn states_of_earlier_versions_are_read() {
    let mut mesh = mesh();
    change(&mut mesh);
    let (tile, changed) = (TileRef::new(1, 1).unwrap(), mesh.to_bytes());
    let first = |bytes: &[u8]| {
        let mut old = [&bytes[..7], b"1", &bytes[16..bytes.len() - CHECKSUM_BYTES]].concat();
        let checksum = xxh3_64(&old);
        old.extend_from_slice(&checksum.to_le_bytes());
        old
    };
    let second = |bytes: &[u8]| {
        let mut old = resealed(bytes.to_vec());
        old[7] = b'2';
        let sealed = old.len() - CHECKSUM_BYTES;
        let checksum = xxh3_64(&old[..sealed]);
        old[sealed..].copy_from_slice(&checksum.to_le_bytes());
        old
    };
    let (state, delta) = (mesh.store_tile_state(tile).unwrap(), mesh.store_delta());
    let digest = delta.len() - CHECKSUM_BYTES - 11;
    let delta = [&delta[..digest], &delta[digest + 8..]].concat();
    for (state, delta) in [(second(&state), second(&delta)), (first(&state), first(&delta))] {
        let mut fresh = self::mesh();
        fresh.restore_tile_state(tile, &state).unwrap();
        assert_eq!(fresh.store_tile_state(tile), mesh.store_tile_state(tile));
        fresh.restore_delta(&delta).unwrap();
        assert_eq!(fresh.to_bytes(), changed);
    }
    let (mut fresh, delta) = (self::mesh(), first(&delta));
    let cut = fresh.restore_delta(&delta[..delta.len() - 1]);
    assert!(matches!(cut, Err(RestoreError::Checksum { .. })), "{cut:?}");
}
