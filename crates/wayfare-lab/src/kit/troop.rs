//! A crowd on a stage: stepped by phases that are timed, drawn with trails, and checked against rules that always
//! hold.

use crate::canvas::{Canvas, Ink, Pen};
use crate::kit::{Stage, lifted};
use crate::prototype::{Clock, Phases, Report};
use core::time::Duration;
use std::collections::VecDeque;
use wayfare::Vec3;
use wayfare::avoid::Avoidance;
use wayfare::context::Context;
use wayfare::crowd::{AgentId, AgentParams, Crowd, CrowdSettings, Phase, Target};
use wayfare::plan::AStarPlanner;
use wayfare_scenes::CrowdTrial;

/// How many places a trail has, and how many ticks lie between two.
const TRAIL: usize = 60;
const TRAIL_TICKS: u32 = 6;

/// A crowd with its trails and the times of its last tick.
#[derive(Clone)]
pub struct Troop {
    /// The crowd.
    pub crowd: Crowd,
    /// Who was added, in order.
    pub ids: Vec<AgentId>,
    trails: Vec<VecDeque<Vec3>>,
    times: Vec<(Phase, Duration)>,
    ticks: u32,
}

impl Default for Troop {
    fn default() -> Self {
        Self {
            crowd: Crowd::new(CrowdSettings::default()),
            ids: Vec::new(),
            trails: Vec::new(),
            times: Vec::new(),
            ticks: 0,
        }
    }
}

impl Troop {
    /// The agents of a trial with one method, on the trial's ground.
    #[must_use]
    pub fn of_trial(trial: &CrowdTrial, stage: &Stage, avoidance: Avoidance) -> Self {
        let mut troop = Self::default();
        let chased: Vec<bool> =
            (0..trial.agents.len()).map(|i| trial.agents.iter().any(|other| other.chases == Some(i))).collect();
        for (agent, &is_chased) in trial.agents.iter().zip(&chased) {
            let max_speed = if is_chased { trial.prey_speed } else { trial.speed };
            let params = AgentParams { max_speed, avoidance, ..AgentParams::of_size(trial.radius, 2.0) };
            troop.add(stage, agent.start, params);
        }
        for (i, agent) in trial.agents.iter().enumerate() {
            match agent.chases.and_then(|prey| troop.ids.get(prey).copied()) {
                Some(prey) => troop.follow(i, prey),
                None => troop.send(stage, i, agent.goal),
            }
        }
        troop
    }

    /// Adds an agent; its number, unless there is no ground or a parameter is out of range.
    pub fn add(&mut self, stage: &Stage, at: Vec3, params: AgentParams) -> Option<usize> {
        let id = self.crowd.add(&stage.mesh, at, params).ok()?;
        self.ids.push(id);
        self.trails.push(VecDeque::new());
        Some(self.ids.len() - 1)
    }

    /// Sends an agent to a place, if there is such an agent and ground near the place.
    pub fn send(&mut self, stage: &Stage, agent: usize, to: Vec3) {
        if let Some(&id) = self.ids.get(agent) {
            // Without ground there it keeps its target.
            let _ = self.crowd.go_to(&stage.mesh, id, to);
        }
    }

    /// Lets an agent follow another.
    pub fn follow(&mut self, agent: usize, prey: AgentId) {
        if let Some(&id) = self.ids.get(agent) {
            let _ = self.crowd.set_target(id, Target::Agent(prey));
        }
    }

    /// Where an agent is; the origin if there is none of this number.
    #[must_use]
    pub fn position(&self, agent: usize) -> Vec3 {
        self.ids.get(agent).and_then(|&id| self.crowd.position(id).ok()).unwrap_or_default()
    }

    /// The velocity of an agent.
    #[must_use]
    pub fn velocity(&self, agent: usize) -> Vec3 {
        self.ids.get(agent).and_then(|&id| self.crowd.velocity(id).ok()).unwrap_or_default()
    }

    /// Goes on, phase by phase, each timed by the clock.
    pub fn update(&mut self, stage: &Stage, dt: f32, clock: &Clock) {
        self.times.clear();
        let mut planner = AStarPlanner::new();
        self.crowd.begin(dt);
        for phase in Phase::ALL {
            let began = clock();
            self.crowd.run(phase, &stage.mesh, dt, &mut planner, &Context::default());
            self.times.push((phase, clock().saturating_sub(began)));
        }
        self.crowd.finish();
        if self.ticks.is_multiple_of(TRAIL_TICKS) {
            for (trail, &id) in self.trails.iter_mut().zip(&self.ids) {
                if let Ok(at) = self.crowd.position(id) {
                    trail.push_back(at);
                    if trail.len() > TRAIL {
                        trail.pop_front();
                    }
                }
            }
        }
        self.ticks += 1;
    }

    /// How many rest where they wanted to go.
    #[must_use]
    pub fn at_rest(&self) -> usize {
        self.ids.iter().filter(|&&id| self.crowd.is_at_rest(id) == Ok(true)).count()
    }

    /// The deepest overlap of two bodies, as a part of the sum of their radii; 0 if none do.
    #[must_use]
    pub fn deepest_overlap(&self) -> f32 {
        let bodies: Vec<(Vec3, f32)> = self
            .ids
            .iter()
            .filter_map(|&id| Some((self.crowd.position(id).ok()?, self.crowd.params(id).ok()?.radius)))
            .collect();
        let mut deepest = 0.0_f32;
        for (i, (a, r)) in bodies.iter().enumerate() {
            for (b, s) in &bodies[..i] {
                deepest = deepest.max(1.0 - a.distance(*b) / (r + s));
            }
        }
        deepest
    }

    /// Tells the times of its phases.
    pub fn phases(&self, phases: &mut Phases) {
        self.times.iter().for_each(|(phase, time)| phases.push(phase.name(), *time));
    }

    /// What must always hold: everybody is on the mesh, at a finite place.
    pub fn report(&self, stage: &Stage, report: &mut Report) {
        for &id in &self.ids {
            let Ok(at) = self.crowd.position(id) else { continue };
            let on_mesh = stage.place(at).is_some_and(|place| place.point.distance(at) < 0.5);
            report.must(at.is_finite() && on_mesh, "an agent has left the mesh", Some(at));
        }
    }

    /// Draws agents and trails, each in the ink of its number.
    pub fn draw(&self, canvas: &mut Canvas) {
        for (number, (&id, trail)) in (0..).zip(self.ids.iter().zip(&self.trails)) {
            let (Ok(at), Ok(velocity), Ok(params)) =
                (self.crowd.position(id), self.crowd.velocity(id), self.crowd.params(id))
            else {
                continue;
            };
            let ink = Ink::Agent(number);
            let line: Vec<Vec3> = trail.iter().map(|&p| lifted(p)).chain([lifted(at)]).collect();
            canvas.path(&line, Pen::of(ink).width(2.0).alpha(0.7));
            canvas.agent(at, (params.radius, params.height), velocity, ink);
        }
    }
}
