//! Crowds at the trials: how well they walk, not how fast they are computed.
//!
//! The scenes by which our methods are compared, walked by the reference's crowd as well, and by ORCA as `dodgy_2d` has
//! it where there are no walls. All figures are taken from places alone, by the same code for each side. The chase is
//! left out, since the reference's targets stand still.
//!
//! A row agrees if as many of ours arrive and no more of them overlap.

use crate::Options;
use crate::crowd::{DT, Ours, Theirs, Walker, is_as_good};
use crate::measure::spread;
use crate::recast::DetourMesh;
use crate::table::{Row, print_row};
use std::borrow::Cow;
use wayfare::avoid::{Avoidance, ProximityGrid};
use wayfare::format::RefBits;
use wayfare::mesh::NavMesh;
use wayfare::query::SearchScratch;
use wayfare::tile::build_outline_tile;
use wayfare::{Vec2, Vec3};
use wayfare_scenes::{CrowdTrial, TrialAgent, Trip, WalkFigures, crowd_trials};

/// Where there is nothing to walk around but one another.
const OPEN: [&str; 5] = ["two", "four", "crossing", "circle-100", "circle-1000"];

/// One side of a comparison: moves everybody by a tick, and tells where they are.
type Side<'a> = Box<dyn FnMut() -> Vec<Vec3> + 'a>;

/// ORCA as `dodgy_2d` has it: straight to the goals, with its own parameters and our grid.
struct Dodgy {
    agents: Vec<dodgy_2d::Agent>,
    goals: Vec<Vec2>,
    walker: Walker,
    grid: ProximityGrid,
}

impl Dodgy {
    fn new(trips: &[Trip], walker: Walker) -> Self {
        let agent = |trip: &Trip| dodgy_2d::Agent {
            position: dodgy_2d::Vec2::new(trip.start.x, trip.start.z),
            velocity: dodgy_2d::Vec2::new(0.0, 0.0),
            radius: walker.radius,
            avoidance_responsibility: 1.0,
        };
        let goals = trips.iter().map(|trip| Vec2::new(trip.goal.x, trip.goal.z)).collect();
        Self { agents: trips.iter().map(agent).collect(), goals, walker, grid: ProximityGrid::default() }
    }

    fn tick(&mut self) -> Vec<Vec3> {
        let Walker { radius, max_speed, .. } = self.walker;
        let options =
            dodgy_2d::AvoidanceOptions { obstacle_margin: 0.0, time_horizon: 2.5, obstacle_time_horizon: 1.0 };
        let places: Vec<Vec2> = self.agents.iter().map(|a| Vec2::new(a.position.x, a.position.y)).collect();
        self.grid.rebuild(&places, radius * 4.0);
        let mut near = Vec::new();
        let mut velocities = Vec::with_capacity(places.len());
        for ((i, agent), (&at, &goal)) in (0..).zip(&self.agents).zip(places.iter().zip(&self.goals)) {
            self.grid.nearest(at, radius * 12.0, 10, |id| id != i, &mut near);
            let around: Vec<Cow<'_, dodgy_2d::Agent>> =
                near.iter().map(|n| Cow::Borrowed(&self.agents[n.id as usize])).collect();
            // Slower within two radii, as in the other crowds.
            let wish = (goal - at).clamp_length_max(2.0 * radius) * (max_speed / (2.0 * radius));
            let wish = dodgy_2d::Vec2::new(wish.x, wish.y);
            velocities.push(agent.compute_avoiding_velocity(&around, &[], wish, max_speed, DT, &options));
        }
        for (agent, velocity) in self.agents.iter_mut().zip(velocities) {
            (agent.position, agent.velocity) = (agent.position + velocity * DT, velocity);
        }
        self.agents.iter().map(|agent| Vec3::new(agent.position.x, 0.0, agent.position.y)).collect()
    }
}

/// The rows of the group `trials`.
pub fn rows(options: &Options) -> Vec<Row> {
    let mut rows = Vec::new();
    let few = |trial: &CrowdTrial| !options.quick || trial.agents.len() <= 100;
    for trial in crowd_trials().iter().filter(|trial| options.only.is_none() || options.wants(trial.name)) {
        if trial.agents.iter().any(|agent| agent.chases.is_some()) || !few(trial) {
            continue;
        }
        match on(trial) {
            Ok(found) => rows.extend(found.into_iter().inspect(print_row)),
            Err(e) => eprintln!("skipped: trial {}: {e}", trial.name),
        }
    }
    rows
}

fn on(trial: &CrowdTrial) -> Result<Vec<Row>, String> {
    let tile = build_outline_tile(&trial.outlines, 0.0).map_err(|e| e.to_string())?;
    let mesh = NavMesh::from_tile(tile).map_err(|e| e.to_string())?;
    let detour = DetourMesh::from_set(&mesh.to_detour(RefBits::Bits32).map_err(|e| e.to_string())?)?;
    let walker = Walker { radius: trial.radius, max_speed: trial.speed, squeeze: trial.squeeze };
    let mut scratch = SearchScratch::new();
    let trip = |agent: &TrialAgent| Trip::on(&mesh, agent.start, agent.goal, &mut scratch);
    let trips: Vec<Trip> = trial.agents.iter().map(trip).collect();
    let run =
        |side: Side<'_>| walk(trial.ticks, WalkFigures::begin(walker.walk(trial.gate), trips.iter().copied()), side);
    let ours = |method: Avoidance| {
        let mut crowd = Ours::new(&mesh, &trips, walker, method)?;
        Ok::<_, String>(run(Box::new(|| {
            crowd.tick(&mesh);
            crowd.places.clone()
        })))
    };
    let mut crowd = Theirs::new(&detour, &trips, walker)?;
    let theirs = run(Box::new(|| {
        crowd.tick();
        crowd.places.clone()
    }));
    let mut rows = vec![row(trial, "recastnavigation", "adaptive", &ours(Avoidance::default())?, &theirs)];
    if OPEN.contains(&trial.name) {
        let orca = Avoidance::by_name("orca").ok_or("no orca")?;
        let mut dodgy = Dodgy::new(&trips, walker);
        rows.push(row(trial, "dodgy_2d", "orca", &ours(orca)?, &run(Box::new(|| dodgy.tick()))));
    }
    Ok(rows)
}

fn walk(ticks: u32, mut figures: WalkFigures, mut tick: Side<'_>) -> WalkFigures {
    for _ in 0..ticks {
        figures.look(&tick());
        if figures.all_arrived() {
            break;
        }
    }
    figures
}

fn row(trial: &CrowdTrial, peer: &'static str, method: &str, ours: &WalkFigures, theirs: &WalkFigures) -> Row {
    let both = |of: &dyn Fn(&WalkFigures) -> String| format!("{} against {}", of(ours), of(theirs));
    let mut note = format!(
        "arrived {}; last {} s, excess {}, jitter {}°, collisions {}, overlapping pairs a tick {}, frozen {} s",
        both(&|f| f.arrived().to_string()),
        both(&|f| format!("{:.1}", f.last_time())),
        both(&|f| format!("{:.2}", f.excess())),
        both(&|f| format!("{:.1}", f.jitter())),
        both(&|f| f.collisions.to_string()),
        both(&|f| format!("{:.2}", f.overlaps_per_tick())),
        both(&|f| format!("{:.1}", f.frozen_seconds())),
    );
    if trial.gate.is_some() {
        note += &format!(", flow {} a second", both(&|f| format!("{:.2}", f.flow())));
    }
    let (our_time, their_time) = (f64::from(ours.mean_time()), f64::from(theirs.mean_time()));
    Row {
        group: "trials",
        work: format!("{}, {} agents, {method}, time to the goal", trial.name, trial.agents.len()),
        peer,
        ours: our_time,
        theirs: their_time,
        unit: "s",
        ratio: spread(&[their_time / our_time]),
        agrees: Some(is_as_good(ours, theirs)),
        note,
        ..Row::default()
    }
}
