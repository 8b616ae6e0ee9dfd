//! What the golden files hold, as this platform makes it: the tests compare it natively, the program `digests` prints
//! it on WebAssembly.

use crate::walkers::{Walker, Walkers};
use crate::{digest, levels};
use std::fmt::Write as _;
use wayfare::Vec3;
use wayfare::avoid::Avoidance;
use wayfare::blocks::{BlockNav, BlockPathRequest, BlockSettings, Cell};
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, CrowdSettings, FlowPlanner, Target};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::plan::{AStarPlanner, Planner};
use wayfare::tile::build_outline_tile;
use wayfare_scenes::{CrowdTrial, crowd_trials};

/// The text of a golden by the name of its file; `None` for any other name.
#[must_use]
pub fn text(name: &str) -> Option<String> {
    match name {
        "avoidance.txt" => Some(avoidance()),
        "blocks.txt" => Some(blocks()),
        "crowd-of-400.txt" => Some(crowd_of_400()),
        "crowds.txt" => Some(crowds()),
        "scenes.txt" => Some(scenes()),
        _ => None,
    }
}

/// Every scene, baked in every way.
#[must_use]
pub fn scenes() -> String {
    levels::golden_specs().iter().map(|spec| levels::golden_lines(spec)).collect()
}

/// Crowds at their trials, by every method.
///
/// # Panics
/// If a trial cannot be walked: every built-in one can.
#[must_use]
pub fn crowds() -> String {
    let mut lines = String::new();
    for (name, ticks) in [("four", 160), ("crossing", 120), ("chase", 160), ("pillars", 160)] {
        for method in methods() {
            // The full grid is a thousand samples: in a test build a few ticks of it must do.
            let ticks = if matches!(method, Avoidance::Sampled(_)) && name == "crossing" { 20 } else { ticks };
            lines += &walk(&trial(name), method, ticks, &mut AStarPlanner::new());
        }
    }
    lines += &walk(&trial("door-3.6"), Avoidance::default(), 160, &mut FlowPlanner::new());
    lines
}

/// So many agents that the phases of a tick are shared out among threads.
///
/// # Panics
/// If they cannot walk.
#[must_use]
pub fn crowd_of_400() -> String {
    let mut many = CrowdTrial::doorway("many", 3.6, 400, 0.6, 3.5);
    many.agents.iter_mut().for_each(|agent| agent.goal = Vec3::new(30.0, 0.0, 0.0));
    let ticks = |method: &Avoidance| if matches!(method, Avoidance::Sampled(_)) { 4 } else { 40 };
    methods().map(|method| walk(&many, method, ticks(&method), &mut AStarPlanner::new())).collect()
}

/// Agents without a mesh, by every method.
///
/// # Panics
/// Never: the methods are built in.
#[must_use]
pub fn avoidance() -> String {
    let mut lines = String::new();
    for method in methods() {
        let mut world = Walkers::circle(Walker::default(), method, 24, 15.0);
        let mut seen = Vec::new();
        let run = world.run(100, |world| seen.extend(bytes(world.positions.iter().map(|p| [p.x, 0.0, p.y]))));
        let _ = writeln!(lines, "circle of 24 {}: {} overlaps, {}", method.name(), run.overlaps, digest(&seen));
    }
    lines
}

/// Paths through worlds of blocks.
///
/// # Panics
/// If a world cannot be built: the built-in ones can.
#[must_use]
pub fn blocks() -> String {
    let mut lines = String::new();
    for spec in ["blocks?size=48", "blocks?size=48&seed=2&height=24"] {
        let world = wayfare_scenes::block_world(spec).unwrap();
        let mut nav = BlockNav::new(BlockSettings::default()).unwrap();
        let (mut rng, mut seen, mut found) = (Rng::new(5), Vec::new(), 0);
        for _ in 0..60 {
            let mut column = || [rng.below(48) as i32, rng.below(48) as i32];
            let mut stand = || {
                let [x, z] = column();
                (0..48).rev().map(|y| Cell::new(x, y, z)).find(|cell| nav.stands(&world, *cell))
            };
            let (Some(from), Some(to)) = (stand(), stand()) else { continue };
            let path = nav.find_path(&world, &BlockPathRequest::to(from, to));
            found += usize::from(!path.points.is_empty());
            seen.extend(bytes(path.points.iter().map(Vec3::to_array)));
        }
        let _ = writeln!(lines, "{spec}: {found} paths, {}", digest(&seen));
    }
    lines
}

/// The numbers of some places, bit by bit.
fn bytes(places: impl Iterator<Item = [f32; 3]>) -> Vec<u8> {
    places.flatten().flat_map(|number| number.to_bits().to_le_bytes()).collect()
}

/// The positions of all agents after each of this many ticks of a trial, and their events.
fn walk(trial: &CrowdTrial, method: Avoidance, ticks: u32, planner: &mut dyn Planner) -> String {
    let mesh = NavMesh::from_tile(build_outline_tile(&trial.outlines, 0.0).unwrap()).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::default());
    let params = AgentParams { avoidance: method, max_speed: trial.speed, ..AgentParams::of_size(trial.radius, 2.0) };
    let agents: Vec<_> = trial.agents.iter().map(|a| crowd.add(&mesh, a.start, params.clone()).unwrap()).collect();
    for (agent, errand) in agents.iter().zip(&trial.agents) {
        match errand.chases {
            Some(other) => crowd.set_target(*agent, Target::Agent(agents[other])).unwrap(),
            None => crowd.go_to(&mesh, *agent, errand.goal).unwrap(),
        }
    }
    let (mut seen, mut events) = (Vec::new(), 0);
    for _ in 0..ticks {
        crowd.step(&mesh, 0.05, planner, &Context::default());
        seen.extend(bytes(crowd.positions().iter().map(Vec3::to_array)));
        events += crowd.events().len();
    }
    format!("{} {} {ticks} ticks: {events} events, {}\n", trial.name, method.name(), digest(&seen))
}

fn methods() -> impl Iterator<Item = Avoidance> {
    Avoidance::NAMES.iter().map(|name| Avoidance::by_name(name).unwrap())
}

fn trial(name: &str) -> CrowdTrial {
    crowd_trials().into_iter().find(|trial| trial.name == name).unwrap()
}
