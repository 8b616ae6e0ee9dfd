//! "Could the method capture that style?": a nerd and a bully meet in a corridor. Who gives way is a number; what it
//! looks like is style.
//!
//! Sources: Mikko Mononen, "Style vs. Technique", Digesting Duck, December 2010.

use crate::kit::{Stage, Troop, maps};
use crate::prelude::*;
use wayfare::avoid::Avoidance;
use wayfare::crowd::AgentParams;

const METHODS: &[&str] = &["adaptive", "sampled", "orca", "clearpath", "hrvo"];
const ENDS: [Vec3; 2] = [Vec3::new(4.5, 0.0, 2.0), Vec3::new(19.5, 0.0, 2.0)];

#[derive(Clone)]
pub(super) struct NerdAndBully {
    method: usize,
    width: f32,
    nerd: [f32; 3],
    bully: [f32; 3],
    stage: Stage,
    troop: Troop,
    setup: Option<Setup>,
    /// How far each has strayed from the middle of the corridor at most, and the least gap.
    strayed: [f32; 2],
    gap: f32,
    time: f32,
}

impl Default for NerdAndBully {
    fn default() -> Self {
        Self {
            method: 0,
            width: 4.0,
            // Priority, speed, separation.
            nerd: [0.15, 2.2, 2.5],
            bully: [4.0, 1.7, 0.0],
            stage: Stage::default(),
            troop: Troop::default(),
            setup: None,
            strayed: [0.0; 2],
            gap: f32::INFINITY,
            time: 0.0,
        }
    }
}

impl NerdAndBully {
    fn agent(&self, [priority, max_speed, separation]: [f32; 3], radius: f32) -> AgentParams {
        let avoidance = Avoidance::by_name(METHODS[self.method.min(METHODS.len() - 1)]).unwrap_or_default();
        AgentParams { priority, max_speed, separation, avoidance, ..AgentParams::of_size(radius, 1.8) }
    }
}

impl Prototype for NerdAndBully {
    fn meta(&self) -> Meta {
        Meta {
            title: "A nerd and a bully in a corridor",
            category: Category::Avoidance,
            help: "Both want to the other end. The bully has a high priority and does hardly any of the avoiding; the nerd \
                   does the rest, hurries, and keeps away from bodies. Give both the same numbers and they are polite \
                   equals; swap them; make the corridor narrow. Compare methods side by side.",
            source: "Style vs. Technique, December 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.choice("method", &mut self.method, METHODS).restarts();
        params.slider("corridor", &mut self.width, 1.6..=8.0).restarts().help("Its width, metres.");
        let [priority, speed, separation] = &mut self.nerd;
        params.slider("nerd: priority", priority, 0.0..=8.0).restarts();
        params.slider("nerd: speed", speed, 0.5..=4.0).restarts();
        params.slider("nerd: separation", separation, 0.0..=5.0).restarts();
        let [priority, speed, separation] = &mut self.bully;
        params.slider("bully: priority", priority, 0.0..=8.0).restarts();
        params.slider("bully: speed", speed, 0.5..=4.0).restarts();
        params.slider("bully: separation", separation, 0.0..=5.0).restarts();
    }

    fn init(&mut self, setup: &Setup) {
        self.setup = Some(setup.clone());
        let half = self.width * 0.5 - 0.5;
        self.stage = Stage::of_outlines(&[maps::rect([0.0, 2.0 - half.max(0.1)], [24.0, 2.0 + half.max(0.1)])]);
        self.troop = Troop::default();
        (self.strayed, self.gap, self.time) = ([0.0; 2], f32::INFINITY, 0.0);
        for (params, radius, [from, to]) in [(self.nerd, 0.4, ENDS), (self.bully, 0.6, [ENDS[1], ENDS[0]])] {
            if let Some(agent) = self.troop.add(&self.stage, from, self.agent(params, radius)) {
                self.troop.send(&self.stage, agent, to);
            }
        }
    }

    fn update(&mut self, dt: f32, _: &Input) {
        let Some(setup) = &self.setup else { return };
        self.troop.update(&self.stage, dt, &setup.clock);
        self.time += dt;
        for agent in 0..2 {
            self.strayed[agent] = self.strayed[agent].max((self.troop.position(agent).z - 2.0).abs());
        }
        self.gap = self.gap.min(self.troop.position(0).distance(self.troop.position(1)) - 1.0);
        // When both have arrived they turn round.
        if self.troop.at_rest() == 2 {
            for agent in 0..2 {
                let there = self.troop.position(agent).x > 12.0;
                self.troop.send(&self.stage, agent, ENDS[usize::from(!there)]);
            }
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        self.troop.draw(canvas);
        for (agent, name) in ["nerd", "bully"].into_iter().enumerate() {
            canvas.label(self.troop.position(agent) + Vec3::Y * 2.0, name, Ink::Text);
            canvas.arrow(self.troop.position(agent), self.troop.velocity(agent), Ink::Chosen);
        }
    }

    fn figures(&self, figures: &mut Figures) {
        figures.push("nerd: out of the middle", self.strayed[0], "m");
        figures.push("bully: out of the middle", self.strayed[1], "m");
        figures.push("nerd: speed", self.troop.velocity(0).length(), "m/s");
        figures.push("bully: speed", self.troop.velocity(1).length(), "m/s");
        figures.push("least gap", self.gap, "m");
        figures.push("time", self.time, "s");
    }

    fn report(&self, report: &mut Report) {
        self.troop.report(&self.stage, report);
    }
}
