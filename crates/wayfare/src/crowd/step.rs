//! A whole tick.
//!
//! Cost: linear in the agents; the path queue's part is bounded by its budget.

use super::{Crowd, CrowdEvent, Phase, Planner, Profile};
use crate::context::Context;
use crate::mesh::NavMesh;

impl Crowd {
    /// Moves everybody on by `dt` seconds (not above zero: nothing moves): all phases in order. The clock of `context`, if it has one,
    /// times them.
    ///
    /// A game that wants something else between two phases calls them itself, between [`begin`](Self::begin) and
    /// [`finish`](Self::finish), in the order of [`Phase::ALL`].
    pub fn step(&mut self, mesh: &NavMesh, dt: f32, planner: &mut dyn Planner, context: &Context<'_>) {
        self.begin(dt);
        for phase in Phase::ALL {
            let ((), time) = context.timed(|| self.run(phase, mesh, dt, planner));
            self.profile.times[phase as usize] = time;
        }
        self.finish();
    }

    /// Runs one phase.
    pub fn run(&mut self, phase: Phase, mesh: &NavMesh, dt: f32, planner: &mut dyn Planner) {
        match phase {
            Phase::Validate => self.validate(mesh, planner),
            Phase::Plan => self.plan(mesh, planner, dt),
            Phase::Neighbours => self.neighbours(),
            Phase::Corners => self.corners(mesh),
            Phase::Links => self.links(mesh, dt),
            Phase::Steer => self.steer(),
            Phase::Avoid => self.avoid(),
            Phase::Integrate => self.integrate(dt),
            Phase::Resolve => self.resolve(),
            Phase::Constrain => self.constrain(mesh, dt),
        }
    }

    /// Begins a tick: forgets the events of the last.
    pub fn begin(&mut self, dt: f32) {
        self.tick += 1;
        if dt > 0.0 {
            self.time += f64::from(dt);
        }
        self.events.clear();
        self.profile = Profile::default();
    }

    /// Ends a tick: collects what was raised in its phases, by agent.
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
