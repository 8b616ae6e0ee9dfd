//! The metrics of a run.

use super::run::Plan;
use crate::output::numbers::{counted, number};
use serde_json::{Value, json};
use std::time::Duration;
use wayfare::Vec3;
use wayfare::crowd::{Crowd, Phase};
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, SearchScratch, find_nearest};
use wayfare_scenes::{Trip, Walk, WalkFigures};
use xxhash_rust::xxh3::Xxh3;

/// The metrics of a run, so far.
pub(crate) struct Figures {
    pub(crate) walk: WalkFigures,
    /// How many agents rested after the last tick: see [`Crowd::is_at_rest`].
    pub(crate) at_rest: usize,
    /// Agent-ticks outside the mesh and not on an off-mesh connection.
    pub(crate) off_mesh: u64,
    /// The time of each tick.
    spent: Vec<Duration>,
    phases: [Duration; Phase::ALL.len()],
    hash: Xxh3,
}

/// Within this distance of the mesh a position is on it, metres.
const SLACK: f32 = 0.01;

impl Figures {
    /// Before the first tick.
    pub(crate) fn begin(mesh: &NavMesh, plan: &Plan) -> Self {
        let cast = &plan.cast;
        let walk = Walk { dt: plan.dt, radius: cast.radius, height: cast.height, gate: plan.gate, probe: plan.probe };
        let mut scratch = SearchScratch::new();
        let trips = cast.errands.iter().map(|errand| match errand.chases {
            Some(chased) => Trip::after(errand.start, chased),
            None => Trip::on(mesh, errand.start, errand.goal, &mut scratch),
        });
        Self {
            walk: WalkFigures::begin(walk, trips),
            at_rest: 0,
            off_mesh: 0,
            spent: Vec::new(),
            phases: Default::default(),
            hash: Xxh3::default(),
        }
    }

    /// Updates after a tick. Agents are the first indices of the crowd.
    pub(crate) fn look(&mut self, mesh: &NavMesh, crowd: &Crowd) {
        self.walk.look(crowd.positions());
        self.at_rest = crowd.ids().filter(|&agent| crowd.is_at_rest(agent) == Ok(true)).count();
        let filter = DefaultFilter::default();
        for (agent, &at) in crowd.ids().zip(crowd.positions()) {
            // An agent on an off-mesh connection is supposed to be off the mesh.
            if matches!(crowd.on_connection(agent), Ok(None)) {
                let near = find_nearest(mesh, at, Vec3::new(0.5, 1.0, 0.5), &filter);
                self.off_mesh += u64::from(near.is_none_or(|near| (near.point - at).with_y(0.0).length() > SLACK));
            }
            at.to_array().iter().for_each(|c| self.hash.update(&c.to_bits().to_le_bytes()));
        }
    }

    /// Adds the time of a tick.
    pub(crate) fn clock(&mut self, spent: Duration, crowd: &Crowd) {
        self.spent.push(spent);
        for (sum, phase) in self.phases.iter_mut().zip(Phase::ALL) {
            *sum += crowd.profile().time(phase);
        }
    }

    pub(crate) fn digest(&self) -> String {
        format!("{:016x}", self.hash.digest())
    }

    /// The quantile of the tick times, milliseconds: 0.5 for the median.
    pub(crate) fn ms(&self, share: f64) -> f32 {
        let mut spent = self.spent.clone();
        spent.sort_unstable();
        let at = ((spent.len() as f64 * share) as usize).min(spent.len().saturating_sub(1));
        spent.get(at).map_or(0.0, |d| d.as_secs_f32() * 1e3)
    }

    /// In the format of the manual.
    pub(crate) fn json(&self, plan: &Plan, avoidance: &str) -> Value {
        let walk = &self.walk;
        let phases = Phase::ALL.iter().zip(self.phases);
        let per_tick = |d: Duration| number(d.as_secs_f32() * 1e3 / walk.ticks.max(1) as f32);
        let phases: serde_json::Map<String, Value> = phases.map(|(p, d)| (p.name().to_owned(), per_tick(d))).collect();
        json!({
            "agents": walk.agents(),
            "ticks": walk.ticks,
            "dt": number(plan.dt),
            "avoidance": avoidance,
            "arrived": walk.arrived(),
            "at_rest": self.at_rest,
            "ms_per_tick_median": number(self.ms(0.5)),
            "ms_per_tick_p99": number(self.ms(0.99)),
            "overlaps_per_tick": number(walk.overlaps_per_tick()),
            "collisions": walk.collisions,
            "off_mesh": self.off_mesh,
            "time_to_goal_mean": number(walk.mean_time()),
            "path_excess_mean": number(walk.excess()),
            "jitter_mean": number(walk.jitter()),
            "frozen_per_tick": number(walk.frozen_per_tick()),
            "ms_per_phase": phases,
            "digest": self.digest(),
        })
    }

    pub(crate) fn text(&self, plan: &Plan, avoidance: &str) -> String {
        let walk = &self.walk;
        let after =
            if walk.arrived() == 0 { String::new() } else { format!(", after {:.1} s in the mean", walk.mean_time()) };
        format!(
            "{} of {} arrived in {} of {} s ({avoidance}){after}\n\
             {:.2} overlapping pairs a tick, {:.2} agents frozen, {} times off the mesh\n\
             ways {:.2} times the shortest, {:.1} degrees turned a tick\n\
             {:.3} ms a tick (99th percentile {:.3} ms)\n\
             digest {}\n",
            walk.arrived(),
            counted(walk.agents() as u64, "agent"),
            counted(walk.ticks, "tick"),
            plan.dt,
            walk.overlaps_per_tick(),
            walk.frozen_per_tick(),
            self.off_mesh,
            walk.excess(),
            walk.jitter(),
            self.ms(0.5),
            self.ms(0.99),
            self.digest()
        )
    }
}
