//! Many agents on a mesh: settings, ticks, saves. What is done with one agent stands in `crowd_agents.rs`.

use crate::callback::rethrow;
use crate::fault::{Answer, Fault};
use crate::filter::RawFilter;
use crate::mesh::RawMesh;
use crate::numbers::PLACES;
use crate::options::apply;
use crate::planner::Planning;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wayfare::context::Context;
use wayfare::crowd::{AgentId, Crowd, CrowdSettings, Phase};

#[wasm_bindgen(js_name = RawCrowd)]
pub struct RawCrowd {
    pub(crate) crowd: Crowd,
    pub(crate) planning: Planning,
    /// Whether a filter asks functions of the page.
    pub(crate) asks_page: bool,
    /// How it was when the tick began that is under way phase by phase, as long as a function may throw in it.
    before: Option<Crowd>,
}

/// An agent as a number: its place in the crowd's arrays, and which of all that stood there it is, as a save keeps them. A
/// number is used once, and never 0.
pub(crate) fn number_of(agent: AgentId) -> f64 {
    let generation = agent.to_bits() >> 32;
    // Exact until a place has had 2²⁹ agents.
    (generation as f64 + 1.0) * PLACES + agent.index() as f64
}

fn agent_of(number: f64) -> Option<AgentId> {
    let is_number = number >= PLACES && number < (1_u64 << 53) as f64 && number.fract() == 0.0;
    let (generation, place) = ((number / PLACES) as u64, (number % PLACES) as u64);
    if is_number { AgentId::from_bits((generation - 1) << 32 | (place + 1)) } else { None }
}

impl RawCrowd {
    /// The agent of a number.
    pub(crate) fn find(&self, number: f64) -> Answer<AgentId> {
        let agent = agent_of(number).filter(|agent| self.crowd.contains(*agent));
        agent.ok_or_else(|| Fault::new("stale-ref", format_args!("agent {number} is not in the crowd (any more)")))
    }
}

impl RawCrowd {
    pub(crate) fn of(crowd: Crowd, planning: Planning) -> Self {
        Self { crowd, planning, asks_page: false, before: None }
    }

    /// How it is now, to come back to; `None` where nothing can throw.
    fn remember(&self) -> Option<Crowd> {
        self.asks_page.then(|| self.crowd.clone())
    }

    /// Throws on what a function of the page threw. Until then it had everything barred for all agents, so nothing of it
    /// may stay.
    fn rethrow(&mut self, before: Option<Crowd>) -> Answer<()> {
        let thrown = rethrow();
        if thrown.is_err() {
            self.go_back(before);
        }
        thrown
    }

    fn go_back(&mut self, before: Option<Crowd>) {
        if let Some(before) = before {
            self.crowd = before;
            self.planning.renew();
        }
    }

    /// Gives an agent that was added its number; where its filter threw, it is gone again.
    pub(crate) fn welcome(&mut self, agent: AgentId) -> Answer<f64> {
        if let Err(thrown) = rethrow() {
            self.crowd.remove(agent)?;
            return Err(thrown);
        }
        Ok(number_of(agent))
    }
}

#[wasm_bindgen(js_class = RawCrowd)]
impl RawCrowd {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue, planner_name: &str) -> Answer<RawCrowd> {
        let mut settings = CrowdSettings::default();
        apply(options, &mut settings)?;
        Ok(Self::of(Crowd::new(settings), Planning::named(planner_name)?))
    }

    #[wasm_bindgen(js_name = changeSettings)]
    pub fn change_settings(&mut self, options: &JsValue) -> Answer<()> {
        let mut settings = *self.crowd.settings();
        apply(options, &mut settings)?;
        *self.crowd.settings_mut() = settings;
        Ok(())
    }

    #[wasm_bindgen(js_name = addFilter)]
    pub fn add_filter(&mut self, filter: &RawFilter) -> u32 {
        self.asks_page |= filter.asks_page();
        self.crowd.add_filter(Arc::clone(&filter.0))
    }

    /// Replaces a filter; where only its costs are others, paths are kept until they are searched anew.
    #[wasm_bindgen(js_name = setFilter)]
    pub fn set_filter(&mut self, number: u32, filter: &RawFilter, is_costs_only: bool) -> Answer<()> {
        self.asks_page |= filter.asks_page();
        let before = self.remember();
        let filter = Arc::clone(&filter.0);
        if is_costs_only {
            self.crowd.set_costs(number, filter)?;
        } else {
            self.crowd.set_filter(number, filter)?;
        }
        self.rethrow(before)
    }

    pub fn step(&mut self, mesh: &RawMesh, dt: f32) -> Answer<()> {
        let before = self.remember();
        self.crowd.step(mesh.mesh(), dt, self.planning.get_mut(), &Context::default());
        self.rethrow(before)
    }

    pub fn begin(&mut self, dt: f32) {
        self.before = self.remember();
        self.crowd.begin(dt);
    }

    /// One phase of a tick, by its name.
    #[wasm_bindgen(js_name = runPhase)]
    pub fn run_phase(&mut self, name: &str, mesh: &RawMesh, dt: f32) -> Answer<()> {
        let phase = Phase::ALL.into_iter().find(|phase| phase.name() == name);
        let names = || Phase::ALL.map(Phase::name).join(", ");
        let phase =
            phase.ok_or_else(|| Fault::argument(format_args!("a phase is one of {}, not {name:?}", names())))?;
        self.crowd.run(phase, mesh.mesh(), dt, self.planning.get_mut(), &Context::default());
        let thrown = rethrow();
        if thrown.is_err() {
            let before = self.before.take();
            self.go_back(before);
        }
        thrown
    }

    pub fn finish(&mut self) {
        self.before = None;
        self.crowd.finish();
    }

    /// Paths found, nodes opened, requests waiting: of the last tick.
    pub fn profile(&self) -> Vec<f64> {
        let profile = self.crowd.profile();
        vec![f64::from(profile.paths), profile.nodes as f64, f64::from(profile.waiting)]
    }

    pub fn time(&self) -> f64 {
        self.crowd.time()
    }

    pub fn length(&self) -> usize {
        self.crowd.len()
    }

    /// The agents, in the order of their places.
    pub fn ids(&self) -> Vec<f64> {
        self.crowd.ids().map(number_of).collect()
    }

    /// Where in `positions` each agent of `ids` stands.
    pub fn places(&self) -> Vec<u32> {
        self.crowd.ids().map(|agent| agent.index() as u32).collect()
    }

    /// The positions of all places, three numbers each; those without an agent hold what was there last.
    pub fn positions(&self) -> Vec<f32> {
        numbers(self.crowd.positions())
    }

    #[wasm_bindgen(js_name = positionsInto)]
    pub fn positions_into(&self, into: &mut [f32]) -> usize {
        write(self.crowd.positions(), into)
    }

    pub fn velocities(&self) -> Vec<f32> {
        numbers(self.crowd.velocities())
    }

    #[wasm_bindgen(js_name = velocitiesInto)]
    pub fn velocities_into(&self, into: &mut [f32]) -> usize {
        write(self.crowd.velocities(), into)
    }

    /// The velocities between two phases: desired, avoiding, next.
    #[wasm_bindgen(js_name = phaseVelocities)]
    pub fn phase_velocities(&mut self, which: u8) -> Vec<f32> {
        numbers(self.between(which))
    }

    #[wasm_bindgen(js_name = setPhaseVelocities)]
    pub fn set_phase_velocities(&mut self, which: u8, values: &[f32]) -> Answer<()> {
        let to = self.between(which);
        let points = crate::volume::points3(values)?;
        if points.len() != to.len() {
            let told = format_args!("{} velocities for {} places", points.len(), to.len());
            return Err(Fault::argument(told));
        }
        to.copy_from_slice(&points);
        Ok(())
    }

    fn between(&mut self, which: u8) -> &mut [wayfare::Vec3] {
        match which {
            0 => self.crowd.desired_mut(),
            1 => self.crowd.avoiding_mut(),
            _ => self.crowd.next_mut(),
        }
    }
}

fn numbers(points: &[wayfare::Vec3]) -> Vec<f32> {
    points.iter().flat_map(wayfare::Vec3::to_array).collect()
}

fn write(points: &[wayfare::Vec3], into: &mut [f32]) -> usize {
    for (to, point) in into.as_chunks_mut::<3>().0.iter_mut().zip(points) {
        *to = point.to_array();
    }
    points.len()
}
