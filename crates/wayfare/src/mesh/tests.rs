//! The mesh as a whole: sequences of edits against a mesh built afresh, links, boxes, snapshots.

use super::*;
use crate::area::{AreaId, PolyFlags};
use crate::math::index::TileSlot;
use crate::math::{Aabb, Rng};
use crate::mesh::TileRef;
use crate::tile::test_sketch::sketch;
use crate::tile::{PlaceRange, SeamCell, Side, TileBuilder, TileCoord, TileData, TileLayout};
use glam::Vec3;
use std::sync::Arc;

const SIDE: f32 = 4.0;

fn layout() -> TileLayout {
    TileLayout { origin: Vec3::ZERO, tile_width: SIDE, tile_depth: SIDE }
}

fn at(x: i32, z: i32, layer: u32) -> TileCoord {
    TileCoord { x, z, layer }
}

fn reference(slot: u32, poly: u32) -> PolyRef {
    PolyRef::new(1, slot, poly).unwrap()
}

fn named(salt: u16, slot: u32) -> TileRef {
    TileRef::new(salt, slot).unwrap()
}

/// A 4 × 4 tile with random holes and heights.
fn random_tile(rng: &mut Rng, coord: TileCoord) -> TileData {
    let mut map = String::new();
    for row in 0..4 {
        for _ in 0..4 {
            map.push(['0', '0', '0', '0', 'c', '2', '.'][rng.below(7) as usize]);
        }
        map.push_str(if row < 3 { "\n" } else { "" });
    }
    sketch(coord, &map)
}

fn assert_same_as_fresh(mesh: &NavMesh) {
    assert_eq!(mesh.check(), [], "check");
    let fresh = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
    assert_eq!(fresh.tile_count(), mesh.tile_count());
    for (a, b) in mesh.tiles().zip(fresh.tiles()) {
        assert_eq!((a.slot(), a.salt(), a.links()), (b.slot(), b.salt(), b.links()));
    }
    assert!(mesh.connections().eq(fresh.connections()));
    for (x, z) in (-1..4).flat_map(|x| (-1..4).map(move |z| (x, z))) {
        assert!(mesh.tiles_at(x, z).map(Tile::slot).eq(fresh.tiles_at(x, z).map(Tile::slot)));
    }
}

#[test]
fn any_sequence_of_edits_gives_the_mesh_that_would_be_built_afresh() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut mesh = NavMesh::new(layout());
        let mut stale: Vec<PolyRef> = Vec::new();
        for step in 0..60 {
            let coord = at(rng.below(3) as i32, rng.below(3) as i32, rng.below(2));
            let tile = mesh.tile_at(coord).map(Tile::tile_ref);
            match (rng.below(10), tile) {
                (0..5, None) => drop(mesh.add_tile(random_tile(&mut rng, coord)).unwrap()),
                (0..2, Some(tile)) => {
                    stale.push(mesh.tile(tile).unwrap().reference(0));
                    mesh.replace_tile(tile, random_tile(&mut rng, coord)).unwrap();
                }
                (2..5, Some(tile)) => {
                    stale.push(mesh.tile(tile).unwrap().reference(0));
                    mesh.remove_tile(tile).unwrap();
                }
                (5 | 6, _) => {
                    let mut place = || Vec3::new(rng.unit() * 12.0, 0.0, rng.unit() * 12.0);
                    let start = place();
                    let end = place();
                    let radius = rng.unit();
                    let two_way = rng.below(2) == 0;
                    let area = AreaId::WALKABLE;
                    let flags = PolyFlags::WALK;
                    let user_id = step;
                    mesh.add_connection(OffMeshConnection { start, end, radius, two_way, area, flags, user_id })
                        .unwrap();
                }
                (7, _) => {
                    let gone = mesh.connections().last().map(Connection::reference);
                    if let Some(gone) = gone {
                        mesh.remove_connection(gone).unwrap();
                        stale.push(gone);
                    }
                }
                (_, Some(tile)) if mesh.tile(tile).unwrap().poly_count() > 0 => {
                    let poly = mesh.tile(tile).unwrap().reference(0);
                    mesh.set_flags(poly, PolyFlags(step as u16)).unwrap();
                }
                _ => {}
            }
            assert_same_as_fresh(&mesh);
            for &gone in &stale {
                assert!(!mesh.is_valid(gone), "seed {seed} step {step}: {gone} should be stale");
            }
        }
    }
}

#[test]
fn a_slot_whose_salts_have_run_out_is_retired() {
    let mut mesh = NavMesh::new(layout());
    let tile = |x| sketch(at(x, 0, 0), "a");
    mesh.add_tile_at(named(u16::MAX, 0), tile(0)).unwrap();
    let last = mesh.tile_in(TileSlot::new(0)).unwrap().reference(0);
    let (new, _) = mesh.replace_tile(last.tile().unwrap(), tile(0)).unwrap();
    assert_eq!(new, named(1, 1));
    assert_eq!(mesh.add_tile(tile(1)), Ok(named(1, 2)));
    assert_eq!(mesh.poly(last).unwrap_err().reason, StaleReason::Removed);
    let mut again = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
    assert_eq!(again.add_tile(tile(2)), Ok(named(1, 3)));
}

#[test]
fn tiles_that_were_prepared_elsewhere_come_back_and_take_the_place_of_others() {
    let prepared = |map| PreparedTile::new(sketch(at(0, 0, 0), map));
    let mut mesh = NavMesh::from_tiles(layout(), vec![sketch(at(0, 0, 0), "a"), sketch(at(1, 0, 0), "a")]).unwrap();
    let tile = named(1, 0);
    let bytes = mesh.to_bytes();
    let reference = mesh.tile(tile).unwrap().reference(0);
    mesh.remove_tile(tile).unwrap();
    mesh.add_prepared_at(tile, prepared("a")).unwrap();
    assert_eq!((mesh.to_bytes(), mesh.poly(reference).is_ok()), (bytes, true), "streamed out and in again");
    assert_eq!(mesh.add_prepared_at(named(7, 0), prepared("b")), Err(AddTileError::SlotTaken { slot: 0 }));
    let (new, old) = mesh.replace_prepared(tile, prepared("b")).unwrap();
    assert_eq!((new, old), (named(2, 0), sketch(at(0, 0, 0), "a")));
    assert_eq!(mesh.poly(reference).unwrap_err().reason, StaleReason::Replaced);
    assert_eq!(mesh.tile(new).unwrap().data(), &sketch(at(0, 0, 0), "b"));
    for (tile, reason) in [(tile, StaleReason::Replaced), (named(1, 9), StaleReason::Removed)] {
        let stale = StaleTile { tile, reason };
        assert_eq!(mesh.tile(tile).unwrap_err(), stale);
        assert_eq!(mesh.replace_prepared(tile, prepared("b")).unwrap_err(), AddTileError::Stale(stale));
    }
}

#[test]
fn tiles_are_refused_where_there_is_no_place_for_them() {
    let mut mesh = NavMesh::from_tiles(layout(), vec![sketch(at(0, 0, 0), "a")]).unwrap();
    let bytes = mesh.to_bytes();
    let tile = || sketch(at(0, 0, 0), "b");
    assert_eq!(mesh.add_tile(tile()), Err(AddTileError::PlaceTaken { coord: at(0, 0, 0), tile: named(1, 0) }));
    let other = sketch(at(1, 0, 0), "b");
    assert_eq!(mesh.add_tile_at(named(3, 0), other.clone()), Err(AddTileError::SlotTaken { slot: 0 }));
    let range = |slot, salt| Err(AddTileError::SlotRange { slot, salt });
    assert_eq!(mesh.check_slot(TileRef::SLOTS, 3, u32::MAX), range(TileRef::SLOTS, 3));
    assert_eq!(mesh.check_slot(4, 0, u32::MAX), range(4, 0));
    let far = AddTileError::SlotFar { slot: 65_536, limit: 65_536 };
    assert_eq!(mesh.add_tile_at(named(3, 65_536), other.clone()), Err(far));
    assert_eq!(mesh.to_bytes(), bytes);
    assert_eq!(mesh.remove_tile(named(1, 7)).unwrap_err().reason, StaleReason::Removed);
}

#[test]
fn a_removed_tile_is_handed_back_with_its_state() {
    let data = sketch(at(0, 0, 0), "ab");
    let mut mesh = NavMesh::from_tiles(layout(), vec![data.clone()]).unwrap();
    mesh.set_area(reference(0, 1), AreaId::new(9).unwrap()).unwrap();
    let back = mesh.remove_tile(named(1, 0)).unwrap();
    assert_eq!((back.polys()[0], back.polys()[1].area.get()), (data.polys()[0], 9));
    assert_eq!((mesh.tile_count(), mesh.bounds().is_empty()), (0, true));
}

/// Neighbours that touch are linked; ones that are a step too high, or that only share a corner, are not.
#[test]
fn links_join_what_touches() {
    let tiles = vec![sketch(at(0, 0, 0), "0000"), sketch(at(1, 0, 0), "1000"), sketch(at(2, 0, 0), "00.0")];
    let layout = TileLayout { tile_depth: 1.0, ..layout() };
    let mesh = NavMesh::from_tiles(layout, tiles).unwrap();
    let to = |slot, poly| mesh.poly(reference(slot, poly)).unwrap().portals().map(|p| p.to).collect::<Vec<_>>();
    assert_eq!(to(0, 3), [reference(0, 2)], "a metre is more than the climb");
    assert_eq!(to(1, 3), [reference(1, 2), reference(2, 0)]);
    let portal = mesh.poly(reference(1, 3)).unwrap().portals().last().unwrap();
    assert_eq!((portal.a, portal.b), (Vec3::new(8.0, 0.0, 1.0), Vec3::new(8.0, 0.0, 0.0)));
    let back = mesh.poly(reference(2, 0)).unwrap().portals().find(|p| p.to == reference(1, 3)).unwrap();
    assert_eq!((back.a, back.b), (portal.b, portal.a));
}

/// Two slopes that cross in the middle of a border are linked although their ends are far apart in height.
#[test]
fn edges_whose_heights_cross_are_linked() {
    let right = sketch(at(1, 0, 0), "a");
    let left = sketch(at(0, 0, 0), "a").edited(|left| {
        left.verts.iter_mut().for_each(|v| v.y = if v.z > 0.5 { 3.0 } else { -3.0 });
        left.fit_bounds();
    });
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
    let mesh = NavMesh::from_tiles(layout, vec![left, right]).unwrap();
    assert_eq!(mesh.tile_in(TileSlot::new(0)).unwrap().links().all().len(), 1);
    assert_eq!(mesh.check(), []);
}

/// Of a border of four cells, the two in the middle connect: the link is as long as those two.
#[test]
fn seams_link_exactly_the_cells_that_connect() {
    let baked = |x: i32, side: Side, heights: [(u16, u16); 4]| {
        let mut tile = sketch(at(x, 0, 0), "a").to_builder();
        tile.baked_for.cell_size = 0.25;
        let edge = tile.neighbours.iter().position(|n| n.as_border() == Some(side)).unwrap() as u32;
        let cells = (0..).zip(heights).map(|(cell, (here, there))| SeamCell { edge, cell, here, there });
        tile.seams = cells.collect();
        tile
    };
    let built = |mut tile: TileBuilder| tile.build().unwrap();
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
    // The last cells that there can be, in tiles that another program made: linked or not, but no overflow.
    let mut last = [baked(0, Side::XMax, [(5, 5); 4]), baked(1, Side::XMin, [(5, 5); 4])];
    for tile in &mut last {
        tile.seams.iter_mut().for_each(|seam| seam.cell += i32::MAX - 3);
    }
    assert_eq!(NavMesh::from_tiles(layout, last.map(built).to_vec()).unwrap().tile_count(), 2);
    let first = baked(0, Side::XMax, [(5, 9), (5, 6), (5, 6), (5, 6)]);
    let second = baked(1, Side::XMin, [(5, 9), (6, 5), (6, 5), (6, 4)]);
    let mesh = NavMesh::from_tiles(layout, [first, second].map(built).to_vec()).unwrap();
    let links = mesh.tile_in(TileSlot::new(0)).unwrap().links().all();
    assert_eq!(links.len(), 1);
    assert_eq!((links[0].a, links[0].b), (Vec3::new(1.0, 0.0, 0.75), Vec3::new(1.0, 0.0, 0.25)));
    assert_eq!(mesh.check(), []);
}

/// The rows of a box without columns are not gone over: there may be four billion.
#[test]
fn an_inverted_box_is_empty_however_long_it_is() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
    let mesh = NavMesh::from_tiles(layout, vec![sketch(at(0, 0, 0), "a"), sketch(at(1, 0, 0), "a")]).unwrap();
    let long = f32::INFINITY;
    for (low, high) in [([9.0, 0.0, -long], [-9.0, 0.0, long]), ([-1e30, 0.0, 9.0], [1e30, 0.0, -9.0])] {
        assert_eq!(mesh.places_under(low.into(), high.into(), 2), Some(PlaceRange::NONE));
        mesh.tiles_in_box(&Aabb { min: low.into(), max: high.into() }, |tile| panic!("{tile:?}"));
    }
}

#[test]
fn a_connection_outlives_the_tiles_at_its_ends() {
    let tile = |x| sketch(at(x, 0, 0), "a");
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
    let mut mesh = NavMesh::from_tiles(layout, vec![tile(0), tile(1)]).unwrap();
    let start = Vec3::new(0.5, 0.3, 0.5);
    let end = Vec3::new(40.5, 0.0, 0.5);
    let area = AreaId::WALKABLE;
    let flags = PolyFlags::WALK;
    let jump = OffMeshConnection { start, end, radius: 0.4, two_way: false, area, flags, user_id: 3 };
    let jump = mesh.add_connection(jump).unwrap();
    assert!(mesh.connection(jump).unwrap().passage(0).is_none(), "no ground at the far end yet");
    let far = sketch(at(40, 0, 0), "a");
    let far = mesh.add_tile(far).unwrap();
    let [entered, left] = mesh.connection(jump).unwrap().passage_from(reference(0, 0)).unwrap();
    assert_eq!((entered.point, left.poly.tile()), (Vec3::new(0.5, 0.0, 0.5), Some(far)));
    let links = mesh.tile_in(TileSlot::new(0)).unwrap().links().connections_of(0);
    assert_eq!(links, [ConnectionLink { poly: 0, end: 0, to: jump }]);
    assert!(mesh.tile(far).unwrap().links().connections().is_empty(), "it may be used one way only");
    mesh.remove_tile(named(1, 0)).unwrap();
    assert!(mesh.connection(jump).unwrap().ends()[0].is_none());
    mesh.add_tile(tile(0)).unwrap();
    assert!(mesh.connection(jump).unwrap().passage(0).is_some());
    assert_eq!(mesh.check(), []);
    mesh.remove_connection(jump).unwrap();
    assert_eq!(mesh.state(jump).unwrap_err().reason, StaleReason::Removed);
    assert_eq!(mesh.poly(jump).unwrap_err().reason, StaleReason::OtherKind);
    assert!(mesh.tile_in(TileSlot::new(0)).unwrap().links().connections().is_empty());
}

#[test]
fn a_layout_without_meaning_takes_no_tile() {
    let good = layout();
    for bad in [
        TileLayout { origin: Vec3::new(0.0, f32::NAN, 0.0), ..good },
        TileLayout { tile_width: f32::INFINITY, ..good },
        TileLayout { tile_depth: -1.0, ..good },
    ] {
        let added = NavMesh::new(bad).add_tile(sketch(at(0, 0, 0), "a"));
        assert!(matches!(added, Err(AddTileError::Layout { .. })), "{bad:?}: {added:?}");
    }
    assert!(NavMesh::new(TileLayout { tile_width: 0.0, ..good }).add_tile(sketch(at(0, 0, 0), "a")).is_ok());
}

#[test]
fn a_connection_holds_on_to_ground_that_was_lifted_though_the_agent_climbs_nothing() {
    let tile = sketch(at(0, 0, 0), "aa").edited(|tile| (tile.baked_for.climb, tile.baked_for.radius) = (0.0, 0.4));
    let mut mesh = NavMesh::from_tiles(layout(), vec![tile]).unwrap();
    let area = AreaId::WALKABLE;
    let flags = PolyFlags::WALK;
    let mut has_ground = |below: f32| {
        let [start, end] = [0.5, 1.5].map(|x| Vec3::new(x, -below, 0.5));
        let jump = OffMeshConnection { start, end, radius: 0.1, two_way: false, area, flags, user_id: 0 };
        let jump = mesh.add_connection(jump).unwrap();
        mesh.connection(jump).unwrap().passage(0).is_some()
    };
    assert!(has_ground(0.3) && !has_ground(0.6));
}

#[test]
fn a_connection_gets_the_lowest_free_index() {
    let mut mesh = NavMesh::from_tiles(layout(), vec![sketch(at(0, 0, 0), "a")]).unwrap();
    let area = AreaId::WALKABLE;
    let flags = PolyFlags::WALK;
    let jump = OffMeshConnection {
        start: Vec3::splat(0.5),
        end: Vec3::splat(9.0),
        radius: 0.4,
        two_way: false,
        area,
        flags,
        user_id: 0,
    };
    let add = |mesh: &mut NavMesh| mesh.add_connection(jump).unwrap();
    let first: Vec<PolyRef> = (0..4).map(|_| add(&mut mesh)).collect();
    for taken_out in [3, 1, 0] {
        mesh.remove_connection(first[taken_out]).unwrap();
    }
    let mut read = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
    for mesh in [&mut mesh, &mut read] {
        let next: Vec<u32> = (0..4).map(|_| add(mesh).poly().get()).collect();
        assert_eq!(next, [0, 1, 3, 4]);
        assert!(mesh.connection(first[1]).is_err() && mesh.connection(first[2]).is_ok());
    }
}

// ---- boxes ----

#[test]
fn boxes_find_what_a_plain_loop_finds_also_at_low_corners() {
    let mut rng = Rng::new(5);
    let mut coords: Vec<TileCoord> = (0..5).flat_map(|x| (0..5).map(move |z| at(x - 2, z - 2, 0))).collect();
    coords.extend([at(0, 0, 1), at(1, 0, 1)]);
    let tiles = coords.into_iter().map(|coord| random_tile(&mut rng, coord)).collect();
    let mesh = NavMesh::from_tiles(layout(), tiles).unwrap();
    let every = || mesh.tiles().flat_map(|t| (0..t.poly_count()).map(move |p| (t, p)));
    let polys: Vec<(PolyRef, Aabb)> =
        every().map(|(t, p)| (t.reference(p), Aabb::around(t.data().points_of(p)))).collect();
    let mut corners: Vec<Aabb> = mesh.tiles().map(|t| Aabb { min: t.bounds().min, max: t.bounds().min }).collect();
    for _ in 0..500 {
        let mut place = || Vec3::new(rng.unit() * 24.0 - 12.0, rng.unit() * 4.0 - 1.0, rng.unit() * 24.0 - 12.0);
        let a = place();
        let b = place();
        corners.push(Aabb { min: a.min(b), max: a.max(b) });
        corners.push(Aabb { min: a.round(), max: a.round() + (b - a).abs() * 0.1 });
    }
    corners.push(Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY });
    corners.push(Aabb { min: Vec3::NAN, max: Vec3::NAN });
    corners.push(Aabb::EMPTY);
    for query in corners {
        let mut expected: Vec<PolyRef> = polys.iter().filter(|(_, b)| b.overlaps(&query)).map(|(r, _)| *r).collect();
        let mut found = Vec::new();
        mesh.tiles_in_box(&query, |t| t.tree().polys_in_box(&query, |p, _| found.push(t.reference(p))));
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{query:?}");
    }
}

// ---- snapshots ----

#[test]
fn an_edit_copies_only_what_it_changes() {
    let tiles = (0..3).map(|x| sketch(at(x, 0, 0), "aaaa")).collect();
    let before = NavMesh::from_tiles(layout(), tiles).unwrap();
    let mut after = before.clone();
    after.set_flags(reference(1, 0), PolyFlags(9)).unwrap();
    for (a, b) in before.tiles().zip(after.tiles()) {
        let changed = a.slot().get() == 1;
        assert!(Arc::ptr_eq(&a.geometry, &b.geometry) && Arc::ptr_eq(&a.links, &b.links));
        assert_eq!(Arc::ptr_eq(&a.state, &b.state), !changed);
    }
}
