//! Tests of what an agent's parameters and targets do, one by one.

use super::tests::{DT, at, field, small, walk};
use super::*;
use crate::avoid::Avoidance;
use crate::context::Context;
use crate::corridor::test_ground::world;
use crate::mesh::NavMesh;
use crate::plan::AStarPlanner;
use glam::Vec3;

#[test]
fn who_has_priority_is_given_way_to() {
    let mesh = field(12);
    for name in &Avoidance::NAMES[1..] {
        let mut crowd = Crowd::default();
        let ends = [at(1.0, 6.0), at(11.0, 6.0)];
        let params = |priority| AgentParams { priority, avoidance: Avoidance::by_name(name).unwrap(), ..small() };
        let agents = [(0, 9.0), (1, 1.0)].map(|(end, priority)| crowd.add(&mesh, ends[end], params(priority)).unwrap());
        crowd.go_to(&mesh, agents[0], ends[1]).unwrap();
        crowd.go_to(&mesh, agents[1], ends[0]).unwrap();
        let mut aside = [0.0_f32; 2];
        let ticks = walk(&mut crowd, &mesh, 300, |crowd| {
            for (aside, agent) in aside.iter_mut().zip(agents) {
                *aside = aside.max((crowd.position(agent).unwrap().z - 6.0).abs());
            }
            agents.iter().all(|&agent| crowd.target_status(agent) == Ok(TargetStatus::Arrived))
        });
        assert!(ticks < 300 && aside[1] > 1.3 * aside[0], "{name}: {aside:?} m aside in {ticks} ticks");
    }
    // And who stands in it is pushed aside.
    let mut crowd = Crowd::default();
    let [strong, weak] = [(5.0, 9.0), (5.1, 1.0)]
        .map(|(x, priority)| crowd.add(&mesh, at(x, 5.0), AgentParams { priority, ..small() }).unwrap());
    walk(&mut crowd, &mesh, 1, |_| false);
    let [strong, weak] = [(strong, 5.0), (weak, 5.1)].map(|(agent, x)| (crowd.position(agent).unwrap().x - x).abs());
    assert!(weak > 0.15 && strong < 0.2 * weak, "{strong} and {weak} m");
}

/// What each wants in the tick after its way was found.
fn wishes(crowd: &mut Crowd, mesh: &NavMesh) -> Vec<Vec3> {
    walk(crowd, mesh, 3, |_| false);
    let mut planner = AStarPlanner::new();
    crowd.begin(DT);
    for phase in &Phase::ALL[..=Phase::Steer as usize] {
        crowd.run(*phase, mesh, DT, &mut planner, &Context::default());
    }
    crowd.desired_mut().to_vec()
}

#[test]
fn styles_are_the_public_functions_of_steering() {
    let mesh = world("aaaaa\na...a\naaaaa");
    let mut crowd = Crowd::default();
    let drunken = Style::Drunken { swing: 0.6, period: 2.0 };
    for style in [Style::Straight, Style::Smooth, drunken] {
        let agent = crowd.add(&mesh, at(0.5, 0.9), AgentParams { style, ..small() }).unwrap();
        crowd.go_to(&mesh, agent, at(4.5, 2.8)).unwrap();
    }
    let wishes = wishes(&mut crowd, &mesh);
    let ids: Vec<AgentId> = crowd.ids().collect();
    let expected = |agent: AgentId, style: fn(Vec3, &[Vec3]) -> Vec3| {
        let corners: Vec<Vec3> = crowd.corners_of(agent).unwrap().iter().map(|corner| corner.point).collect();
        assert!(corners.len() > 1, "around a corner");
        style(crowd.position(agent).unwrap(), &corners) * 2.0
    };
    assert_eq!(wishes[0], expected(ids[0], steering::straight));
    assert_eq!(wishes[1], expected(ids[1], steering::smooth));
    assert_ne!(wishes[0], wishes[1]);
    let straight = expected(ids[2], steering::smooth);
    let swing = wishes[2].angle_between(straight);
    assert!(swing > 0.01 && swing <= 0.6 && (wishes[2].length() - 2.0).abs() < 1e-4, "{swing}");
    // Who has been standing makes straight for the corner: beside it there may be a wall.
    for agent in &mut crowd.agents {
        agent.progress.stood = 60.0;
    }
    crowd.steer();
    let ahead = |agent: AgentId| {
        let corner = crowd.corners_of(agent).unwrap()[0].point;
        steering::straight(crowd.position(agent).unwrap(), &[corner]) * 2.0
    };
    let straight: Vec<Vec3> = ids.iter().map(|&id| ahead(id)).collect();
    assert_eq!(crowd.desired_mut(), &straight[..]);
}

#[test]
fn separation_keeps_those_apart_who_walk_side_by_side() {
    let mesh = field(20);
    let apart = |separation| {
        let mut crowd = Crowd::default();
        let agents = [9.8, 10.3].map(|z| {
            let agent = crowd.add(&mesh, at(1.0, z), AgentParams { separation, ..small() }).unwrap();
            crowd.go_to(&mesh, agent, at(19.0, z)).unwrap();
            agent
        });
        walk(&mut crowd, &mesh, 60, |_| false);
        let [a, b] = agents.map(|agent| crowd.position(agent).unwrap());
        assert!(a.x > 4.0 && b.x > 4.0, "they get on: {a} {b}");
        (a.z - b.z).abs()
    };
    let (without, with) = (apart(0.0), apart(1.5));
    assert!(with > without + 0.1, "{without} m, {with} m");
}

#[test]
fn a_velocity_as_target_is_walked_with_wherever_it_leads() {
    let mesh = field(10);
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(5.0, 5.0), small()).unwrap();
    crowd.set_target(agent, Target::Velocity(Vec3::new(0.6, 9.0, 0.8))).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    assert_eq!(
        (crowd.velocity(agent), crowd.target_status(agent)),
        (Ok(Vec3::new(0.6, 0.0, 0.8)), Ok(TargetStatus::None))
    );
    // Faster than it can, and against the wall: along it, into the corner.
    crowd.set_target(agent, Target::Velocity(at(30.0, 40.0))).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    assert!((crowd.velocity(agent).unwrap().length() - 2.0).abs() < 1e-4);
    crowd.set_target(agent, Target::Velocity(at(-2e19, f32::MIN))).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    let velocity = crowd.velocity(agent).unwrap();
    assert!((velocity.length() - 2.0).abs() < 1e-4, "squares that overflow: {velocity}");
    crowd.set_target(agent, Target::Velocity(at(30.0, 40.0))).unwrap();
    walk(&mut crowd, &mesh, 200, |_| false);
    let there = crowd.position(agent).unwrap();
    assert!(there.distance(at(10.0, 10.0)) < 0.25, "{there}");
    crowd.set_target(agent, Target::None).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    assert_eq!(crowd.velocity(agent), Ok(Vec3::ZERO));
}
