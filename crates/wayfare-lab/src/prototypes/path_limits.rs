//! The possible answers to a path query: a path, a path that ends as near as possible, or one that a limit cut off;
//! and why.
//!
//! Sources: Mikko Mononen, "Detour API Change" and "Detour Return Codes Take 2", Digesting Duck, October and November
//! 2010.

use crate::kit::stage::draw_ends;
use crate::kit::watch::{draw_upto, watched};
use crate::kit::{Stage, lifted};
use crate::prelude::*;
use wayfare::area::PathStatus;
use wayfare::graph::RecordedSearch;
use wayfare::mesh::PolyRef;
use wayfare::query::{
    DefaultFilter, NoPath, PathExplanation, PathQuestion, PolyPath, SearchLimits, SearchScratch, StraightPath,
    explain_path, find_path, string_pull,
};

#[derive(Clone)]
pub(super) struct PathLimits {
    start: Vec3,
    goal: Vec3,
    nodes: u32,
    cost: f32,
    stage: Stage,
    answer: Option<(PolyPath, StraightPath)>,
    explanation: Option<PathExplanation>,
    search: Option<RecordedSearch<PolyRef>>,
    asked: (u32, f32, [Vec3; 2]),
}

impl Default for PathLimits {
    fn default() -> Self {
        Self {
            start: Vec3::new(-17.0, 0.0, -16.0),
            goal: Vec3::new(17.0, 0.0, 16.0),
            nodes: 24,
            cost: 80.0,
            stage: Stage::default(),
            answer: None,
            explanation: None,
            search: None,
            asked: (0, 0.0, [Vec3::NAN; 2]),
        }
    }
}

impl PathLimits {
    fn ask(&mut self) {
        let asked = (self.nodes, self.cost, [self.start, self.goal]);
        if self.asked == asked {
            return;
        }
        self.asked = asked;
        let filter = DefaultFilter::of(&self.stage.mesh);
        let limits = SearchLimits { max_nodes: self.nodes, max_cost: self.cost };
        let mut scratch = watched();
        self.answer = self.stage.request(self.start, self.goal).and_then(|mut request| {
            request.limits = limits;
            let path = find_path(&self.stage.mesh, &request, &filter, &mut scratch).ok()?;
            let straight = string_pull(&path, &mut scratch);
            Some((path, straight))
        });
        self.search = scratch.observer().searches().first().cloned();
        let question = PathQuestion { from: self.start, to: self.goal, half_extents: Vec3::new(1.0, 4.0, 1.0), limits };
        self.explanation = Some(explain_path(&self.stage.mesh, &question, &filter, &mut SearchScratch::new()));
    }

    /// A place near the end of a path where a text covers neither the path nor what leads on from there.
    fn beside_the_end(&self, path: &PolyPath, straight: &StraightPath) -> Vec3 {
        let before = straight.points.iter().rev().nth(1).map_or(self.start, |corner| corner.point);
        let way = (self.goal - path.end).normalize_or(Vec3::X);
        let side = Vec3::new(way.z, 0.0, -way.x);
        path.end - side * if side.dot(before - path.end) > 0.0 { 3.0 } else { -3.0 }
    }
}

impl Prototype for PathLimits {
    fn meta(&self) -> Meta {
        Meta {
            title: "Answers and limits",
            category: Category::Paths,
            help: "No path is an answer, not an error. Let the search have fewer nodes, or a path cost less: it is cut off \
                   and says so, and the path leads as near to the goal as was seen. Drag the goal off the ground or into \
                   a hole to see what the explanation says then.",
            source: "Detour Return Codes Take 2, November 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        params.count("most nodes", &mut self.nodes, 1..=120);
        params.slider("most cost", &mut self.cost, 1.0..=80.0);
    }

    fn init(&mut self, _: &Setup) {
        self.stage = Stage::baked("holes_and_pillars", 0);
        self.asked.0 = 0;
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        if let Some(search) = &self.search {
            draw_upto(canvas, &self.stage, search, u32::MAX);
        }
        if let Some((path, straight)) = &self.answer {
            let pen = Pen::of(Ink::Path(0)).width(4.0);
            let is_whole = path.status == PathStatus::Complete;
            self.stage.draw_line(canvas, straight, if is_whole { pen } else { pen.dashed() });
            if !is_whole {
                canvas.line(lifted(path.end), lifted(self.goal), Pen::of(Ink::Forbidden).dashed());
                canvas.dot(lifted(path.end), 12.0, Ink::Warning);
                canvas.label(self.beside_the_end(path, straight), "as near as was seen", Ink::Text);
            }
        }
        draw_ends(canvas, self.start, self.goal);
    }

    fn figures(&self, figures: &mut Figures) {
        let (path, line) = match &self.answer {
            Some((path, line)) => (Some(path), Some(line)),
            None => (None, None),
        };
        let is_complete = path.is_some_and(|path| path.status == PathStatus::Complete);
        figures.push("complete", if is_complete { 1.0 } else { 0.0 }, "");
        figures.push("nodes", path.map_or(0, |path| path.nodes), "");
        figures.push("cost", path.map_or(f32::NAN, |path| path.cost), "");
        figures.push("length", line.map_or(f32::NAN, |line| line.length), "m");
        figures.push("from its end to the goal", path.map_or(f32::NAN, |path| path.end.distance(self.goal)), "m");
    }

    fn report(&self, report: &mut Report) {
        let Some(explanation) = &self.explanation else { return };
        match explanation.reason {
            NoPath::Found => report.note("a path was found", None),
            reason => {
                report.warn(format!("no path: {}", reason.name()), explanation.blocked_at.or(explanation.reached));
            }
        }
        if let Some((path, _)) = &self.answer {
            let holds = path.status != PathStatus::Complete || path.limit.is_none();
            report.must(holds, "a complete path says that it was cut off", Some(path.end));
        }
    }
}
