//! The trials of crowds with any method, and the time of each phase of a tick: the graph of the post.
//!
//! Sources: Mikko Mononen, "Path Following Performance" and its second part, Digesting Duck, August 2010; "Crowd
//! Manager Progress", October 2010.

use crate::kit::{Stage, Troop};
use crate::prelude::*;
use wayfare::avoid::{AvoidScratch, Avoidance, Avoider as _};
use wayfare_scenes::{CrowdTrial, crowd_trials};

const TRIALS: &[&str] = &["pillars", "two", "four", "crossing", "circle-100", "door-1.8", "counter-flow", "chase"];
const METHODS: &[&str] = &["adaptive", "sampled", "orca", "clearpath", "hrvo", "none"];

#[derive(Clone, Default)]
pub(super) struct CrowdTrials {
    trial: usize,
    method: usize,
    watched: u32,
    stage: Stage,
    troop: Troop,
    setup: Option<Setup>,
    deepest: f32,
    ticks: u32,
}

impl CrowdTrials {
    fn found(&self) -> Option<CrowdTrial> {
        let name = TRIALS.get(self.trial)?;
        crowd_trials().into_iter().find(|trial| trial.name == *name)
    }
}

impl Prototype for CrowdTrials {
    fn meta(&self) -> Meta {
        Meta {
            title: "Crowds, phase by phase",
            category: Category::Crowds,
            help: "Trials that every method is held to. The profiler shows what each phase of a tick costs: planning once \
                   at the beginning, avoidance all the time. One agent is watched: its corridor, its next corners, the \
                   neighbours and walls that it sees, and the velocities that it wants and gets.",
            source: "Path Following Performance, August 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.choice("trial", &mut self.trial, TRIALS).restarts();
        params.choice("method", &mut self.method, METHODS).restarts();
        params.count("watched agent", &mut self.watched, 0..=99);
    }

    fn init(&mut self, setup: &Setup) {
        self.setup = Some(setup.clone());
        (self.deepest, self.ticks) = (0.0, 0);
        let Some(trial) = self.found() else { return };
        self.stage = Stage::of_outlines(&trial.outlines);
        let method = METHODS.get(self.method).and_then(|name| Avoidance::by_name(name)).unwrap_or_default();
        self.troop = Troop::of_trial(&trial, &self.stage, method);
    }

    fn update(&mut self, dt: f32, _: &Input) {
        let Some(setup) = &self.setup else { return };
        self.troop.update(&self.stage, dt, &setup.clock);
        self.ticks += 1;
        if self.ticks > 30 {
            self.deepest = self.deepest.max(self.troop.deepest_overlap());
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        self.troop.draw(canvas);
        let Some(&id) = self.troop.ids.get(self.watched as usize) else { return };
        let crowd = &self.troop.crowd;
        let (Ok(at), Ok(corridor), Ok(sight)) = (crowd.position(id), crowd.corridor(id), crowd.sight_of(id)) else {
            return;
        };
        self.stage.fill(canvas, corridor.polys(), Ink::Path(2), 0.25);
        let ground = |p: Vec2| Vec3::new(p.x, at.y + 0.05, p.y);
        for wall in &sight.walls {
            canvas.line(ground(wall.a), ground(wall.b), Pen::of(Ink::Current).width(4.0));
        }
        for other in &sight.neighbours {
            canvas.line(ground(sight.agent.position), ground(other.position), Pen::of(Ink::Current).dashed());
        }
        if let Ok(corners) = crowd.corners_of(id) {
            let line: Vec<Vec3> = [at].into_iter().chain(corners.iter().map(|corner| corner.point)).collect();
            canvas.path(&crate::kit::lift(line), Pen::of(Ink::Path(0)).width(3.0));
        }
        let vector = |v: Vec2| Vec3::new(v.x, 0.0, v.y);
        canvas.arrow(at + Vec3::Y * 0.1, vector(sight.agent.desired), Ink::Wish);
        let chosen = sight.method.velocity(&sight.surroundings(), &mut AvoidScratch::default());
        canvas.arrow(at + Vec3::Y * 0.1, vector(chosen), Ink::Chosen);
        canvas.circle(at, sight.agent.radius * 1.4, Pen::of(Ink::Current).width(3.0));
    }

    fn figures(&self, figures: &mut Figures) {
        figures.count("agents", self.troop.ids.len());
        figures.count("at rest", self.troop.at_rest());
        let speeds: f32 = self.troop.crowd.velocities().iter().map(|velocity| velocity.length()).sum();
        figures.push("mean speed", speeds / self.troop.ids.len().max(1) as f32, "m/s");
        figures.push("deepest overlap", self.deepest * 100.0, "%");
        figures.push("paths this tick", self.troop.crowd.profile().paths, "");
        figures.push("time", self.ticks as f32 * crate::host::TICK, "s");
    }

    fn phases(&self, phases: &mut Phases) {
        self.troop.phases(phases);
    }

    fn report(&self, report: &mut Report) {
        self.troop.report(&self.stage, report);
    }
}
