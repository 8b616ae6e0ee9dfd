//! A game that rebuilds tiles in the background notes which tile it is going to replace. Meanwhile another change
//! replaces the same tile. When the first is done, the tile that it noted is gone; but the mesh took the number of its
//! slot for the new tile, and removed that one, or gave it the stored state of the old.
//!
//! Now a tile is named by slot and salt, and one that is gone is told.

use super::{row_of_squares, square};
use wayfare::format::{DetourWriteError, RefBits, RestoreError};
use wayfare::mesh::{AddTileError, NavMesh, StaleReason, TileRef};
use wayfare::tile::TileCoord;

/// Every call that names a tile, with one that is gone: the answer says why, and nothing has changed.
fn assert_stale(mesh: &mut NavMesh, tile: TileRef, reason: StaleReason, state: &[u8]) {
    let (before, stale) = (mesh.to_bytes(), mesh.tile(tile).unwrap_err());
    assert_eq!((stale.tile, stale.reason), (tile, reason));
    assert_eq!(mesh.remove_tile(tile), Err(stale));
    assert_eq!(mesh.replace_tile(tile, square(1)), Err(AddTileError::Stale(stale)));
    assert_eq!(mesh.tile_state_size(tile), Err(stale));
    assert_eq!(mesh.store_tile_state(tile), Err(stale));
    assert_eq!(mesh.restore_tile_state(tile, state), Err(RestoreError::Stale(stale)));
    assert_eq!(mesh.tile_to_detour(tile, RefBits::Bits64), Err(DetourWriteError::Stale(stale)));
    assert_eq!(mesh.components().of_islands(tile).count(), 0);
    assert_eq!(mesh.to_bytes(), before);
}

#[test]
fn a_tile_that_was_replaced_is_never_taken_for_the_one_after_it() {
    let mut mesh = row_of_squares(3);
    let noted = mesh.tile_at(TileCoord { x: 1, z: 0, layer: 0 }).unwrap().tile_ref();
    let state = mesh.store_tile_state(noted).unwrap();
    let (new, _) = mesh.replace_tile(noted, square(1)).unwrap();
    assert_eq!((new.slot(), mesh.tile(new).unwrap().tile_ref()), (noted.slot(), new));
    assert_stale(&mut mesh, noted, StaleReason::Replaced, &state);
    mesh.remove_tile(new).unwrap();
    assert_stale(&mut mesh, noted, StaleReason::Removed, &state);
    assert_stale(&mut mesh, new, StaleReason::Removed, &state);
    // Back under its own name, it is what it was.
    mesh.add_tile_at(noted, square(1)).unwrap();
    assert_eq!(mesh.restore_tile_state(noted, &state), Ok(()));
    assert_eq!(mesh.to_bytes(), row_of_squares(3).to_bytes());
}

#[test]
fn a_tile_has_the_name_that_its_polygons_have() {
    let mesh = row_of_squares(3);
    for tile in mesh.tiles() {
        let name = tile.tile_ref();
        assert_eq!((tile.reference(0).tile(), name.to_string().parse()), (Some(name), Ok(name)));
        assert_eq!(format!("{name}:p0"), tile.reference(0).to_string());
    }
}
