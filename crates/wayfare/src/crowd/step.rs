//! Runs a whole tick.
//!
//! Cost: linear in the agents; the path queue's part is limited by its budget.

use super::{Crowd, CrowdEvent, Phase, Profile};
use crate::context::Context;
use crate::mesh::NavMesh;
use crate::plan::Planner;
use core::time::Duration;

impl Crowd {
    /// The longest tick, seconds. A longer one, after a pause in the debugger or while a level was loaded, counts as
    /// this long, so that no agent jumps across the level or loses all patience at once.
    pub const LONGEST_TICK: f32 = 1.0;

    /// Advances all agents by `dt` seconds: all phases in order. The clock of `context`, if it has one, times them. A
    /// longer time than [`LONGEST_TICK`](Self::LONGEST_TICK), even an infinite one, counts as that; if `dt` is NaN or
    /// not above zero, no time passes. The same holds for all phases that take seconds.
    ///
    /// A game that needs to do something between two phases calls them itself, between [`begin`](Self::begin) and
    /// [`finish`](Self::finish), in the order of [`Phase::ALL`].
    pub fn step(&mut self, mesh: &NavMesh, dt: f32, planner: &mut dyn Planner, context: &Context<'_>) {
        self.begin(dt);
        for phase in Phase::ALL {
            self.run(phase, mesh, dt, planner, context);
        }
        self.finish();
    }

    /// Runs one phase, and adds the time it took, by the clock of `context`, to the tick's [`profile`](Self::profile).
    /// For phases called by their own functions, and for work of the game's own, use [`spend`](Self::spend).
    pub fn run(&mut self, phase: Phase, mesh: &NavMesh, dt: f32, planner: &mut dyn Planner, context: &Context<'_>) {
        let ((), time) = context.timed(|| self.run_untimed(phase, mesh, dt, planner));
        self.spend(phase, time);
    }

    /// Adds to the time of a phase in the tick's [`profile`](Self::profile).
    pub fn spend(&mut self, phase: Phase, time: Duration) {
        let times = &mut self.profile.times[phase as usize];
        *times = times.saturating_add(time);
    }

    fn run_untimed(&mut self, phase: Phase, mesh: &NavMesh, dt: f32, planner: &mut dyn Planner) {
        match phase {
            Phase::Validate => self.validate(mesh, planner),
            Phase::Plan => self.plan(mesh, planner, dt),
            Phase::Neighbours => self.neighbours(),
            Phase::Corners => self.corners(mesh),
            Phase::Connections => self.connections(mesh, dt),
            Phase::Steer => self.steer(),
            Phase::Avoid => self.avoid(),
            Phase::Integrate => self.integrate(dt),
            Phase::Resolve => self.resolve(),
            Phase::Constrain => self.constrain(mesh, dt),
        }
    }

    /// Begins a tick: clears the events of the last.
    pub fn begin(&mut self, dt: f32) {
        self.tick += 1;
        self.before = self.time;
        self.time += f64::from(seconds(dt));
        self.events.clear();
        self.profile = Profile::default();
    }

    /// Ends a tick: collects the events raised in its phases, by agent.
    pub fn finish(&mut self) {
        for index in 0..self.agents.len() {
            if self.agents[index].raised.is_empty() {
                continue;
            }
            let agent = super::AgentId { index: index as u32, generation: self.generations[index] };
            let raised = self.agents[index].raised.drain(..);
            self.events.extend(raised.map(|kind| CrowdEvent { agent, kind }));
        }
    }
}

/// The duration of a tick as the phases use it.
pub(super) fn seconds(dt: f32) -> f32 {
    // NaN is not above zero.
    if dt > 0.0 { dt.min(Crowd::LONGEST_TICK) } else { 0.0 }
}
