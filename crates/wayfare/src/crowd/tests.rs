//! Tests of whole ticks.

use super::*;
use crate::avoid::Avoidance;
use crate::context::Context;
use crate::corridor::test_ground::{is_on, random_tile, random_world, world};
use crate::math::index::TileSlot;
use crate::math::{Rng, plane};
use crate::mesh::NavMesh;
use crate::plan::AStarPlanner;
use crate::query::{DefaultFilter, PointSampler};
use glam::Vec3;

pub(super) const DT: f32 = 0.05;

pub(super) fn small() -> AgentParams {
    AgentParams { max_speed: 2.0, ..AgentParams::of_size(0.2, 1.8) }
}

pub(super) fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

/// An open field of `size` × `size` metres.
pub(super) fn field(size: usize) -> NavMesh {
    world(&vec!["a".repeat(size); size].join("\n"))
}

/// Ticks until `done` or so many; how many there were.
pub(super) fn walk(crowd: &mut Crowd, mesh: &NavMesh, most: u32, mut done: impl FnMut(&Crowd) -> bool) -> u32 {
    let mut planner = AStarPlanner::new();
    for tick in 0..most {
        crowd.step(mesh, DT, &mut planner, &Context::default());
        if done(crowd) {
            return tick + 1;
        }
    }
    most
}

pub(super) fn has(crowd: &Crowd, agent: AgentId, kind: EventKind) -> bool {
    crowd.events().contains(&CrowdEvent { agent, kind })
}

#[test]
fn around_a_wall_to_the_goal() {
    let mesh = world("aaaaa\na...a\naaaaa");
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(4.5, 2.5)).unwrap();
    let (mut found, mut arrived) = (false, false);
    let ticks = walk(&mut crowd, &mesh, 200, |crowd| {
        found |= has(crowd, agent, EventKind::PathFound { complete: true });
        arrived |= has(crowd, agent, EventKind::Arrived);
        assert!(is_on(&mesh, crowd.position(agent).unwrap()));
        arrived
    });
    assert!(found && arrived && ticks < 90, "{ticks} ticks for about six metres at 2 m/s");
    assert_eq!(crowd.target_status(agent).unwrap(), TargetStatus::Arrived);
    assert!(crowd.position(agent).unwrap().distance(at(4.5, 2.5)) <= 0.2);
}

#[test]
fn two_who_meet_pass_each_other_with_every_method() {
    let mesh = field(12);
    for name in Avoidance::NAMES.into_iter().filter(|name| *name != "none") {
        let mut crowd = Crowd::default();
        let params = AgentParams { avoidance: Avoidance::by_name(name).unwrap(), ..small() };
        let ends = [at(1.0, 6.0), at(11.0, 6.0)];
        let agents = ends.map(|end| crowd.add(&mesh, end, params.clone()).unwrap());
        crowd.go_to(&mesh, agents[0], ends[1]).unwrap();
        crowd.go_to(&mesh, agents[1], ends[0]).unwrap();
        let mut nearest = f32::INFINITY;
        let ticks = walk(&mut crowd, &mesh, 400, |crowd| {
            let places = agents.map(|agent| crowd.position(agent).unwrap());
            nearest = nearest.min(plane::distance(places[0], places[1]));
            agents.iter().all(|&agent| crowd.target_status(agent) == Ok(TargetStatus::Arrived))
        });
        assert!(ticks < 200 && nearest > 0.36, "{name}: {ticks} ticks, {nearest} m");
    }
}

#[test]
fn all_phases_by_hand_are_a_step() {
    let mesh = field(10);
    let (mut whole, mut planner) = (Crowd::default(), AStarPlanner::new());
    for i in 0..12 {
        let agent = whole.add(&mesh, at(1.0 + 0.6 * i as f32, 1.0), small()).unwrap();
        whole.go_to(&mesh, agent, at(8.0 - 0.6 * i as f32, 9.0)).unwrap();
    }
    let (mut by_hand, mut other) = (whole.clone(), AStarPlanner::new());
    for _ in 0..60 {
        whole.step(&mesh, DT, &mut planner, &Context::default());
        by_hand.begin(DT);
        by_hand.validate(&mesh, &mut other);
        by_hand.plan(&mesh, &mut other, DT);
        by_hand.neighbours();
        by_hand.corners(&mesh);
        by_hand.connections(&mesh, DT);
        by_hand.steer();
        by_hand.avoid();
        by_hand.integrate(DT);
        by_hand.resolve();
        by_hand.constrain(&mesh, DT);
        by_hand.finish();
        assert_eq!(whole.positions(), by_hand.positions());
        assert_eq!(whole.events(), by_hand.events());
    }
}

#[cfg(feature = "rayon")]
#[test]
fn the_same_bits_on_any_number_of_threads() {
    let mesh = field(40);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut crowd, mut rng, mut planner) = (Crowd::default(), Rng::new(3), AStarPlanner::new());
            let mut spot = || at(rng.unit() * 40.0, rng.unit() * 40.0);
            for i in 0..600 {
                let name = Avoidance::NAMES[i % Avoidance::NAMES.len()];
                let params = AgentParams { avoidance: Avoidance::by_name(name).unwrap(), separation: 0.5, ..small() };
                let agent = crowd.add(&mesh, spot(), params).unwrap();
                crowd.go_to(&mesh, agent, spot()).unwrap();
            }
            for _ in 0..20 {
                crowd.step(&mesh, DT, &mut planner, &Context::default());
            }
            (crowd.positions().to_vec(), crowd.velocities().to_vec())
        })
    };
    let one = run(1);
    for threads in [2, 4, 7] {
        assert_eq!(one, run(threads), "{threads} threads");
    }
}

#[test]
fn on_the_mesh_and_no_faster_than_it_can_while_tiles_come_and_go() {
    let filter = DefaultFilter::default();
    let (mut lost, mut arrived) = (0, 0);
    for seed in 0..6 {
        let (mut rng, mut crowd, mut planner) = (Rng::new(seed), Crowd::default(), AStarPlanner::new());
        crowd.settings_mut().reach = Vec3::splat(30.0);
        crowd.settings_mut().path_nodes = 60;
        let mut mesh = random_world(&mut rng, 3, 7);
        for tick in 0..400 {
            let sampler = PointSampler::on_mesh(&mesh, &filter);
            let spot = |rng: &mut Rng| sampler.sample(&mesh, rng).unwrap().unwrap().point;
            if crowd.len() < 40 {
                let name = Avoidance::NAMES[rng.below(Avoidance::NAMES.len() as u32) as usize];
                let params = AgentParams { avoidance: Avoidance::by_name(name).unwrap(), ..small() };
                let agent = crowd.add(&mesh, spot(&mut rng), params).unwrap();
                let goal = spot(&mut rng);
                crowd.go_to(&mesh, agent, goal).unwrap();
            }
            let ids: Vec<AgentId> = crowd.ids().collect();
            let chosen = ids[rng.below(ids.len() as u32) as usize];
            match rng.below(12) {
                0 => crowd.remove(chosen).unwrap(),
                1 => crowd.teleport(&mesh, chosen, spot(&mut rng)).unwrap(),
                2 => crowd.pause(chosen, rng.below(2) == 0).unwrap(),
                3 => {
                    let target = ids[rng.below(ids.len() as u32) as usize];
                    crowd.set_target(chosen, Target::Agent(target)).unwrap();
                }
                4 => crowd.set_target(chosen, Target::Velocity(at(1.0, 1.0))).unwrap(),
                5 | 6 => {
                    let goal = spot(&mut rng);
                    crowd.go_to(&mesh, chosen, goal).unwrap();
                }
                7 => {
                    let place = (rng.below(3) as i32, rng.below(3) as i32);
                    let slot = TileSlot::new((place.0 + place.1 * 3) as u32);
                    let old = mesh.tile_in(slot).unwrap().tile_ref();
                    mesh.replace_tile(old, random_tile(&mut rng, place, 7)).unwrap();
                }
                _ => {}
            }
            crowd.begin(DT);
            crowd.validate(&mesh, &mut planner);
            let fresh: Vec<bool> = crowd.agents.iter().map(|agent| agent.is_fresh).collect();
            let before: Vec<Vec3> = crowd.positions().to_vec();
            for phase in &Phase::ALL[1..] {
                crowd.run(*phase, &mesh, DT, &mut planner, &Context::default());
            }
            crowd.finish();
            for agent in crowd.ids().collect::<Vec<_>>() {
                let now = crowd.position(agent).unwrap();
                assert!(is_on(&mesh, now), "seed {seed}, tick {tick}: {now} is off the mesh");
                let step = plane::distance(now, before[agent.index()]);
                // Who was just put here may stand on top of others and is parted from them at once.
                let most = 2.0 * DT * 1.002 + if fresh[agent.index()] { 0.4 } else { 0.0 };
                assert!(step <= most, "seed {seed}, tick {tick}: a step of {step} m");
                let corridor = crowd.corridor(agent).unwrap();
                assert!(corridor.is_valid(&mesh, u32::MAX, &filter), "seed {seed}, tick {tick}");
            }
            let count = |kind: fn(&EventKind) -> bool| crowd.events().iter().filter(|e| kind(&e.kind)).count();
            lost += count(|kind| matches!(kind, EventKind::PathLost(_)));
            arrived += count(|kind| *kind == EventKind::Arrived);
        }
    }
    assert!(lost > 20 && arrived > 20, "{lost} ways lost, {arrived} arrivals");
}

#[test]
fn removed_paused_and_carried_away() {
    let mesh = field(10);
    let mut crowd = Crowd::default();
    let gone = crowd.add(&mesh, at(1.0, 1.0), small()).unwrap();
    crowd.remove(gone).unwrap();
    let agent = crowd.add(&mesh, at(2.0, 2.0), small()).unwrap();
    assert_eq!((agent.index(), crowd.contains(gone), crowd.len()), (gone.index(), false, 1));
    assert_eq!(crowd.position(gone), Err(CrowdError::NoAgent { agent: gone }));
    crowd.go_to(&mesh, agent, at(8.0, 2.0)).unwrap();
    crowd.pause(agent, true).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    assert_eq!(crowd.position(agent).unwrap(), at(2.0, 2.0));
    crowd.pause(agent, false).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    assert!(crowd.position(agent).unwrap().x > 2.5);
    crowd.teleport(&mesh, agent, at(2.0, 8.0)).unwrap();
    let ticks = walk(&mut crowd, &mesh, 300, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
    assert!(ticks < 150, "it goes on to its goal from there: {ticks}");
    assert!(matches!(crowd.add(&mesh, at(99.0, 0.0), small()), Err(CrowdError::NoSurface { .. })));
    let wrong = AgentParams { radius: f32::NAN, ..small() };
    assert!(matches!(
        crowd.add(&mesh, at(1.0, 1.0), wrong),
        Err(CrowdError::Params(ParamsError { name: "radius", .. }))
    ));
    let unknown = AgentParams { filter: 3, ..small() };
    assert_eq!(crowd.set_params(agent, unknown), Err(CrowdError::NoFilter { filter: 3, count: 1 }));
}

#[test]
fn places_that_the_game_gives_are_brought_onto_the_mesh() {
    let mesh = world("aaaaa\na...a\naaaaa");
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), AgentParams { driver: Driver::Game, ..small() }).unwrap();
    crowd.go_to(&mesh, agent, at(4.5, 2.5)).unwrap();
    walk(&mut crowd, &mesh, 3, |_| false);
    assert_eq!(crowd.position(agent).unwrap(), at(0.5, 0.5), "the crowd does not move it");
    assert!(crowd.avoiding_mut()[agent.index()].x > 1.0, "but says how it should move");
    crowd.set_position(agent, at(2.5, 1.05)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert_eq!(crowd.position(agent).unwrap(), at(2.5, 1.0));
    crowd.set_position(agent, at(4.5, 2.25)).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    assert_eq!(crowd.position(agent).unwrap(), at(4.5, 2.25));
}

#[test]
fn who_is_carried_away_from_its_goal_no_longer_rests_at_it() {
    let mesh = field(12);
    let mut crowd = Crowd::default();
    let [resting, walking] = [10.0, 1.0].map(|x| crowd.add(&mesh, at(x, 6.0), small()).unwrap());
    crowd.go_to(&mesh, resting, at(10.0, 6.0)).unwrap();
    walk(&mut crowd, &mesh, 100, |crowd| crowd.is_at_rest(resting).unwrap());
    crowd.go_to(&mesh, walking, at(10.0, 6.0)).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    let beside = crowd.position(walking).unwrap() + at(0.0, 0.41);
    assert!(crowd.is_at_rest(resting).unwrap() && beside.x < 5.0);
    crowd.teleport(&mesh, resting, beside).unwrap();
    assert!(!crowd.is_at_rest(resting).unwrap());
    walk(&mut crowd, &mesh, 1, |_| false);
    assert_eq!(crowd.target_status(walking), Ok(TargetStatus::Complete));
}
