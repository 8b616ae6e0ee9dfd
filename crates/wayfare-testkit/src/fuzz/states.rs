//! Stored states, from anybody.

use super::Bytes;
use super::operations::tile;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::format::RestoreError;
use wayfare::mesh::{NavMesh, OffMeshConnection, TileRef};
use wayfare::tile::TileLayout;
use xxhash_rust::xxh3::xxh3_64;

/// Restores `data` as the state of a tile and as a delta; then once more with length and checksum made right, so that
/// what lies between them is looked at. How often it is restored.
///
/// # Panics
/// If what is restored is not what is then stored, or the mesh has changed although nothing was restored.
pub fn states(data: &[u8]) -> u32 {
    let shipped = shipped();
    let mut restored = 0;
    for bytes in [data.to_vec(), sealed(data)] {
        for form in [tile_state, delta] {
            let (mut mesh, mut again) = (shipped.clone(), shipped.clone());
            let (stored, done) = form(&mut mesh, &bytes);
            assert!(mesh.check().is_empty(), "after {done:?}");
            if done.is_ok() {
                assert_eq!(form(&mut again, &stored).1, Ok(()), "our own state");
                assert!(again.to_bytes() == mesh.to_bytes(), "stored and restored, the mesh differs");
                restored += 1;
            } else {
                assert!(mesh.to_bytes() == shipped.to_bytes(), "changed in spite of {done:?}");
            }
        }
    }
    restored
}

type Done = Result<(), RestoreError>;

/// The tile in the middle.
fn middle() -> TileRef {
    TileRef::new(1, 1).unwrap_or_else(|| panic!("a slot and a salt that tiles have"))
}

/// Restores bytes as the state of a tile, and stores that.
fn tile_state(mesh: &mut NavMesh, bytes: &[u8]) -> (Vec<u8>, Done) {
    let done = mesh.restore_tile_state(middle(), bytes);
    (mesh.store_tile_state(middle()).unwrap_or_default(), done)
}

/// Restores bytes as a delta, and stores that.
fn delta(mesh: &mut NavMesh, bytes: &[u8]) -> (Vec<u8>, Done) {
    let done = mesh.restore_delta(bytes);
    (mesh.store_delta(), done)
}

/// Three tiles in a row with a connection over the middle one.
fn shipped() -> NavMesh {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 4.0 };
    let row = [0, 1, 2].map(|x| tile(&mut Bytes(&[x, 0x55, 0x56, 0x95, 0x55]), 0));
    let mut mesh = NavMesh::from_tiles(layout, row.to_vec()).unwrap_or_else(|e| panic!("three tiles: {e}"));
    let (start, end) = (Vec3::new(0.5, 0.0, 0.5), Vec3::new(9.5, 0.0, 0.5));
    let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
    let jump = OffMeshConnection { start, end, radius: 0.4, two_way: true, area, flags, user_id: 0 };
    mesh.add_connection(jump).unwrap_or_else(|e| panic!("a connection: {e}"));
    mesh
}

/// The states of a game on the mesh that [`states`] restores to: of a tile, and the delta.
///
/// # Panics
/// If the mesh has not the polygons that are changed.
#[must_use]
pub fn stored_states() -> [Vec<u8>; 2] {
    let mut mesh = shipped();
    let polys: Vec<_> = mesh.tiles().map(|tile| tile.reference(5)).collect();
    let jump = mesh.connections().map(|connection| connection.reference());
    for poly in polys.into_iter().skip(1).chain(jump.collect::<Vec<_>>()) {
        let set = mesh.set_flags(poly, PolyFlags(0x30)).and_then(|()| mesh.set_area(poly, AreaId::from_low_bits(7)));
        assert!(set.is_ok(), "{set:?}");
    }
    [mesh.store_tile_state(middle()).unwrap_or_default(), mesh.store_delta()]
}

/// With the end of a stored state made right, and from the second version on its length.
fn sealed(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    let length = bytes.len() as u64;
    if bytes.get(7).is_some_and(|&version| version != b'1')
        && let Some(stored) = bytes.get_mut(8..16)
    {
        stored.copy_from_slice(&length.to_le_bytes());
    }
    if let Some((before, checksum)) = bytes.split_last_chunk_mut::<8>() {
        *checksum = xxh3_64(before).to_le_bytes();
    }
    bytes
}
