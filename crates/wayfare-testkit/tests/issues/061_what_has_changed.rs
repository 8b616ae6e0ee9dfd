//! A game that keeps something for each tile (a map on the screen, sounds, a planner of its own) had to look at all
//! tiles after every edit, since the mesh did not say which had changed; and it learned that a tile was to be rebuilt
//! only when the paths over it had broken.
//!
//! Now a mesh tells what has changed since a version, and what somebody has announced.

use super::{row_of_squares, square};
use std::collections::BTreeMap;
use wayfare::area::PolyFlags;
use wayfare::components::Components;
use wayfare::math::Rng;
use wayfare::mesh::{Change, ChangesUnknown, NavMesh, PolyState, SharedMesh, TileRef};
use wayfare::tile::TileCoord;

const TILES: i32 = 40;

/// What a game keeps of each tile.
fn drawn(mesh: &NavMesh) -> BTreeMap<TileRef, Vec<PolyState>> {
    mesh.tiles().map(|tile| (tile.tile_ref(), tile.states().to_vec())).collect()
}

fn edit(mesh: &mut NavMesh, rng: &mut Rng) {
    let x = rng.below(TILES as u32) as i32;
    match (mesh.tile_at(TileCoord { x, z: 0, layer: 0 }).map(|t| (t.tile_ref(), t.reference(0))), rng.below(4)) {
        (None, _) => drop(mesh.add_tile(square(x)).unwrap()),
        (Some((tile, _)), 0) => drop(mesh.remove_tile(tile).unwrap()),
        (Some((tile, _)), 1) => drop(mesh.replace_tile(tile, square(x)).unwrap()),
        (Some((_, poly)), _) => mesh.set_flags(poly, PolyFlags(1 + rng.below(3) as u16)).unwrap(),
    }
}

#[test]
fn who_follows_the_feed_knows_what_the_mesh_is_without_looking_at_all_of_it() {
    let (shared, mut rng) = (SharedMesh::new(row_of_squares(TILES)), Rng::new(61));
    let mut reader = shared.reader();
    let mut seen = reader.held().version().clone();
    let (mut map, mut looked, mut components) = (drawn(reader.held()), 0, Components::of(reader.held()));
    for round in 0..2000 {
        for _ in 0..rng.below(3) {
            shared.edit(|mesh| edit(mesh, &mut rng));
        }
        let mesh = reader.latest();
        for change in mesh.changes_since(&seen).unwrap() {
            let Some(tile) = change.tile() else { continue };
            looked += 1;
            match mesh.tile(tile) {
                Ok(there) => drop(map.insert(tile, there.states().to_vec())),
                Err(_) => drop(map.remove(&tile)),
            }
        }
        seen = mesh.version().clone();
        assert_eq!(map, drawn(mesh), "round {round}");
        components.update(mesh);
        assert_eq!(components.count(), Components::of(mesh).count(), "round {round}");
    }
    assert!(looked < 2000 * 8, "{looked} looks");
}

#[test]
fn what_is_about_to_change_is_told_before_it_does() {
    let mut mesh = row_of_squares(TILES);
    let seen = mesh.version().clone();
    let tiles = [3, 7].map(|slot| TileRef::new(1, slot).unwrap());
    let before = mesh.to_bytes();
    mesh.announce(&tiles);
    assert_eq!(mesh.to_bytes(), before, "nothing has changed yet");
    assert!(mesh.changes_since(&seen).unwrap().eq(tiles.map(Change::TileAnnounced)));
}

#[test]
fn another_mesh_says_that_it_does_not_know() {
    let (mesh, mut other) = (row_of_squares(TILES), row_of_squares(TILES));
    assert_eq!(other.changes_since(mesh.version()).err(), Some(ChangesUnknown));
    // As does one that went another way from the same snapshot.
    let mut mesh = other.clone();
    edit(&mut mesh, &mut Rng::new(1));
    edit(&mut other, &mut Rng::new(1));
    assert_eq!(other.changes_since(mesh.version()).err(), Some(ChangesUnknown));
}
