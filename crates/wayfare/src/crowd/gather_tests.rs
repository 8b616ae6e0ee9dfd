//! Tests of arriving: where agents stop, what is left of their ways, who rests.

use super::connection_tests::jump;
use super::tests::{at, field, small, walk};
use super::*;
use crate::corridor::test_ground::world;
use crate::math::plane;
use crate::mesh::NavMesh;
use glam::Vec3;

#[test]
fn an_agent_goes_on_to_its_goal_or_stops_as_far_from_it_as_it_is_told_to() {
    let mesh = field(10);
    for (stopping_distance, least, most) in [(0.0, 0.0, 0.02), (1.5, 1.4, 1.52)] {
        let mut crowd = Crowd::default();
        let agent = crowd.add(&mesh, at(1.0, 5.0), AgentParams { stopping_distance, ..small() }).unwrap();
        crowd.go_to(&mesh, agent, at(8.0, 5.0)).unwrap();
        walk(&mut crowd, &mesh, 20, |_| false);
        assert_eq!(crowd.is_at_rest(agent), Ok(false), "on its way");
        walk(&mut crowd, &mesh, 200, |_| false);
        let left = crowd.remaining_distance(agent).unwrap().unwrap();
        assert!(left >= least && left <= most, "{left} m from its goal");
        assert_eq!((crowd.target_status(agent), crowd.is_at_rest(agent)), (Ok(TargetStatus::Arrived), Ok(true)));
    }
}

#[test]
fn what_is_left_of_a_way_is_told_also_in_the_air_and_not_where_there_is_none() {
    let mut mesh = world("aa...aaa.a");
    mesh.add_connection(jump(false)).unwrap();
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    let left = |crowd: &Crowd| crowd.remaining_distance(agent).unwrap();
    assert_eq!((left(&crowd), crowd.target_status(agent)), (None, Ok(TargetStatus::None)));
    crowd.go_to(&mesh, agent, at(7.0, 0.5)).unwrap();
    let mut before = f32::INFINITY;
    let mut in_the_air = 0;
    walk(&mut crowd, &mesh, 200, |crowd| {
        let now = left(crowd).unwrap();
        let straight = 7.0 - crowd.position(agent).unwrap().x;
        assert!(now <= before && (now - straight).abs() < 0.02, "{now} m are left, {straight} m straight on");
        before = now;
        in_the_air += u32::from(crowd.on_connection(agent).unwrap().is_some());
        false
    });
    assert!(in_the_air > 5 && before < 0.02, "{in_the_air} ticks, {before} m");
    crowd.set_target(agent, Target::Velocity(Vec3::X)).unwrap();
    assert_eq!(left(&crowd), None);
    crowd.go_to(&mesh, agent, at(9.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    assert_eq!((left(&crowd), crowd.target_status(agent)), (None, Ok(TargetStatus::Unreachable)));
    crowd.remove(agent).unwrap();
    assert!(crowd.remaining_distance(agent).is_err() && crowd.is_at_rest(agent).is_err());
}

#[test]
fn who_comes_to_a_place_that_is_taken_has_arrived_when_it_touches_who_rests_there() {
    let mesh = field(10);
    let mut crowd = Crowd::default();
    let agents = [1.0, 8.0].map(|x| crowd.add(&mesh, at(x, 5.0), small()).unwrap());
    crowd.go_to(&mesh, agents[0], at(5.0, 5.0)).unwrap();
    walk(&mut crowd, &mesh, 100, |_| false);
    crowd.go_to(&mesh, agents[1], at(5.0, 5.0)).unwrap();
    walk(&mut crowd, &mesh, 100, |_| false);
    assert!(
        agents.iter().all(
            |&agent| crowd.target_status(agent) == Ok(TargetStatus::Arrived) && crowd.is_at_rest(agent) == Ok(true)
        )
    );
    let [first, second] = agents.map(|agent| crowd.position(agent).unwrap());
    assert!(plane::distance(first, at(5.0, 5.0)) < 0.02, "nobody pushes it from its place: {first}");
    let gap = plane::distance(first, second) - 2.0 * small().radius;
    assert!(gap.abs() < 0.02, "{gap} m apart");
}

#[test]
fn who_rests_on_the_way_of_another_lets_it_pass_and_goes_back() {
    lets_pass_and_goes_back(|_, _, _| {});
}

#[test]
fn who_was_frozen_while_it_rested_goes_back_too() {
    lets_pass_and_goes_back(|crowd, mesh, rests| {
        for max_speed in [0.0, small().max_speed] {
            crowd.set_params(rests, AgentParams { max_speed, ..small() }).unwrap();
            walk(crowd, mesh, 20, |_| false);
        }
    });
}

/// One rests on the way of another, after something was done to it.
fn lets_pass_and_goes_back(done: impl Fn(&mut Crowd, &NavMesh, AgentId)) {
    let mesh = field(10);
    let mut crowd = Crowd::default();
    let rests = crowd.add(&mesh, at(5.0, 5.0), small()).unwrap();
    crowd.go_to(&mesh, rests, at(5.0, 5.0)).unwrap();
    let passes = crowd.add(&mesh, at(1.0, 5.0), small()).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    done(&mut crowd, &mesh, rests);
    crowd.go_to(&mesh, passes, at(9.0, 5.0)).unwrap();
    let ticks = walk(&mut crowd, &mesh, 200, |crowd| crowd.target_status(passes) == Ok(TargetStatus::Arrived));
    assert!(ticks < 120, "{ticks} ticks for eight metres");
    walk(&mut crowd, &mesh, 60, |_| false);
    let place = crowd.position(rests).unwrap();
    assert!(plane::distance(place, at(5.0, 5.0)) < 0.02 && crowd.is_at_rest(rests) == Ok(true), "{place}");
}
