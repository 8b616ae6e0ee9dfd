//! Tests of off-mesh connections: who is on one, and how it gets off again.

use super::tests::{at, has, small, walk};
use super::*;
use crate::area::{AreaId, PolyFlags};
use crate::corridor::test_ground::world;
use crate::mesh::TileRef;
use crate::mesh::{NavMesh, OffMeshConnection};
use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
use glam::Vec3;

pub(super) fn jump(two_way: bool) -> OffMeshConnection {
    OffMeshConnection {
        start: at(1.75, 0.5),
        end: at(5.25, 0.5),
        radius: 0.3,
        two_way,
        area: AreaId::WALKABLE,
        flags: PolyFlags::WALK,
        user_id: 0,
    }
}

#[test]
fn a_connection_is_walked_by_the_crowd_or_by_the_game() {
    let mut mesh = world("aa...aaa");
    let connection = mesh.add_connection(jump(false)).unwrap();
    for driver in [Driver::Crowd, Driver::Game] {
        let mut crowd = Crowd::default();
        let agent = crowd.add(&mesh, at(0.5, 0.5), AgentParams { connection_driver: driver, ..small() }).unwrap();
        crowd.go_to(&mesh, agent, at(7.0, 0.5)).unwrap();
        walk(&mut crowd, &mesh, 100, |crowd| crowd.on_connection(agent).unwrap().is_some());
        let on = crowd.on_connection(agent).unwrap().unwrap();
        assert_eq!((on.crossing.connection, on.crossing.to), (connection, at(5.25, 0.5)));
        assert!(has(&crowd, agent, EventKind::ConnectionEntered(on.crossing)));
        if driver == Driver::Game {
            walk(&mut crowd, &mesh, 30, |_| false);
            assert_eq!(crowd.on_connection(agent).unwrap().unwrap().progress, 0.0, "the game lets it wait");
            crowd.set_connection_progress(agent, 0.5).unwrap();
            crowd.set_position(agent, Vec3::new(3.5, 2.0, 0.5)).unwrap();
            walk(&mut crowd, &mesh, 1, |_| false);
            assert_eq!(crowd.position(agent).unwrap(), Vec3::new(3.5, 2.0, 0.5), "in the air");
            crowd.set_connection_progress(agent, 1.0).unwrap();
        }
        let mut left = false;
        walk(&mut crowd, &mesh, 100, |crowd| {
            left |= has(crowd, agent, EventKind::ConnectionLeft(on.crossing));
            crowd.target_status(agent) == Ok(TargetStatus::Arrived)
        });
        assert!(left && crowd.position(agent).unwrap().x > 6.5, "{driver:?}");
    }
}

fn strip(x: i32) -> crate::tile::TileData {
    sketch(TileCoord { x, z: 0, layer: 0 }, "aa")
}

/// Tiles of two metres with a gap of two between the first and the others, a connection over it, and an agent that has
/// jumped.
fn in_the_air() -> (NavMesh, Crowd, AgentId) {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 1.0 };
    let mut mesh = NavMesh::from_tiles(layout, vec![strip(0), strip(2), strip(3)]).unwrap();
    mesh.add_connection(OffMeshConnection { end: at(4.5, 0.5), ..jump(false) }).unwrap();
    let mut crowd = Crowd::default();
    crowd.settings_mut().reach = Vec3::splat(0.7);
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(7.0, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 100, |crowd| crowd.on_connection(agent).unwrap().is_some());
    walk(&mut crowd, &mesh, 5, |_| false);
    assert!(crowd.on_connection(agent).unwrap().is_some());
    (mesh, crowd, agent)
}

/// Walks until the agent has arrived or lost its ground; how often it entered and left a connection meanwhile.
fn steps(mesh: &NavMesh, crowd: &mut Crowd, agent: AgentId) -> [usize; 2] {
    let mut steps = [0; 2];
    walk(crowd, mesh, 300, |crowd| {
        for event in crowd.events() {
            steps[0] += usize::from(matches!(event.kind, EventKind::ConnectionEntered(_)));
            steps[1] += usize::from(matches!(event.kind, EventKind::ConnectionLeft(_)));
        }
        matches!(crowd.target_status(agent), Ok(TargetStatus::Arrived | TargetStatus::Lost))
    });
    steps
}

#[test]
fn who_is_in_the_air_lands_whatever_becomes_of_the_connection_and_the_ground() {
    // The connection goes: it was jumped over all the same.
    let (mut mesh, mut crowd, agent) = in_the_air();
    mesh.remove_connection(crowd.on_connection(agent).unwrap().unwrap().crossing.connection).unwrap();
    assert_eq!((steps(&mesh, &mut crowd, agent), crowd.target_status(agent)), ([0, 1], Ok(TargetStatus::Arrived)));
    // The ground beyond is replaced: no leap through the air, and it lands there.
    let (mut mesh, mut crowd, agent) = in_the_air();
    mesh.replace_tile(TileRef::new(1, 1).unwrap(), strip(2)).unwrap();
    let before = crowd.position(agent).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(crowd.on_connection(agent).unwrap().is_some() && before.distance(crowd.position(agent).unwrap()) < 0.11);
    assert_eq!((steps(&mesh, &mut crowd, agent), crowd.target_status(agent)), ([0, 1], Ok(TargetStatus::Arrived)));
    // The ground beyond goes: it is told both.
    let (mut mesh, mut crowd, agent) = in_the_air();
    mesh.remove_tile(TileRef::new(1, 1).unwrap()).unwrap();
    assert_eq!((steps(&mesh, &mut crowd, agent), crowd.target_status(agent)), ([0, 1], Ok(TargetStatus::Lost)));
    // It is carried back: it has left, and jumps again.
    let (mesh, mut crowd, agent) = in_the_air();
    crowd.teleport(&mesh, agent, at(0.5, 0.5)).unwrap();
    assert_eq!((steps(&mesh, &mut crowd, agent), crowd.target_status(agent)), ([1, 2], Ok(TargetStatus::Arrived)));
}

#[test]
fn a_place_that_a_game_gave_before_the_jump_does_not_hold_after_it() {
    let mut mesh = world("aa...aaa");
    mesh.add_connection(jump(false)).unwrap();
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(1.5, 0.5), AgentParams { driver: Driver::Game, ..small() }).unwrap();
    crowd.go_to(&mesh, agent, at(7.0, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 10, |crowd| crowd.on_connection(agent).unwrap().is_some());
    crowd.set_position(agent, at(1.5, 0.5)).unwrap();
    assert_eq!(steps(&mesh, &mut crowd, agent), [0, 1]);
    assert_eq!(crowd.position(agent).unwrap(), at(5.25, 0.5));
}
