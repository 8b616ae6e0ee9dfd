//! Tests of agents that do not get on, and of those that only seem not to.

use super::tests::{DT, at, field, has, small, walk};
use super::*;
use crate::avoid::Avoidance;
use crate::corridor::test_ground::world;

#[test]
fn who_is_stuck_says_so_and_gives_up_when_told_to() {
    // The only way leads through a door in which somebody stands who never moves.
    let mesh = world("aaa.aaa\naaaaaaa\naaa.aaa");
    let mut crowd = Crowd::default();
    let post = crowd.add(&mesh, at(3.5, 1.5), AgentParams { radius: 0.5, ..small() }).unwrap();
    crowd.pause(post, true).unwrap();
    let recovery = Recovery { patience: 0.02, squeeze: 1.0, replan_after: 2, give_up_after: 3 };
    let params = AgentParams { radius: 0.4, recovery, ..small() };
    let agent = crowd.add(&mesh, at(0.5, 1.5), params).unwrap();
    crowd.go_to(&mesh, agent, at(6.5, 1.5)).unwrap();
    let mut blocked = 0;
    let ticks = walk(&mut crowd, &mesh, 400, |crowd| {
        blocked += crowd.events().iter().filter(|e| matches!(e.kind, EventKind::Blocked { .. })).count();
        has(crowd, agent, EventKind::GaveUp)
    });
    // Three spells, and one more, since it got nearer to the door in between.
    assert!(ticks < 400 && blocked == 4, "{ticks} {blocked}");
    assert_eq!((crowd.target_status(agent), crowd.target(agent)), (Ok(TargetStatus::None), Ok(Target::None)));
    assert!(crowd.position(agent).unwrap().x < 3.2);
}

#[test]
fn who_is_stuck_searches_anew_and_makes_itself_narrow_as_far_as_it_may() {
    // A passage of one metre in which somebody stands who never moves.
    let mesh = world("aaa.aaa\naaaaaaa\naaa.aaa");
    let run = |squeeze| {
        let mut crowd = Crowd::default();
        let post = crowd.add(&mesh, at(3.5, 1.5), AgentParams { radius: 0.3, ..small() }).unwrap();
        crowd.pause(post, true).unwrap();
        let recovery = Recovery { patience: 0.02, squeeze, replan_after: 2, give_up_after: 0 };
        let agent = crowd.add(&mesh, at(0.5, 1.5), AgentParams { radius: 0.4, recovery, ..small() }).unwrap();
        crowd.go_to(&mesh, agent, at(6.5, 1.5)).unwrap();
        let (mut blocked, mut found, mut narrowest) = (0, 0, f32::INFINITY);
        walk(&mut crowd, &mesh, 900, |crowd| {
            blocked += crowd.events().iter().filter(|e| matches!(e.kind, EventKind::Blocked { .. })).count();
            found += usize::from(has(crowd, agent, EventKind::PathFound { complete: true }));
            narrowest = narrowest.min(crowd.hot.radius[agent.index()]);
            crowd.target_status(agent) == Ok(TargetStatus::Arrived)
        });
        (crowd.target_status(agent) == Ok(TargetStatus::Arrived), narrowest, blocked, found)
    };
    let (arrives, narrowest, blocked, found) = run(1.0);
    assert!(!arrives && narrowest == 0.4 && blocked >= 4, "solid bodies do not pass: {narrowest} m, {blocked}");
    assert_eq!(found, 1 + blocked / 2, "every second time a path is searched");
    let (arrives, narrowest, ..) = run(0.25);
    assert!(arrives && narrowest == 0.1, "{narrowest} m");
}

#[test]
fn who_stands_before_others_at_rest_goes_near_and_is_let_through() {
    // A passage as wide as two agents, in which two stand that have arrived; all methods, and agents of two sizes and
    // speeds.
    let mesh = world(&["aaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaa"].join("\n"));
    for name in Avoidance::NAMES.into_iter().filter(|name| *name != "none") {
        for (radius, speed) in [(0.5, 3.5), (0.45, 0.8)] {
            let mut crowd = Crowd::default();
            let avoidance = Avoidance::by_name(name).unwrap();
            let params = AgentParams { avoidance, max_speed: speed, ..AgentParams::of_size(radius, 1.8) };
            for z in [0.4, 1.6] {
                let resting = crowd.add(&mesh, at(10.0, z), params.clone()).unwrap();
                crowd.go_to(&mesh, resting, at(10.0, z)).unwrap();
            }
            let agent = crowd.add(&mesh, at(1.0, 1.0), params).unwrap();
            crowd.go_to(&mesh, agent, at(19.0, 1.0)).unwrap();
            let most = (40.0 / (speed * DT)) as u32 + 100;
            let ticks = walk(&mut crowd, &mesh, most, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
            assert!(ticks < most, "{name}, {radius} m: stands at {}", crowd.position(agent).unwrap());
        }
    }
}

#[test]
fn a_slow_agent_is_not_blocked_by_being_slow() {
    // Nine walk side by side at a tenth of a metre a second: many stand close, and nobody gets on quickly.
    let mesh = field(6);
    let mut crowd = Crowd::default();
    for i in 0..9 {
        let params = AgentParams { max_speed: 0.1, ..small() };
        let (x, z) = (1.0 + 0.5 * (i % 3) as f32, 2.0 + 0.5 * (i / 3) as f32);
        let agent = crowd.add(&mesh, at(x, z), params).unwrap();
        crowd.go_to(&mesh, agent, at(x + 3.0, z)).unwrap();
    }
    let mut blocked = 0;
    walk(&mut crowd, &mesh, 400, |crowd| {
        blocked += crowd.events().iter().filter(|e| matches!(e.kind, EventKind::Blocked { .. })).count();
        false
    });
    assert_eq!(blocked, 0);
    assert!(crowd.positions().iter().all(|p| p.x > 2.0));
}

#[test]
fn who_goes_as_near_as_it_can_to_one_that_moves_gives_up_after_as_many_spells_as_it_was_told() {
    let mesh = world("aaaa.aaaaaa");
    for is_agent in [true, false] {
        let mut crowd = Crowd::default();
        let prey = crowd.add(&mesh, at(7.5, 0.5), small()).unwrap();
        let recovery = Recovery { patience: 0.3, give_up_after: 10, ..Recovery::default() };
        let params = AgentParams { when_unreachable: WhenUnreachable::GoNear, recovery, ..small() };
        let hunter = crowd.add(&mesh, at(3.0, 0.5), params).unwrap();
        let place = crowd.corridor(prey).unwrap().start().unwrap();
        crowd.set_target(hunter, if is_agent { Target::Agent(prey) } else { Target::Moving(place) }).unwrap();
        let mut blocked = 0;
        let ticks = walk(&mut crowd, &mesh, 400, |crowd| {
            blocked += crowd.events().iter().filter(|e| matches!(e.kind, EventKind::Blocked { .. })).count();
            has(crowd, hunter, EventKind::GaveUp)
        });
        // Ten times 0.3 s, and the way there.
        assert!((60..120).contains(&ticks) && blocked == 10, "{ticks} ticks, {blocked}");
    }
}
