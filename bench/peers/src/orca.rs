//! ORCA beside `dodgy_2d`: the same agents, the same parameters, each side in its own world, a step of one after a step
//! of the other.
//!
//! Of `dodgy_2d` only `compute_avoiding_velocity` is used (its simulator looks at all pairs); it gets its neighbours
//! from our grid, asked agent by agent. What is compared besides time is how often agents overlap by more than 0.1 m,
//! how many have come to their goals, and how far away the goals still are.

use crate::Options;
use crate::measure::{now, spread};
use crate::table::{Row, print_row};
use std::borrow::Cow;
use wayfare::Vec2;
use wayfare::avoid::{
    AgentState, AvoidScratch, Avoider, Near, NearestScratch, Neighbour, Orca, ProximityGrid, Surroundings,
};

const RANGE: f32 = 15.0;
const NEIGHBOURS: usize = 10;
const RADIUS: f32 = 1.5;
const MAX_SPEED: f32 = 2.0;
const STEP: f32 = 0.25;
const HORIZON: f32 = 10.0;

/// Agents that walk straight to their goals.
#[derive(Clone)]
struct World {
    positions: Vec<Vec2>,
    velocities: Vec<Vec2>,
    goals: Vec<Vec2>,
    wanted: Vec<Vec2>,
    grid: ProximityGrid,
    overlaps: usize,
    /// Who has been at the goal, or as near to it as agents go to one another.
    arrived: Vec<bool>,
}

impl World {
    fn new(starts: Vec<Vec2>, goals: Vec<Vec2>) -> Self {
        let none = vec![Vec2::ZERO; starts.len()];
        let (grid, arrived) = (ProximityGrid::default(), vec![false; starts.len()]);
        Self { positions: starts, velocities: none.clone(), goals, wanted: none, grid, overlaps: 0, arrived }
    }

    /// At walking speed, slower within a metre of the goal.
    fn desired(&self, i: usize) -> Vec2 {
        (self.goals[i] - self.positions[i]).clamp_length_max(1.0)
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.velocities, &mut self.wanted);
        for (position, velocity) in self.positions.iter_mut().zip(&self.velocities) {
            *position += *velocity * STEP;
        }
    }

    /// Counts pairs that overlap by more than 0.1 m, and marks who has arrived.
    fn look(&mut self) {
        for ((arrived, position), goal) in self.arrived.iter_mut().zip(&self.positions).zip(&self.goals) {
            *arrived |= position.distance(*goal) <= 2.0 * RADIUS;
        }
        let limit = 2.0 * RADIUS - 0.1;
        self.grid.rebuild(&self.positions, 4.0);
        let mut near = Vec::new();
        for (i, &at) in self.positions.iter().enumerate() {
            self.grid.nearest(at, limit, usize::MAX, |id| id > i as u32, &mut near);
            self.overlaps += near.len();
        }
    }
}

/// Ours: neighbours and half-planes for eight agents at once.
#[derive(Default)]
struct Ours {
    nearest: NearestScratch,
    avoid: AvoidScratch,
    neighbours: Vec<Neighbour>,
    /// Who asks, and where its neighbours begin.
    asking: Vec<(usize, usize)>,
}

impl Ours {
    fn step(&mut self, world: &mut World) {
        let orca = Orca { horizon: HORIZON, overlap_time: STEP, side_bias: 0.0, ..Orca::default() };
        world.grid.rebuild(&world.positions, RANGE * 0.5);
        let count = world.positions.len();
        for first in (0..count).step_by(64) {
            self.gather(world, first..(first + 64).min(count));
            let Self { avoid, neighbours, asking, .. } = self;
            let around: Vec<Surroundings<'_>> =
                (0..asking.len() - 1).map(|k| around(asking, neighbours, world, k)).collect();
            let mut velocities = [Vec2::ZERO; 64];
            orca.velocities(&around, &mut velocities, avoid);
            for ((i, _), v) in asking.iter().zip(velocities).take(around.len()) {
                world.wanted[*i] = v;
            }
        }
        world.advance();
    }

    fn gather(&mut self, world: &World, slots: std::ops::Range<usize>) {
        self.neighbours.clear();
        self.asking.clear();
        let Self { nearest, neighbours, asking, .. } = self;
        world.grid.nearest_of_slots(slots, RANGE, NEIGHBOURS, nearest, |slot, near| {
            asking.push((world.grid.order()[slot] as usize, neighbours.len()));
            neighbours.extend(near.iter().map(|n| {
                let (position, velocity) = (world.positions[n.id as usize], world.velocities[n.id as usize]);
                Neighbour { position, velocity, desired: velocity, radius: RADIUS, share: 0.5 }
            }));
        });
        asking.push((0, neighbours.len()));
    }
}

fn around<'a>(asking: &[(usize, usize)], neighbours: &'a [Neighbour], world: &World, k: usize) -> Surroundings<'a> {
    let (i, begin) = asking[k];
    let agent = AgentState {
        position: world.positions[i],
        velocity: world.velocities[i],
        desired: world.desired(i),
        radius: RADIUS,
        max_speed: MAX_SPEED,
        wall_distance: 0.0,
    };
    Surroundings { agent, neighbours: &neighbours[begin..asking[k + 1].1], walls: &[] }
}

/// Theirs.
#[derive(Default)]
struct Theirs {
    agents: Vec<dodgy_2d::Agent>,
    near: Vec<Near>,
}

impl Theirs {
    fn step(&mut self, world: &mut World) {
        let options =
            dodgy_2d::AvoidanceOptions { obstacle_margin: 0.0, time_horizon: HORIZON, obstacle_time_horizon: HORIZON };
        let vec = |v: Vec2| dodgy_2d::Vec2::new(v.x, v.y);
        world.grid.rebuild(&world.positions, RANGE * 0.5);
        self.agents.clear();
        self.agents.extend(world.positions.iter().zip(&world.velocities).map(|(&p, &v)| dodgy_2d::Agent {
            position: vec(p),
            velocity: vec(v),
            radius: RADIUS,
            avoidance_responsibility: 1.0,
        }));
        let mut around: Vec<Cow<'_, dodgy_2d::Agent>> = Vec::with_capacity(NEIGHBOURS);
        for (i, agent) in self.agents.iter().enumerate() {
            world.grid.nearest(world.positions[i], RANGE, NEIGHBOURS, |id| id != i as u32, &mut self.near);
            around.clear();
            around.extend(self.near.iter().map(|n| Cow::Borrowed(&self.agents[n.id as usize])));
            let desired = vec(world.desired(i));
            let v = agent.compute_avoiding_velocity(&around, &[], desired, MAX_SPEED, STEP, &options);
            world.wanted[i] = Vec2::new(v.x, v.y);
        }
        world.advance();
    }
}

/// RVO2's circle, larger.
fn circle() -> World {
    let starts: Vec<Vec2> = (0..1000)
        .map(|i| {
            let angle = i as f64 * std::f64::consts::TAU / 1000.0;
            Vec2::new((800.0 * angle.cos()) as f32, (800.0 * angle.sin()) as f32)
        })
        .collect();
    let goals = starts.iter().map(|&s| -s).collect();
    World::new(starts, goals)
}

/// A jittered grid, goals anywhere in it: ten neighbours for everybody, always.
fn dense(agents: usize) -> World {
    let mut rng = wayfare::math::Rng::new(3);
    let side = agents.isqrt() + 1;
    let mut place = |i: usize| {
        let jitter = Vec2::new(rng.unit() - 0.5, rng.unit() - 0.5) * 2.0;
        Vec2::new((i % side) as f32, (i / side) as f32) * 5.5 + jitter
    };
    let starts: Vec<Vec2> = (0..agents).map(&mut place).collect();
    let goals = (0..agents).map(|_| Vec2::new(rng.unit(), rng.unit()) * (side as f32 * 5.5)).collect();
    World::new(starts, goals)
}

/// What a side made of all steps.
#[derive(Clone, Copy, Default)]
struct Run {
    seconds: f64,
    overlaps: usize,
    arrived: usize,
    /// To the goal at the end, metres, on average.
    way_left: f64,
}

/// Both sides through all steps.
fn both(start: &World, steps: usize) -> [Run; 2] {
    let (mut a, mut b) = (start.clone(), start.clone());
    let (mut ours, mut theirs) = (Ours::default(), Theirs::default());
    let mut times = [0.0; 2];
    for step in 0..steps {
        let began = now();
        ours.step(&mut a);
        let between = now();
        theirs.step(&mut b);
        times[0] += (between - began).as_secs_f64();
        times[1] += (now() - between).as_secs_f64();
        if step % 10 == 0 {
            a.look();
            b.look();
        }
    }
    [(&a, times[0]), (&b, times[1])].map(|(world, seconds)| {
        let ways = world.positions.iter().zip(&world.goals).map(|(p, goal)| f64::from(p.distance(*goal)));
        Run {
            seconds,
            overlaps: world.overlaps,
            arrived: world.arrived.iter().filter(|arrived| **arrived).count(),
            way_left: ways.sum::<f64>() / world.goals.len() as f64,
        }
    })
}

/// All scenes.
pub fn rows(options: &Options) -> Vec<Row> {
    let scenes = [
        ("ORCA circle of 1000", circle(), 7000),
        ("ORCA dense 1000", dense(1000), 1000),
        ("ORCA dense 10000", dense(10_000), 100),
    ];
    let (rounds, part) = if options.quick { (1, 5) } else { (3, 1) };
    let row = |(name, start, steps): (&str, World, usize)| {
        let steps = steps / part;
        let runs: Vec<_> = (0..rounds).map(|_| both(&start, steps)).collect();
        let of =
            |who: usize| spread(&runs.iter().map(|r| r[who].seconds).collect::<Vec<_>>()).median * 1e3 / steps as f64;
        let [mine, peer] = runs[0];
        let overlaps_agree = mine.overlaps as f64 <= peer.overlaps as f64 * 1.1 + 10.0;
        let ways_agree = mine.way_left <= peer.way_left * 1.05 && mine.arrived as f64 >= peer.arrived as f64 * 0.95;
        let row = Row {
            group: "crowd",
            work: name.into(),
            peer: "dodgy_2d",
            ours: of(0),
            theirs: of(1),
            unit: "ms",
            ratio: spread(&runs.iter().map(|r| r[1].seconds / r[0].seconds).collect::<Vec<_>>()),
            agrees: Some(overlaps_agree && ways_agree),
            note: format!(
                "overlapping pairs seen {} against {}, arrived {} against {}, way left {:.1} m against {:.1} m",
                mine.overlaps, peer.overlaps, mine.arrived, peer.arrived, mine.way_left, peer.way_left
            ),
            ..Row::default()
        };
        print_row(&row);
        row
    };
    scenes.into_iter().filter(|scene| options.only.is_none() || options.wants(scene.0)).map(row).collect()
}
