//! Tests of meshes that change under a crowd: doors, ground that goes and comes back, another level.

use super::tests::{DT, at, field, has, small, walk};
use super::*;
use crate::area::PolyFlags;
use crate::context::Context;
use crate::corridor::test_ground::{is_on, place, random_world, world};
use crate::math::{Rng, plane};
use crate::mesh::NavMesh;
use crate::mesh::TileRef;
use crate::plan::AStarPlanner;
use crate::query::DefaultFilter;
use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
use glam::Vec3;

#[test]
fn a_mesh_that_stays_costs_no_checks_and_a_closed_door_is_noticed() {
    let mut mesh = world("aaaaaaa\n..a.a..\naaaaaaa");
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(0.5, 2.5)).unwrap();
    walk(&mut crowd, &mesh, 5, |_| false);
    let door = place(&mesh, (2.5, 1.5)).poly;
    assert!(crowd.corridor(agent).unwrap().polys().contains(&door));
    mesh.set_flags(door, PolyFlags::NONE).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(crowd.events().iter().any(|e| matches!(e.kind, EventKind::PathLost(broken) if broken.poly == door)));
    let ticks = walk(&mut crowd, &mesh, 400, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
    assert!(ticks < 300, "through the other door: {ticks}");
}

#[test]
fn who_loses_all_ground_is_told_and_goes_on_when_there_is_some_again() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 1.0 };
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "aaaa");
    let mut mesh = NavMesh::from_tiles(layout, vec![tile(0), tile(1), tile(2)]).unwrap();
    let mut crowd = Crowd::default();
    crowd.settings_mut().reach = Vec3::splat(0.5);
    let agent = crowd.add(&mesh, at(1.0, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(7.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 10, |_| false);
    let here = crowd.position(agent).unwrap();
    mesh.remove_tile(TileRef::new(1, 0).unwrap()).unwrap();
    let mut told = 0;
    walk(&mut crowd, &mesh, 5, |crowd| {
        told += u32::from(has(crowd, agent, EventKind::SurfaceLost));
        false
    });
    assert_eq!((told, crowd.target_status(agent), crowd.position(agent)), (1, Ok(TargetStatus::Lost), Ok(here)));
    mesh.add_tile(tile(0)).unwrap();
    let ticks = walk(&mut crowd, &mesh, 200, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
    assert!(ticks < 200, "{:?} at {}", crowd.target_status(agent), crowd.position(agent).unwrap());
}

#[test]
fn whom_the_game_carries_off_lost_ground_stands_where_it_puts_him() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 1.0 };
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "aaaa");
    let mut mesh = NavMesh::from_tiles(layout, vec![tile(0), tile(1)]).unwrap();
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    crowd.settings_mut().reach = Vec3::splat(0.5);
    let led = crowd.add(&mesh, at(1.0, 0.5), AgentParams { driver: Driver::Game, ..small() }).unwrap();
    let mut put = |crowd: &mut Crowd, mesh: &NavMesh, place: Vec3| {
        crowd.set_position(led, place).unwrap();
        crowd.step(mesh, DT, &mut planner, &Context::default());
        (crowd.target_status(led).unwrap(), crowd.position(led).unwrap())
    };
    mesh.remove_tile(TileRef::new(1, 0).unwrap()).unwrap();
    assert_eq!(put(&mut crowd, &mesh, at(1.5, 0.5)), (TargetStatus::Lost, at(1.0, 0.5)));
    assert_eq!(put(&mut crowd, &mesh, at(6.0, 0.5)), (TargetStatus::None, at(6.0, 0.5)));
    assert_eq!(crowd.corridor(led).unwrap().polys(), [place(&mesh, (6.0, 0.5)).poly]);
    // Where it was said to be while there was no ground is of the past.
    mesh.add_tile(tile(0)).unwrap();
    crowd.step(&mesh, DT, &mut AStarPlanner::new(), &Context::default());
    assert_eq!(crowd.position(led), Ok(at(6.0, 0.5)));
}

#[test]
fn who_was_put_on_others_before_the_ground_went_does_not_leap_when_it_is_back() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 1.0 };
    let tile = || sketch(TileCoord { x: 0, z: 0, layer: 0 }, "aaaa");
    let mut mesh = NavMesh::from_tiles(layout, vec![tile()]).unwrap();
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    let all: Vec<AgentId> = (0..8).map(|_| crowd.add(&mesh, at(2.0, 0.5), small()).unwrap()).collect();
    mesh.remove_tile(TileRef::new(1, 0).unwrap()).unwrap();
    crowd.step(&mesh, DT, &mut planner, &Context::default());
    mesh.add_tile(tile()).unwrap();
    crowd.step(&mesh, DT, &mut planner, &Context::default());
    for agent in all {
        let step = plane::distance(crowd.position(agent).unwrap(), at(2.0, 0.5));
        assert!(step > 0.0 && step <= small().max_speed * DT * 1.002, "{agent:?}: a step of {step} m");
    }
}

#[test]
fn a_door_that_opens_while_the_search_is_under_way_is_found_open() {
    let mut mesh = world("aaaaaaaaa");
    let door = place(&mesh, (4.5, 0.5)).poly;
    mesh.set_flags(door, PolyFlags::NONE).unwrap();
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    crowd.settings_mut().path_nodes = 2;
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(8.5, 0.5)).unwrap();
    for tick in 0..300 {
        crowd.step(&mesh, DT, &mut planner, &Context::default());
        assert!(!has(&crowd, agent, EventKind::Unreachable), "tick {tick}");
        if tick == 0 {
            mesh.set_flags(door, PolyFlags::WALK).unwrap();
        }
    }
    assert_eq!(crowd.target_status(agent), Ok(TargetStatus::Arrived));
}

#[test]
fn a_door_that_closes_while_the_search_is_under_way_is_found_closed() {
    // At whichever moment of the search, and whether it had come by the door or not.
    for (closed_in, door) in (0..12).flat_map(|tick| [2.5, 5.5, 7.5].map(|x| (tick, x))) {
        let mut mesh = world("aaaaaaaaa\na.......a\naaaaaaaaa");
        let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
        // Nothing but the search itself is to find the way around.
        (crowd.settings_mut().path_nodes, crowd.settings_mut().topology_searches) = (1, 0);
        let agent = crowd.add(&mesh, at(0.5, 0.2), small()).unwrap();
        crowd.go_to(&mesh, agent, at(8.5, 0.5)).unwrap();
        let door = place(&mesh, (door, 0.5)).poly;
        for tick in 0..400 {
            crowd.step(&mesh, DT, &mut planner, &Context::default());
            if tick == closed_in {
                mesh.set_flags(door, PolyFlags::NONE).unwrap();
            }
        }
        let there = crowd.position(agent).unwrap();
        assert_eq!(
            crowd.target_status(agent),
            Ok(TargetStatus::Arrived),
            "closed in tick {closed_in}: stands at {there}"
        );
    }
}

#[test]
fn another_mesh_whose_references_are_the_same_is_other_ground() {
    let mut moved = 0;
    // The second time most searches are under way while the level changes.
    for (seed, nodes, ticks) in (0..8).flat_map(|seed| [(seed, 32_768, 20), (seed, 3, 1)]) {
        let levels = [seed, seed + 100].map(|seed| random_world(&mut Rng::new(seed), 3, 7));
        let (mut crowd, mut rng) = (Crowd::default(), Rng::new(seed));
        (crowd.settings_mut().reach, crowd.settings_mut().path_nodes) = (Vec3::splat(30.0), nodes);
        let mut spot = || at(rng.unit() * 21.0, rng.unit() * 21.0);
        for _ in 0..30 {
            let agent = crowd.add(&levels[0], spot(), small()).unwrap();
            crowd.go_to(&levels[0], agent, spot()).unwrap();
        }
        walk(&mut crowd, &levels[0], ticks, |_| false);
        for tick in 0..30 {
            walk(&mut crowd, &levels[1], 1, |_| false);
            for agent in crowd.ids() {
                let (at, corridor) = (crowd.position(agent).unwrap(), crowd.corridor(agent).unwrap());
                assert!(is_on(&levels[1], at), "seed {seed}, tick {tick}: {at} is off the mesh");
                assert_eq!(corridor.check(&levels[1], u32::MAX, &DefaultFilter::default()), None);
                for (pair, portal) in corridor.polys().windows(2).zip(corridor.portals()) {
                    let mut linked = levels[1].poly(pair[0]).unwrap().portals();
                    assert!(linked.any(|p| p.to == pair[1] && p.a == portal.left), "seed {seed}, tick {tick}");
                }
            }
            moved += crowd.events().iter().filter(|e| matches!(e.kind, EventKind::PathLost(_))).count();
        }
    }
    assert!(moved > 100, "{moved}");
}

#[test]
fn who_has_lost_the_ground_stands_and_its_target_waits_until_there_is_some() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 1.0 };
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "aaaa");
    let mut mesh = NavMesh::from_tiles(layout, vec![tile(0), tile(1)]).unwrap();
    let mut crowd = Crowd::default();
    crowd.settings_mut().reach = Vec3::splat(0.5);
    let agents = [0.5, 1.5, 2.5, 2.9].map(|x| crowd.add(&mesh, at(x, 0.5), small()).unwrap());
    let [idle, walking, sent, carried] = agents;
    crowd.set_target(walking, Target::Velocity(at(1.0, 0.0))).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    let here = agents.map(|agent| crowd.position(agent).unwrap());
    mesh.remove_tile(TileRef::new(1, 0).unwrap()).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    crowd.go_to(&mesh, sent, at(6.0, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    let ways = |crowd: &Crowd| agents.map(|agent| crowd.target_status(agent).unwrap());
    assert_eq!(ways(&crowd), [TargetStatus::Lost; 4]);
    assert_eq!(agents.map(|agent| crowd.position(agent).unwrap()), here);
    assert_eq!(agents.map(|agent| crowd.velocity(agent).unwrap()), [Vec3::ZERO; 4]);
    crowd.teleport(&mesh, carried, at(5.0, 0.5)).unwrap();
    assert_eq!(crowd.target_status(carried), Ok(TargetStatus::None), "there is ground, and nowhere to go");
    mesh.add_tile(tile(0)).unwrap();
    walk(&mut crowd, &mesh, 10, |_| false);
    assert_eq!(ways(&crowd), [TargetStatus::None, TargetStatus::None, TargetStatus::Complete, TargetStatus::None]);
    assert_eq!(crowd.velocity(walking), Ok(at(1.0, 0.0)));
    assert_eq!(crowd.velocity(idle), Ok(Vec3::ZERO));
}

#[test]
fn who_goes_nowhere_keeps_no_trail() {
    let mesh = field(30);
    let mut crowd = Crowd::default();
    let walking = crowd.add(&mesh, at(1.0, 15.0), small()).unwrap();
    let led = crowd.add(&mesh, at(1.0, 10.0), AgentParams { driver: Driver::Game, ..small() }).unwrap();
    crowd.set_target(walking, Target::Velocity(at(2.0, 0.0))).unwrap();
    for step in 0..200 {
        crowd.set_position(led, at(1.0 + 0.1 * step as f32, 10.0)).unwrap();
        walk(&mut crowd, &mesh, 1, |_| false);
        assert_eq!([walking, led].map(|agent| crowd.corridor(agent).unwrap().polys().len()), [1, 1], "tick {step}");
    }
    assert!(crowd.position(walking).unwrap().x > 15.0 && crowd.position(led).unwrap().x > 15.0);
}

#[test]
fn who_is_given_another_filter_looks_for_a_way_by_that() {
    let mut mesh = world("aaaaaaaaa\na.......a\naaaaaaaaa");
    mesh.set_flags(place(&mesh, (4.5, 0.5)).poly, PolyFlags(2)).unwrap();
    let mut crowd = Crowd::default();
    crowd.settings_mut().topology_searches = 0;
    let dry = crowd.add_filter(DefaultFilter::new(PolyFlags::WALK, PolyFlags::NONE));
    assert!(crowd.filter(dry).is_some_and(|filter| filter.least_cost() == 1.0) && crowd.filter(dry + 1).is_none());
    let agent = crowd.add(&mesh, at(0.5, 0.2), small()).unwrap();
    crowd.go_to(&mesh, agent, at(8.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 5, |_| false);
    crowd.set_params(agent, AgentParams { filter: dry, ..small() }).unwrap();
    let ticks = walk(&mut crowd, &mesh, 200, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
    assert!(ticks < 200, "stands at {}", crowd.position(agent).unwrap());
}

#[test]
fn a_door_that_opens_again_on_the_tile_of_the_detour_ends_it() {
    let mut mesh = world("aaaaaaaaa\na.......a\naaaaaaaaa");
    let mut crowd = Crowd::default();
    crowd.settings_mut().topology_searches = 0;
    let agent = crowd.add(&mesh, at(0.5, 0.2), small()).unwrap();
    crowd.go_to(&mesh, agent, at(8.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 3, |_| false);
    let door = place(&mesh, (4.5, 0.5)).poly;
    let leads_through = |crowd: &Crowd| crowd.corridor(agent).unwrap().polys().contains(&door);
    assert!(leads_through(&crowd));
    mesh.set_flags(door, PolyFlags::NONE).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    assert!(!leads_through(&crowd));
    mesh.set_flags(door, PolyFlags::WALK).unwrap();
    walk(&mut crowd, &mesh, 30, |_| false);
    assert!(leads_through(&crowd));
}

#[test]
fn a_goal_that_was_covered_for_a_while_is_where_it_was_given() {
    let layout = |side| TileLayout { origin: Vec3::ZERO, tile_width: side, tile_depth: side };
    let tile = |x, map| sketch(TileCoord { x, z: 0, layer: 0 }, map);
    let rests_at = |crowd: &mut Crowd, mesh: &NavMesh, agent, goal: Vec3| {
        walk(crowd, mesh, 200, |_| false);
        let place = crowd.position(agent).unwrap();
        assert!(plane::distance(place, goal) < 0.1, "at {place}, not at {goal}");
    };
    // Something passes over it.
    let [whole, covered] = ["aaaaa\naaaaa\naaaaa\naaaaa\naaaaa", "aaaaa\naaaaa\naa.aa\naaaaa\naaaaa"];
    let mut mesh = NavMesh::from_tiles(layout(5.0), vec![tile(0, whole)]).unwrap();
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(2.5, 2.5)).unwrap();
    for map in [whole, covered, whole] {
        let old = mesh.tiles().next().unwrap().tile_ref();
        mesh.replace_tile(old, tile(0, map)).unwrap();
        walk(&mut crowd, &mesh, 1, |_| false);
    }
    rests_at(&mut crowd, &mesh, agent, at(2.5, 2.5));
    // All of the tile under it is gone; then the agent waits as near to it as it can.
    let row = |x| tile(x, "aaaa");
    let mut mesh = NavMesh::from_tiles(layout(4.0), vec![row(0), row(1)]).unwrap();
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(5.0, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    mesh.remove_tile(mesh.tile_at(TileCoord { x: 1, z: 0, layer: 0 }).unwrap().tile_ref()).unwrap();
    rests_at(&mut crowd, &mesh, agent, at(4.0, 0.5));
    mesh.add_tile(row(1)).unwrap();
    rests_at(&mut crowd, &mesh, agent, at(5.0, 0.5));
}
