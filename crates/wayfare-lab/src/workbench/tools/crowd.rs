//! A crowd on the mesh: agents are placed by clicks, walk to a goal, and show why they walk as they do.

use super::chosen_agent::ChosenAgent;
use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::task::LabClock;
use crate::workbench::times::Times;
use crate::workbench::tool::{Click, Tool};
use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::avoid::Avoidance;
use wayfare::context::Context;
use wayfare::crowd::{AgentId, AgentParams, Crowd, CrowdSettings, EventKind, Phase, Target};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::query::NavQuery;

/// Length of a tick, seconds.
const TICK: f32 = 1.0 / 30.0;

/// Ticks whose times are kept.
const KEPT: usize = 240;

/// What a click does.
const ACTIONS: [&str; 4] = ["Move target", "Add an agent", "Choose an agent", "Remove an agent"];

/// The tool.
pub struct CrowdTool {
    crowd: Crowd,
    planner: AStarPlanner,
    rng: Rng,
    action: usize,
    method: usize,
    speed: f32,
    many: u32,
    follows: bool,
    /// Whether one that arrives goes somewhere else at once.
    wanders: bool,
    paused: bool,
    chosen: ChosenAgent,
    /// The agents of each click or button that added some.
    added: Vec<Vec<AgentId>>,
    target: Option<Vec3>,
    shows_trails: bool,
    trails: BTreeMap<AgentId, Vec<Vec3>>,
    left: f32,
    /// The times of the last ticks, phase by phase.
    times: Times,
    arrived: u64,
    events: Vec<String>,
}

impl core::fmt::Debug for CrowdTool {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("CrowdTool").field("agents", &self.crowd.len()).finish_non_exhaustive()
    }
}

impl Default for CrowdTool {
    fn default() -> Self {
        Self {
            crowd: Crowd::new(CrowdSettings::default()),
            planner: AStarPlanner,
            rng: Rng::new(1),
            action: 0,
            method: 2,
            speed: 3.5,
            many: 25,
            follows: false,
            wanders: false,
            paused: false,
            chosen: ChosenAgent::default(),
            added: Vec::new(),
            target: None,
            shows_trails: false,
            trails: BTreeMap::new(),
            left: 0.0,
            times: Times::new("Tick", Phase::ALL.map(Phase::name).to_vec(), KEPT),
            arrived: 0,
            events: Vec::new(),
        }
    }
}

impl CrowdTool {
    /// How many agents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.crowd.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.crowd.is_empty()
    }

    fn params(&self, stage: &Stage) -> AgentParams {
        let (radius, height) = stage.agent_size();
        let avoidance = Avoidance::by_name(Avoidance::NAMES[self.method]).unwrap_or_default();
        AgentParams { max_speed: self.speed, avoidance, ..AgentParams::of_size(radius, height) }
    }

    fn add(&mut self, stage: &mut Stage, at: Vec3) -> Option<AgentId> {
        let params = self.params(stage);
        let mesh = stage.mesh()?;
        match self.crowd.add(mesh, at, params) {
            Ok(agent) => {
                if let Some(target) = self.target {
                    // A target beside the mesh leaves the agent where it is.
                    let _ = self.crowd.go_to(mesh, agent, target);
                }
                Some(agent)
            }
            Err(error) => {
                stage.log.warn(format!("No agent was added: {error}."), Some(at));
                None
            }
        }
    }

    /// Adds agents at random places.
    pub fn add_many(&mut self, stage: &mut Stage, count: u32) {
        let mut added = Vec::new();
        for _ in 0..count {
            let place = stage.mesh().and_then(|mesh| NavQuery::of(mesh).random(&mut self.rng));
            added.extend(place.and_then(|place| self.add(stage, place.point)));
        }
        self.added.push(added);
    }

    fn remove(&mut self, agent: AgentId) {
        // One that is gone already is gone.
        let _ = self.crowd.remove(agent);
        self.trails.remove(&agent);
        self.chosen.id = self.chosen.id.filter(|&chosen| chosen != agent);
    }

    fn send_all(&mut self, mesh: &NavMesh, to: Vec3) {
        self.wanders = false;
        self.target = Some(to);
        let ids: Vec<AgentId> = self.crowd.ids().collect();
        for agent in ids {
            // One that is nowhere on the mesh stays where it is.
            let _ = self.crowd.go_to(mesh, agent, to);
        }
    }

    /// Each goes to another place.
    fn send_apart(&mut self, mesh: &NavMesh) {
        self.target = None;
        let ids: Vec<AgentId> = self.crowd.ids().collect();
        for agent in ids {
            if let Some(place) = NavQuery::of(mesh).random(&mut self.rng) {
                let _ = self.crowd.set_target(agent, Target::Point(place));
            }
        }
    }

    fn follow_chosen(&mut self) {
        let Some(leader) = self.chosen.id else { return };
        let ids: Vec<AgentId> = self.crowd.ids().filter(|&agent| agent != leader).collect();
        for agent in ids {
            let _ = self.crowd.set_target(agent, Target::Agent(leader));
        }
    }

    fn nearest(&self, at: Vec3) -> Option<AgentId> {
        let distance = |agent: AgentId| self.crowd.position(agent).map_or(f32::INFINITY, |place| place.distance(at));
        self.crowd.ids().min_by(|&a, &b| distance(a).total_cmp(&distance(b))).filter(|&agent| distance(agent) < 3.0)
    }

    fn tick(&mut self, stage: &mut Stage) {
        let Some(mesh) = stage.mesh() else { return };
        let clock = LabClock;
        let context = Context { clock: Some(&clock), ..Context::default() };
        self.crowd.step(mesh, TICK, &mut self.planner, &context);
        let profile = self.crowd.profile();
        self.times.push(Phase::ALL.map(|phase| profile.time(phase).as_secs_f32() * 1e3).to_vec());
        let mut idle = Vec::new();
        for event in self.crowd.events() {
            match event.kind {
                EventKind::Arrived => {
                    self.arrived += 1;
                    idle.push(event.agent);
                }
                EventKind::Unreachable | EventKind::GaveUp | EventKind::SurfaceLost => {
                    self.events.push(format!("Agent {}: {:?}", event.agent.index(), event.kind));
                }
                _ => {}
            }
        }
        for agent in idle.into_iter().filter(|_| self.wanders) {
            if let Some(place) = NavQuery::of(mesh).random(&mut self.rng) {
                // It was there in this tick.
                let _ = self.crowd.set_target(agent, Target::Point(place));
            }
        }
        let first = self.events.len().saturating_sub(5);
        self.events.drain(..first);
        if self.shows_trails {
            for agent in self.crowd.ids() {
                let trail = self.trails.entry(agent).or_default();
                trail.extend(self.crowd.position(agent).ok());
                if trail.len() > 240 {
                    trail.remove(0);
                }
            }
        }
    }

    fn action_of(&self, click: &Click) -> usize {
        match (click.shift, click.remove) {
            (true, _) => 1,
            (_, true) => 3,
            _ => self.action,
        }
    }
}

impl Tool for CrowdTool {
    fn title(&self) -> &'static str {
        "Crowd"
    }

    fn help(&self) -> &'static str {
        "Shift-click adds an agent, a click sends everybody there, Ctrl-click removes one. Choose one to see its \
         corridor, its neighbours and the velocities that it must not take."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        controls.choice("A click does", &mut self.action, &ACTIONS);
        controls.count("How many", &mut self.many, 1..=1000);
        if controls.button("Add at random places") {
            self.add_many(stage, self.many);
        }
        if controls.button("Send each somewhere else") {
            if let Some(mesh) = stage.mesh() {
                self.send_apart(mesh);
            }
        }
        controls.hint("Each that arrives goes somewhere else at once");
        controls.toggle("Never stop", &mut self.wanders);
        if controls.button("Remove all") {
            self.reset();
        }
        let mut changed = controls.choice("Avoidance", &mut self.method, &Avoidance::NAMES);
        changed |= controls.slider("Speed", &mut self.speed, 0.5..=10.0);
        if changed {
            let params = self.params(stage);
            let ids: Vec<AgentId> = self.crowd.ids().collect();
            for agent in ids {
                if let Err(error) = self.crowd.set_params(agent, params.clone()) {
                    stage.log.error(format!("The settings do not fit: {error}."));
                }
            }
        }
        controls.toggle("Pause", &mut self.paused);
        if self.paused && controls.button("One tick") {
            self.tick(stage);
        }
        controls.toggle("Trails", &mut self.shows_trails);
        controls.heading("Chosen agent");
        if self.chosen.id.is_none() {
            controls.note("Set \"A click does\" to \"Choose an agent\" and click on one.");
        } else {
            self.chosen.panel(&self.crowd, controls);
            if controls.toggle("All others follow it", &mut self.follows) {
                if self.follows {
                    self.follow_chosen();
                } else if let (Some(mesh), Some(target)) = (stage.mesh(), self.target) {
                    self.send_all(mesh, target);
                }
            }
        }
        controls.heading("Figures");
        controls.figure("Agents", &self.crowd.len().to_string());
        controls.figure("Arrived", &self.arrived.to_string());
        self.times.panel(controls);
        for event in &self.events {
            controls.note(event);
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        match self.action_of(click) {
            1 => {
                let added = self.add(stage, click.at);
                self.added.push(added.into_iter().collect());
            }
            2 => {
                self.chosen.id = self.nearest(click.at);
                if self.follows {
                    self.follow_chosen();
                }
            }
            3 => {
                if let Some(agent) = self.nearest(click.at) {
                    self.remove(agent);
                }
            }
            _ => {
                if self.crowd.is_empty() {
                    stage.log.note("There are no agents yet: Shift-click adds one.");
                }
                match (stage.mesh(), self.chosen.id.filter(|_| self.follows)) {
                    (Some(mesh), Some(leader)) => {
                        // A target beside the mesh leaves it where it is.
                        let _ = self.crowd.go_to(mesh, leader, click.at);
                    }
                    (Some(mesh), None) => self.send_all(mesh, click.at),
                    _ => {}
                }
            }
        }
    }

    fn update(&mut self, stage: &mut Stage, dt: f32) -> bool {
        if self.crowd.is_empty() || self.paused {
            return false;
        }
        // After a pause the crowd does not run to catch up.
        self.left = (self.left + dt).min(4.0 * TICK);
        while self.left >= TICK {
            self.left -= TICK;
            self.tick(stage);
            // Nor does one that is too large for this machine: it walks slowly, and the window still answers.
            if self.times.last() > TICK * 500.0 {
                self.left = self.left.min(TICK);
                break;
            }
        }
        dt > 0.0
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        if let Some(target) = self.target {
            canvas.dot(target, 14.0, Ink::Goal);
            canvas.circle(target, stage.agent_size().0, Pen::of(Ink::Goal).width(2.0));
        }
        for (agent, trail) in &self.trails {
            canvas.path(trail, Pen::of(Ink::Agent(agent.index() as u32)).width(2.0));
        }
        self.draw_behind(stage, canvas);
        if let Some(mesh) = stage.mesh() {
            self.chosen.draw(&self.crowd, mesh, canvas);
        }
    }

    fn undo(&mut self, _: &mut Stage) -> bool {
        // What was added may have failed, or be gone already: then the addition before it is taken back.
        while let Some(added) = self.added.pop() {
            let before = self.crowd.len();
            added.into_iter().for_each(|agent| self.remove(agent));
            if self.crowd.len() < before {
                return true;
            }
        }
        false
    }

    fn agents(&self) -> u32 {
        self.crowd.len() as u32
    }

    fn set_agents(&mut self, stage: &mut Stage, count: u32) {
        self.reset();
        self.add_many(stage, count);
        if let Some(mesh) = stage.mesh() {
            self.send_apart(mesh);
        }
        self.wanders = true;
    }

    fn library_time(&self) -> f32 {
        if self.crowd.is_empty() || self.paused { 0.0 } else { self.times.last() }
    }

    fn draw_behind(&self, _: &Stage, canvas: &mut Canvas) {
        for agent in self.crowd.ids() {
            let (Ok(at), Ok(velocity), Ok(params)) =
                (self.crowd.position(agent), self.crowd.velocity(agent), self.crowd.params(agent))
            else {
                continue;
            };
            let ink = if self.chosen.id == Some(agent) { Ink::Current } else { Ink::Agent(agent.index() as u32) };
            canvas.agent(at, (params.radius, params.height), velocity, ink);
        }
    }

    fn reset(&mut self) {
        let kept = std::mem::take(self);
        *self = Self {
            action: kept.action,
            method: kept.method,
            speed: kept.speed,
            wanders: kept.wanders,
            many: kept.many,
            chosen: kept.chosen.without_agent(),
            shows_trails: kept.shows_trails,
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn agents_walk_to_where_one_clicks() {
        let mut stage = baked_stage("flat");
        let centre = stage.mesh().unwrap().bounds().center();
        let mut tool = CrowdTool::default();
        tool.click(&mut stage, &Click::at(centre).with_shift());
        assert_eq!(tool.len(), 1);
        let goal = centre + Vec3::new(4.0, 0.0, 3.0);
        tool.click(&mut stage, &Click::at(goal));
        for _ in 0..120 {
            assert!(tool.update(&mut stage, TICK));
        }
        let at = tool.crowd.positions()[0];
        assert!(at.distance(goal) < 0.7, "{at} is not {goal}");
        assert_eq!(tool.arrived, 1);
    }

    #[test]
    fn every_method_shows_what_it_did() {
        let mut stage = baked_stage("flat");
        let centre = stage.mesh().unwrap().bounds().center();
        for (number, method) in Avoidance::NAMES.iter().enumerate() {
            let mut tool = CrowdTool { method: number, ..CrowdTool::default() };
            tool.chosen.shows_obstacles = true;
            for x in [-1.0, 0.0, 1.0] {
                tool.click(&mut stage, &Click::at(centre + Vec3::X * x * 1.5).with_shift());
            }
            tool.click(&mut stage, &Click::at(centre + Vec3::X * 6.0));
            for _ in 0..9 {
                tool.update(&mut stage, TICK);
            }
            let agents_alone = {
                let mut canvas = Canvas::new();
                tool.draw(&stage, &mut canvas);
                canvas.lines.len() + canvas.dots.len() + canvas.fills.len()
            };
            tool.action = 2;
            tool.click(&mut stage, &Click::at(tool.crowd.positions()[0]));
            let mut canvas = Canvas::new();
            tool.draw(&stage, &mut canvas);
            assert!(canvas.lines.len() + canvas.dots.len() + canvas.fills.len() > agents_alone, "{method}");
        }
    }

    #[test]
    fn buttons_add_and_remove() {
        let mut stage = baked_stage("dungeon");
        let mut tool = CrowdTool::default();
        tool.panel(&mut stage, &mut Script::set("How many", 12.0));
        tool.panel(&mut stage, &mut Script::press("Add at random places"));
        assert_eq!(tool.len(), 12);
        tool.panel(&mut stage, &mut Script::press("Send each somewhere else"));
        for _ in 0..30 {
            tool.update(&mut stage, TICK);
        }
        assert!(tool.crowd.velocities().iter().any(|velocity| velocity.length() > 0.1));
        tool.click(&mut stage, &Click::at(tool.crowd.positions()[0]).with_shift());
        assert!(tool.len() == 13 && tool.undo(&mut stage) && tool.len() == 12);
        tool.panel(&mut stage, &mut Script::press("Remove all"));
        assert!(tool.is_empty());
    }
}
