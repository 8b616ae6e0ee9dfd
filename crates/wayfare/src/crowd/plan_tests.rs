//! Tests of where ways come from: the queue, goals that move, flow fields.

use super::tests::{DT, at, has, small, walk};
use super::*;
use crate::avoid::Avoidance;
use crate::context::Context;
use crate::corridor::test_ground::{place, random_world, world};
use crate::math::{Rng, plane};
use crate::query::{DefaultFilter, PointSampler};

#[test]
fn unreachable_goals_are_answered_at_once_and_do_not_stand_in_the_way() {
    let mesh = world("aaaa.aaaa");
    let mut crowd = Crowd::default();
    crowd.settings_mut().path_nodes = 1;
    let agents: Vec<AgentId> =
        (0..50).map(|i| crowd.add(&mesh, at(0.5 + 0.05 * i as f32, 0.5), small()).unwrap()).collect();
    for agent in &agents[..49] {
        crowd.go_to(&mesh, *agent, at(8.0, 0.5)).unwrap();
    }
    crowd.go_to(&mesh, agents[49], at(0.2, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(agents[..49].iter().all(|&agent| has(&crowd, agent, EventKind::Unreachable)));
    assert_eq!((crowd.profile().waiting, crowd.way(agents[0])), (1, Ok(Way::Unreachable)));
    // An agent that is told to go near all the same, goes.
    crowd.set_params(agents[0], AgentParams { when_unreachable: WhenUnreachable::GoNear, ..small() }).unwrap();
    crowd.go_to(&mesh, agents[0], at(8.0, 0.5)).unwrap();
    crowd.settings_mut().path_nodes = 1000;
    walk(&mut crowd, &mesh, 2, |_| false);
    assert_eq!(crowd.way(agents[0]), Ok(Way::Partial));
}

#[test]
fn who_is_chased_is_caught_without_a_search_each_tick() {
    let mesh = world("aaaaaaaa\na......a\na......a\naaaaaaaa");
    let mut crowd = Crowd::default();
    let prey = crowd.add(&mesh, at(4.0, 0.5), AgentParams { max_speed: 1.0, ..small() }).unwrap();
    let hunter = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, prey, at(4.0, 3.5)).unwrap();
    crowd.set_target(hunter, Target::Agent(prey)).unwrap();
    let mut searches = 0;
    let ticks = walk(&mut crowd, &mesh, 400, |crowd| {
        searches += crowd
            .events()
            .iter()
            .filter(|e| e.agent == hunter && e.kind == EventKind::PathFound { complete: true })
            .count();
        plane::distance(crowd.position(prey).unwrap(), crowd.position(hunter).unwrap()) < 0.5
    });
    assert!(ticks < 300 && searches <= 4, "{ticks} ticks, {searches} searches");
    crowd.remove(prey).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(has(&crowd, hunter, EventKind::GaveUp));
}

#[test]
fn one_field_leads_everybody_to_one_goal() {
    let mesh = random_world(&mut Rng::new(5), 3, 8);
    let goal = place(&mesh, (0.5, 0.5));
    let filter = DefaultFilter::default();
    let (sampler, mut rng) = (PointSampler::on_mesh(&mesh, &filter), Rng::new(1));
    let (mut crowd, mut planner) = (Crowd::default(), FlowPlanner::new());
    // Ways alone are looked at: nobody stands in another's.
    crowd.settings_mut().resolve_rounds = 0;
    let params = AgentParams { arrival: 3.0, avoidance: Avoidance::None, ..small() };
    let agents: Vec<AgentId> = (0..40)
        .map(|_| {
            let start = sampler.sample(&mesh, &mut rng).unwrap().unwrap();
            let agent = crowd.add(&mesh, start.point, params.clone()).unwrap();
            crowd.set_target(agent, Target::Point(goal)).unwrap();
            agent
        })
        .collect();
    let mut nodes = 0;
    for _ in 0..2400 {
        crowd.step(&mesh, DT, &mut planner, &Context::default());
        nodes += crowd.profile().nodes;
    }
    let ways: Vec<Way> = agents.iter().map(|&agent| crowd.way(agent).unwrap()).collect();
    assert!(ways.iter().all(|way| matches!(way, Way::Arrived | Way::Unreachable)), "{ways:?}");
    assert!(ways.iter().filter(|way| **way == Way::Arrived).count() > 20, "{ways:?}");
    assert_eq!(planner.field_count(), 1);
    assert!(nodes < 4000, "{nodes}");
}
