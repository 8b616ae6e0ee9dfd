//! ClearPath: the border of all velocity obstacles, its free pieces, and the point on them nearest to the wanted
//! velocity.
//!
//! Sources: Mikko Mononen, "Geometric vs. Sampling", Digesting Duck, March 2010; Stephen Guy, Jatin Chhugani et al.,
//! "ClearPath", 2009.

use crate::kit::Encounter;
use crate::kit::encounter::MAX_SPEED;
use crate::prelude::*;
use wayfare::avoid::{AvoidScratch, Avoider, ClearPath, Surroundings};

#[derive(Clone, Default)]
pub(super) struct ClearPathBorder {
    around: Encounter,
    method: ClearPath,
}

impl ClearPathBorder {
    fn chosen(&self) -> Vec2 {
        self.method.velocity(&self.around.surroundings(), &mut AvoidScratch::default())
    }

    fn border(&self) -> Vec<[Vec2; 2]> {
        let mut border = Vec::new();
        self.method.free_border(&self.around.surroundings(), &mut border);
        border
    }

    fn regions(&self) -> Vec<[Vec2; 5]> {
        let mut regions = Vec::new();
        self.method.regions(&self.around.surroundings(), 8.0, &mut regions);
        regions
    }
}

impl Prototype for ClearPathBorder {
    fn meta(&self) -> Meta {
        Meta {
            title: "ClearPath's border",
            category: Category::Avoidance,
            help: "Red are the velocities that lead to a collision. If the wanted velocity is among them, the best free \
                   one lies on the border: on one of the green pieces. The tip of each region is a spike, not blunt, so \
                   that others are avoided early and softly. Watch pieces open and close as you drag the others.",
            source: "Geometric vs. Sampling, March 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.slider("horizon", &mut self.method.horizon, 0.3..=6.0).help("Seconds.");
        params.slider("spike", &mut self.method.spike, 0.0..=1.0).help("0 is blunt, 1 a cone without end.");
        params.slider("side bias", &mut self.method.side_bias, 0.0..=0.8).help("Radians.");
        params.slider("steadiness", &mut self.method.steadiness, 0.0..=1.0);
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
        for (number, region) in (1..).zip(self.regions()) {
            let corners = board.clipped(&region);
            canvas.fill(&corners, Ink::Forbidden, 0.3);
            canvas.outline(&corners, Pen::of(Ink::Agent(number)).width(1.5));
        }
        board.draw(canvas, "velocity obstacles and their free border");
        for [from, to] in self.border() {
            canvas.line(board.at(from), board.at(to), Pen::of(Ink::Allowed).width(5.0));
        }
        board.arrows(canvas, self.around.desired(), self.chosen());
    }

    fn figures(&self, figures: &mut Figures) {
        let border = self.border();
        figures.count("velocity obstacles", self.regions().len());
        figures.count("free pieces", border.len());
        figures.push("free border", border.iter().map(|[from, to]| from.distance(*to)).sum::<f32>(), "m/s");
        figures.push("from the wanted velocity", self.chosen().distance(self.around.desired()), "m/s");
        figures.push("gap to the nearest", self.around.gap(), "m");
    }

    fn report(&self, report: &mut Report) {
        report.must(self.chosen().length() <= MAX_SPEED + 1e-4, "the chosen velocity is too fast", None);
        if self.border().is_empty() {
            report.warn("no piece of the border is free", None);
        }
    }
}
