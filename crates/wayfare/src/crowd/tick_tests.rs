//! Tests of ticks as a whole: how long they may be, how much is searched in one, phases that a game does itself, and
//! ground that goes and comes back.

use super::tests::{DT, at, field, has, small, walk};
use super::*;
use crate::avoid::Avoidance;
use crate::context::Context;
use crate::math::index::TileSlot;
use crate::mesh::NavMesh;
use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
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
    let done = |crowd: &Crowd| agents.iter().all(|&agent| crowd.way(agent) == Ok(Way::Arrived));
    let ticks = walk(crowd, mesh, 600, done);
    let ways: Vec<Way> = agents.iter().map(|&agent| crowd.way(agent).unwrap()).collect();
    assert!(ticks < 600, "{ways:?}");
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
    let mut last = [0; 40];
    walk(&mut crowd, &mesh, 100, |crowd| {
        let now: Vec<usize> = (0..40).filter(|&i| crowd.agents[i].optimised == crowd.tick).collect();
        assert!(now.len() <= 3, "tick {}: {now:?}", crowd.tick);
        for i in now {
            let before = core::mem::replace(&mut last[i], crowd.tick);
            assert!(before == 0 || crowd.tick >= before + 10, "{i} at {before} and {}", crowd.tick);
        }
        false
    });
    assert!(last.iter().all(|&tick| tick > 80), "nobody is forgotten: {last:?}");
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
    mesh.remove_tile(TileSlot::new(0)).unwrap();
    let mut told = 0;
    walk(&mut crowd, &mesh, 5, |crowd| {
        told += u32::from(has(crowd, agent, EventKind::GroundLost));
        false
    });
    assert_eq!((told, crowd.way(agent), crowd.position(agent)), (1, Ok(Way::Lost), Ok(here)));
    mesh.add_tile(tile(0)).unwrap();
    let ticks = walk(&mut crowd, &mesh, 200, |crowd| crowd.way(agent) == Ok(Way::Arrived));
    assert!(ticks < 200, "{:?} at {}", crowd.way(agent), crowd.position(agent).unwrap());
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
            agents.iter().all(|&agent| crowd.way(agent) == Ok(Way::Arrived))
        });
        assert!(ticks < 200 && nearest > 0.36, "{name} and {other}: {ticks} ticks, {nearest} m");
    }
}
