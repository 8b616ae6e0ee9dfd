//! Agents without a mesh: a small world in which avoidance methods are held to what they promise.
//!
//! Every agent wants to walk straight to its goal. A tick finds the nearest neighbours, asks the method, limits the
//! acceleration and moves; nobody is pushed apart afterwards, so overlaps are the method's own. The same every time.

use glam::Vec2;
use wayfare::avoid::{
    AgentState, AvoidScratch, Avoidance, Avoider, Near, Neighbour, ProximityGrid, Surroundings, Wall,
};
use wayfare::math::ops;

/// What is the same for all agents of a world.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    /// Metres.
    pub radius: f32,
    /// m/s.
    pub speed: f32,
    /// m/s²; infinite for none.
    pub acceleration: f32,
    /// Neighbours are seen within this distance, metres.
    pub range: f32,
    /// And this many of them.
    pub neighbours: usize,
    /// Seconds a tick.
    pub dt: f32,
}

impl Default for Walker {
    /// The agents of the Recast demo's crowds.
    fn default() -> Self {
        Self { radius: 0.6, speed: 3.5, acceleration: 8.0, range: 7.2, neighbours: 12, dt: 0.05 }
    }
}

/// The world.
#[derive(Clone, Debug)]
pub struct Walkers {
    /// The kind of agent.
    pub kind: Walker,
    /// Who avoids how, by agent.
    pub methods: Vec<Avoidance>,
    /// Whether others may count on an agent to do half of the avoiding.
    pub gives_way: Vec<bool>,
    /// Where everybody stands.
    pub positions: Vec<Vec2>,
    /// How everybody moves.
    pub velocities: Vec<Vec2>,
    /// Where everybody wants to go.
    pub goals: Vec<Vec2>,
    /// The walls, thin; agents keep their radius from them.
    pub walls: Vec<Wall>,
    grid: ProximityGrid,
}

/// What happened in a run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Agents that came within two radii of their goal.
    pub arrived: usize,
    /// Ticks until the last one did, or until the end.
    pub ticks: usize,
    /// Pairs nearer than 0.9 × the sum of their radii, summed over the ticks.
    pub overlaps: usize,
    /// The mean turn of the velocity per tick, degrees, while walking.
    pub jitter: f32,
    /// Mean of distance walked / straight distance, of those who arrived.
    pub excess: f32,
    /// The smallest distance of two centers.
    pub nearest: f32,
    /// Agent-ticks with the center nearer to a wall than 0.9 radii.
    pub wall_touches: usize,
}

impl Run {
    /// Overlapping pairs in a tick, on average.
    #[must_use]
    pub fn overlaps_per_tick(&self) -> f32 {
        self.overlaps as f32 / self.ticks.max(1) as f32
    }
}

impl Walkers {
    /// Agents at rest, all with one method.
    #[must_use]
    pub fn new(kind: Walker, method: Avoidance, starts_and_goals: &[(Vec2, Vec2)]) -> Self {
        let n = starts_and_goals.len();
        Self {
            kind,
            methods: vec![method; n],
            gives_way: vec![true; n],
            positions: starts_and_goals.iter().map(|s| s.0).collect(),
            velocities: vec![Vec2::ZERO; n],
            goals: starts_and_goals.iter().map(|s| s.1).collect(),
            walls: Vec::new(),
            grid: ProximityGrid::default(),
        }
    }

    /// `n` agents evenly on a circle, whose goals lie opposite: as symmetric as a scene can be.
    #[must_use]
    pub fn circle(kind: Walker, method: Avoidance, n: usize, radius: f32) -> Self {
        let on = |i: usize| {
            let angle = i as f32 * core::f32::consts::TAU / n as f32;
            Vec2::new(ops::cos(angle), ops::sin(angle)) * radius
        };
        let errands: Vec<_> = (0..n).map(|i| (on(i), -on(i))).collect();
        Self::new(kind, method, &errands)
    }

    /// One tick.
    pub fn tick(&mut self, scratch: &mut AvoidScratch) {
        let kind = self.kind;
        self.grid.rebuild(&self.positions, kind.range);
        let (mut near, mut neighbours): (Vec<Near>, Vec<Neighbour>) = (Vec::new(), Vec::new());
        let desired: Vec<Vec2> = (0..self.positions.len()).map(|i| self.desired(i)).collect();
        let mut wanted = Vec::with_capacity(desired.len());
        for (i, &position) in self.positions.iter().enumerate() {
            self.grid.nearest(position, kind.range, kind.neighbours, |id| id != i as u32, &mut near);
            neighbours.clear();
            neighbours.extend(near.iter().map(|n| {
                let j = n.id as usize;
                Neighbour {
                    position: self.positions[j],
                    velocity: self.velocities[j],
                    desired: desired[j],
                    radius: kind.radius,
                    share: if self.gives_way[j] { 0.5 } else { 1.0 },
                }
            }));
            let agent = AgentState {
                position,
                velocity: self.velocities[i],
                desired: desired[i],
                radius: kind.radius,
                max_speed: kind.speed,
                wall_distance: kind.radius,
            };
            let around = Surroundings { agent, neighbours: &neighbours, walls: &self.walls };
            let v = self.methods[i].velocity(&around, scratch);
            assert!(v.is_finite() && v.length() <= kind.speed * 1.0001, "{}: {v}", self.methods[i].name());
            wanted.push(v);
        }
        for (i, v) in wanted.into_iter().enumerate() {
            let change = (v - self.velocities[i]).clamp_length_max(kind.acceleration * kind.dt);
            self.velocities[i] += change;
            self.positions[i] += self.velocities[i] * kind.dt;
        }
    }

    /// Straight to the goal, slowing down at it.
    fn desired(&self, i: usize) -> Vec2 {
        let way = self.goals[i] - self.positions[i];
        let slow = (way.length() / (2.0 * self.kind.radius)).min(1.0);
        way.normalize_or_zero() * self.kind.speed * slow
    }

    /// Runs until all have arrived, at most `ticks`. `watch` sees the world after each tick.
    pub fn run(&mut self, ticks: usize, mut watch: impl FnMut(&Self)) -> Run {
        let n = self.positions.len();
        let starts = self.positions.clone();
        let mut scratch = AvoidScratch::default();
        let (mut walked, mut arrived, mut excess) = (vec![0.0_f32; n], vec![false; n], 0.0);
        let mut run = Run { nearest: f32::INFINITY, ..Run::default() };
        let (mut turns, mut turned) = (0_u32, 0.0_f32);
        while run.ticks < ticks && run.arrived < n {
            let (positions, velocities) = (self.positions.clone(), self.velocities.clone());
            self.tick(&mut scratch);
            run.ticks += 1;
            for i in 0..n {
                walked[i] += self.positions[i].distance(positions[i]);
                let (v, w) = (velocities[i], self.velocities[i]);
                if v.length() > 0.1 * self.kind.speed && w.length() > 0.1 * self.kind.speed {
                    turns += 1;
                    turned += ops::atan2(v.perp_dot(w), v.dot(w)).abs().to_degrees();
                }
                if !arrived[i] && self.positions[i].distance(self.goals[i]) <= 2.0 * self.kind.radius {
                    arrived[i] = true;
                    run.arrived += 1;
                    excess += walked[i] / (starts[i].distance(self.positions[i])).max(1e-3);
                }
                let from_wall = self.walls.iter().map(|w| w.nearest(self.positions[i]).distance(self.positions[i]));
                run.wall_touches += usize::from(from_wall.fold(f32::INFINITY, f32::min) < 0.9 * self.kind.radius);
            }
            self.count_overlaps(&mut run);
            watch(self);
        }
        run.jitter = turned / turns.max(1) as f32;
        run.excess = excess / run.arrived.max(1) as f32;
        run
    }

    fn count_overlaps(&self, run: &mut Run) {
        for (i, a) in self.positions.iter().enumerate() {
            for b in &self.positions[..i] {
                let distance = a.distance(*b);
                run.nearest = run.nearest.min(distance);
                run.overlaps += usize::from(distance < 0.9 * 2.0 * self.kind.radius);
            }
        }
    }
}
