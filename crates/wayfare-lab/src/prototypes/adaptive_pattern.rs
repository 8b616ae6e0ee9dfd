//! Adaptive sampling: a pattern of rings, aligned with the wanted velocity, that narrows down on the best sample.
//!
//! Sources: Mikko Mononen, "RVO Sample Pattern", Digesting Duck, October 2010, and "Path Following Performance pt. 2",
//! August 2010.

use crate::kit::Encounter;
use crate::kit::encounter::MAX_SPEED;
use crate::prelude::*;
use wayfare::avoid::{Adaptive, AvoidScratch, Avoider, Sampled, Surroundings};

#[derive(Clone, Default)]
pub(super) struct AdaptivePattern {
    around: Encounter,
    method: Adaptive,
}

impl AdaptivePattern {
    fn rounds(&self) -> Vec<Vec<(Vec2, f32)>> {
        let mut rounds = Vec::new();
        self.method.penalties(&self.around.surroundings(), &mut AvoidScratch::default(), &mut rounds);
        rounds
    }

    fn chosen(&self) -> Vec2 {
        self.method.velocity(&self.around.surroundings(), &mut AvoidScratch::default())
    }

    /// The least penalty of a grid of 129 × 129 samples, and its velocity.
    fn reference(&self) -> (Vec2, f32) {
        let full = Sampled { grid: 129, velocity_bias: 0.0, weights: self.method.weights };
        let mut all = Vec::new();
        full.penalties(&self.around.surroundings(), &mut AvoidScratch::default(), &mut all);
        let best = all.into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
        best.unwrap_or((Vec2::ZERO, f32::NAN))
    }
}

impl Prototype for AdaptivePattern {
    fn meta(&self) -> Meta {
        Meta {
            title: "Adaptive sample pattern",
            category: Category::Avoidance,
            help: "A few dozen samples find nearly what sixteen thousand do: rings around the middle, aligned with the \
                   wanted velocity, so that this is always tried; then the pattern moves to the best and shrinks by half. \
                   Dots are samples, bright ones are dear. Use fewer rings or divisions and see what is missed.",
            source: "RVO Sample Pattern, October 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.count("divisions", &mut self.method.divisions, 3..=16).help("Points on a ring.");
        params.count("rings", &mut self.method.rings, 1..=6);
        params.count("depth", &mut self.method.depth, 1..=8).help("How often the pattern shrinks.");
        params.slider("bias", &mut self.method.velocity_bias, 0.0..=0.9).help("Where the first pattern is centered.");
        self.around.params(params);
    }

    fn init(&mut self, _: &Setup) {
        self.around.begin();
    }

    fn changed(&mut self) {
        self.around.changed();
    }

    fn update(&mut self, dt: f32, _: &Input) {
        let method = self.method;
        let choose = |around: &Surroundings<'_>| method.velocity(around, &mut AvoidScratch::default());
        self.around.update(dt, choose);
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.around.draw(canvas);
        let board = self.around.board();
        board.draw(canvas, "samples, round by round");
        let rounds = self.rounds();
        let all = || rounds.iter().flatten();
        let least = all().map(|sample| sample.1).fold(f32::INFINITY, f32::min);
        let most = all().map(|sample| sample.1).fold(least, f32::max);
        for (round, samples) in (0_u16..).zip(&rounds) {
            for &(v, penalty) in samples {
                let value = (penalty - least) / (most - least).max(1e-6);
                canvas.dot(board.at(v), (13.0 - 3.0 * f32::from(round)).max(4.0), Ink::Value(value));
            }
            let best = samples.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((v, _)) = best {
                canvas.label(board.at(*v) - Vec3::Z * 0.2, format!("{}", round + 1), Ink::Text);
            }
        }
        canvas.dot(board.at(self.reference().0), 12.0, Ink::Current);
        board.arrows(canvas, self.around.desired(), self.chosen());
    }

    fn figures(&self, figures: &mut Figures) {
        let rounds = self.rounds();
        let best = rounds.iter().flatten().map(|sample| sample.1).fold(f32::INFINITY, f32::min);
        figures.count("samples", rounds.iter().map(Vec::len).sum());
        figures.push("least penalty", best, "");
        figures.push("of 129 × 129 samples", self.reference().1, "");
        figures.push("chosen speed", self.chosen().length(), "m/s");
        figures.push("gap to the nearest", self.around.gap(), "m");
    }

    fn report(&self, report: &mut Report) {
        report.must(self.chosen().length() <= MAX_SPEED + 1e-4, "the chosen velocity is too fast", None);
    }
}
