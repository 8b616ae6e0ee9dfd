//! Doors that are closed by their area type, asked for paths while their tiles come and go.

use super::test_maps::{at, mesh};
use super::{DefaultFilter, NavQuery};
use crate::area::{AreaId, FlagMask, PolyFlags};
use crate::math::index::TileSlot;
use crate::mesh::NavMesh;
use glam::Vec3;

fn state_at(mesh: &NavMesh, x: f32) -> PolyFlags {
    // Closed ones are not found by a filter.
    let mut polys = mesh.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly)));
    let here = polys.find(|poly| mesh.poly(*poly).is_ok_and(|poly| (poly.center().x - x).abs() < 0.1));
    mesh.state(here.unwrap()).unwrap().flags
}

/// A corridor in three tiles; the middle of the second is a door.
fn corridor(door: AreaId) -> NavMesh {
    let mut mesh = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa"), ((2, 0), "aaa")]);
    let middle = at(&mesh, (4.5, 0.5)).unwrap().poly.poly().index();
    let data = mesh.tile_in(TileSlot::new(1)).unwrap().data().edited(|data| data.polys[middle].area = door);
    mesh.replace_tile(mesh.tile_in(TileSlot::new(1)).unwrap().tile_ref(), data).unwrap();
    mesh
}

#[test]
fn a_closed_door_stays_closed_when_its_tile_is_rebuilt() {
    let door = AreaId::new(7).unwrap();
    let mut mesh = corridor(door);
    mesh.keep_components_for(FlagMask { include: PolyFlags::ALL, exclude: PolyFlags::NONE });
    let is_open = |mesh: &NavMesh| {
        let ends = [0.5, 8.5].map(|x| Vec3::new(x, 0.0, 0.5));
        NavQuery::new(mesh, DefaultFilter::default()).reachable(ends[0], ends[1]).unwrap()
    };
    assert_eq!(is_open(&mesh), Some(true));
    let before = mesh.clone();
    mesh.set_area_flags(door, PolyFlags::NONE);
    assert_eq!((is_open(&mesh), is_open(&before)), (Some(false), Some(true)));
    for _ in 0..3 {
        let data = mesh.tile_in(TileSlot::new(1)).unwrap().data().clone();
        mesh.replace_tile(mesh.tile_in(TileSlot::new(1)).unwrap().tile_ref(), data).unwrap();
        assert_eq!((state_at(&mesh, 4.5), is_open(&mesh)), (PolyFlags::NONE, Some(false)));
    }
    // Out and in again, and into another place.
    let data = mesh.remove_tile(mesh.tile_in(TileSlot::new(1)).unwrap().tile_ref()).unwrap();
    mesh.add_tile(data).unwrap();
    assert_eq!(is_open(&mesh), Some(false));
    // Others keep what they were baked with.
    assert_ne!(state_at(&mesh, 3.5), PolyFlags::NONE);
    mesh.set_area_flags(door, PolyFlags::WALK);
    assert_eq!(is_open(&mesh), Some(true));
}

#[test]
fn a_rule_that_is_cleared_leaves_what_is_there() {
    let door = AreaId::new(7).unwrap();
    let mut mesh = corridor(door);
    let open = state_at(&mesh, 4.5);
    mesh.set_area_flags(door, PolyFlags::NONE);
    assert_eq!(mesh.area_rules().flags(door), Some(PolyFlags::NONE));
    mesh.clear_area_flags(door);
    assert!(mesh.area_rules().is_empty());
    assert_eq!(state_at(&mesh, 4.5), PolyFlags::NONE);
    let data = mesh.tile_in(TileSlot::new(1)).unwrap().data().clone();
    mesh.replace_tile(mesh.tile_in(TileSlot::new(1)).unwrap().tile_ref(), data).unwrap();
    assert_eq!(state_at(&mesh, 4.5), open);
}
