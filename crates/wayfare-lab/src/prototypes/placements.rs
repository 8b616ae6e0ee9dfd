//! Where A* puts its nodes decides which corridor it takes: three placements on the same question.
//!
//! Sources: Mikko Mononen, "Towards Better Navmesh Path Planning", May 2010, "Navmesh Node Locations" and "Visibility
//! Optimized Graph Experiment", Digesting Duck, August 2010.

use crate::kit::stage::draw_ends;
use crate::kit::watch::{draw_upto, watched};
use crate::kit::{Stage, maps};
use crate::prelude::*;
use wayfare::graph::RecordedSearch;
use wayfare::mesh::PolyRef;
use wayfare::query::{DefaultFilter, NodePlacement, StraightPath, find_path, string_pull};

const NAMES: &[&str] = &["middle of the edge", "nearest point", "towards the goal"];
const MAPS: &[&str] = &["courtyard", "holes, one tile", "holes, tiles"];
const FIGURES: [[&str; 2]; 3] =
    [["middle: length", "middle: nodes"], ["nearest: length", "nearest: nodes"], ["visible: length", "visible: nodes"]];
const PLACEMENTS: [NodePlacement; 3] = [NodePlacement::Middle, NodePlacement::Nearest, NodePlacement::Visible];

#[derive(Clone)]
pub(super) struct Placements {
    start: Vec3,
    goal: Vec3,
    shown: usize,
    skeleton: bool,
    map: usize,
    stage: Stage,
    answers: Vec<Answer>,
    shortest: f32,
    asked: [Vec3; 2],
}

#[derive(Clone)]
struct Answer {
    straight: StraightPath,
    search: RecordedSearch<PolyRef>,
}

impl Default for Placements {
    fn default() -> Self {
        Self {
            start: Vec3::new(1.0, 0.0, 14.5),
            goal: Vec3::new(23.0, 0.0, 1.2),
            shown: 0,
            skeleton: true,
            map: 0,
            stage: Stage::default(),
            answers: Vec::new(),
            shortest: f32::NAN,
            asked: [Vec3::NAN; 2],
        }
    }
}

impl Placements {
    fn ask(&mut self) {
        if self.asked == [self.start, self.goal] {
            return;
        }
        self.asked = [self.start, self.goal];
        self.answers.clear();
        self.shortest = self.stage.shortest(self.start, self.goal).map_or(f32::NAN, |path| path.straight.length);
        let Some(request) = self.stage.request(self.start, self.goal) else { return };
        let filter = DefaultFilter::of(&self.stage.mesh);
        for placement in PLACEMENTS {
            let mut scratch = watched();
            let request = request.placed_by(placement);
            let Ok(path) = find_path(&self.stage.mesh, &request, &filter, &mut scratch) else { continue };
            let straight = string_pull(&path, &mut scratch);
            let Some(search) = scratch.observer().searches().first().cloned() else { continue };
            self.answers.push(Answer { straight, search });
        }
    }
}

impl Prototype for Placements {
    fn meta(&self) -> Meta {
        Meta {
            title: "Node placements compared",
            category: Category::Searches,
            help: "A* runs on a skeleton of nodes on polygon edges, not on the polygons themselves. Where large polygons \
                   lie beside small ones, the shortest way along the skeleton can be a detour. Choose which skeleton is \
                   shown; the dashed line is the shortest path of all. Drag start and goal until the three disagree.",
            source: "Towards Better Navmesh Path Planning, May 2010; Navmesh Node Locations, August 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        params.choice("skeleton of", &mut self.shown, NAMES);
        params.toggle("show skeleton", &mut self.skeleton);
        params.choice("map", &mut self.map, MAPS).restarts();
    }

    fn init(&mut self, _: &Setup) {
        self.stage = match self.map {
            0 => Stage::of_outlines(&maps::courtyard()),
            1 => Stage::baked("holes_and_pillars", 0),
            _ => Stage::baked("holes_and_pillars", 32),
        };
        self.asked = [Vec3::NAN; 2];
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        if let (true, Some(answer)) = (self.skeleton, self.answers.get(self.shown)) {
            draw_upto(canvas, &self.stage, &answer.search, u32::MAX);
        }
        if let Some(path) = self.stage.shortest(self.start, self.goal) {
            self.stage.draw_line(canvas, &path.straight, Pen::of(Ink::Text).width(2.0).dashed());
        }
        for (number, answer) in (0..).zip(&self.answers) {
            let width = if number as usize == self.shown { 4.5 } else { 2.5 };
            self.stage.draw_line(canvas, &answer.straight, Pen::of(Ink::Path(number)).width(width));
        }
        draw_ends(canvas, self.start, self.goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        figures.push("shortest of all", self.shortest, "m");
        for (i, [length, nodes]) in FIGURES.into_iter().enumerate() {
            let answer = self.answers.get(i);
            figures.push(length, answer.map_or(f32::NAN, |answer| answer.straight.length), "m");
            figures.count(nodes, answer.map_or(0, |answer| answer.search.nodes().len()));
        }
    }

    fn report(&self, report: &mut Report) {
        for answer in &self.answers {
            let holds = answer.straight.length >= self.shortest - 1e-2;
            report.must(holds, "a corridor's line is shorter than the shortest path", Some(self.goal));
        }
    }
}
