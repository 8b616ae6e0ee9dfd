//! Metrics of a crowd, computed only from the positions of its agents, so that crowds of any library can be compared.
//!
//! Cost per tick: O(n log n) in the agents.
//!
//! Sources: own.

use wayfare::crowd::CrowdSettings;
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path, string_pull};
use wayfare::{Vec2, Vec3};

/// Pairs nearer than this fraction of the sum of their radii overlap.
const NEAR: f32 = 0.9;
/// An agent slower than this, m/s, stands and has no direction; after this many seconds, it counts as frozen.
const STANDING: f32 = 0.1;
const FROZEN: f32 = 2.0;

/// The agents, and the parameters of the metrics.
#[derive(Clone, Debug)]
pub struct Walk {
    /// Seconds per tick.
    pub dt: f32,
    /// The size of all agents, metres.
    pub radius: f32,
    /// Two agents with a greater height difference than this are not in contact.
    pub height: f32,
    /// A line across which the flow is counted.
    pub gate: Option<[Vec2; 2]>,
    /// A rectangle, lowest and highest corner, in which density and speed are measured.
    pub probe: Option<[Vec2; 2]>,
}

/// The errand of one agent.
#[derive(Clone, Copy, Debug)]
pub struct Trip {
    /// Its start.
    pub start: Vec3,
    /// Its goal.
    pub goal: Vec3,
    /// The agent it follows instead, by number.
    pub chases: Option<usize>,
    /// Length of the shortest path, metres; 0 if there is none.
    pub shortest: f32,
}

impl Trip {
    /// From one position on a mesh to another.
    #[must_use]
    pub fn on(mesh: &NavMesh, start: Vec3, goal: Vec3, scratch: &mut SearchScratch) -> Self {
        let filter = DefaultFilter::default();
        let place = |p| Some(find_nearest(mesh, p, CrowdSettings::default().reach, &filter)?.place());
        let mut shortest = || {
            let path = find_path(mesh, &PathRequest::new(place(start)?, place(goal)?), &filter, scratch).ok()?;
            Some(string_pull(&path, scratch).length)
        };
        Self { start, goal, chases: None, shortest: shortest().unwrap_or(0.0) }
    }

    /// Following another agent: there is no shortest path.
    #[must_use]
    pub fn after(start: Vec3, chased: usize) -> Self {
        Self { start, goal: Vec3::INFINITY, chases: Some(chased), shortest: 0.0 }
    }
}

/// One agent during the walk.
#[derive(Clone, Copy, Debug)]
struct Walker {
    goal: Vec3,
    chases: Option<usize>,
    shortest: f32,
    at: Vec3,
    step: Vec2,
    walked: f32,
    stood: f32,
    has_arrived: bool,
    has_passed: bool,
}

/// The metrics of a walk, so far.
#[derive(Clone, Debug)]
pub struct WalkFigures {
    walk: Walk,
    walkers: Vec<Walker>,
    overlapping: Vec<(u32, u32)>,
    /// Number of ticks.
    pub ticks: u32,
    /// The times at which agents came within two radii of their goals, seconds, in this order.
    pub times: Vec<f32>,
    /// For each of them, the distance walked divided by the shortest path; only those with a shortest path.
    pub excesses: Vec<f32>,
    /// Overlapping pairs, summed over ticks: nearer than 0.9 times the sum of their radii, on the same floor.
    pub overlaps: u64,
    /// How often a pair began to overlap.
    pub collisions: u64,
    /// Agents that have stood still for two seconds away from their goals, summed over ticks.
    pub frozen: u64,
    /// The times at which agents went through the gate, seconds.
    pub passed: Vec<f32>,
    /// For each tick: agents per square metre in the measured rectangle, and the sum of their speeds.
    probed: Vec<(f32, f32)>,
    /// Sum of the turns from step to step, degrees, and their number.
    turned: f64,
    turns: u64,
}

impl WalkFigures {
    /// Before the first tick.
    #[must_use]
    pub fn begin(walk: Walk, trips: impl IntoIterator<Item = Trip>) -> Self {
        let walker = |trip: Trip| Walker {
            goal: trip.goal,
            chases: trip.chases,
            shortest: trip.shortest,
            at: trip.start,
            step: Vec2::ZERO,
            walked: 0.0,
            stood: 0.0,
            has_arrived: false,
            has_passed: false,
        };
        Self {
            walk,
            walkers: trips.into_iter().map(walker).collect(),
            overlapping: Vec::new(),
            ticks: 0,
            times: Vec::new(),
            excesses: Vec::new(),
            overlaps: 0,
            collisions: 0,
            frozen: 0,
            passed: Vec::new(),
            probed: Vec::new(),
            turned: 0.0,
            turns: 0,
        }
    }

    /// Updates after a tick, given the positions of all agents in the order of their errands.
    pub fn look(&mut self, places: &[Vec3]) {
        self.ticks += 1;
        let Walk { dt, radius, gate, probe, .. } = self.walk;
        let seconds = self.ticks as f32 * dt;
        let standing = STANDING * dt;
        let (mut inside, mut speeds) = (0.0, 0.0);
        for (walker, &at) in self.walkers.iter_mut().zip(places) {
            if let Some(prey) = walker.chases.and_then(|prey| places.get(prey)) {
                walker.goal = *prey;
            }
            let (before, here) = (flat(walker.at), flat(at));
            let step = here - before;
            if !walker.has_passed && gate.is_some_and(|gate| crosses(gate, before, here)) {
                walker.has_passed = true;
                self.passed.push(seconds);
            }
            if !walker.has_arrived {
                walker.walked += step.length();
                walker.stood = if step.length() < standing { walker.stood + dt } else { 0.0 };
                self.frozen += u64::from(walker.stood > FROZEN);
            }
            if !walker.has_arrived && at.distance(walker.goal) <= 2.0 * radius {
                walker.has_arrived = true;
                self.times.push(seconds);
                if walker.shortest > 0.1 {
                    let walked = walker.walked + at.distance(walker.goal);
                    self.excesses.push(walked.max(walker.shortest) / walker.shortest);
                }
            }
            if step.length().min(walker.step.length()) > standing {
                self.turned += f64::from(step.angle_to(walker.step).abs().to_degrees());
                self.turns += 1;
            }
            if probe.is_some_and(|[low, high]| here.cmpgt(low).all() && here.cmplt(high).all()) {
                (inside, speeds) = (inside + 1.0, speeds + step.length() / dt);
            }
            (walker.at, walker.step) = (at, step);
        }
        if let Some([low, high]) = probe {
            let area = (high - low).element_product();
            self.probed.push((inside / area, speeds / area));
        }
        let pairs = overlapping_pairs(places, &self.walk);
        self.overlaps += pairs.len() as u64;
        self.collisions += pairs.iter().filter(|pair| self.overlapping.binary_search(pair).is_err()).count() as u64;
        self.overlapping = pairs;
    }

    /// Number of agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.walkers.len()
    }

    /// How many have reached their goals.
    #[must_use]
    pub fn arrived(&self) -> usize {
        self.times.len()
    }

    /// Whether all have.
    #[must_use]
    pub fn all_arrived(&self) -> bool {
        self.arrived() == self.agents()
    }

    /// Whether an agent has, by number.
    #[must_use]
    pub fn has_arrived(&self, agent: usize) -> bool {
        self.walkers.get(agent).is_some_and(|walker| walker.has_arrived)
    }

    /// Mean time to the goal of those that arrived, seconds; 0 if none has.
    #[must_use]
    pub fn mean_time(&self) -> f32 {
        mean(&self.times)
    }

    /// When the last one arrived, seconds; 0 if none has.
    #[must_use]
    pub fn last_time(&self) -> f32 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Mean ratio of the distance walked to the shortest path; 1 if none has arrived.
    #[must_use]
    pub fn excess(&self) -> f32 {
        if self.excesses.is_empty() { 1.0 } else { mean(&self.excesses) }
    }

    /// The mean turn from step to step, degrees.
    #[must_use]
    pub fn jitter(&self) -> f32 {
        (self.turned / self.turns.max(1) as f64) as f32
    }

    /// Overlapping pairs per tick.
    #[must_use]
    pub fn overlaps_per_tick(&self) -> f32 {
        self.overlaps as f32 / self.ticks.max(1) as f32
    }

    /// Frozen agents per tick.
    #[must_use]
    pub fn frozen_per_tick(&self) -> f32 {
        self.frozen as f32 / self.ticks.max(1) as f32
    }

    /// Seconds of standing still away from the goal, per agent.
    #[must_use]
    pub fn frozen_seconds(&self) -> f32 {
        self.frozen as f32 * self.walk.dt / self.agents().max(1) as f32
    }

    /// Agents per second through the gate, between the first and the last; 0 without a gate.
    #[must_use]
    pub fn flow(&self) -> f32 {
        match self.passed[..] {
            [first, .., last] if last > first => (self.passed.len() - 1) as f32 / (last - first),
            _ => 0.0,
        }
    }

    /// While the middle three fifths of the agents that pass the gate do so: agents per second, agents per square
    /// metre, m/s. All 0 if none passes, the last two without a measured rectangle.
    #[must_use]
    pub fn steady_flow(&self) -> [f32; 3] {
        let fifth = self.passed.len() / 5;
        let middle = &self.passed[fifth..self.passed.len() - fifth];
        let (Some(&first), Some(&last)) = (middle.first(), middle.last()) else { return [0.0; 3] };
        let dt = self.walk.dt;
        let flow = (middle.len() - 1) as f32 / (last - first).max(dt);
        let ticks = self.probed.get((first / dt) as usize..(last / dt) as usize).unwrap_or_default();
        let (density, speed) = ticks.iter().fold((0.0, 0.0), |(d, s), tick| (d + tick.0, s + tick.1));
        [flow, density / ticks.len().max(1) as f32, if density > 0.0 { speed / density } else { 0.0 }]
    }
}

fn flat(p: Vec3) -> Vec2 {
    Vec2::new(p.x, p.z)
}

/// The mean; 0 for an empty list.
fn mean(values: &[f32]) -> f32 {
    // Not `sum`: the sum of an empty list is -0.
    let sum = values.iter().fold(0.0, |sum, &value| sum + f64::from(value));
    (sum / values.len().max(1) as f64) as f32
}

/// Whether a step leads through a gate.
fn crosses(gate: [Vec2; 2], from: Vec2, to: Vec2) -> bool {
    let side = |a: Vec2, b: Vec2, p: Vec2| (b - a).perp_dot(p - a) > 0.0;
    side(gate[0], gate[1], from) != side(gate[0], gate[1], to) && side(from, to, gate[0]) != side(from, to, gate[1])
}

/// The overlapping pairs, by number: agents are sorted by x, and each is compared with the following ones.
fn overlapping_pairs(places: &[Vec3], walk: &Walk) -> Vec<(u32, u32)> {
    let reach = NEAR * 2.0 * walk.radius;
    let mut sorted: Vec<(Vec3, u32)> = places.iter().copied().zip(0..).filter(|(p, _)| p.is_finite()).collect();
    sorted.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let mut pairs = Vec::new();
    for (i, &(a, number)) in sorted.iter().enumerate() {
        for &(b, other) in sorted[i + 1..].iter().take_while(|(b, _)| b.x - a.x < reach) {
            if flat(a).distance_squared(flat(b)) < reach * reach && (a.y - b.y).abs() < walk.height {
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

    fn walk() -> Walk {
        Walk { dt: 0.5, radius: 0.5, height: 2.0, gate: None, probe: None }
    }

    fn trip(start: Vec3, goal: Vec3) -> Trip {
        Trip { start, goal, chases: None, shortest: start.distance(goal) }
    }

    #[test]
    fn one_walks_and_one_stands() {
        let (west, east, aside) = (Vec3::ZERO, Vec3::new(10.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 5.0));
        let gate = Some([Vec2::new(4.0, -1.0), Vec2::new(4.0, 1.0)]);
        let probe = Some([Vec2::new(-1.0, 4.0), Vec2::new(1.0, 6.0)]);
        let mut figures = WalkFigures::begin(Walk { gate, probe, ..walk() }, [trip(west, east), trip(aside, west)]);
        // Around a corner: a turn to the left and one back.
        let route = [[2.0, 0.0], [2.0, 3.0], [5.0, 3.0], [5.0, 0.0], [9.0, 0.0]];
        for [x, z] in route {
            figures.look(&[Vec3::new(x, 0.0, z), aside]);
        }
        assert_eq!((figures.agents(), figures.arrived(), figures.ticks), (2, 1, 5));
        assert!(figures.has_arrived(0) && !figures.has_arrived(1) && !figures.all_arrived());
        assert_eq!((figures.last_time(), figures.mean_time()), (2.5, 2.5));
        assert!((figures.excess() - 1.6).abs() < 1e-5, "15 m and the last one, of 10 m: {}", figures.excess());
        assert!((figures.jitter() - 90.0).abs() < 1e-3, "four steps after another: {}", figures.jitter());
        assert_eq!(figures.frozen, 1, "who stood is frozen after 2 s");
        assert_eq!(figures.passed, [], "it went around the gate");
        assert_eq!(figures.probed, [(0.25, 0.0); 5], "one on four square metres");
    }

    #[test]
    fn pairs_overlap_on_their_own_floor() {
        let mut figures = WalkFigures::begin(walk(), [trip(Vec3::ZERO, Vec3::X); 2]);
        let (near, far, above) = (Vec3::new(0.0, 0.0, 0.89), Vec3::new(0.0, 0.0, 0.91), Vec3::new(0.0, 2.1, 0.0));
        for other in [near, near, far, near, above, Vec3::NAN] {
            figures.look(&[Vec3::ZERO, other]);
        }
        assert_eq!((figures.overlaps, figures.collisions), (3, 2));
    }

    #[test]
    fn a_gate_that_nobody_passes_has_no_flow() {
        let mut figures = WalkFigures::begin(walk(), []);
        assert_eq!((figures.steady_flow(), figures.flow()), ([0.0; 3], 0.0));
        figures.passed = vec![1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!((figures.steady_flow(), figures.flow()), ([1.0, 0.0, 0.0], 1.0), "nothing was probed");
    }
}
