//! Trials of crowds: levels where agents meet, cross, crowd and chase, each defined once.
//!
//! Outlines say where agents' *centres* may be, so that a doorway is exactly as wide as stated: a free-standing wall is
//! widened by a radius on every side.
//!
//! ```text
//!   head-on      crossing         doorway            counter-flow
//!   o-->  <--o   o-->             ooo #              ________
//!                o-->  ^ ^        ooo    --> goals   o--> <--o
//!                      o o        ooo #              ‾‾‾‾‾‾‾‾
//! ```

use crate::Rng;
use core::f32::consts::TAU;
use wayfare::math::ops;
use wayfare::{Vec2, Vec3};

/// One agent of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialAgent {
    /// Its start.
    pub start: Vec3,
    /// Its goal; for a chaser, where its target starts.
    pub goal: Vec3,
    /// The agent it chases, by number.
    pub chases: Option<usize>,
}

/// A level with the agents that are tested there.
#[derive(Clone, Debug)]
pub struct CrowdTrial {
    /// Its name.
    pub name: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// Where agents' centres may be: outlines in the plane, x and z, holes as outlines within others.
    pub outlines: Vec<Vec<Vec2>>,
    /// The agents.
    pub agents: Vec<TrialAgent>,
    /// The radius of all agents, metres.
    pub radius: f32,
    /// Maximum speed of all agents except those being chased, m/s.
    pub speed: f32,
    /// Maximum speed of those being chased, m/s.
    pub prey_speed: f32,
    /// The fraction of its radius to which a blocked agent may narrow, 0…1. Where widths matter, 1: bodies are solid.
    pub squeeze: f32,
    /// Number of ticks of 0.05 s.
    pub ticks: u32,
    /// A line across which the flow is counted.
    pub gate: Option<[Vec2; 2]>,
    /// A rectangle, lowest and highest corner, in which density and speed are measured.
    pub probe: Option<[Vec2; 2]>,
}

/// The agents of the Recast demo.
const RADIUS: f32 = 0.6;
const SPEED: f32 = 3.5;
/// Distance between agents that stand together, from centre to centre.
const APART: f32 = 1.6;
/// Thickness of walls.
const WALL: f32 = 0.6;

/// A rectangle as an outline.
fn rect(low: (f32, f32), high: (f32, f32)) -> Vec<Vec2> {
    [(low.0, low.1), (high.0, low.1), (high.0, high.1), (low.0, high.1)].map(Vec2::from).to_vec()
}

/// The outline of a wall for centres: widened by `radius` on every side.
fn wall(low: (f32, f32), high: (f32, f32), radius: f32) -> Vec<Vec2> {
    rect((low.0 - radius, low.1 - radius), (high.0 + radius, high.1 + radius))
}

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

/// From here to there.
fn errand(start: Vec3, goal: Vec3) -> TrialAgent {
    TrialAgent { start, goal, chases: None }
}

impl CrowdTrial {
    /// A trial with the demo's agents.
    fn new(name: &'static str, summary: &'static str, outlines: Vec<Vec<Vec2>>, agents: Vec<TrialAgent>) -> Self {
        Self {
            name,
            summary,
            outlines,
            agents,
            radius: RADIUS,
            speed: SPEED,
            prey_speed: SPEED,
            squeeze: 0.0,
            ticks: 2400,
            gate: None,
            probe: None,
        }
    }

    /// Agents on a circle in the open, each with the opposite point as its goal.
    fn circle(name: &'static str, summary: &'static str, agents: usize, radius: f32) -> Self {
        let on = |i: usize| {
            let angle = TAU * i as f32 / agents as f32;
            at(ops::cos(angle), ops::sin(angle)) * radius
        };
        let side = radius + 10.0;
        let agents = (0..agents).map(|i| errand(on(i), -on(i))).collect();
        Self::new(name, summary, vec![rect((-side, -side), (side, side))], agents)
    }

    /// A room full of agents that leave it through a door of this width, with agents of this size and speed.
    #[must_use]
    pub fn doorway(name: &'static str, width: f32, agents: usize, radius: f32, speed: f32) -> Self {
        let (apart, half) = (radius * 2.7, width * 0.5);
        let columns = 12;
        let side = apart * columns as f32 * 0.5 + 2.0 * radius;
        let depth = apart * agents.div_ceil(columns) as f32 + 4.0 * radius;
        // The room where x is below zero, the door, the open.
        let (border, gap, far) = (WALL * 0.5 + radius, half - radius, 4.0 * side);
        let outline = passage(&[(-depth - radius, side), (-border, gap), (border, far)], far);
        let place = |i: usize| {
            let (row, column) = ((i / columns) as f32, (i % columns) as f32);
            (row, (column - (columns - 1) as f32 * 0.5) * apart)
        };
        let agent = |i: usize| {
            let (row, z) = place(i);
            // Goals are fanned out far behind the door, so that agents that have arrived do not block others.
            errand(at(-border - 2.0 * radius - row * apart, z), at(2.0 * side + row * apart, z * 4.0))
        };
        let mut trial =
            Self::new(name, "A room is left through one door", vec![outline], (0..agents).map(agent).collect());
        (trial.radius, trial.speed, trial.prey_speed) = (radius, speed, speed);
        (trial.squeeze, trial.ticks) = (1.0, 4000);
        trial.gate = Some([Vec2::new(0.0, -half), Vec2::new(0.0, half)]);
        trial
    }

    /// Pedestrians who wait before a corridor, enter it through one opening and leave it through another. The corridor
    /// itself is eight metres long; the opening is four metres before it, so that they spread over its width. Widths,
    /// metres, are those of the entrance, the corridor and the exit; centres keep `radius` from walls.
    #[must_use]
    pub fn corridor([entrance, wide, exit]: [f32; 3], agents: usize, radius: f32) -> Self {
        let (apart, columns) = (0.54, 12);
        let (half, far) = ((apart * 6.0 + radius).max(wide * 0.5), 30.0);
        let depth = 9.5 + apart * agents.div_ceil(columns) as f32;
        let gap = |width: f32| width * 0.5 - radius;
        let border = WALL + radius;
        let steps = [
            (-depth, half),
            (-8.0 - border, gap(entrance)),
            (-8.0 + radius, gap(wide)),
            (4.0 - radius, gap(exit)),
            (4.0 + border, far),
        ];
        let agent = |i: usize| {
            let (row, z) = ((i / columns) as f32 * apart, ((i % columns) as f32 - 5.5) * apart);
            errand(at(-9.2 - row, z), at(30.0 + row, z * 8.0))
        };
        let agents = (0..agents).map(agent).collect();
        let mut trial = Self::new("corridor", "Pedestrians pass a corridor", vec![passage(&steps, 60.0)], agents);
        (trial.radius, trial.speed, trial.prey_speed) = (radius, 1.4, 1.4);
        (trial.squeeze, trial.ticks) = (1.0, 6000);
        trial.gate = Some([Vec2::new(0.0, -wide), Vec2::new(0.0, wide)]);
        trial.probe = Some([Vec2::new(-2.0, -wide * 0.5), Vec2::new(2.0, wide * 0.5)]);
        trial
    }
}

/// An outline symmetric about the x axis with these half-widths from these distances on, ending at `end`.
fn passage(steps: &[(f32, f32)], end: f32) -> Vec<Vec2> {
    let ends = steps[1..].iter().map(|step| step.0).chain([end]);
    let border: Vec<Vec2> =
        steps.iter().zip(ends).flat_map(|(&(from, half), to)| [Vec2::new(from, half), Vec2::new(to, half)]).collect();
    let mirrored = border.iter().rev().map(|p| Vec2::new(p.x, -p.y));
    let mut outline: Vec<Vec2> = border.iter().copied().chain(mirrored).collect();
    outline.dedup();
    outline
}

/// All trials, simplest first.
#[must_use]
pub fn crowd_trials() -> Vec<CrowdTrial> {
    let circle = CrowdTrial::circle;
    vec![
        circle("two", "Two meet head-on", 2, 10.0),
        circle("four", "Four meet in one point", 4, 10.0),
        crossing(),
        circle("circle-100", "A hundred swap places across a circle", 100, 24.0),
        circle_of_1000(),
        CrowdTrial::doorway("door-1.8", 1.8, 100, RADIUS, SPEED),
        CrowdTrial::doorway("door-3.6", 3.6, 100, RADIUS, SPEED),
        counter_flow(),
        chase(),
        pillars(),
    ]
}

/// Two streams at right angles.
fn crossing() -> CrowdTrial {
    let mut agents = Vec::new();
    for i in 0..40 {
        let (row, lane) = ((i / 8) as f32 * APART, (i % 8) as f32 * APART - 3.5 * APART);
        agents.push(errand(at(-12.0 - row, lane), at(20.0 - row, lane)));
        agents.push(errand(at(lane, -12.0 - row), at(lane, 20.0 - row)));
    }
    CrowdTrial::new("crossing", "Two streams of forty cross", vec![rect((-30.0, -30.0), (30.0, 30.0))], agents)
}

fn circle_of_1000() -> CrowdTrial {
    let mut trial = CrowdTrial::circle("circle-1000", "A thousand swap places across a circle", 1000, 200.0);
    trial.ticks = 6000;
    trial
}

/// Two groups meet in a corridor six metres wide.
fn counter_flow() -> CrowdTrial {
    let half = 3.0 - RADIUS;
    let mut agents = Vec::new();
    for i in 0..30 {
        let (row, z) = ((i / 3) as f32 * APART, (i % 3) as f32 * APART - APART);
        agents.push(errand(at(-12.0 - row, z), at(28.0 - row, z)));
        agents.push(errand(at(12.0 + row, z), at(row - 28.0, z)));
    }
    let ground = vec![rect((-40.0, -half), (40.0, half))];
    CrowdTrial::new("counter-flow", "Two groups of thirty meet in a corridor of 6 m", ground, agents)
}

/// Five agents chase one around a block.
fn chase() -> CrowdTrial {
    let ground = vec![rect((-15.0, -15.0), (15.0, 15.0)), wall((-6.0, -6.0), (6.0, 6.0), RADIUS)];
    let mut agents = vec![errand(at(12.0, -12.0), at(-12.0, 12.0))];
    let hunters = (0..5).map(|i| at(-12.0 + i as f32 * APART, -12.0));
    agents.extend(hunters.map(|start| TrialAgent { chases: Some(0), ..errand(start, at(12.0, -12.0)) }));
    let mut trial = CrowdTrial::new("chase", "Five chase one around a block", ground, agents);
    trial.prey_speed = 1.5;
    trial
}

/// Twenty-five agents with random goals among pillars.
fn pillars() -> CrowdTrial {
    let mut ground = vec![rect((-15.0, -15.0), (15.0, 15.0))];
    for i in 0..9 {
        let (x, z) = ((i % 3) as f32 * 8.0 - 8.0, (i / 3) as f32 * 8.0 - 8.0);
        ground.push(wall((x - 1.0, z - 1.0), (x + 1.0, z + 1.0), RADIUS));
    }
    // Positions in the lanes between the pillars, dealt out twice: starts, and goals at random.
    let spot = |i: usize| at((i / 7) as f32 * 8.0 - 12.0, (i % 7) as f32 * 4.0 - 12.0);
    let mut goals: Vec<usize> = (0..25).collect();
    let mut rng = Rng::new(25);
    for i in (1..goals.len()).rev() {
        goals.swap(i, (rng.bits() % (i as u64 + 1)) as usize);
    }
    let agents = (0..25).map(|i| errand(spot(i), spot(goals[i]))).collect();
    CrowdTrial::new("pillars", "Twenty-five change places among pillars", ground, agents)
}
