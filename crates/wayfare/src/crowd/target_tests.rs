//! Tests of targets and agents that change floors or come within reach again.

use super::tests::{at, has, small, walk};
use super::*;
use crate::area::{AreaId, PolyFlags};
use crate::corridor::test_ground::{place, world};
use crate::mesh::{NavMesh, OffMeshConnection};
use crate::query::{DefaultFilter, PolyPoint, QueryFilter, find_nearest};
use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
use glam::Vec3;

/// Two floors one above the other, three metres apart, and a climb between them.
fn floors() -> NavMesh {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 8.0, tile_depth: 1.0 };
    let floor = |layer, map| sketch(TileCoord { x: 0, z: 0, layer }, map);
    let mut mesh = NavMesh::from_tiles(layout, vec![floor(0, "aaaaaaaa"), floor(1, "33333333")]).unwrap();
    mesh.add_connection(OffMeshConnection {
        start: at(2.5, 0.5),
        end: up(2.5),
        radius: 0.3,
        two_way: true,
        area: AreaId::WALKABLE,
        flags: PolyFlags::WALK,
        user_id: 0,
    })
    .unwrap();
    mesh
}

fn up(x: f32) -> Vec3 {
    Vec3::new(x, 3.0, 0.5)
}

fn ground(mesh: &NavMesh, at: Vec3) -> PolyPoint {
    find_nearest(mesh, at, Vec3::splat(0.2), &DefaultFilter::default()).unwrap().place()
}

#[test]
fn who_is_carried_to_another_floor_is_there_and_who_jumps_is_not() {
    let (mesh, mut crowd) = (floors(), Crowd::default());
    let agent = crowd.add(&mesh, at(0.5, 0.5), AgentParams { driver: Driver::Game, ..small() }).unwrap();
    crowd.go_to(&mesh, agent, at(7.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    crowd.set_position(agent, Vec3::new(0.7, 1.2, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert_eq!(
        (crowd.position(agent), crowd.target_status(agent)),
        (Ok(at(0.7, 0.5)), Ok(TargetStatus::Complete)),
        "in the air"
    );
    crowd.set_position(agent, up(0.7)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert_eq!(
        (crowd.position(agent), crowd.target_status(agent)),
        (Ok(up(0.7)), Ok(TargetStatus::Waiting)),
        "by lift"
    );
    walk(&mut crowd, &mesh, 1, |_| false);
    assert_eq!(crowd.target_status(agent), Ok(TargetStatus::Complete));
    assert!(crowd.corridor(agent).unwrap().polys().iter().any(|poly| poly.is_off_mesh()), "down again");
}

#[test]
fn a_target_that_changes_floors_at_the_same_place_is_followed() {
    let mesh = floors();
    let arrives = |crowd: &mut Crowd, agent, goal: Vec3| {
        let near = |crowd: &Crowd| crowd.position(agent).unwrap().distance(goal) < 0.3;
        let ticks = walk(crowd, &mesh, 600, near);
        assert!(ticks < 600, "{goal}: stands at {}", crowd.position(agent).unwrap());
    };
    for nodes in [1, 4096] {
        let mut crowd = Crowd::default();
        crowd.settings_mut().path_nodes = nodes;
        let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
        // While it is on its way, and when it has arrived.
        crowd.set_target(agent, Target::Moving(ground(&mesh, at(6.5, 0.5)))).unwrap();
        walk(&mut crowd, &mesh, 30, |_| false);
        crowd.set_target(agent, Target::Moving(ground(&mesh, up(6.5)))).unwrap();
        arrives(&mut crowd, agent, up(6.5));
        walk(&mut crowd, &mesh, 100, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
        crowd.set_target(agent, Target::Moving(ground(&mesh, at(6.5, 0.5)))).unwrap();
        arrives(&mut crowd, agent, at(6.5, 0.5));
        // While the search for it is under way.
        crowd.set_target(agent, Target::Point(ground(&mesh, at(0.5, 0.5)))).unwrap();
        walk(&mut crowd, &mesh, 2, |_| false);
        crowd.set_target(agent, Target::Point(ground(&mesh, up(0.5)))).unwrap();
        arrives(&mut crowd, agent, up(0.5));
    }
}

#[test]
fn who_cannot_reach_its_prey_is_told_once_and_goes_on_when_it_comes_back() {
    let mesh = world("aaaa.aaaaaa");
    let mut crowd = Crowd::default();
    let prey = crowd.add(&mesh, at(5.5, 0.5), small()).unwrap();
    let agents = [0.5, 1.5].map(|x| crowd.add(&mesh, at(x, 0.5), small()).unwrap());
    let [hunter, led] = agents;
    crowd.set_target(hunter, Target::Agent(prey)).unwrap();
    crowd.go_to(&mesh, prey, at(10.5, 0.5)).unwrap();
    let mut told = [0, 0];
    for _ in 0..100 {
        let place = crowd.corridor(prey).unwrap().start().unwrap();
        crowd.set_target(led, Target::Moving(place)).unwrap();
        walk(&mut crowd, &mesh, 1, |_| false);
        for (told, agent) in told.iter_mut().zip(agents) {
            *told += u32::from(has(&crowd, agent, EventKind::Unreachable));
        }
    }
    assert_eq!(
        (told, agents.map(|agent| crowd.target_status(agent).unwrap())),
        ([1, 1], [TargetStatus::Unreachable; 2])
    );
    crowd.teleport(&mesh, prey, at(3.5, 0.5)).unwrap();
    crowd.set_target(prey, Target::None).unwrap();
    crowd.set_target(led, Target::Moving(place(&mesh, (2.5, 0.5)))).unwrap();
    let ticks = walk(&mut crowd, &mesh, 200, |crowd| {
        let [hunter, led] = agents.map(|agent| crowd.position(agent).unwrap().x);
        hunter > 1.5 && led > 1.9
    });
    assert!(ticks < 100, "they are at {:?} and {:?}", crowd.position(hunter), crowd.position(led));
}

#[test]
fn who_stays_does_not_walk_to_a_closed_door_and_kept_components_tell_without_a_search() {
    let is_told = |crowd: &Crowd, agent| has(crowd, agent, EventKind::Unreachable);
    for is_kept in [false, true] {
        let mut mesh = world("aaaaaaaaa");
        let door = place(&mesh, (4.5, 0.5)).poly;
        if is_kept {
            mesh.keep_components_for(DefaultFilter::default().mask().unwrap());
        }
        mesh.set_flags(door, PolyFlags::NONE).unwrap();
        let mut crowd = Crowd::default();
        crowd.settings_mut().path_nodes = 2;
        let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
        crowd.go_to(&mesh, agent, at(8.5, 0.5)).unwrap();
        let (mut told, mut nodes) = (0, 0);
        let count = |crowd: &Crowd| {
            told += u32::from(is_told(crowd, agent));
            nodes += crowd.profile().nodes;
            false
        };
        walk(&mut crowd, &mesh, 30, count);
        assert_eq!((told, nodes == 0), (1, is_kept), "{nodes} nodes");
        assert_eq!(
            (crowd.position(agent), crowd.target_status(agent)),
            (Ok(at(0.5, 0.5)), Ok(TargetStatus::Unreachable))
        );
        mesh.set_flags(door, PolyFlags::WALK).unwrap();
        let ticks = walk(&mut crowd, &mesh, 300, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
        assert!(ticks < 300, "the door is open: {:?}", crowd.target_status(agent));
    }
}
