//! A crowd: two groups change sides of a hall and meet in the middle, then all gather at one point.
//!
//! Each agent has a path of its own and avoids the others and the walls. Run it with
//! `cargo run -p wayfare --example crowd`.

use std::error::Error;
use wayfare::Vec3;
use wayfare::context::Context;
use wayfare::crowd::{AgentId, AgentParams, Crowd, TargetStatus};
use wayfare::input::{AgentSettings, Level, MarkedVolume, TriMesh, Volume};
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;

/// Seconds in a tick. A crowd gives the same positions, to the bit, for the same ticks.
const TICK: f32 = 0.05;
const RADIUS: f32 = 0.4;

/// A hall of 24 by 24 metres with a round pillar in its middle.
fn hall() -> Result<NavMesh, Box<dyn Error>> {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 24.0], [24.0, 0.0, 24.0], [24.0, 0.0, 0.0]].map(Vec3::from);
    let floor = TriMesh::new(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    let pillar = Volume::Cylinder { base: Vec3::new(12.0, -1.0, 12.0), radius: 2.0, height: 4.0 };
    let level = Level { mesh: &floor, terrain: None, volumes: &[MarkedVolume::block(pillar)] };
    Ok(NavMesh::bake(level, &AgentSettings { radius: RADIUS, ..AgentSettings::default() })?)
}

/// Ticks until it is so for all agents. Returns how many ticks that took; an error if it takes more than two minutes.
fn run_until(
    crowd: &mut Crowd,
    mesh: &NavMesh,
    planner: &mut AStarPlanner,
    is_done: impl Fn(&Crowd, AgentId) -> bool,
) -> Result<u32, Box<dyn Error>> {
    for tick in 0..2400 {
        if crowd.ids().all(|agent| is_done(crowd, agent)) {
            return Ok(tick);
        }
        crowd.step(mesh, TICK, planner, &Context::default());
    }
    Err("some agents are still under way".into())
}

/// The least distance between two agents.
fn least_distance(crowd: &Crowd) -> f32 {
    let places: Vec<Vec3> = crowd.ids().filter_map(|agent| crowd.position(agent).ok()).collect();
    let pairs = places.iter().enumerate().flat_map(|(i, a)| places[..i].iter().map(move |b| a.distance(*b)));
    pairs.fold(f32::INFINITY, f32::min)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mesh = hall()?;
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    let params = AgentParams { max_speed: 1.8, ..AgentParams::of_size(RADIUS, 2.0) };

    // Ten agents on the left go to the right, and ten on the right go to the left.
    for row in 0..10 {
        let z = 3.0 + row as f32 * 2.0;
        for (from, to) in [(2.0, 22.0), (22.0, 2.0)] {
            let agent = crowd.add(&mesh, Vec3::new(from, 0.0, z), params.clone())?;
            crowd.go_to(&mesh, agent, Vec3::new(to, 0.0, z))?;
        }
    }
    let ticks = run_until(&mut crowd, &mesh, &mut planner, |crowd, agent| {
        crowd.target_status(agent) == Ok(TargetStatus::Arrived)
    })?;
    println!("{} agents changed sides in {:.1} s", crowd.len(), ticks as f32 * TICK);

    // Send all to one point. Only one fits onto it, so the others gather around it, as a disc of bodies.
    let middle = Vec3::new(12.0, 0.0, 5.0);
    for agent in crowd.ids().collect::<Vec<_>>() {
        crowd.go_to(&mesh, agent, middle)?;
    }
    let ticks = run_until(&mut crowd, &mesh, &mut planner, |crowd, agent| crowd.is_at_rest(agent) == Ok(true))?;
    let farthest = crowd.positions().iter().map(|place| place.distance(middle)).fold(0.0, f32::max);
    let least = least_distance(&crowd);
    println!("all rest within {farthest:.1} m of the meeting point after {:.1} s", ticks as f32 * TICK);
    println!("the nearest two stand {least:.2} m apart, from middle to middle");
    assert!(farthest < 4.0);
    assert!(least > 2.0 * RADIUS * 0.9, "bodies do not overlap");
    Ok(())
}
