//! What a run is judged by.

use super::run::Plan;
use crate::output::numbers::number;
use serde_json::{Value, json};
use std::time::Duration;
use wayfare::Vec3;
use wayfare::crowd::{Crowd, Phase};
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, find_nearest};
use xxhash_rust::xxh3::Xxh3;

/// The figures of a run, or of what has been seen of it.
#[derive(Clone, Default)]
pub(crate) struct Figures {
    /// How many have been within two radii of their goals.
    pub(crate) arrived: usize,
    /// Pairs nearer than 0.9 times the sum of their radii, summed over ticks.
    pub(crate) overlaps: u64,
    /// Agent-ticks outside the mesh.
    pub(crate) off_mesh: u64,
    /// Seconds from the start to the goal, and metres walked, of each that has arrived.
    pub(crate) times: Vec<f32>,
    pub(crate) excesses: Vec<f32>,
    /// Turns of velocities, degrees, and how many were taken.
    turned: f64,
    turns: u64,
    /// Of each tick.
    pub(crate) spent: Vec<Duration>,
    pub(crate) phases: [Duration; Phase::ALL.len()],
    pub(crate) ticks: u32,
    /// Agents that have stood still for two seconds short of their goals, summed over ticks.
    pub(crate) frozen: u64,
    hash: Xxh3,
    walkers: Vec<Walker>,
}

/// One agent under way.
#[derive(Clone, Copy)]
struct Walker {
    goal: Vec3,
    before: Vec3,
    velocity: Vec3,
    walked: f32,
    /// Length of the shortest path.
    shortest: f32,
    has_arrived: bool,
    standing: f32,
}

/// Slower than this, m/s, an agent has no direction.
const STANDING: f32 = 0.1;
/// Nearer than this to the mesh is on it, metres.
const SLACK: f32 = 0.01;

impl Figures {
    /// Before the first tick. `shortest` are the lengths of the shortest paths.
    pub(crate) fn begin(plan: &Plan, shortest: &[f32]) -> Self {
        let walkers = plan.cast.errands.iter().zip(shortest).map(|(errand, &shortest)| Walker {
            goal: errand.goal,
            before: errand.start,
            velocity: Vec3::ZERO,
            walked: 0.0,
            shortest,
            has_arrived: false,
            standing: 0.0,
        });
        Self { walkers: walkers.collect(), ..Self::default() }
    }

    /// After a tick. Agents are the first places of the crowd.
    pub(crate) fn look(&mut self, mesh: &NavMesh, crowd: &Crowd, plan: &Plan) {
        self.ticks += 1;
        let seconds = self.ticks as f32 * plan.dt;
        let filter = DefaultFilter::default();
        for (walker, (&at, &velocity)) in self.walkers.iter_mut().zip(crowd.positions().iter().zip(crowd.velocities()))
        {
            let flat = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
            let step = flat(at - walker.before).length();
            if !walker.has_arrived {
                walker.walked += step;
                let speed = step / plan.dt;
                walker.standing = if speed < STANDING { walker.standing + plan.dt } else { 0.0 };
                self.frozen += u64::from(walker.standing > 2.0);
            }
            if !walker.has_arrived && at.distance(walker.goal) <= 2.0 * plan.cast.radius {
                walker.has_arrived = true;
                self.arrived += 1;
                self.times.push(seconds);
                let to_goal = walker.walked + at.distance(walker.goal);
                self.excesses.push(if walker.shortest > 0.1 {
                    to_goal.max(walker.shortest) / walker.shortest
                } else {
                    1.0
                });
            }
            if flat(velocity).length() > STANDING && flat(walker.velocity).length() > STANDING {
                self.turned += f64::from(flat(velocity).angle_between(flat(walker.velocity)).to_degrees());
                self.turns += 1;
            }
            (walker.before, walker.velocity) = (at, velocity);
            let near = find_nearest(mesh, at, Vec3::new(0.5, 1.0, 0.5), &filter);
            self.off_mesh += u64::from(near.is_none_or(|near| flat(near.point - at).length() > SLACK));
            at.to_array().iter().for_each(|c| self.hash.update(&c.to_bits().to_le_bytes()));
        }
        self.overlaps += overlapping_pairs(crowd.positions(), plan);
    }

    /// How long a tick took.
    pub(crate) fn clock(&mut self, spent: Duration, crowd: &Crowd) {
        self.spent.push(spent);
        for (sum, phase) in self.phases.iter_mut().zip(Phase::ALL) {
            *sum += crowd.profile().time(phase);
        }
    }

    pub(crate) fn overlaps_per_tick(&self) -> f32 {
        self.overlaps as f32 / self.ticks.max(1) as f32
    }

    pub(crate) fn jitter(&self) -> f32 {
        (self.turned / self.turns.max(1) as f64) as f32
    }

    pub(crate) fn digest(&self) -> String {
        format!("{:016x}", self.hash.digest())
    }

    fn ms(&self, share: f64) -> f32 {
        let mut spent = self.spent.clone();
        spent.sort_unstable();
        let at = ((spent.len() as f64 * share) as usize).min(spent.len().saturating_sub(1));
        spent.get(at).map_or(0.0, |d| d.as_secs_f32() * 1e3)
    }

    /// As the manual says.
    pub(crate) fn json(&self, plan: &Plan, avoidance: &str) -> Value {
        let phases = Phase::ALL.iter().zip(self.phases);
        let per_tick = |d: Duration| number(d.as_secs_f32() * 1e3 / self.ticks.max(1) as f32);
        let phases: serde_json::Map<String, Value> = phases.map(|(p, d)| (p.name().to_owned(), per_tick(d))).collect();
        json!({
            "agents": self.walkers.len(),
            "ticks": self.ticks,
            "dt": number(plan.dt),
            "avoidance": avoidance,
            "arrived": self.arrived,
            "ms_per_tick_median": number(self.ms(0.5)),
            "ms_per_tick_p99": number(self.ms(0.99)),
            "overlaps_per_tick": number(self.overlaps_per_tick()),
            "off_mesh": self.off_mesh,
            "time_to_goal_mean": number(mean(&self.times)),
            "path_excess_mean": number(if self.excesses.is_empty() { 1.0 } else { mean(&self.excesses) }),
            "jitter_mean": number(self.jitter()),
            "frozen_per_tick": number(self.frozen as f32 / self.ticks.max(1) as f32),
            "ms_per_phase": phases,
            "digest": self.digest(),
        })
    }

    pub(crate) fn text(&self, plan: &Plan, avoidance: &str) -> String {
        let excess = if self.excesses.is_empty() { 1.0 } else { mean(&self.excesses) };
        format!(
            "{} of {} agents arrived in {} ticks of {} s ({avoidance}), after {:.1} s in the mean\n\
             {:.2} overlapping pairs a tick, {:.2} agents frozen, {} times off the mesh\n\
             ways {:.2} times the shortest, {:.1} degrees turned a tick\n\
             {:.3} ms a tick (99th percentile {:.3} ms)\n\
             digest {}\n",
            self.arrived,
            self.walkers.len(),
            self.ticks,
            plan.dt,
            mean(&self.times),
            self.overlaps_per_tick(),
            self.frozen as f32 / self.ticks.max(1) as f32,
            self.off_mesh,
            excess,
            self.jitter(),
            self.ms(0.5),
            self.ms(0.99),
            self.digest()
        )
    }
}

/// The mean; 0 of nothing.
pub(crate) fn mean(values: &[f32]) -> f32 {
    let sum: f64 = values.iter().copied().map(f64::from).sum();
    (sum / values.len().max(1) as f64) as f32
}

/// Pairs nearer than 0.9 times the sum of their radii, on the same floor: agents sorted by x, each looks ahead.
fn overlapping_pairs(places: &[Vec3], plan: &Plan) -> u64 {
    let reach = 0.9 * 2.0 * plan.cast.radius;
    let mut sorted: Vec<Vec3> = places.iter().copied().filter(|p| p.is_finite()).collect();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut pairs = 0;
    for (i, a) in sorted.iter().enumerate() {
        for b in sorted[i + 1..].iter().take_while(|b| b.x - a.x < reach) {
            let (dx, dz) = (b.x - a.x, b.z - a.z);
            pairs += u64::from(dx * dx + dz * dz < reach * reach && (a.y - b.y).abs() < plan.cast.height);
        }
    }
    pairs
}
