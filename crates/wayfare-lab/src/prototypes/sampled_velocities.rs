//! Sampled velocity obstacles: what every velocity would cost, as the picture of 129 × 129 samples from the post.
//!
//! Sources: Mikko Mononen, "Custom hRVO" and "Geometric vs. Sampling", Digesting Duck, March 2010.

use crate::kit::Encounter;
use crate::kit::encounter::MAX_SPEED;
use crate::prelude::*;
use wayfare::avoid::{AvoidScratch, Avoider, SampleWeights, Sampled, Surroundings};

#[derive(Clone)]
pub(super) struct SampledVelocities {
    around: Encounter,
    grid: u32,
    weights: SampleWeights,
}

impl Default for SampledVelocities {
    fn default() -> Self {
        Self { around: Encounter::default(), grid: 129, weights: SampleWeights::default() }
    }
}

impl SampledVelocities {
    fn method(&self) -> Sampled {
        Sampled { grid: self.grid, velocity_bias: 0.0, weights: self.weights }
    }

    /// The penalty of each velocity, and the velocity that is chosen.
    fn samples(&self) -> (Vec<(Vec2, f32)>, Vec2) {
        let (around, mut scratch, mut all) = (self.around.surroundings(), AvoidScratch::default(), Vec::new());
        self.method().penalties(&around, &mut scratch, &mut all);
        (all, self.method().velocity(&around, &mut scratch))
    }
}

impl Prototype for SampledVelocities {
    fn meta(&self) -> Meta {
        Meta {
            title: "Sampled velocities",
            category: Category::Avoidance,
            help: "Every velocity has a penalty: for leaving the wanted one, for changing the current one, for the side on \
                   which others are passed, and for how soon it would hit somebody. Dark is cheap, bright is dear; cones \
                   are the others' velocity obstacles. Drag the others, change the weights; with few samples it flickers.",
            source: "Custom hRVO and Geometric vs. Sampling, March 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.count("samples a side", &mut self.grid, 5..=129);
        params.slider("weight: desired", &mut self.weights.desired, 0.0..=10.0);
        params.slider("weight: current", &mut self.weights.current, 0.0..=10.0);
        params.slider("weight: side", &mut self.weights.side, 0.0..=10.0);
        params.slider("weight: impact", &mut self.weights.impact, 0.0..=10.0);
        params.slider("horizon", &mut self.weights.horizon, 0.2..=6.0).help("Seconds.");
        self.around.params(params);
    }

    fn init(&mut self, _: &Setup) {
        self.around.begin();
    }

    fn changed(&mut self) {
        self.around.changed();
    }

    fn update(&mut self, dt: f32, _: &Input) {
        let method = self.method();
        let choose = |around: &Surroundings<'_>| method.velocity(around, &mut AvoidScratch::default());
        self.around.update(dt, choose);
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.around.draw(canvas);
        let board = self.around.board();
        let (samples, chosen) = self.samples();
        let finite = samples.iter().map(|(_, penalty)| *penalty).filter(|penalty| penalty.is_finite());
        let (least, most) = finite.fold((f32::INFINITY, 0.0_f32), |(low, high), p| (low.min(p), high.max(p)));
        let side = self.grid;
        let mut values = vec![f32::NAN; (side * side) as usize];
        let cell = |v: f32| ((v + MAX_SPEED) / (2.0 * MAX_SPEED) * (side - 1) as f32).round() as u32;
        for (v, penalty) in &samples {
            let (x, y) = (cell(v.x).min(side - 1), cell(v.y).min(side - 1));
            values[(y * side + x) as usize] = ((penalty - least) / (most - least).max(1e-6)).clamp(0.0, 1.0);
        }
        // Samples stand in the middle of their pixels.
        let reach = MAX_SPEED * side as f32 / (side - 1) as f32;
        board.image(canvas, (Vec2::splat(-reach), Vec2::splat(reach)), side, values);
        board.draw(canvas, "penalty of each velocity");
        board.arrows(canvas, self.around.desired(), chosen);
        let agent = self.around.surroundings().agent.position;
        canvas.arrow(Vec3::new(agent.x, 0.0, agent.y), Vec3::new(chosen.x, 0.0, chosen.y), Ink::Chosen);
    }

    fn figures(&self, figures: &mut Figures) {
        let (samples, chosen) = self.samples();
        figures.count("samples", samples.len());
        figures.push("chosen speed", chosen.length(), "m/s");
        figures.push("from the wanted velocity", chosen.distance(self.around.desired()), "m/s");
        figures.push("gap to the nearest", self.around.gap(), "m");
    }

    fn report(&self, report: &mut Report) {
        let (samples, chosen) = self.samples();
        let of = |v: Vec2| samples.iter().find(|(other, _)| other.distance(v) < 1e-4).map(|(_, penalty)| *penalty);
        let least = samples.iter().map(|(_, penalty)| *penalty).fold(f32::INFINITY, f32::min);
        report.must(of(chosen).is_none_or(|penalty| penalty <= least + 1e-4), "a cheaper sample was not chosen", None);
        report.must(chosen.length() <= MAX_SPEED + 1e-4, "the chosen velocity is too fast", None);
    }
}
