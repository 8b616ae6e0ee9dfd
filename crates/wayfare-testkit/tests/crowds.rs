//! Crowds, agents without a mesh, and paths through blocks: the same bits as when somebody last looked, for any number
//! of threads, in debug and release builds.

use std::fmt::Write as _;
use wayfare::Vec3;
use wayfare::avoid::Avoidance;
use wayfare::blocks::{BlockNav, BlockPathRequest, BlockSettings, Cell};
use wayfare::context::Context;
use wayfare::crowd::{AStarPlanner, AgentParams, Crowd, CrowdSettings, FlowPlanner, Planner, Target};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::tile::build_outline_tile;
use wayfare_scenes::{CrowdTrial, crowd_trials};
use wayfare_testkit::walkers::{Walker, Walkers};
use wayfare_testkit::{digest, golden};

/// The numbers of some places, bit by bit.
fn bytes(places: impl Iterator<Item = [f32; 3]>) -> Vec<u8> {
    places.flatten().flat_map(|number| number.to_bits().to_le_bytes()).collect()
}

/// Where all are after each of so many ticks of a trial, and what happened to them.
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

#[test]
fn crowds_walk_as_in_the_goldens() {
    let mut lines = String::new();
    for (name, ticks) in [("four", 160), ("crossing", 120), ("chase", 160), ("pillars", 160)] {
        for method in methods() {
            // The full grid is a thousand samples: in a test build a few ticks of it must do.
            let ticks = if matches!(method, Avoidance::Sampled(_)) && name == "crossing" { 20 } else { ticks };
            lines += &walk(&trial(name), method, ticks, &mut AStarPlanner::new());
        }
    }
    lines += &walk(&trial("door-3.6"), Avoidance::default(), 160, &mut FlowPlanner::new());
    golden("crowds.txt", &lines);
}

/// So many that the phases are shared out.
#[test]
fn crowds_do_not_depend_on_threads() {
    let mut many = CrowdTrial::doorway("many", 3.6, 400, 0.6, 3.5);
    many.agents.iter_mut().for_each(|agent| agent.goal = Vec3::new(30.0, 0.0, 0.0));
    let run = |threads: usize| -> Vec<String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let ticks = |method: &Avoidance| if matches!(method, Avoidance::Sampled(_)) { 4 } else { 40 };
        let walk = |method: Avoidance| walk(&many, method, ticks(&method), &mut AStarPlanner::new());
        pool.install(|| methods().map(walk).collect())
    };
    let one = run(1);
    golden("crowd-of-400.txt", &one.concat());
    for threads in [2, 4] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn agents_without_a_mesh_avoid_as_in_the_goldens() {
    let mut lines = String::new();
    for method in methods() {
        let mut world = Walkers::circle(Walker::default(), method, 24, 15.0);
        let mut seen = Vec::new();
        let run = world.run(100, |world| seen.extend(bytes(world.positions.iter().map(|p| [p.x, 0.0, p.y]))));
        let _ = writeln!(lines, "circle of 24 {}: {} overlaps, {}", method.name(), run.overlaps, digest(&seen));
    }
    golden("avoidance.txt", &lines);
}

#[test]
fn paths_through_blocks_are_those_of_the_goldens() {
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
    golden("blocks.txt", &lines);
}
