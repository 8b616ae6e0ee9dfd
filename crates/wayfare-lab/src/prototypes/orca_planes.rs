//! ORCA's half-planes, and how a polygon of velocities is clipped by one after the other until one is left to choose.
//!
//! Sources: Mikko Mononen, "Experimenting with ORCA", Digesting Duck, September 2010; Jur van den Berg, Stephen Guy,
//! Ming Lin, Dinesh Manocha, "Reciprocal n-body collision avoidance", 2011.

use crate::kit::encounter::MAX_SPEED;
use crate::kit::{Encounter, Stepper};
use crate::prelude::*;
use wayfare::avoid::{AvoidScratch, Avoider, HalfPlane, Orca, OrcaSolver, Surroundings};

#[derive(Clone)]
pub(super) struct OrcaPlanes {
    around: Encounter,
    stepper: Stepper,
    clipping: bool,
    horizon: f32,
}

impl Default for OrcaPlanes {
    fn default() -> Self {
        Self { around: Encounter::default(), stepper: Stepper::of_pace(1.0), clipping: true, horizon: 2.0 }
    }
}

impl OrcaPlanes {
    fn method(&self) -> Orca {
        let solver = if self.clipping { OrcaSolver::Clipping } else { OrcaSolver::LinearProgram };
        Orca { horizon: self.horizon, solver, side_bias: 0.0, ..Orca::default() }
    }

    fn planes(&self) -> Vec<HalfPlane> {
        let mut planes = Vec::new();
        self.method().half_planes(&self.around.surroundings(), &mut planes);
        planes
    }

    fn steps(&self) -> Vec<Vec<Vec2>> {
        let mut steps = Vec::new();
        self.method().clipping_steps(&self.around.surroundings(), &mut steps);
        steps
    }

    fn chosen(&self) -> Vec2 {
        self.method().velocity(&self.around.surroundings(), &mut AvoidScratch::default())
    }
}

impl Prototype for OrcaPlanes {
    fn meta(&self) -> Meta {
        Meta {
            title: "ORCA planes and clipping",
            category: Category::Avoidance,
            help: "Each neighbour allows half of all velocities: those on its side of a line. The polygon of all allowed \
                   speeds is clipped by one line after the other, the nearest neighbour's first; the velocity in it that \
                   is nearest to the wanted one is taken. A line that would leave nothing is given up, with all after it.",
            source: "Experimenting with ORCA, September 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.toggle("clip a polygon", &mut self.clipping).help("Otherwise a linear program is solved.");
        params.slider("horizon", &mut self.horizon, 0.3..=6.0).help("Seconds.");
        self.stepper.params(params);
        self.around.params(params);
    }

    fn init(&mut self, _: &Setup) {
        self.around.begin();
    }

    fn changed(&mut self) {
        self.around.changed();
    }

    fn update(&mut self, dt: f32, input: &Input) {
        let method = self.method();
        let choose = |around: &Surroundings<'_>| method.velocity(around, &mut AvoidScratch::default());
        self.around.update(dt, choose);
        self.stepper.update(dt, input, self.planes().len() as u32 + 2);
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.around.draw(canvas);
        let board = self.around.board();
        let (planes, steps, step) = (self.planes(), self.steps(), self.stepper.step as usize);
        let kept = step.min(steps.len().saturating_sub(1));
        if let Some(polygon) = steps.get(kept) {
            let corners: Vec<Vec3> = polygon.iter().map(|&v| board.at(v)).collect();
            canvas.fill(&corners, Ink::Allowed, 0.45);
            canvas.outline(&corners, Pen::of(Ink::Allowed).width(2.5));
        }
        board.draw(canvas, "velocities that are left");
        for (i, plane) in planes.iter().enumerate().take(step) {
            let is_given_up = i + 1 >= steps.len();
            let ink = if is_given_up { Ink::Forbidden } else { Ink::Agent(i as u32 + 1) };
            let foot = plane.normal * plane.offset;
            let half = plane.normal.perp() * (MAX_SPEED * MAX_SPEED * 1.2 - foot.length_squared()).max(0.3).sqrt();
            let pen = if is_given_up { Pen::of(ink).width(2.0).dashed() } else { Pen::of(ink).width(3.0) };
            canvas.line(board.at(foot - half), board.at(foot + half), pen);
            canvas.arrow(board.at(foot), board.at(foot + plane.normal * 0.25) - board.at(foot), ink);
            canvas.label(board.at(foot + half), format!("{}", i + 1), ink);
        }
        board.arrows(canvas, self.around.desired(), self.chosen());
    }

    fn figures(&self, figures: &mut Figures) {
        let (planes, chosen) = (self.planes(), self.chosen());
        let worst = planes.iter().map(|plane| plane.violation(chosen)).fold(0.0_f32, f32::max);
        figures.count("half-planes", planes.len());
        figures.count("given up", (planes.len() + 1).saturating_sub(self.steps().len()));
        figures.push("greatest violation", worst, "m/s");
        figures.push("chosen speed", chosen.length(), "m/s");
        figures.push("gap to the nearest", self.around.gap(), "m");
    }

    fn report(&self, report: &mut Report) {
        let (planes, steps, chosen) = (self.planes(), self.steps(), self.chosen());
        let is_free = steps.len() == planes.len() + 1;
        let holds = !is_free || planes.iter().all(|plane| plane.violation(chosen) < 1e-2);
        report.must(holds, "some velocity is allowed, and another was chosen", None);
        if !is_free {
            report.warn("no velocity satisfies all: the farthest are given up", None);
        }
    }
}
