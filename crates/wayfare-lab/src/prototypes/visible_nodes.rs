//! Visibility-optimised nodes, one expansion at a time: a node lies where the straight line to the goal crosses the
//! next edge, or else at the end of the edge that is nearest to it.
//!
//! Sources: Mikko Mononen, "Towards Better Navmesh Path Planning", May 2010, heuristic 3, and "Visibility Optimized
//! Graph Experiment", Digesting Duck, August 2010.

use crate::kit::stage::draw_ends;
use crate::kit::watch::{draw_upto, watched};
use crate::kit::{Stage, Stepper, lifted, maps};
use crate::prelude::*;
use wayfare::graph::RecordedSearch;
use wayfare::mesh::PolyRef;
use wayfare::query::{DefaultFilter, NodePlacement, StraightPath, find_path, string_pull};

#[derive(Clone)]
pub(super) struct VisibleNodes {
    start: Vec3,
    goal: Vec3,
    stepper: Stepper,
    stage: Stage,
    search: Option<RecordedSearch<PolyRef>>,
    straight: Option<StraightPath>,
    asked: [Vec3; 2],
}

impl Default for VisibleNodes {
    fn default() -> Self {
        Self {
            start: Vec3::new(1.2, 0.0, 1.2),
            goal: Vec3::new(22.5, 0.0, 14.5),
            stepper: Stepper::of_pace(3.0),
            stage: Stage::default(),
            search: None,
            straight: None,
            asked: [Vec3::NAN; 2],
        }
    }
}

impl VisibleNodes {
    fn ask(&mut self) {
        if self.asked == [self.start, self.goal] {
            return;
        }
        self.asked = [self.start, self.goal];
        let mut scratch = watched();
        let filter = DefaultFilter::of(&self.stage.mesh);
        let request =
            self.stage.request(self.start, self.goal).map(|request| request.placed_by(NodePlacement::Visible));
        let path = request.and_then(|request| find_path(&self.stage.mesh, &request, &filter, &mut scratch).ok());
        self.straight = path.map(|path| string_pull(&path, &mut scratch));
        self.search = scratch.observer().searches().first().cloned();
    }

    fn steps(&self) -> u32 {
        self.search.as_ref().map_or(1, |search| search.closed_order().len() as u32 + 1)
    }
}

impl Prototype for VisibleNodes {
    fn meta(&self) -> Meta {
        Meta {
            title: "Visibility-optimised nodes",
            category: Category::Searches,
            help: "From the node that is expanded (yellow) a line of sight leads to the goal. Where it crosses an edge of \
                   the polygon, the next node lies there; on other edges it lies at the end that is nearest to the goal. \
                   The last leg is always perfect, and the search is drawn to the goal more than it should be.",
            source: "Visibility Optimized Graph Experiment, August 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        self.stepper.params(params);
    }

    fn init(&mut self, _: &Setup) {
        self.stage = Stage::of_outlines(&maps::courtyard());
        self.asked = [Vec3::NAN; 2];
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn update(&mut self, dt: f32, input: &Input) {
        self.stepper.update(dt, input, self.steps());
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        let Some(search) = &self.search else { return };
        let current = draw_upto(canvas, &self.stage, search, self.stepper.step);
        if let Some(node) = current {
            canvas.line(lifted(node.at), lifted(self.goal), Pen::of(Ink::Wish).width(2.5).dashed());
            let children = search.nodes().iter().filter(|other| other.parent == Some(node.number));
            children.for_each(|child| canvas.dot(lifted(child.at), 11.0, Ink::Wish));
        }
        if let (true, Some(straight)) = (self.stepper.step + 1 >= self.steps(), &self.straight) {
            self.stage.draw_line(canvas, straight, Pen::of(Ink::Path(0)).width(4.0));
        }
        draw_ends(canvas, self.start, self.goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        figures.count("expanded so far", self.stepper.step as usize);
        figures.count("nodes in all", self.search.as_ref().map_or(0, |search| search.nodes().len()));
        figures.push("length", self.straight.as_ref().map_or(f32::NAN, |line| line.length), "m");
        let best = self.stage.shortest(self.start, self.goal).map_or(f32::NAN, |path| path.straight.length);
        figures.push("shortest of all", best, "m");
    }
}
