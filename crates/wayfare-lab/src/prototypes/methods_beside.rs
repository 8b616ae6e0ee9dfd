//! All avoidance methods in the same situation, side by side.
//!
//! Sources: Mikko Mononen, "Geometric vs. Sampling", Digesting Duck, March 2010; "Style vs. Technique", December 2010.

use crate::kit::{Stage, Troop, maps};
use crate::prelude::*;
use wayfare::avoid::Avoidance;
use wayfare::crowd::AgentParams;
use wayfare::math::ops;

const FIGURES: [[&str; 2]; 6] = [
    ["none: at rest", "none: deepest overlap"],
    ["sampled: at rest", "sampled: deepest overlap"],
    ["adaptive: at rest", "adaptive: deepest overlap"],
    ["orca: at rest", "orca: deepest overlap"],
    ["clearpath: at rest", "clearpath: deepest overlap"],
    ["hrvo: at rest", "hrvo: deepest overlap"],
];
const SITUATIONS: &[&str] = &["circle", "two streams", "door"];
/// How far apart the stages lie, metres.
const APART: [f32; 2] = [24.0, 18.0];

#[derive(Clone, Default)]
pub(super) struct MethodsBeside {
    situation: usize,
    agents: Option<u32>,
    stage: Stage,
    troops: Vec<Troop>,
    deepest: Vec<f32>,
    setup: Option<Setup>,
}

/// Where the stage of a method lies.
fn offset(method: usize) -> Vec3 {
    Vec3::new((method % 3) as f32 * APART[0], 0.0, (method / 3) as f32 * APART[1])
}

impl MethodsBeside {
    fn outlines(&self, method: usize) -> Vec<Vec<Vec2>> {
        let flat = Vec2::new(offset(method).x, offset(method).z);
        let local = match self.situation {
            0 => vec![maps::rect([0.5, -2.0], [18.5, 14.0])],
            1 => vec![maps::rect([0.0, 0.0], [19.0, 12.0])],
            _ => maps::two_rooms(1.6),
        };
        local.into_iter().map(|outline| outline.into_iter().map(|p| p + flat).collect()).collect()
    }

    /// From where to where an agent goes, without the offset.
    fn errand(&self, i: u32, of: u32) -> [Vec3; 2] {
        let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
        match self.situation {
            0 => {
                let angle = core::f32::consts::TAU * i as f32 / of as f32;
                let out = at(ops::cos(angle), ops::sin(angle)) * 6.5;
                [at(9.5, 6.0) + out, at(9.5, 6.0) - out]
            }
            1 => {
                let (row, z) = ((i / 2 % 4) as f32 * 1.4, 2.0 + (i / 8) as f32 * 1.5 + (i / 2 % 4) as f32 * 0.5);
                if i.is_multiple_of(2) {
                    [at(1.0 + row, z), at(18.0 - row, z)]
                } else {
                    [at(18.0 - row, z), at(1.0 + row, z)]
                }
            }
            _ => {
                let (x, z) = ((i % 4) as f32 * 1.5, (i / 4) as f32 * 1.7);
                [at(1.5 + x, 2.0 + z), at(17.5 - x, 2.0 + z)]
            }
        }
    }
}

impl Prototype for MethodsBeside {
    fn meta(&self) -> Meta {
        Meta {
            title: "Methods side by side",
            category: Category::Avoidance,
            help: "The same agents on the same errand, one stage for each method: none, sampled, adaptive, ORCA, ClearPath, \
                   HRVO. No method is the best: look at how early they turn, how smooth they walk, how they behave where \
                   it is narrow, and who gets stuck. Style is a choice, too.",
            source: "Geometric vs. Sampling, March 2010; Style vs. Technique, December 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.choice("situation", &mut self.situation, SITUATIONS).restarts();
        let mut agents = self.agents.unwrap_or(12);
        params.count("agents", &mut agents, 2..=24).restarts().help("On each stage.");
        self.agents = Some(agents);
    }

    fn init(&mut self, setup: &Setup) {
        self.setup = Some(setup.clone());
        let outlines: Vec<Vec<Vec2>> = (0..Avoidance::NAMES.len()).flat_map(|method| self.outlines(method)).collect();
        self.stage = Stage::of_outlines(&outlines);
        self.troops.clear();
        self.deepest = vec![0.0; Avoidance::NAMES.len()];
        let count = self.agents.unwrap_or(12);
        for (method, name) in Avoidance::NAMES.into_iter().enumerate() {
            let avoidance = Avoidance::by_name(name).unwrap_or_default();
            let mut troop = Troop::default();
            for i in 0..count {
                let [from, to] = self.errand(i, count).map(|place| place + offset(method));
                let params = AgentParams { avoidance, max_speed: 2.5, ..AgentParams::of_size(0.45, 1.8) };
                if let Some(agent) = troop.add(&self.stage, from, params) {
                    troop.send(&self.stage, agent, to);
                }
            }
            self.troops.push(troop);
        }
    }

    fn update(&mut self, dt: f32, _: &Input) {
        let Some(setup) = &self.setup else { return };
        for (troop, deepest) in self.troops.iter_mut().zip(&mut self.deepest) {
            troop.update(&self.stage, dt, &setup.clock);
            *deepest = deepest.max(troop.deepest_overlap());
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        for (method, troop) in self.troops.iter().enumerate() {
            troop.draw(canvas);
            let at = offset(method) + Vec3::new(9.5, 0.0, if self.situation == 0 { -2.6 } else { -0.6 });
            canvas.label(at, Avoidance::NAMES[method], Ink::Text);
        }
    }

    fn figures(&self, figures: &mut Figures) {
        for (method, [rest, overlap]) in FIGURES.into_iter().enumerate() {
            figures.count(rest, self.troops.get(method).map_or(0, Troop::at_rest));
            figures.push(overlap, self.deepest.get(method).map_or(0.0, |deepest| deepest * 100.0), "%");
        }
    }

    fn report(&self, report: &mut Report) {
        self.troops.iter().for_each(|troop| troop.report(&self.stage, report));
    }
}
