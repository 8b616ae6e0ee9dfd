//! Tests of what a changing mesh does to whom: who is told, who is mended, who is left alone.

use super::tests::{DT, at, has, small, walk};
use super::*;
use crate::area::PolyFlags;
use crate::context::Context;
use crate::corridor::test_ground::place;
use crate::math::{Rng, plane, steps};
use crate::mesh::{NavMesh, Tile, TileRef};
use crate::plan::AStarPlanner;
use crate::query::{Broken, BrokenBy};
use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
use glam::Vec3;

const ROWS: &str = "aaaaaaaaaaaa\na..........a\na..........a\na..........a\naaaaaaaaaaaa";

/// Two roads that meet at both ends, in three tiles each.
fn ring() -> NavMesh {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 5.0 };
    let cut = |x: usize| ROWS.lines().map(|row| &row[4 * x..4 * x + 4]).collect::<Vec<_>>().join("\n");
    let tiles = (0..3).map(|x| sketch(TileCoord { x: x as i32, z: 0, layer: 0 }, &cut(x))).collect();
    NavMesh::from_tiles(layout, tiles).unwrap()
}

fn slot(mesh: &NavMesh, slot: u32) -> TileRef {
    mesh.tiles().find(|tile| tile.slot().get() == slot).unwrap().tile_ref()
}

/// The middle tile, with or without the road at its lower border.
fn middle(is_whole: bool) -> crate::tile::TileData {
    let coord = TileCoord { x: 1, z: 0, layer: 0 };
    sketch(coord, if is_whole { "aaaa\n....\n....\n....\naaaa" } else { "aaaa\n....\n....\n....\na..a" })
}

fn soon(crowd: &Crowd) -> Vec<(AgentId, Broken)> {
    let soon = |event: &CrowdEvent| match event.kind {
        EventKind::PathBreaksSoon(soon) => Some((event.agent, soon)),
        _ => None,
    };
    crowd.events().iter().filter_map(soon).collect()
}

fn lost(crowd: &Crowd) -> Vec<(AgentId, Broken)> {
    let lost = |event: &CrowdEvent| match event.kind {
        EventKind::PathLost(lost) => Some((event.agent, lost)),
        _ => None,
    };
    crowd.events().iter().filter_map(lost).collect()
}

#[test]
fn only_those_whose_paths_cross_it_are_told_and_mended() {
    let mut mesh = ring();
    let mut crowd = Crowd::default();
    let across = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    let near = crowd.add(&mesh, at(0.5, 4.0), small()).unwrap();
    crowd.go_to(&mesh, across, at(11.5, 0.5)).unwrap();
    crowd.go_to(&mesh, near, at(3.5, 4.5)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);

    let bridge = slot(&mesh, 1);
    mesh.announce(&[bridge]);
    walk(&mut crowd, &mesh, 1, |_| false);
    let [(agent, told)] = soon(&crowd)[..] else { panic!("{:?}", crowd.events()) };
    assert_eq!((agent, told.by, told.step), (across, BrokenBy::Soon, 4));
    assert!((3.0..3.6).contains(&told.ahead), "{told:?}");
    for _ in 0..5 {
        // As obstacles do in every tick until the tile is rebuilt.
        mesh.announce(&[bridge]);
        walk(&mut crowd, &mesh, 1, |_| false);
        assert!(crowd.events().is_empty(), "told once");
    }

    mesh.replace_tile(bridge, middle(false)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    let [(agent, told)] = lost(&crowd)[..] else { panic!("{:?}", crowd.events()) };
    assert_eq!((agent, told.step), (across, 4));
    assert!(has(&crowd, across, EventKind::PathFound { complete: true }), "the other road, in the same tick");
    assert!(soon(&crowd).is_empty());
}

#[test]
fn a_path_that_is_found_over_an_announced_tile_says_so() {
    let mut mesh = ring();
    let mut crowd = Crowd::default();
    walk(&mut crowd, &mesh, 1, |_| false);
    mesh.announce(&[slot(&mesh, 1)]);
    walk(&mut crowd, &mesh, 1, |_| false);
    let across = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, across, at(11.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert_eq!(soon(&crowd).len(), 1);
    mesh.withdraw(&[slot(&mesh, 1)]);
    crowd.go_to(&mesh, across, at(10.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(has(&crowd, across, EventKind::PathFound { complete: true }) && soon(&crowd).is_empty());
}

#[test]
fn who_goes_round_turns_back_when_the_bridge_is_mended() {
    let mut mesh = ring();
    let mut crowd = Crowd::default();
    let across = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, across, at(11.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 10, |_| false);
    mesh.replace_tile(slot(&mesh, 1), middle(false)).unwrap();
    walk(&mut crowd, &mesh, 10, |_| false);
    let round = crowd.remaining_distance(across).unwrap().unwrap();
    assert!(round > 13.0, "round by the other road: {round} m, from {}", crowd.position(across).unwrap());
    mesh.replace_tile(slot(&mesh, 1), middle(true)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    let left = crowd.remaining_distance(across).unwrap().unwrap();
    assert!(left < 12.0, "{left} m, straight on again");
    let ticks = walk(&mut crowd, &mesh, 200, |crowd| crowd.target_status(across) == Ok(TargetStatus::Arrived));
    assert!(ticks < 150, "{ticks}");
}

#[test]
fn a_tick_costs_nothing_without_changes_and_little_with_changes_elsewhere() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 8.0, tile_depth: 8.0 };
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, &["aaaaaaaa"; 8].join("\n"));
    let mut mesh = NavMesh::from_tiles(layout, (0..6).map(tile).collect()).unwrap();
    let mut crowd = Crowd::default();
    for i in 0..60 {
        let row = 0.5 + (i % 8) as f32;
        let agent = crowd.add(&mesh, at(0.5 + (i / 8) as f32, row), small()).unwrap();
        // A third of them leave the first two tiles.
        let to = if i % 3 == 0 { 44.0 } else { 13.0 };
        crowd.go_to(&mesh, agent, at(to, row)).unwrap();
    }
    walk(&mut crowd, &mesh, 3, |_| false);
    let mut planner = AStarPlanner::new();
    let mut looked = |crowd: &mut Crowd, mesh: &NavMesh| steps::counted(|| crowd.validate(mesh, &mut planner)).1;
    assert_eq!(looked(&mut crowd, &mesh), 0);
    let polys: usize = crowd.ids().map(|agent| crowd.corridor(agent).unwrap().polys().len()).sum();
    let crossing = crowd.ids().map(|agent| crowd.corridor(agent).unwrap().polys());
    let crossing = crossing.filter(|polys| polys.iter().any(|poly| poly.slot().get() == 4));
    let of_those: usize = crossing.map(<[_]>::len).sum();
    mesh.replace_tile(slot(&mesh, 4), tile(4)).unwrap();
    // Each of their polygons, and the few between which a path leads over the new tile.
    let looks = looked(&mut crowd, &mesh);
    assert!((of_those..of_those + 20).contains(&(looks as usize)), "{looks} of {of_those}");
    assert!(of_those > 0 && of_those + 20 < polys);
    mesh.announce(&[slot(&mesh, 0)]);
    assert_eq!(looked(&mut crowd, &mesh), 0, "nothing has changed yet");
}

/// The floor that was under somebody goes: the nearest on this floor takes its place, not the one overhead.
#[test]
fn who_stands_under_an_obstacle_is_moved_out_by_the_shortest_path_on_the_same_floor() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 5.0, tile_depth: 5.0 };
    let floor = |map: &str, layer, y: f32| {
        let mut tile = sketch(TileCoord { x: 0, z: 0, layer }, map).to_builder();
        tile.verts.iter_mut().for_each(|vert| vert.y += y);
        (tile.bounds.min.y, tile.bounds.max.y) = (y - 0.5, y + 0.5);
        tile.build().unwrap()
    };
    let whole = ["aaaaa"; 5].join("\n");
    let mut mesh = NavMesh::from_tiles(layout, vec![floor(&whole, 0, 0.0), floor(&whole, 1, 1.4)]).unwrap();
    let mut crowd = Crowd::default();
    let idle = crowd.add(&mesh, at(2.75, 2.5), small()).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert_eq!(crowd.position(idle), Ok(at(2.75, 2.5)));
    let crate_on_it = floor("aaaaa\na...a\na...a\na...a\naaaaa", 0, 0.0);
    mesh.replace_tile(slot(&mesh, 0), crate_on_it).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    let (from, to) = (at(2.75, 2.5), at(4.0, 2.5));
    assert!(has(&crowd, idle, EventKind::Displaced { from, to }), "{:?}", crowd.events());
    assert_eq!(crowd.position(idle), Ok(to));

    // Nothing within reach: told so.
    crowd.settings_mut().reach = Vec3::splat(0.5);
    mesh.replace_tile(slot(&mesh, 0), floor("a....\n.....\n.....\n.....\n.....", 0, 0.0)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(has(&crowd, idle, EventKind::SurfaceLost));
    assert_eq!(crowd.position(idle), Ok(to), "it stays where it was");
}

/// Doors, tiles and announcements, and many who walk.
fn changing_world(threads: usize) -> (Vec<Vec3>, Vec<CrowdEvent>, usize) {
    let work = || {
        let mut rng = Rng::new(71);
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 8.0, tile_depth: 8.0 };
        let all = ["aaaaaaaa"; 8].join("\n");
        let tile = |i: i32, map: &str| sketch(TileCoord { x: i % 4, z: i / 4, layer: 0 }, map);
        let mut mesh = NavMesh::from_tiles(layout, (0..16).map(|i| tile(i, &all)).collect()).unwrap();
        let mut crowd = Crowd::default();
        let spot = |rng: &mut Rng| at(32.0 * rng.unit(), 32.0 * rng.unit());
        for _ in 0..300 {
            let agent = crowd.add(&mesh, spot(&mut rng), small()).unwrap();
            crowd.go_to(&mesh, agent, spot(&mut rng)).unwrap();
        }
        let mut planner = AStarPlanner::new();
        let mut events = Vec::new();
        let mut moved = 0;
        for tick in 0..60 {
            let index = rng.below(16);
            let there = slot(&mesh, index);
            match tick % 3 {
                0 => mesh.announce(&[there]),
                1 => {
                    let hole = rng.below(6) as usize;
                    let mut rows = vec!["aaaaaaaa".to_owned(); 8];
                    rows[hole] = "aa....aa".into();
                    rows[hole + 1] = "aa....aa".into();
                    mesh.replace_tile(there, tile(index as i32, &rows.join("\n"))).unwrap();
                }
                _ => {
                    let poly = mesh.tile(there).map(|t: &Tile| t.reference(rng.below(t.poly_count()))).unwrap();
                    mesh.set_flags(poly, PolyFlags(u16::from(rng.below(2) == 0))).unwrap();
                }
            }
            crowd.step(&mesh, DT, &mut planner, &Context::default());
            events.extend_from_slice(crowd.events());
            moved += crowd.events().iter().filter(|e| matches!(e.kind, EventKind::Displaced { .. })).count();
            for id in crowd.ids() {
                let start = crowd.corridor(id).unwrap().start().unwrap();
                assert!(mesh.is_valid(start.poly) && plane::distance(start.point, crowd.position(id).unwrap()) < 0.01);
            }
        }
        (crowd.positions().to_vec(), events, moved)
    };
    #[cfg(feature = "rayon")]
    return rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
    #[cfg(not(feature = "rayon"))]
    {
        let _ = threads;
        work()
    }
}

#[test]
fn the_same_is_told_to_the_same_agents_for_any_number_of_threads() {
    let one = changing_world(1);
    assert!(one.2 > 0 && one.1.iter().any(|event| matches!(event.kind, EventKind::PathBreaksSoon(_))));
    for threads in [2, 5] {
        assert!(one == changing_world(threads), "{threads} threads");
    }
}

#[test]
fn a_closed_door_stays_closed_when_its_tile_is_rebuilt() {
    let mut mesh = ring();
    let door = place(&mesh, (5.5, 0.5)).poly;
    let area = mesh.state(door).unwrap().area;
    let mut crowd = Crowd::default();
    let across = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, across, at(11.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    let gated = middle(true);
    let gate = crate::area::AreaId::new(9).unwrap();
    let index = door.poly().get() as usize;
    assert_eq!(gated.polys()[index].area, area);
    let gated = gated.with_states(|poly, own| (own.flags, if poly == index { gate } else { own.area }));
    mesh.replace_tile(slot(&mesh, 1), gated.clone()).unwrap();
    mesh.set_area_flags(gate, PolyFlags::NONE);
    walk(&mut crowd, &mesh, 2, |_| false);
    assert!(crowd.remaining_distance(across).unwrap().unwrap() > 14.0, "round by the other road");
    // Rebuilt with the door in it: still closed, and nobody is sent through.
    mesh.replace_tile(slot(&mesh, 1), gated).unwrap();
    walk(&mut crowd, &mesh, 30, |_| false);
    assert!(crowd.remaining_distance(across).unwrap().unwrap() > 11.0);
    mesh.set_area_flags(gate, PolyFlags::WALK);
    walk(&mut crowd, &mesh, 30, |_| false);
    let corridor = crowd.corridor(across).unwrap();
    assert!(corridor.polys().iter().any(|poly| mesh.state(*poly).is_ok_and(|state| state.area == gate)));
}

#[test]
fn who_is_carried_off_a_closed_door_the_wrong_way_asks_for_another_path() {
    let mut mesh = ring();
    let mut crowd = Crowd::default();
    let player = AgentParams { driver: Driver::Game, ..small() };
    let across = crowd.add(&mesh, at(4.5, 0.5), player).unwrap();
    crowd.go_to(&mesh, across, at(11.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    let door = crowd.corridor(across).unwrap().polys()[0];
    mesh.set_flags(door, PolyFlags::NONE).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert_eq!(lost(&crowd), [], "it may leave the door");
    crowd.set_position(across, at(3.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    let [(agent, told)] = lost(&crowd)[..] else { panic!("{:?}", crowd.events()) };
    assert_eq!((agent, told.step, told.poly, told.by), (across, 1, door, BrokenBy::Closed));
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(has(&crowd, across, EventKind::PathFound { complete: true }), "{:?}", crowd.events());
    assert!(crowd.remaining_distance(across).unwrap().unwrap() > 13.0, "by the other road");
}
