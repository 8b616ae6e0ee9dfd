//! Hierarchical searches against ordinary ones, on random maps of several tiles.

use super::{
    AbstractGraph, HierarchyScratch, InMemory, MeshTiles, NotLoadedReason, Refinement, ResidentBudget, ResidentWorld,
    TileAccess, find_hierarchical_path,
};
use crate::area::{AreaId, PathStatus, PolyFlags};
use crate::format::RestoreError;
use crate::math::Rng;
use crate::mesh::{NavMesh, OffMeshConnection, PolyRef, PolyState};
use crate::query::test_maps::{at, mesh, random_map};
use crate::query::{
    Crossing, DefaultFilter, PathRequest, QueryFilter, SearchScratch, find_nearest, find_path, string_pull,
};
use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
use glam::Vec3;

const REFINEMENTS: [Refinement; 5] = [
    Refinement::Whole,
    Refinement::NearestExit,
    Refinement::PulledExit,
    Refinement::Workspace(2),
    Refinement::Workspace(4),
];

/// Asks both searches the same; how much longer the hierarchical one's path is, if both find one.
fn compare<F: QueryFilter>(
    mesh: &NavMesh,
    graph: &AbstractGraph,
    request: &PathRequest,
    refinement: Refinement,
    filter: &F,
) -> Option<f32> {
    let mut scratch = HierarchyScratch::new();
    let flat = find_path(mesh, request, filter, &mut SearchScratch::new()).unwrap();
    let mut world = InMemory::new(mesh, graph);
    let found = find_hierarchical_path(&mut world, request, refinement, filter, &mut scratch).unwrap();
    let path = found.path;
    assert_eq!(path.status, flat.status, "{refinement:?} {request:?}");
    assert_eq!((path.polys[0], path.portals.len() + 1), (request.start.poly, path.polys.len()));
    for pair in path.polys.windows(2) {
        let is_open = filter.passes(pair[1], mesh.state(pair[1]).unwrap());
        let linked = crate::query::portal_between(mesh, pair[0], pair[1]).unwrap();
        assert!(is_open && linked.is_some(), "{pair:?}");
    }
    if path.status != PathStatus::Complete {
        return None;
    }
    assert_eq!(path.end, request.goal.point);
    // Who stands on a closed polygon leaves it by an ordinary search.
    let is_closed = !filter.passes(request.start.poly, mesh.state(request.start.poly).unwrap());
    assert!(found.corridors > 0 || is_closed, "an ordinary search was needed: {refinement:?} {request:?}");
    let lengths = [&path, &flat].map(|path| string_pull(path, &mut SearchScratch::new()).length);
    Some((lengths[0] + 0.1) / (lengths[1] + 0.1))
}

fn random_place(rng: &mut Rng, mesh: &NavMesh, size: f32) -> Option<crate::query::PolyPoint> {
    at(mesh, (rng.unit() * size, rng.unit() * size))
}

#[test]
fn a_path_is_found_exactly_where_an_ordinary_search_finds_one() {
    let mut rng = Rng::new(21);
    let mut ratios = [0.0; REFINEMENTS.len()];
    let mut found = 0;
    for _ in 0..60 {
        let mesh = random_map(&mut rng, 5, 6);
        let graph = AbstractGraph::new(&mesh);
        for _ in 0..6 {
            let ends = (random_place(&mut rng, &mesh, 30.0), random_place(&mut rng, &mesh, 30.0));
            let (Some(start), Some(goal)) = ends else { continue };
            let request = PathRequest::new(start, goal);
            for (refinement, sum) in REFINEMENTS.into_iter().zip(&mut ratios) {
                let ratio = compare(&mesh, &graph, &request, refinement, &DefaultFilter::default());
                found += u32::from(ratio.is_some());
                *sum += ratio.unwrap_or(0.0);
            }
        }
    }
    assert!(found > 100, "{found}");
    let means = ratios.map(|sum| sum * REFINEMENTS.len() as f32 / found as f32);
    assert!(means[0] < 1.02 && means[4] < 1.03 && means.iter().all(|mean| *mean < 1.2), "{means:?}");
}

/// Doors that open and close, tiles that go and come back, connections: the graph is kept up, and equals one that is
/// made anew.
#[test]
fn the_graph_follows_the_mesh() {
    let mut rng = Rng::new(5);
    let mut mesh = random_map(&mut rng, 4, 6);
    let mut graph = AbstractGraph::new(&mesh);
    let mut found = 0;
    for round in 0..150 {
        for _ in 0..=rng.below(2) {
            edit(&mut rng, &mut mesh);
        }
        graph.update(&mesh);
        let anew = AbstractGraph::new(&mesh);
        let parts = |graph: &AbstractGraph| -> Vec<_> {
            graph.tiles().map(|tile| (tile.tile, tile.graph.clone(), tile.joins.clone())).collect()
        };
        let kept = parts(&graph);
        let made = parts(&anew);
        let differ = kept.iter().zip(&made).find(|(a, b)| a != b).map(|(a, _)| a.0);
        assert!(differ.is_none() && kept.len() == made.len(), "round {round}: {differ:?}");
        let mut filter = DefaultFilter::new(PolyFlags::WALK, PolyFlags::NONE);
        filter.set_area_cost(AreaId::new(7).unwrap(), 3.0).unwrap();
        for _ in 0..10 {
            let ends = (random_place(&mut rng, &mesh, 24.0), random_place(&mut rng, &mesh, 24.0));
            let (Some(start), Some(goal)) = ends else { continue };
            let ratio = compare(&mesh, &graph, &PathRequest::new(start, goal), Refinement::default(), &filter);
            found += u32::from(ratio.is_some());
        }
    }
    assert!(found > 20, "{found}");
}

pub(super) fn edit(rng: &mut Rng, mesh: &mut NavMesh) {
    let tile = {
        let tiles: Vec<_> = mesh.tiles().collect();
        tiles[rng.below(tiles.len() as u32) as usize]
    };
    let poly = tile.reference(rng.below(tile.poly_count()));
    let reference = tile.tile_ref();
    let center = tile.data().center_of(poly.poly().get());
    match rng.below(6) {
        0 | 1 => {
            let is_open = mesh.state(poly).unwrap().flags == PolyFlags::WALK;
            mesh.set_flags(poly, if is_open { PolyFlags(2) } else { PolyFlags::WALK }).unwrap();
        }
        2 => mesh.set_area(poly, AreaId::new(7).unwrap()).unwrap(),
        3 => {
            let data = mesh.remove_tile(reference).unwrap();
            if rng.below(9) > 0 {
                mesh.add_tile(data).unwrap();
            }
        }
        4 => {
            let end = Vec3::new(rng.unit() * 24.0, 0.0, rng.unit() * 24.0);
            let two_way = rng.below(2) == 0;
            let jump = OffMeshConnection {
                start: center,
                end,
                radius: 0.4,
                two_way,
                area: AreaId::WALKABLE,
                flags: PolyFlags::WALK,
                user_id: 0,
            };
            mesh.add_connection(jump).unwrap();
        }
        _ => {
            let all: Vec<PolyRef> = mesh.connections().map(|connection| connection.reference()).collect();
            if let Some(&connection) = all.get(rng.below(all.len().max(1) as u32) as usize) {
                match rng.below(3) {
                    0 => mesh.set_flags(connection, PolyFlags(2)).unwrap(),
                    1 => mesh.set_flags(connection, PolyFlags::WALK).unwrap(),
                    _ => _ = mesh.remove_connection(connection).unwrap(),
                }
            }
        }
    }
}

/// Closes polygons that neither area type nor flags tell apart from others.
struct EverySeventh;

impl QueryFilter for EverySeventh {
    fn passes(&self, poly: PolyRef, _: PolyState) -> bool {
        poly.poly().get() % 7 != 3
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        crossing.length()
    }
}

#[test]
fn filters_that_judge_by_polygon_are_never_answered_wrongly() {
    let mut rng = Rng::new(9);
    let mut complete = 0;
    for _ in 0..150 {
        let mesh = random_map(&mut rng, 4, 6);
        let graph = AbstractGraph::new(&mesh);
        let ends = (random_place(&mut rng, &mesh, 24.0), random_place(&mut rng, &mesh, 24.0));
        let (Some(start), Some(goal)) = ends else { continue };
        let request = PathRequest::new(start, goal);
        let flat = find_path(&mesh, &request, &EverySeventh, &mut SearchScratch::new()).unwrap();
        let mut world = InMemory::new(&mesh, &graph);
        let refinement = Refinement::default();
        let scratch = &mut HierarchyScratch::new();
        let found = find_hierarchical_path(&mut world, &request, refinement, &EverySeventh, scratch).unwrap();
        assert_eq!(found.path.status, flat.status);
        assert!(found.path.polys.iter().skip(1).all(|poly| poly.poly().get() % 7 != 3));
        complete += u32::from(flat.status == PathStatus::Complete);
    }
    assert!(complete > 5, "{complete}");
}

#[test]
fn expensive_areas_are_gone_around_tile_after_tile() {
    let mesh = mesh(&[((0, 0), "aaa\nabb"), ((1, 0), "aaa\nbbb"), ((2, 0), "aaa\nbba")]);
    let graph = AbstractGraph::new(&mesh);
    let request = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (8.5, 0.5)).unwrap());
    let length = |cost: f32| {
        let mut filter = DefaultFilter::default();
        filter.set_area_cost(AreaId::new(2).unwrap(), cost).unwrap();
        let mut world = InMemory::new(&mesh, &graph);
        let mut scratch = HierarchyScratch::new();
        let found = find_hierarchical_path(&mut world, &request, Refinement::default(), &filter, &mut scratch).unwrap();
        string_pull(&found.path, &mut scratch.query).length
    };
    assert!(length(1.0) < 8.2 && length(9.0) > 8.2 && length(f32::INFINITY) > 8.2);
}

/// A world with room for 16 tiles: the same pairs connect as in memory, while tiles come and go, and some are missing
/// or broken.
#[test]
fn a_world_larger_than_its_budget_connects_what_a_whole_mesh_connects() {
    let mut rng = Rng::new(33);
    let mut found = 0;
    for round in 0..12 {
        let whole = random_map(&mut rng, 7, 6);
        let mut tiles = MeshTiles::new(&whole);
        let mut mesh = whole.clone();
        // In some rounds tiles are gone, or cannot be read.
        for _ in 0..if round % 3 == 0 { 0 } else { 4 } {
            let coord = whole.tiles().nth(rng.below(whole.tile_count()) as usize).unwrap().coord();
            let Some(there) = mesh.tile_at(coord).map(|tile| tile.tile_ref()) else { continue };
            mesh.remove_tile(there).unwrap();
            tiles.lose(coord, NotLoadedReason::Broken);
        }
        let budget = ResidentBudget { tiles: 16, ..ResidentBudget::default() };
        let mut world = ResidentWorld::new(tiles, budget);
        let mut scratch = HierarchyScratch::new();
        let filter = DefaultFilter::default();
        for _ in 0..60 {
            let ends = (random_place(&mut rng, &mesh, 42.0), random_place(&mut rng, &mesh, 42.0));
            let (Some(start), Some(goal)) = ends else { continue };
            let flat = find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut SearchScratch::new()).unwrap();
            let half = Vec3::new(0.1, 1.0, 0.1);
            let places = [start, goal].map(|end| world.nearest(end.point, half, &filter).unwrap());
            let request = PathRequest::new(places[0], places[1]);
            let answer =
                find_hierarchical_path(&mut world, &request, Refinement::default(), &filter, &mut scratch).unwrap();
            assert_eq!(answer.path.status == PathStatus::Complete, flat.status == PathStatus::Complete);
            found += u32::from(flat.status == PathStatus::Complete);
            assert!(world.stats().most_tiles <= 16 && world.mesh().tile_count() <= 16);
        }
        assert_eq!(world.take_events().is_empty(), mesh.tile_count() == whole.tile_count());
    }
    assert!(found > 30, "{found}");
}

#[test]
fn references_and_doors_outlive_an_eviction_and_a_changed_tile_has_others() {
    let whole = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa"), ((2, 0), "aaa")]);
    let mut world = ResidentWorld::new(MeshTiles::new(&whole), ResidentBudget { tiles: 1, ..Default::default() });
    let slot = world.slot_at(whole.tiles().nth(1).unwrap().coord()).unwrap();
    world.load(&[slot]).unwrap();
    let door = world.mesh().tiles().next().unwrap().reference(1);
    world.set_flags(door, PolyFlags(4)).unwrap();
    world.load(&[0]).unwrap();
    assert!(world.mesh().state(door).is_err(), "it is evicted");
    assert_eq!(world.load(&[0, slot]).unwrap_err().why, NotLoadedReason::NoRoom);
    world.load(&[slot]).unwrap();
    assert_eq!(world.mesh().state(door).unwrap().flags, PolyFlags(4));
    let states: Vec<_> = world.graph_tile(slot).unwrap().graph().areas().iter().map(|area| area.state.flags).collect();
    assert_eq!(states.iter().filter(|flags| **flags == PolyFlags(4)).count(), 1);
    world.pin(slot).unwrap();
    assert_eq!(world.load(&[0]).unwrap_err().why, NotLoadedReason::NoRoom);
    world.unpin(slot);
    world.refresh(TileCoord { x: 1, z: 0, layer: 0 });
    world.load(&[slot]).unwrap();
    assert!(world.mesh().state(door).is_err(), "another tile now");
}

#[test]
fn a_read_that_fails_once_is_tried_again() {
    let whole = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa"), ((2, 0), "aaa")]);
    let middle = TileCoord { x: 1, z: 0, layer: 0 };
    let mut world = ResidentWorld::new(MeshTiles::new(&whole), ResidentBudget::default());
    let filter = DefaultFilter::default();
    let mut scratch = HierarchyScratch::new();
    let mut is_found = |world: &mut ResidentWorld<MeshTiles>| {
        let ends =
            [0.5, 7.5].map(|x| world.nearest(Vec3::new(x, 0.0, 0.5), Vec3::new(0.1, 1.0, 0.1), &filter).unwrap());
        let request = PathRequest::new(ends[0], ends[1]);
        let answer = find_hierarchical_path(world, &request, Refinement::default(), &filter, &mut scratch).unwrap();
        answer.path.status == PathStatus::Complete
    };
    world.source_mut().lose(middle, NotLoadedReason::Failed);
    for _ in 0..3 {
        assert!(!is_found(&mut world));
    }
    let told = world.take_events();
    assert!(told.len() == 1 && told[0].coord == middle && told[0].why == NotLoadedReason::Failed, "{told:?}");
    world.source_mut().insert(whole.tile_at(middle).unwrap());
    for _ in 0..300 {
        world.load(&[0]).unwrap();
    }
    assert!(is_found(&mut world) && world.take_events().is_empty());
}

#[test]
fn a_pinned_tile_that_has_changed_is_loaded_again_and_stays() {
    let whole = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa"), ((2, 0), "aaa")]);
    let mut world = ResidentWorld::new(MeshTiles::new(&whole), ResidentBudget { tiles: 2, ..Default::default() });
    let there = TileCoord { x: 1, z: 0, layer: 0 };
    let slot = world.slot_at(there).unwrap();
    for _ in 0..2 {
        world.pin(slot).unwrap();
    }
    assert!(world.refresh(there));
    world.unpin(slot);
    for other in [0, 2, 0] {
        world.load(&[other]).unwrap();
        assert_eq!(world.resident_slots().filter(|&it| it == slot).count(), 1);
    }
    world.unpin(slot);
    world.load(&[0, 2]).unwrap();
    assert!(world.resident_slots().all(|it| it != slot));
    assert!(!world.refresh(TileCoord { x: 9, z: 9, layer: 0 }), "it is not in the world");
}

#[test]
fn a_slot_that_no_tile_has_is_refused_and_takes_no_place() {
    let whole = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa")]);
    let mut world = ResidentWorld::new(MeshTiles::new(&whole), ResidentBudget::default());
    for slot in [2, 99, 200_000_000] {
        assert_eq!(world.load(&[slot]).unwrap_err().why, NotLoadedReason::Missing);
    }
    assert_eq!((world.mesh().tile_count(), world.load(&[0, 1])), (0, Ok(())));
}

#[test]
fn the_nearest_position_is_found_whatever_the_budget() {
    let whole = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa"), ((2, 0), "aaa")]);
    let bytes = whole.tiles().map(|tile| tile.data().bytes()).max().unwrap();
    let filter = DefaultFilter::default();
    for budget in [ResidentBudget { bytes, ..Default::default() }, ResidentBudget { tiles: 2, ..Default::default() }] {
        let mut world = ResidentWorld::new(MeshTiles::new(&whole), budget);
        let nearest = |world: &mut ResidentWorld<_>, x| {
            world.nearest(Vec3::new(x, 0.0, 0.5), Vec3::new(9.0, 1.0, 1.0), &filter).unwrap().point.x
        };
        assert_eq!([0.5, 4.5, 7.5].map(|x| nearest(&mut world, x)), [0.5, 4.5, 7.5]);
        world.pin(0).unwrap();
        let seen = nearest(&mut world, 7.5);
        // With room for the pinned tile alone the others cannot be seen, which is reported.
        assert_eq!(seen < 7.5, world.take_events().iter().any(|event| event.why == NotLoadedReason::NoRoom), "{seen}");
    }
}

/// A floor under the point, a climb and a half below, in the first tiles that are looked at; a ledge beside the point,
/// at its height, in the last.
#[test]
fn what_is_beside_a_point_may_be_nearer_than_what_is_under_it() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 3.0, tile_depth: 1.0 };
    let tile = |x, y| {
        let mut tile = sketch(TileCoord { x, z: 0, layer: 0 }, "aaa").to_builder();
        tile.verts.iter_mut().for_each(|vert| vert.y += y);
        (tile.bounds.min.y, tile.bounds.max.y) = (y - 0.5, y + 0.5);
        tile.build().unwrap()
    };
    let whole = NavMesh::from_tiles(layout, vec![tile(0, 0.0), tile(1, 0.0), tile(2, 2.5)]).unwrap();
    let (point, reach, filter) = (Vec3::new(5.9, 2.5, 0.5), Vec3::new(9.0, 4.0, 1.0), DefaultFilter::default());
    let expected = find_nearest(&whole, point, reach, &filter).unwrap();
    assert_eq!((expected.point.y, expected.over), (2.5, false));
    for tiles in 1..4 {
        let mut world = ResidentWorld::new(MeshTiles::new(&whole), ResidentBudget { tiles, ..Default::default() });
        assert_eq!(world.nearest(point, reach, &filter), Some(expected.place()), "{tiles}");
    }
}

#[test]
fn a_box_of_any_size_costs_no_more_than_the_tiles() {
    let mut whole = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa"), ((-70_000, 90_000), "aaa")]);
    let (start, end) = (Vec3::new(0.5, 0.0, 0.5), Vec3::new(1.5, 0.0, 0.5));
    let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
    whole
        .add_connection(OffMeshConnection { start, end, radius: 1e12, two_way: false, area, flags, user_id: 0 })
        .unwrap();
    let mut world = ResidentWorld::new(MeshTiles::new(&whole), ResidentBudget::default());
    assert_eq!(world.tiles_around(start, 1e12).len(), 3);
    assert_eq!(world.tiles_around(start, 4.0), [0, 1]);
    let found = world.nearest(start, Vec3::new(1e12, 1.0, 1e12), &DefaultFilter::default()).unwrap();
    assert_eq!(found.point, start);
}

#[test]
fn a_connection_of_a_world_opens_and_closes() {
    let mut whole = mesh(&[((0, 0), "aaa"), ((1, 0), ".aa")]);
    let (start, end) = (Vec3::new(2.5, 0.0, 0.5), Vec3::new(4.5, 0.0, 0.5));
    let (area, flags) = (AreaId::WALKABLE, PolyFlags(2));
    let jump = OffMeshConnection { start, end, radius: 0.4, two_way: false, area, flags, user_id: 0 };
    whole.add_connection(jump).unwrap();
    let mut world = ResidentWorld::new(MeshTiles::new(&whole), ResidentBudget::default());
    let filter = DefaultFilter::new(PolyFlags::WALK, PolyFlags::NONE);
    let ends = [0.5, 5.5].map(|x| world.nearest(Vec3::new(x, 0.0, 0.5), Vec3::ONE * 0.1, &filter).unwrap());
    let jump = world.mesh().connections().next().unwrap().reference();
    for (flags, status) in [(PolyFlags::WALK, PathStatus::Complete), (PolyFlags(2), PathStatus::Partial)] {
        world.set_flags(jump, flags).unwrap();
        let (request, refinement) = (PathRequest::new(ends[0], ends[1]), Refinement::default());
        let mut scratch = HierarchyScratch::new();
        let found = find_hierarchical_path(&mut world, &request, refinement, &filter, &mut scratch).unwrap();
        assert_eq!(found.path.status, status);
    }
}

/// Three tiles, of which the game changes each in another way: a door in a tile that is away, one in a tile that is in
/// memory, and a tile that is another one now; and a connection.
#[test]
fn what_has_changed_in_a_world_is_stored_and_restored() {
    let mut whole = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa"), ((2, 0), "aaa")]);
    let (start, end) = (Vec3::new(0.5, 0.0, 0.5), Vec3::new(8.5, 0.0, 0.5));
    let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
    let jump = OffMeshConnection { start, end, radius: 0.4, two_way: false, area, flags, user_id: 0 };
    whole.add_connection(jump).unwrap();
    let budget = ResidentBudget { tiles: 2, ..ResidentBudget::default() };
    let fresh = ResidentWorld::new(MeshTiles::new(&whole), budget);
    let mut world = fresh.clone();
    world.refresh(TileCoord { x: 2, z: 0, layer: 0 });
    let mut doors = Vec::new();
    for slot in [0, 1] {
        world.load(&[slot]).unwrap();
        let door = world.mesh().tiles().find(|tile| tile.slot().get() == slot).unwrap().reference(1);
        world.set_flags(door, PolyFlags(4)).unwrap();
        doors.push(door);
    }
    world.load(&[2]).unwrap();
    world.load(&[1]).unwrap();
    let jump = world.mesh().connections().next().unwrap().reference();
    world.set_flags(jump, PolyFlags(2)).unwrap();
    let saved = world.store_changes();

    // A new game, and one in which something else has happened.
    let mut other = fresh.clone();
    other.pin(1).unwrap();
    let door = other.mesh().tiles().next().unwrap().reference(2);
    other.set_flags(door, PolyFlags(8)).unwrap();
    for mut again in [fresh.clone(), other] {
        again.restore_changes(&saved).unwrap();
        assert_eq!(again.mesh().digest(), world.mesh().digest());
        assert!(again.resident_slots().eq([1, 2]) && again.mesh().state(doors[1]).unwrap().flags == PolyFlags(4));
        assert_eq!(again.mesh().state(jump).unwrap().flags, PolyFlags(2));
        // The tile that was used last stays longest, and the door comes back closed.
        again.load(&[0]).unwrap();
        assert!(again.resident_slots().eq([0, 1]));
        assert_eq!(again.mesh().state(doors[0]).unwrap().flags, PolyFlags(4));
        assert_eq!(
            again.mesh().tile_at(TileCoord { x: 1, z: 0, layer: 0 }).unwrap().states()[2].flags,
            PolyFlags::WALK
        );
        again.load(&[2]).unwrap();
        assert_eq!(
            again.mesh().tile_at(TileCoord { x: 2, z: 0, layer: 0 }).unwrap().salt(),
            2,
            "old references stay stale"
        );
        again.restore_changes(&fresh.store_changes()).unwrap();
        assert_eq!((again.mesh().digest(), again.mesh().tile_count()), (fresh.mesh().digest(), 0));
    }
    // A tile that the source has replaced since then has its own state.
    let mut tiles = MeshTiles::new(&whole);
    let mut higher = sketch(TileCoord { x: 1, z: 0, layer: 0 }, "aaa").to_builder();
    higher.verts.iter_mut().for_each(|vert| vert.y += 0.25);
    let higher = NavMesh::from_tiles(whole.layout(), vec![higher.build().unwrap()]).unwrap();
    tiles.insert(higher.tiles().next().unwrap());
    let mut patched = ResidentWorld::new(tiles, budget);
    patched.restore_changes(&saved).unwrap();
    let state = patched.mesh().tile_at(TileCoord { x: 1, z: 0, layer: 0 }).unwrap().states();
    assert!(state.iter().all(|state| state.flags == PolyFlags::WALK), "{state:?}");
}

#[test]
fn changes_of_another_world_or_with_other_bytes_are_refused_as_a_whole() {
    let whole = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa")]);
    let mut world = ResidentWorld::new(MeshTiles::new(&whole), ResidentBudget::default());
    world.load(&[0, 1]).unwrap();
    let door = world.mesh().tiles().next().unwrap().reference(1);
    world.set_flags(door, PolyFlags(4)).unwrap();
    let saved = world.store_changes();
    let before = world.mesh().clone();
    for cut in 0..saved.len() {
        assert!(world.restore_changes(&saved[..cut]).is_err(), "{cut}");
        let mut altered = saved.clone();
        altered[cut] ^= 1;
        assert!(world.restore_changes(&altered).is_err(), "{cut}");
    }
    let delta = world.mesh().store_delta();
    assert!(matches!(world.restore_changes(&delta), Err(RestoreError::Kind { .. })));
    let more = mesh(&[((0, 0), "aaa"), ((1, 0), "aaa"), ((1, 1), "aaa")]);
    let mut more = ResidentWorld::new(MeshTiles::new(&more), ResidentBudget::default());
    assert!(matches!(more.restore_changes(&saved), Err(RestoreError::OtherWorld { .. })));
    assert!(world.mesh().is_same_as(&before));
}
