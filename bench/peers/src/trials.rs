//! Crowds at the trials: how well they walk, not how fast they are worked out.
//!
//! The scenes by which our methods are compared, walked by the reference's crowd as well, and by ORCA as `dodgy_2d` has
//! it where there are no walls. All figures are taken from places alone, by the same code for each side. The chase is
//! left out, since the reference's targets stand still.
//!
//! A row agrees if as many of ours arrive and no more of them overlap.

use crate::Options;
use crate::crowd::{DT, Errand, Ours, Theirs, Walker};
use crate::measure::spread;
use crate::recast::DetourMesh;
use crate::table::{Row, print_row};
use std::borrow::Cow;
use wayfare::avoid::{Avoidance, Near, ProximityGrid};
use wayfare::mesh::{NavMesh, RefBits};
use wayfare::query::{DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path, string_pull};
use wayfare::tile::build_outline_tile;
use wayfare::{Vec2, Vec3};
use wayfare_scenes::{CrowdTrial, crowd_trials};

/// Pairs nearer than this part of the sum of their radii overlap.
const NEAR: f32 = 0.9;
/// Slower than this, m/s, an agent stands; for longer than so many seconds, it is frozen.
const STANDING: f32 = 0.1;
const FROZEN: f32 = 2.0;
/// So many more overlapping pairs a tick are the same.
const SAME: f64 = 0.05;
/// Where there is nothing to walk around but one another.
const OPEN: [&str; 5] = ["two", "four", "crossing", "circle-100", "circle-1000"];

/// One agent as it is seen.
struct Seen {
    at: Vec2,
    goal: Vec2,
    shortest: f32,
    step: Vec2,
    walked: f32,
    stood: f32,
    arrived: bool,
    passed: bool,
}

/// What a crowd made of a trial.
struct Figures {
    agents: Vec<Seen>,
    radius: f32,
    gate: Option<[Vec2; 2]>,
    ticks: u32,
    times: Vec<f64>,
    excesses: Vec<f64>,
    turned: (f64, u64),
    overlaps: u64,
    collisions: u64,
    overlapping: Vec<(u32, u32)>,
    frozen: u64,
    passed: Vec<f64>,
    grid: ProximityGrid,
}

fn flat(p: [f32; 3]) -> Vec2 {
    Vec2::new(p[0], p[2])
}

fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len().max(1) as f64
}

/// Whether a step crosses a line.
fn crosses([a, b]: [Vec2; 2], from: Vec2, to: Vec2) -> bool {
    let side = |a: Vec2, b: Vec2, p: Vec2| (b - a).perp_dot(p - a) > 0.0;
    side(a, b, from) != side(a, b, to) && side(from, to, a) != side(from, to, b)
}

impl Figures {
    fn begin(trial: &CrowdTrial, errands: &[Errand], shortest: &[f32]) -> Self {
        let seen = |(errand, &shortest): (&Errand, &f32)| Seen {
            at: flat(errand.start),
            goal: flat(errand.goal),
            shortest,
            step: Vec2::ZERO,
            walked: 0.0,
            stood: 0.0,
            arrived: false,
            passed: false,
        };
        Self {
            agents: errands.iter().zip(shortest).map(seen).collect(),
            radius: trial.radius,
            gate: trial.gate,
            ticks: 0,
            times: Vec::new(),
            excesses: Vec::new(),
            turned: (0.0, 0),
            overlaps: 0,
            collisions: 0,
            overlapping: Vec::new(),
            frozen: 0,
            passed: Vec::new(),
            grid: ProximityGrid::default(),
        }
    }

    fn look(&mut self, places: &[[f32; 3]]) {
        self.ticks += 1;
        let seconds = f64::from(self.ticks) * f64::from(DT);
        for (seen, &place) in self.agents.iter_mut().zip(places) {
            let at = flat(place);
            let step = at - seen.at;
            if !seen.passed && self.gate.is_some_and(|gate| crosses(gate, seen.at, at)) {
                seen.passed = true;
                self.passed.push(seconds);
            }
            if !seen.arrived {
                seen.walked += step.length();
                seen.stood = if step.length() < STANDING * DT { seen.stood + DT } else { 0.0 };
                self.frozen += u64::from(seen.stood > FROZEN);
            }
            if !seen.arrived && at.distance(seen.goal) <= 2.0 * self.radius {
                seen.arrived = true;
                self.times.push(seconds);
                let way = seen.walked + at.distance(seen.goal);
                self.excesses.push(f64::from(way.max(seen.shortest) / seen.shortest.max(0.1)));
            }
            if step.length().min(seen.step.length()) > STANDING * DT {
                self.turned.0 += f64::from(step.angle_to(seen.step).abs().to_degrees());
                self.turned.1 += 1;
            }
            (seen.at, seen.step) = (at, step);
        }
        self.look_at_pairs();
    }

    fn look_at_pairs(&mut self) {
        let places: Vec<Vec2> = self.agents.iter().map(|seen| seen.at).collect();
        let reach = NEAR * 2.0 * self.radius;
        self.grid.rebuild(&places, reach);
        let (mut near, mut pairs) = (Vec::new(), Vec::new());
        for (i, &at) in (0..).zip(&places) {
            self.grid.nearest(at, reach, usize::MAX, |other| other > i, &mut near);
            pairs.extend(near.iter().map(|Near { id, .. }| (i, *id)));
        }
        pairs.sort_unstable();
        self.overlaps += pairs.len() as u64;
        self.collisions += pairs.iter().filter(|pair| self.overlapping.binary_search(pair).is_err()).count() as u64;
        self.overlapping = pairs;
    }

    fn all_arrived(&self) -> bool {
        self.times.len() == self.agents.len()
    }

    fn overlaps_per_tick(&self) -> f64 {
        self.overlaps as f64 / f64::from(self.ticks.max(1))
    }

    /// Agents a second between the first and the last through the gate.
    fn flow(&self) -> f64 {
        match self.passed[..] {
            [first, .., last] if last > first => (self.passed.len() - 1) as f64 / (last - first),
            _ => 0.0,
        }
    }

    fn frozen_seconds(&self) -> f64 {
        self.frozen as f64 * f64::from(DT) / self.agents.len().max(1) as f64
    }
}

/// One side of a comparison: moves everybody by a tick, and tells where they are.
type Side<'a> = Box<dyn FnMut() -> Vec<[f32; 3]> + 'a>;

/// ORCA as `dodgy_2d` has it: straight to the goals, with its own parameters and our grid.
struct Dodgy {
    agents: Vec<dodgy_2d::Agent>,
    goals: Vec<Vec2>,
    walker: Walker,
    grid: ProximityGrid,
}

impl Dodgy {
    fn new(errands: &[Errand], walker: Walker) -> Self {
        let agent = |errand: &Errand| dodgy_2d::Agent {
            position: dodgy_2d::Vec2::new(errand.start[0], errand.start[2]),
            velocity: dodgy_2d::Vec2::new(0.0, 0.0),
            radius: walker.radius,
            avoidance_responsibility: 1.0,
        };
        let goals = errands.iter().map(|errand| flat(errand.goal)).collect();
        Self { agents: errands.iter().map(agent).collect(), goals, walker, grid: ProximityGrid::default() }
    }

    fn tick(&mut self) -> Vec<[f32; 3]> {
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
        self.agents.iter().map(|agent| [agent.position.x, 0.0, agent.position.y]).collect()
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
    let errand = |agent: &wayfare_scenes::TrialAgent| Errand { start: agent.start.into(), goal: agent.goal.into() };
    let errands: Vec<Errand> = trial.agents.iter().map(errand).collect();
    let walker = Walker { radius: trial.radius, max_speed: trial.speed, squeeze: trial.squeeze };
    let shortest = shortest_ways(&mesh, &errands);
    let run = |side: Side<'_>| walk(trial, Figures::begin(trial, &errands, &shortest), side);
    let ours = |method: Avoidance| {
        let mut crowd = Ours::new(&mesh, &errands, walker, method)?;
        Ok::<_, String>(run(Box::new(|| {
            crowd.tick(&mesh);
            crowd.places.clone()
        })))
    };
    let mut crowd = Theirs::new(&detour, &errands, walker)?;
    let theirs = run(Box::new(|| {
        crowd.tick();
        crowd.places.clone()
    }));
    let mut rows = vec![row(trial, "recastnavigation", "adaptive", &ours(Avoidance::default())?, &theirs)];
    if OPEN.contains(&trial.name) {
        let orca = Avoidance::by_name("orca").ok_or("no orca")?;
        let mut dodgy = Dodgy::new(&errands, walker);
        rows.push(row(trial, "dodgy_2d", "orca", &ours(orca)?, &run(Box::new(|| dodgy.tick()))));
    }
    Ok(rows)
}

fn walk(trial: &CrowdTrial, mut figures: Figures, mut tick: Side<'_>) -> Figures {
    for _ in 0..trial.ticks {
        figures.look(&tick());
        if figures.all_arrived() {
            break;
        }
    }
    figures
}

/// Lengths of the shortest ways; 0 where there is none.
fn shortest_ways(mesh: &NavMesh, errands: &[Errand]) -> Vec<f32> {
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    let mut way = |errand: &Errand| {
        let place = |p: [f32; 3]| find_nearest(mesh, p.into(), Vec3::new(2.0, 4.0, 2.0), &filter);
        let ask = PathRequest::new(place(errand.start)?.place(), place(errand.goal)?.place());
        let path = find_path(mesh, &ask, &filter, &mut scratch).ok()?;
        Some(string_pull(&path, &mut scratch).length)
    };
    errands.iter().map(|errand| way(errand).unwrap_or(0.0)).collect()
}

fn row(trial: &CrowdTrial, peer: &'static str, method: &str, ours: &Figures, theirs: &Figures) -> Row {
    let both = |of: &dyn Fn(&Figures) -> String| format!("{} against {}", of(ours), of(theirs));
    let mut note = format!(
        "arrived {}; last {} s, excess {}, jitter {}°, collisions {}, overlapping pairs a tick {}, frozen {} s",
        both(&|f| format!("{}", f.times.len())),
        both(&|f| format!("{:.1}", f.times.last().copied().unwrap_or_default())),
        both(&|f| format!("{:.2}", mean(&f.excesses))),
        both(&|f| format!("{:.1}", f.turned.0 / f.turned.1.max(1) as f64)),
        both(&|f| format!("{}", f.collisions)),
        both(&|f| format!("{:.2}", f.overlaps_per_tick())),
        both(&|f| format!("{:.1}", f.frozen_seconds())),
    );
    if trial.gate.is_some() {
        note += &format!(", flow {} a second", both(&|f| format!("{:.2}", f.flow())));
    }
    let (our_time, their_time) = (mean(&ours.times), mean(&theirs.times));
    let as_many = ours.times.len() + ours.agents.len() / 100 >= theirs.times.len();
    Row {
        group: "trials",
        work: format!("{}, {} agents, {method}, time to the goal", trial.name, trial.agents.len()),
        peer,
        ours: our_time,
        theirs: their_time,
        unit: "s",
        ratio: spread(&[their_time / our_time]),
        agrees: Some(as_many && ours.overlaps_per_tick() <= theirs.overlaps_per_tick() + SAME),
        note,
        ..Row::default()
    }
}
