//! A shortest path in any direction, against the path in the corridor that A* found. What each node sees is drawn as a
//! cone: from the last bend of the path through a part of a portal.
//!
//! Sources: Michael Cui, Daniel Harabor, Alban Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017;
//! Mikko Mononen, "Towards Better Navmesh Path Planning", Digesting Duck, May 2010.

use crate::kit::stage::draw_ends;
use crate::kit::watch::watched;
use crate::kit::{Stage, Stepper, lift, lifted, maps};
use crate::prelude::*;
use wayfare::graph::RecordedSearch;
use wayfare::mesh::PolyRef;
use wayfare::query::{DefaultFilter, OptimalPath, PolyPath, StraightPath, find_optimal_path};

#[derive(Clone)]
pub(super) struct AnyAngle {
    start: Vec3,
    goal: Vec3,
    stepper: Stepper,
    map: usize,
    stage: Stage,
    search: Option<RecordedSearch<PolyRef>>,
    optimal: Option<OptimalPath>,
    corridor: Option<(PolyPath, StraightPath)>,
    asked: [Vec3; 2],
}

const MAPS: &[&str] = &["courtyard", "holes_and_pillars"];

impl Default for AnyAngle {
    fn default() -> Self {
        Self {
            start: Vec3::new(1.0, 0.0, 14.5),
            goal: Vec3::new(23.0, 0.0, 1.2),
            stepper: Stepper::of_pace(4.0),
            map: 0,
            stage: Stage::default(),
            search: None,
            optimal: None,
            corridor: None,
            asked: [Vec3::NAN; 2],
        }
    }
}

impl AnyAngle {
    fn ask(&mut self) {
        if self.asked == [self.start, self.goal] {
            return;
        }
        self.asked = [self.start, self.goal];
        let mut scratch = watched();
        let filter = DefaultFilter::of(&self.stage.mesh);
        let request = self.stage.request(self.start, self.goal);
        self.optimal =
            request.and_then(|request| find_optimal_path(&self.stage.mesh, &request, &filter, &mut scratch).ok());
        self.search = scratch.observer().searches().first().cloned();
        self.corridor = self.stage.path(self.start, self.goal);
    }

    fn steps(&self) -> u32 {
        self.search.as_ref().map_or(1, |search| search.closed_order().len() as u32 + 1)
    }
}

impl Prototype for AnyAngle {
    fn meta(&self) -> Meta {
        Meta {
            title: "Any angle against corridor",
            category: Category::Searches,
            help: "A corridor search decides between ways by the middles of edges, so its corridor may be the wrong one. \
                   The search in any direction looks along cones from the last bend of a path; the first to see the goal \
                   is the shortest of all. Cones of expanded nodes are drawn one after the other.",
            source: "Compromise-free Pathfinding on a Navigation Mesh, 2017",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        self.stepper.params(params);
        params.choice("map", &mut self.map, MAPS).restarts();
    }

    fn init(&mut self, _: &Setup) {
        self.stage = match self.map {
            0 => Stage::of_outlines(&maps::courtyard()),
            _ => Stage::baked(MAPS[1], 0),
        };
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
        if let Some(search) = &self.search {
            let step = search.at_step(self.stepper.step);
            for (number, cone) in search.cones().iter().filter(|(number, _)| step.is_closed(*number)) {
                let is_last = step.current().is_some_and(|node| node.number == *number);
                let (ink, alpha) = if is_last { (Ink::Current, 0.6) } else { (Ink::Path(6), 0.15) };
                canvas.fill(&lift([cone.root, cone.left, cone.right]), ink, alpha);
                canvas.line(lifted(cone.left), lifted(cone.right), Pen::of(ink).width(if is_last { 5.0 } else { 2.0 }));
                canvas.dot(lifted(cone.root), if is_last { 11.0 } else { 6.0 }, ink);
            }
        }
        if let Some((_, straight)) = &self.corridor {
            self.stage.draw_line(canvas, straight, Pen::of(Ink::Path(0)).width(2.5).dashed());
        }
        if let Some(path) = &self.optimal {
            self.stage.draw_line(canvas, &path.straight, Pen::of(Ink::Path(2)).width(4.0));
        }
        draw_ends(canvas, self.start, self.goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        let optimal = self.optimal.as_ref().map_or(f32::NAN, |path| path.straight.length);
        let corridor = self.corridor.as_ref().map_or(f32::NAN, |(_, line)| line.length);
        figures.push("any angle", optimal, "m");
        figures.push("corridor", corridor, "m");
        figures.push("saved", (1.0 - optimal / corridor) * 100.0, "%");
        figures.count("nodes, any angle", self.search.as_ref().map_or(0, |search| search.nodes().len()));
        figures.push("nodes, corridor", self.corridor.as_ref().map_or(0, |(path, _)| path.nodes), "");
        figures.push("at most so much too dear", self.optimal.as_ref().map_or(f32::NAN, |path| path.bound), "×");
    }

    fn report(&self, report: &mut Report) {
        if let (Some(optimal), Some((_, corridor))) = (&self.optimal, &self.corridor) {
            let holds = optimal.straight.length <= corridor.length + 1e-2;
            report.must(holds, "the shortest path is longer than the corridor's", Some(self.goal));
        }
    }
}
