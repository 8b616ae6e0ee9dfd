//! Tests of ticks as a whole: how long they may be, how much is searched in one, phases that a game does itself, and
//! ground that goes and comes back.

use super::tests::{DT, at, field, small, walk};
use super::*;
use crate::avoid::Avoidance;
use crate::context::Context;
use crate::corridor::test_ground::is_on;
use crate::math::ops::{cos, sin};
use crate::math::steps;
use crate::mesh::NavMesh;
use crate::plan::AStarPlanner;
use crate::tile::test_sketch::Drawing;
use glam::Vec3;

/// Twelve who change sides of a field, of every style.
fn busy(mesh: &NavMesh) -> (Crowd, Vec<AgentId>) {
    let mut crowd = Crowd::default();
    let styles = [Style::Straight, Style::Smooth, Style::Drunken { swing: 0.5, period: 1.0 }];
    let agents: Vec<AgentId> = (0..12)
        .map(|i| {
            let params = AgentParams { style: styles[i % 3], ..small() };
            let agent = crowd.add(mesh, at(1.0 + 0.8 * i as f32, 1.0), params).unwrap();
            crowd.go_to(mesh, agent, at(9.8 - 0.8 * i as f32, 11.0)).unwrap();
            agent
        })
        .collect();
    (crowd, agents)
}

fn all_arrive(crowd: &mut Crowd, mesh: &NavMesh, agents: &[AgentId]) {
    let done = |crowd: &Crowd| agents.iter().all(|&agent| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
    let ticks = walk(crowd, mesh, 600, done);
    let ways: Vec<TargetStatus> = agents.iter().map(|&agent| crowd.target_status(agent).unwrap()).collect();
    assert!(ticks < 600, "{ways:?}");
}

#[test]
fn far_from_the_origin_agents_walk_as_fast_in_every_direction() {
    for far in [0.0, 500.0, 2000.0] {
        let middle = Vec3::new(far, 0.0, -far);
        let corners = [[-30.0, -30.0], [-30.0, 30.0], [30.0, 30.0], [30.0, -30.0]];
        let square = Drawing::of_polygons(&[corners.map(|[x, z]| [middle.x + x, middle.z + z])]);
        let mesh = NavMesh::from_tile(square.alone()).unwrap();
        for direction in 0..24 {
            let mut crowd = Crowd::default();
            let agent = crowd.add(&mesh, middle, AgentParams { max_speed: 1.4, ..small() }).unwrap();
            let angle = direction as f32 * core::f32::consts::TAU / 24.0;
            crowd.go_to(&mesh, agent, middle + Vec3::new(cos(angle), 0.0, sin(angle)) * 25.0).unwrap();
            let mut places = [200, 1440].map(|ticks| {
                for _ in 0..ticks {
                    crowd.step(&mesh, 1.0 / 144.0, &mut AStarPlanner::new(), &Context::default());
                }
                crowd.positions()[0]
            });
            places[1] -= places[0];
            let speed = places[1].length() / 10.0;
            assert!((speed - 1.4).abs() < 0.03, "{far} {direction}: {speed}");
        }
    }
}

#[test]
fn corners_are_found_anew_only_where_they_change() {
    let mesh = field(12);
    let (mut crowd, agents) = busy(&mesh);
    walk(&mut crowd, &mesh, 2, |_| false);
    let (_, pulls) = steps::counted(|| walk(&mut crowd, &mesh, 40, |_| false));
    let ticks = 40 * agents.len() as u64;
    assert!(pulls < ticks / 2, "{pulls} strings pulled in {ticks} ticks of agents");
}

#[test]
fn a_tick_of_no_time_moves_nobody_and_one_that_is_too_long_is_cut() {
    let mesh = field(12);
    for odd in [0.0, -0.05, f32::NEG_INFINITY, f32::NAN] {
        let (mut crowd, agents) = busy(&mesh);
        walk(&mut crowd, &mesh, 10, |_| false);
        let before = (crowd.positions().to_vec(), crowd.velocities().to_vec());
        for _ in 0..3 {
            crowd.step(&mesh, odd, &mut AStarPlanner::new(), &Context::default());
        }
        assert_eq!((crowd.positions(), crowd.velocities()), (&before.0[..], &before.1[..]), "{odd}");
        all_arrive(&mut crowd, &mesh, &agents);
    }
    for odd in [1.5, 1e4, 1e30, f32::MAX, f32::INFINITY] {
        let (mut crowd, agents) = busy(&mesh);
        walk(&mut crowd, &mesh, 10, |_| false);
        let mut cut = crowd.clone();
        for _ in 0..3 {
            crowd.step(&mesh, odd, &mut AStarPlanner::new(), &Context::default());
            cut.step(&mesh, Crowd::LONGEST_TICK, &mut AStarPlanner::new(), &Context::default());
            assert_eq!((crowd.positions(), crowd.events()), (cut.positions(), cut.events()), "{odd}");
        }
        all_arrive(&mut crowd, &mesh, &agents);
    }
}

#[test]
fn so_many_look_for_a_better_topology_in_a_tick_and_all_come_to_it() {
    let mesh = field(24);
    let mut crowd = Crowd::default();
    crowd.settings_mut().topology_searches = 3;
    // So many that they wait for longer than they have to, some of them for longer than others.
    for i in 0..40 {
        let x = 1.0 + 0.5 * i as f32;
        let agent = crowd.add(&mesh, at(x, 1.0), small()).unwrap();
        crowd.go_to(&mesh, agent, at(x, 23.0)).unwrap();
    }
    let (mut last, mut planner) = ([0.0; 40], AStarPlanner::new());
    // However long the ticks are, twice a second at most.
    for tick in 0..400 {
        crowd.step(&mesh, if tick < 100 { DT } else { 0.2 * DT }, &mut planner, &Context::default());
        let now: Vec<usize> = (0..40).filter(|&i| crowd.agents[i].optimised == crowd.time).collect();
        assert!(now.len() <= 3, "tick {tick}: {now:?}");
        for i in now {
            let before = core::mem::replace(&mut last[i], crowd.time);
            assert!(before == 0.0 || crowd.time >= before + 0.5, "{i} at {before} and {}", crowd.time);
        }
    }
    assert!(last.iter().all(|&time| time > 7.0), "nobody is forgotten: {last:?}");
}

#[test]
fn what_a_game_does_in_place_of_a_phase_holds() {
    let mesh = field(10);
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    let [avoided, next] = [2.0, 6.0].map(|z| {
        let agent = crowd.add(&mesh, at(2.0, z), small()).unwrap();
        crowd.go_to(&mesh, agent, at(8.0, z)).unwrap();
        agent
    });
    for _ in 0..20 {
        crowd.begin(DT);
        for phase in Phase::ALL {
            match phase {
                // Its own avoidance sends the one aside.
                Phase::Avoid => {
                    crowd.avoid();
                    crowd.avoiding_mut()[avoided.index()] = Vec3::Z;
                }
                // And it carries the other along by itself.
                Phase::Integrate => {
                    crowd.integrate(DT);
                    let from = crowd.position(next).unwrap();
                    crowd.next_mut()[next.index()] = from - Vec3::X * 0.05;
                }
                _ => crowd.run(phase, &mesh, DT, &mut planner, &Context::default()),
            }
        }
        crowd.finish();
    }
    let [avoided, next] = [avoided, next].map(|agent| crowd.position(agent).unwrap());
    assert!(avoided.x == 2.0 && avoided.z > 2.8, "{avoided}");
    assert!((next.x - 1.0).abs() < 1e-4 && next.z == 6.0, "{next}");
}

#[test]
fn methods_are_the_agents_own_and_change_while_they_walk() {
    let mesh = field(12);
    let names = &Avoidance::NAMES[1..];
    for (i, name) in names.iter().enumerate() {
        let other = names[(i + 1) % names.len()];
        let params = |name| AgentParams { avoidance: Avoidance::by_name(name).unwrap(), ..small() };
        let mut crowd = Crowd::default();
        let ends = [at(2.0, 6.0), at(10.0, 6.0)];
        let agents = [(0, *name), (1, other)].map(|(end, name)| crowd.add(&mesh, ends[end], params(name)).unwrap());
        crowd.go_to(&mesh, agents[0], ends[1]).unwrap();
        crowd.go_to(&mesh, agents[1], ends[0]).unwrap();
        let apart = |crowd: &Crowd| {
            let [a, b] = agents.map(|agent| crowd.position(agent).unwrap());
            a.distance(b)
        };
        // They change their methods when they are a metre apart.
        walk(&mut crowd, &mesh, 200, |crowd| apart(crowd) < 1.0);
        crowd.set_params(agents[0], params(other)).unwrap();
        crowd.set_params(agents[1], params(name)).unwrap();
        let mut nearest = f32::INFINITY;
        let ticks = walk(&mut crowd, &mesh, 200, |crowd| {
            nearest = nearest.min(apart(crowd));
            agents.iter().all(|&agent| crowd.target_status(agent) == Ok(TargetStatus::Arrived))
        });
        assert!(ticks < 200 && nearest > 0.36, "{name} and {other}: {ticks} ticks, {nearest} m");
    }
}

#[test]
fn everybody_arrives_however_long_the_tick_and_however_near_is_asked_for() {
    let mesh = field(20);
    for dt in [0.002, DT, 0.3, Crowd::LONGEST_TICK] {
        for (arrival, slow_down, max_speed) in [(0.2, 0.4, 2.0), (0.0, 0.4, 2.0), (0.0, 0.0, 2.0), (0.2, 0.0, 15.0)] {
            let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
            let params = AgentParams { arrival, slow_down, max_speed, ..small() };
            let agent = crowd.add(&mesh, at(1.3, 1.0), params).unwrap();
            crowd.go_to(&mesh, agent, at(6.1, 5.2)).unwrap();
            let mut seconds = 0.0;
            while crowd.target_status(agent) != Ok(TargetStatus::Arrived) && seconds < 12.0 {
                crowd.step(&mesh, dt, &mut planner, &Context::default());
                seconds += dt;
            }
            let away = crowd.position(agent).unwrap().distance(at(6.1, 5.2));
            let what = format!("{dt} s, {arrival} m, {slow_down} m, {max_speed} m/s");
            assert!(seconds < 12.0 && away <= arrival.max(0.01), "{what}: {away} m away after {seconds} s");
        }
    }
}

#[test]
fn who_is_removed_or_added_between_two_phases_harms_nobody() {
    let mesh = field(12);
    for after in Phase::ALL {
        let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
        let agents: Vec<AgentId> = (0..40)
            .map(|i| {
                let avoidance = Avoidance::by_name(Avoidance::NAMES[i % Avoidance::NAMES.len()]).unwrap();
                let params = AgentParams { separation: 1.0, avoidance, ..small() };
                let (column, row) = ((i % 8) as f32, (i / 8) as f32);
                let agent = crowd.add(&mesh, at(1.0 + 0.5 * column, 1.0 + 0.5 * row), params).unwrap();
                crowd.go_to(&mesh, agent, at(10.0 - column, 10.0 - row)).unwrap();
                agent
            })
            .collect();
        for tick in 0..15 {
            crowd.begin(DT);
            for phase in Phase::ALL {
                crowd.run(phase, &mesh, DT, &mut planner, &Context::default());
                if phase == after {
                    crowd.remove(agents[2 * tick]).unwrap();
                    let added = if tick % 3 == 0 { 3 } else { 0 };
                    for _ in 0..added {
                        crowd.add(&mesh, at(3.0, 3.0), small()).unwrap();
                    }
                }
            }
            crowd.finish();
            for id in crowd.ids() {
                let (position, velocity) = (crowd.position(id).unwrap(), crowd.velocity(id).unwrap());
                assert!(
                    is_on(&mesh, position) && velocity.is_finite(),
                    "{after:?}, tick {tick}: {position} {velocity}"
                );
            }
        }
        assert_eq!(crowd.len(), 40);
    }
}

#[test]
fn any_range_and_number_of_neighbours_will_do() {
    let mesh = field(8);
    let cases =
        [(f32::MAX, u32::MAX, 19), (f32::MAX, 10, 10), (0.0, 10, 0), (1e-30, 3, 0), (7.0, 0, 0), (1.1, u32::MAX, 2)];
    for (neighbour_range, max_neighbours, seen) in cases {
        let mut crowd = Crowd::default();
        for i in 0..20 {
            let params = AgentParams { neighbour_range, max_neighbours, ..small() };
            let agent = crowd.add(&mesh, at(1.0 + (i % 5) as f32, 1.0 + (i / 5) as f32), params).unwrap();
            crowd.set_target(agent, Target::Velocity(Vec3::ZERO)).unwrap();
        }
        walk(&mut crowd, &mesh, 2, |_| false);
        let first = crowd.ids().next().unwrap();
        assert_eq!(crowd.neighbours_of(first).unwrap().len(), seen, "{neighbour_range} m, {max_neighbours}");
    }
}
