//! What a run is judged by.

use super::run::Plan;
use crate::output::numbers::{counted, number};
use serde_json::{Value, json};
use std::time::Duration;
use wayfare::crowd::{Crowd, Phase};
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, find_nearest};
use wayfare::{Vec2, Vec3};
use xxhash_rust::xxh3::Xxh3;

/// The figures of a run, or of what has been seen of it.
#[derive(Clone, Default)]
pub(crate) struct Figures {
    /// How many have been within two radii of their goals.
    pub(crate) arrived: usize,
    /// Pairs nearer than 0.9 times the sum of their radii, summed over ticks.
    pub(crate) overlaps: u64,
    /// How often a pair came to be one.
    pub(crate) collisions: u64,
    overlapping: Vec<(u32, u32)>,
    /// When agents went through the gate, seconds.
    pub(crate) passed: Vec<f32>,
    /// Of each tick: agents a square metre in the probed rectangle, and the sum of their speeds.
    probed: Vec<(f32, f32)>,
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
    chases: Option<usize>,
    has_passed: bool,
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
            chases: errand.chases,
            has_passed: false,
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
            if let Some(prey) = walker.chases.and_then(|prey| crowd.positions().get(prey)) {
                walker.goal = *prey;
            }
            if !walker.has_passed && plan.gate.is_some_and(|gate| crosses(gate, walker.before, at)) {
                walker.has_passed = true;
                self.passed.push(seconds);
            }
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
                if walker.shortest > 0.1 {
                    self.excesses.push(to_goal.max(walker.shortest) / walker.shortest);
                }
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
        if let Some([low, high]) = plan.probe {
            let area = (high.x - low.x) * (high.y - low.y);
            let inside = |p: &Vec3| p.x > low.x && p.x < high.x && p.z > low.y && p.z < high.y;
            let there = crowd.positions().iter().zip(crowd.velocities()).filter(|(p, _)| inside(p));
            let (count, speeds) = there.fold((0.0, 0.0), |(n, s), (_, v)| (n + 1.0, s + v.length()));
            self.probed.push((count / area, speeds / area));
        }
        let pairs = overlapping_pairs(crowd.positions(), plan);
        self.overlaps += pairs.len() as u64;
        self.collisions += pairs.iter().filter(|pair| self.overlapping.binary_search(pair).is_err()).count() as u64;
        self.overlapping = pairs;
    }

    /// Whether all have arrived.
    pub(crate) fn all_arrived(&self) -> bool {
        self.arrived == self.walkers.len()
    }

    /// The mean way walked over the shortest; 1 if nobody has arrived.
    pub(crate) fn excess(&self) -> f32 {
        if self.excesses.is_empty() { 1.0 } else { mean(&self.excesses) }
    }

    /// Agents a second through the gate, between the first and the last; 0 without a gate.
    pub(crate) fn flow(&self) -> f32 {
        match (self.passed.first(), self.passed.last()) {
            (Some(first), Some(last)) if last > first => (self.passed.len() - 1) as f32 / (last - first),
            _ => 0.0,
        }
    }

    /// While the middle three fifths of those who pass the gate do so: agents a second, agents a square metre, m/s. All
    /// 0 if nobody passes, the last two without a probed rectangle.
    pub(crate) fn steady_flow(&self, dt: f32) -> [f32; 3] {
        let fifth = self.passed.len() / 5;
        let middle = &self.passed[fifth..self.passed.len() - fifth];
        let (Some(&first), Some(&last)) = (middle.first(), middle.last()) else { return [0.0; 3] };
        let flow = (middle.len() - 1) as f32 / (last - first).max(dt);
        let ticks = self.probed.get((first / dt) as usize..(last / dt) as usize).unwrap_or_default();
        let (density, speed) = ticks.iter().fold((0.0, 0.0), |(d, s), tick| (d + tick.0, s + tick.1));
        [flow, density / ticks.len().max(1) as f32, if density > 0.0 { speed / density } else { 0.0 }]
    }

    /// Agent-seconds of standing still short of the goal, an agent.
    pub(crate) fn frozen_seconds(&self, dt: f32) -> f32 {
        self.frozen as f32 * dt / self.walkers.len().max(1) as f32
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

    /// How long a tick took that this part of all ticks took no longer than, milliseconds: 0.5 for the median.
    pub(crate) fn ms(&self, share: f64) -> f32 {
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
            "collisions": self.collisions,
            "off_mesh": self.off_mesh,
            "time_to_goal_mean": number(mean(&self.times)),
            "path_excess_mean": number(self.excess()),
            "jitter_mean": number(self.jitter()),
            "frozen_per_tick": number(self.frozen as f32 / self.ticks.max(1) as f32),
            "ms_per_phase": phases,
            "digest": self.digest(),
        })
    }

    pub(crate) fn text(&self, plan: &Plan, avoidance: &str) -> String {
        let after = if self.times.is_empty() {
            String::new()
        } else {
            format!(", after {:.1} s in the mean", mean(&self.times))
        };
        format!(
            "{} of {} arrived in {} of {} s ({avoidance}){after}\n\
             {:.2} overlapping pairs a tick, {:.2} agents frozen, {} times off the mesh\n\
             ways {:.2} times the shortest, {:.1} degrees turned a tick\n\
             {:.3} ms a tick (99th percentile {:.3} ms)\n\
             digest {}\n",
            self.arrived,
            counted(self.walkers.len() as u64, "agent"),
            counted(self.ticks, "tick"),
            plan.dt,
            self.overlaps_per_tick(),
            self.frozen as f32 / self.ticks.max(1) as f32,
            self.off_mesh,
            self.excess(),
            self.jitter(),
            self.ms(0.5),
            self.ms(0.99),
            self.digest()
        )
    }
}

/// The mean; 0 of nothing.
pub(crate) fn mean(values: &[f32]) -> f32 {
    // Not `sum`: that of nothing is -0.
    let sum = values.iter().fold(0.0, |sum, &value| sum + f64::from(value));
    (sum / values.len().max(1) as f64) as f32
}

/// Whether the step from `a` to `b` leads through a gate.
fn crosses(gate: [Vec2; 2], a: Vec3, b: Vec3) -> bool {
    let [a, b] = [a, b].map(|p| Vec2::new(p.x, p.z));
    let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).perp_dot(r - p) > 0.0;
    side(gate[0], gate[1], a) != side(gate[0], gate[1], b) && side(a, b, gate[0]) != side(a, b, gate[1])
}

/// Pairs nearer than 0.9 times the sum of their radii, on the same floor, by number: agents sorted by x, each looks
/// ahead.
fn overlapping_pairs(places: &[Vec3], plan: &Plan) -> Vec<(u32, u32)> {
    let reach = 0.9 * 2.0 * plan.cast.radius;
    let mut sorted: Vec<(Vec3, u32)> = places.iter().copied().zip(0..).filter(|(p, _)| p.is_finite()).collect();
    sorted.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let mut pairs = Vec::new();
    for (i, &(a, number)) in sorted.iter().enumerate() {
        for &(b, other) in sorted[i + 1..].iter().take_while(|(b, _)| b.x - a.x < reach) {
            let (dx, dz) = (b.x - a.x, b.z - a.z);
            if dx * dx + dz * dz < reach * reach && (a.y - b.y).abs() < plan.cast.height {
                pairs.push((number.min(other), number.max(other)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_that_nobody_passes_has_no_flow() {
        let mut figures = Figures::default();
        assert_eq!(figures.steady_flow(0.05), [0.0; 3]);
        figures.passed = vec![1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(figures.steady_flow(0.05), [1.0, 0.0, 0.0], "nothing was probed");
    }
}
