//! Steering is style: straight to the next corner, around it in a curve, or drunken.
//!
//! Sources: Mikko Mononen, "Some More Movement Progress" and "Oh, it moves!", Digesting Duck, August 2010.

use crate::kit::{Stage, Troop, maps};
use crate::prelude::*;
use wayfare::crowd::{AgentParams, Style};

const NAMES: [&str; 3] = ["straight", "smooth", "drunken"];
const ENDS: [Vec3; 2] = [Vec3::new(1.5, 0.0, 1.0), Vec3::new(21.5, 0.0, 13.0)];

#[derive(Clone)]
pub(super) struct SteeringStyles {
    swing: f32,
    period: f32,
    speed: f32,
    stage: Stage,
    troop: Troop,
    setup: Option<Setup>,
    walked: [f32; 3],
    turned: [f32; 3],
    last: [Vec3; 3],
    arrivals: [u32; 3],
}

impl Default for SteeringStyles {
    fn default() -> Self {
        Self {
            swing: 0.7,
            period: 1.6,
            speed: 2.6,
            stage: Stage::default(),
            troop: Troop::default(),
            setup: None,
            walked: [0.0; 3],
            turned: [0.0; 3],
            last: [Vec3::ZERO; 3],
            arrivals: [0; 3],
        }
    }
}

impl Prototype for SteeringStyles {
    fn meta(&self) -> Meta {
        Meta {
            title: "Steering styles",
            category: Category::Movement,
            help: "Three agents walk the same corridor to and fro and do not heed each other. One goes straight to the \
                   next corner, one looks at the corner after it and takes the turn in a curve, one has had a few. All of \
                   them stay on the mesh: style decides the direction, not the place.",
            source: "Some More Movement Progress, August 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.slider("speed", &mut self.speed, 0.5..=5.0).restarts().help("m/s");
        params.slider("swing", &mut self.swing, 0.0..=1.4).restarts().help("Of the drunken one, radians.");
        params.slider("period", &mut self.period, 0.4..=5.0).restarts().help("Of the drunken one, seconds.");
    }

    fn init(&mut self, setup: &Setup) {
        let Self { swing, period, speed, .. } = *self;
        *self = Self { swing, period, speed, ..Self::default() };
        self.setup = Some(setup.clone());
        self.stage = Stage::of_outlines(&maps::winding());
        for (i, style) in [Style::Straight, Style::Smooth, Style::Drunken { swing, period }].into_iter().enumerate() {
            let walker = AgentParams { style, max_speed: speed, layer_mask: 0, ..AgentParams::of_size(0.35, 1.7) };
            let from = ENDS[0] + Vec3::Z * i as f32;
            if let Some(agent) = self.troop.add(&self.stage, from, walker) {
                self.troop.send(&self.stage, agent, ENDS[1]);
                self.last[i] = self.troop.position(agent);
            }
        }
    }

    fn update(&mut self, dt: f32, _: &Input) {
        let Some(setup) = &self.setup else { return };
        let before: [Vec3; 3] = [0, 1, 2].map(|agent| self.troop.velocity(agent));
        self.troop.update(&self.stage, dt, &setup.clock);
        for agent in 0..3 {
            let (at, velocity) = (self.troop.position(agent), self.troop.velocity(agent));
            self.walked[agent] += at.distance(self.last[agent]);
            self.last[agent] = at;
            if before[agent].length() > 0.2 && velocity.length() > 0.2 {
                let cos = before[agent].normalize_or_zero().dot(velocity.normalize_or_zero());
                self.turned[agent] += wayfare::math::ops::acos(cos);
            }
            let rests = self.troop.ids.get(agent).is_some_and(|&id| self.troop.crowd.is_at_rest(id) == Ok(true));
            if rests {
                self.arrivals[agent] += 1;
                let to = ENDS[usize::from(self.arrivals[agent].is_multiple_of(2))];
                self.troop.send(&self.stage, agent, to);
            }
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        self.troop.draw(canvas);
        for (agent, name) in NAMES.into_iter().enumerate() {
            canvas.label(self.troop.position(agent) + Vec3::Y * 1.9, name, Ink::Text);
        }
    }

    fn figures(&self, figures: &mut Figures) {
        figures.push("straight: walked", self.walked[0], "m");
        figures.push("smooth: walked", self.walked[1], "m");
        figures.push("drunken: walked", self.walked[2], "m");
        figures.push("straight: turned", self.turned[0].to_degrees(), "°");
        figures.push("smooth: turned", self.turned[1].to_degrees(), "°");
        figures.push("drunken: turned", self.turned[2].to_degrees(), "°");
    }

    fn report(&self, report: &mut Report) {
        self.troop.report(&self.stage, report);
    }
}
