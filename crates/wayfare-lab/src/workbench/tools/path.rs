//! The path tester: every search, step by step, and the other queries around a position.

use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::tool::{Click, Tool};
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::debug::{draw_partial_path, draw_path, draw_search_step};
use wayfare::graph::{RecordedSearch, SearchRecord};
use wayfare::mesh::{NavMesh, PolyPoint, PolyRef};
use wayfare::query::{
    Crossings, DefaultFilter, NavQuery, NodePlacement, PathRequest, SearchScratch, add_crossings, find_path,
    string_pull,
};

/// What is asked.
const QUESTIONS: [&str; 8] = [
    "A* and string pulling",
    "Shortest in any direction",
    "Hierarchical",
    "Ray",
    "Distance to a wall",
    "Around a circle",
    "Neighbourhood",
    "Move along",
];
const ANY_ANGLE: usize = 1;
const HIERARCHICAL: usize = 2;
const RAY: usize = 3;
const WALL: usize = 4;
const AROUND: usize = 5;
const NEIGHBOURHOOD: usize = 6;
const MOVE: usize = 7;

const PLACEMENTS: [&str; 3] = ["Middle of portals", "Nearest point", "Visible point"];
const CROSSINGS: [&str; 3] = ["Corners only", "Where the area changes", "At every portal"];

/// The tool.
#[derive(Debug)]
pub struct PathTool {
    start: Option<Vec3>,
    goal: Option<Vec3>,
    /// Start and goal before each click.
    before: Vec<[Option<Vec3>; 2]>,
    question: usize,
    placement: usize,
    crossings: usize,
    radius: f32,
    shows_search: bool,
    /// How many nodes are expanded in the drawing; all if at the end.
    step: u32,
    plays: bool,
    asked: Option<u64>,
    answer: Answer,
}

/// What came back.
#[derive(Clone, Debug, Default)]
struct Answer {
    status: String,
    is_complete: bool,
    points: Vec<Vec3>,
    corridor: Vec<PolyRef>,
    costs: Vec<(PolyRef, f32)>,
    segments: Vec<[Vec3; 2]>,
    circle: Option<(Vec3, f32)>,
    record: Option<RecordedSearch<PolyRef>>,
    figures: Vec<(&'static str, String)>,
}

impl Default for PathTool {
    fn default() -> Self {
        Self {
            start: None,
            goal: None,
            before: Vec::new(),
            question: 0,
            placement: 0,
            crossings: 0,
            radius: 5.0,
            shows_search: false,
            step: 0,
            plays: false,
            asked: None,
            answer: Answer::default(),
        }
    }
}

impl PathTool {
    /// Asks for a path from one point to another.
    pub fn ask(&mut self, start: Vec3, goal: Vec3) {
        self.start = Some(start);
        self.goal = Some(goal);
        self.asked = None;
    }

    /// The points of the answer's path.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.answer.points
    }

    fn needs_goal(&self) -> bool {
        !matches!(self.question, WALL | AROUND | NEIGHBOURHOOD)
    }

    fn answer(&mut self, stage: &Stage) {
        if self.asked == Some(stage.version()) {
            return;
        }
        self.asked = Some(stage.version());
        self.answer = Answer::default();
        let (Some(mesh), Some(start)) = (stage.mesh(), self.start) else { return };
        let Some(from) = stage.on_mesh(start) else {
            self.answer.status = "The start is not on the mesh.".to_owned();
            return;
        };
        let goal = self.goal.unwrap_or(start);
        if self.needs_goal() && self.goal.is_none() {
            return;
        }
        self.answer = match self.question {
            RAY => ray(mesh, from, goal),
            WALL => wall(mesh, from, self.radius),
            AROUND => around(mesh, from, self.radius),
            NEIGHBOURHOOD => neighbourhood(mesh, from, self.radius),
            MOVE => move_along(mesh, from, goal),
            question => match stage.on_mesh(goal) {
                Some(to) => path(mesh, [from, to], question, [self.placement, self.crossings]),
                None => Answer { status: "The goal is not on the mesh.".to_owned(), ..Answer::default() },
            },
        };
        self.step = self.answer.record.as_ref().map_or(0, |record| record.closed_order().len() as u32);
        if !self.answer.is_complete && !self.answer.points.is_empty() {
            let why = NavQuery::of(mesh).explain(start, goal);
            self.answer.status = format!("{}: {why}", self.answer.status);
        }
    }
}

fn placement_of(number: usize) -> NodePlacement {
    [NodePlacement::Middle, NodePlacement::Nearest, NodePlacement::Visible][number.min(2)]
}

fn path(mesh: &NavMesh, [from, to]: [PolyPoint; 2], question: usize, [placement, crossings]: [usize; 2]) -> Answer {
    let filter = DefaultFilter::of(mesh);
    let mut scratch = SearchScratch::new().observed_by(SearchRecord::new());
    let request = PathRequest { placement: placement_of(placement), ..PathRequest::new(from, to) };
    let found = match question {
        ANY_ANGLE => wayfare::query::find_optimal_path(mesh, &PathRequest::new(from, to), &filter, &mut scratch)
            .map(|found| (found.path, found.straight)),
        HIERARCHICAL => {
            return super::hierarchy::abstract_path(mesh, from, to).map_or_else(failed, |(points, figures)| {
                let is_complete = points.len() > 1;
                let status = if is_complete { "complete" } else { "none" }.to_owned();
                Answer { status, is_complete, points, figures, ..Answer::default() }
            });
        }
        _ => find_path(mesh, &request, &filter, &mut scratch).map(|path| {
            let straight = string_pull(&path, &mut scratch);
            (path, straight)
        }),
    };
    let (path, mut straight) = match found {
        Ok(found) => found,
        Err(stale) => return failed(stale),
    };
    let length = straight.length;
    let between = [None, Some(Crossings::Areas), Some(Crossings::All)][crossings.min(2)];
    if let Some(Ok(with_more)) = between.map(|between| add_crossings(mesh, &path, between, &straight)) {
        straight = with_more;
    }
    let record = std::mem::take(scratch.observer_mut());
    Answer {
        status: format!("{:?}", path.status).to_lowercase(),
        is_complete: path.status == PathStatus::Complete,
        points: straight.points.iter().map(|point| point.point).collect(),
        figures: vec![
            ("Length", format!("{length:.2} m")),
            ("Cost", format!("{:.2}", path.cost)),
            ("Corners", straight.points.len().to_string()),
            ("Polygons", path.polys.len().to_string()),
            ("Nodes", path.nodes.to_string()),
        ],
        corridor: path.polys,
        record: record.searches().last().cloned(),
        ..Answer::default()
    }
}

fn failed(error: impl core::fmt::Display) -> Answer {
    Answer { status: error.to_string(), ..Answer::default() }
}

fn ray(mesh: &NavMesh, from: PolyPoint, goal: Vec3) -> Answer {
    let mut query = NavQuery::of(mesh);
    let ray = match query.ray(from, goal) {
        Ok(ray) => ray,
        Err(stale) => return failed(stale),
    };
    let status = if ray.hit { "hits a wall" } else { "free" }.to_owned();
    let mut segments = Vec::new();
    if ray.hit {
        segments.push([ray.point, ray.point + ray.normal]);
    }
    Answer {
        status,
        is_complete: !ray.hit,
        points: vec![from.point, ray.point],
        corridor: ray.polys.clone(),
        segments,
        figures: vec![("Free part", format!("{:.0} %", ray.t.min(1.0) * 100.0))],
        ..Answer::default()
    }
}

fn wall(mesh: &NavMesh, from: PolyPoint, radius: f32) -> Answer {
    let mut query = NavQuery::of(mesh);
    match query.nearest_wall(from, radius.max(0.1)) {
        Ok(Some(wall)) => Answer {
            status: "found".to_owned(),
            is_complete: true,
            segments: vec![[from.point, wall.point], [wall.wall.start, wall.wall.end]],
            circle: Some((from.point, wall.distance)),
            figures: vec![("Distance", format!("{:.2} m", wall.distance))],
            ..Answer::default()
        },
        Ok(None) => Answer {
            status: "no wall within the radius".to_owned(),
            is_complete: true,
            circle: Some((from.point, radius)),
            ..Answer::default()
        },
        Err(stale) => failed(stale),
    }
}

fn around(mesh: &NavMesh, from: PolyPoint, radius: f32) -> Answer {
    let mut query = NavQuery::of(mesh);
    match query.around(from, radius) {
        Ok(reached) => Answer {
            status: "found".to_owned(),
            is_complete: true,
            costs: reached.iter().map(|reached| (reached.poly, reached.cost)).collect(),
            circle: Some((from.point, radius)),
            figures: vec![("Polygons", reached.len().to_string())],
            ..Answer::default()
        },
        Err(stale) => failed(stale),
    }
}

fn neighbourhood(mesh: &NavMesh, from: PolyPoint, radius: f32) -> Answer {
    let mut query = NavQuery::of(mesh);
    let polys = match query.neighbourhood(from, radius) {
        Ok(polys) => polys.to_vec(),
        Err(stale) => return failed(stale),
    };
    let filter = DefaultFilter::of(mesh);
    let mut segments = Vec::new();
    for &poly in &polys {
        if let Ok(walls) = wayfare::query::wall_segments(mesh, poly, &filter) {
            segments.extend(walls.iter().map(|wall| [wall.start, wall.end]));
        }
    }
    Answer {
        status: "found".to_owned(),
        is_complete: true,
        figures: vec![("Polygons", polys.len().to_string()), ("Walls", segments.len().to_string())],
        corridor: polys,
        segments,
        circle: Some((from.point, radius)),
        ..Answer::default()
    }
}

fn move_along(mesh: &NavMesh, from: PolyPoint, goal: Vec3) -> Answer {
    let mut query = NavQuery::of(mesh);
    let moved = match query.move_along(from, goal) {
        Ok(Some(moved)) => moved,
        Ok(None) => return Answer { status: "cannot move".to_owned(), ..Answer::default() },
        Err(stale) => return failed(stale),
    };
    Answer {
        status: "moved".to_owned(),
        is_complete: true,
        points: vec![from.point, moved.point],
        segments: vec![[moved.point, Vec3::new(goal.x, moved.point.y, goal.z)]],
        corridor: query.moved_over().to_vec(),
        figures: vec![("Moved", format!("{:.2} m", from.point.distance(moved.point)))],
        ..Answer::default()
    }
}

impl Tool for PathTool {
    fn title(&self) -> &'static str {
        "Path"
    }

    fn help(&self) -> &'static str {
        "Click where to go; Shift-click where to begin. The first click sets the start. Turn on \"Show the \
         search\" to see which polygons were looked at, and drag the step to watch it grow."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        let mut changed = controls.choice("Question", &mut self.question, &QUESTIONS);
        if self.question == 0 {
            controls.hint("Where a search places its nodes on the portals between polygons");
            changed |= controls.choice("Nodes", &mut self.placement, &PLACEMENTS);
        }
        if self.question <= ANY_ANGLE {
            controls.hint("Further points of the straight path");
            changed |= controls.choice("Points", &mut self.crossings, &CROSSINGS);
            controls.hint("Draws the nodes of the search: closed ones, open ones, and from where each was entered");
            controls.toggle("Show the search", &mut self.shows_search);
        }
        if matches!(self.question, WALL | AROUND | NEIGHBOURHOOD) {
            changed |= controls.slider("Radius", &mut self.radius, 0.5..=40.0);
        }
        if changed {
            self.asked = None;
        }
        self.answer(stage);
        if self.start.is_none() {
            controls.note("Click on the level to set the start.");
        } else if self.goal.is_none() && self.needs_goal() {
            controls.note("Now click where to go.");
        }
        if !self.answer.status.is_empty() {
            controls.heading("Answer");
            controls.figure("Status", &self.answer.status);
            for (name, value) in &self.answer.figures {
                controls.figure(name, value);
            }
        }
        if let (true, Some(record)) = (self.shows_search, &self.answer.record) {
            let most = record.closed_order().len() as u32;
            controls.heading("Search");
            controls.count("Step", &mut self.step, 0..=most);
            if controls.button(if self.plays { "Stop" } else { "Play" }) {
                self.plays = !self.plays;
                if self.plays && self.step >= most {
                    self.step = 0;
                }
            }
            for (ink, text) in [
                (Ink::Current, "expanded in this step"),
                (Ink::Closed, "closed: expanded before"),
                (Ink::Open, "open: still to be expanded"),
                (Ink::Tree, "from where each was entered"),
            ] {
                controls.key(ink, text);
            }
            controls.figure("Nodes opened", &record.nodes().len().to_string());
            controls.figure("Nodes improved", &record.improvements().to_string());
        }
        if self.start.is_some() && controls.button("Swap start and goal") {
            std::mem::swap(&mut self.start, &mut self.goal);
            self.asked = None;
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        self.before.push([self.start, self.goal]);
        if click.shift || self.start.is_none() {
            self.start = Some(click.at);
        } else {
            self.goal = Some(click.at);
        }
        if !self.needs_goal() {
            self.start = Some(click.at);
        }
        self.asked = None;
        self.answer(stage);
    }

    fn update(&mut self, stage: &mut Stage, _: f32) -> bool {
        self.answer(stage);
        let most = self.answer.record.as_ref().map_or(0, |record| record.closed_order().len() as u32);
        if self.plays && self.shows_search {
            self.step += 1;
            self.plays = self.step < most;
        }
        self.plays && self.shows_search
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        let Some(mesh) = stage.mesh() else { return };
        let most = self.answer.costs.iter().fold(0.01, |most: f32, &(_, cost)| most.max(cost));
        for &(poly, cost) in &self.answer.costs {
            fill(mesh, poly, Ink::Value(cost / most), canvas);
        }
        for &poly in &self.answer.corridor {
            fill(mesh, poly, Ink::Path(0), canvas);
        }
        if let (true, Some(record)) = (self.shows_search, &self.answer.record) {
            draw_steps(record, self.step, canvas);
        }
        if let Some((centre, radius)) = self.answer.circle {
            canvas.circle(centre, radius, Pen::of(Ink::Current).width(2.0));
        }
        for segment in &self.answer.segments {
            canvas.path(segment, Pen::of(Ink::Forbidden).width(3.0));
        }
        let goal = self.goal.filter(|_| self.needs_goal());
        match (self.answer.is_complete, self.answer.points.last()) {
            (true, Some(&end)) => draw_path(&self.answer.points, end, 0, canvas),
            (false, Some(&end)) => draw_partial_path(&self.answer.points, goal.unwrap_or(end), 0, canvas),
            _ => {}
        }
        for (end, ink) in [(self.start, Ink::Start), (goal, Ink::Goal)] {
            if let Some(at) = end {
                let at = stage.on_mesh(at).map_or(at, |place| place.point);
                canvas.agent(at, stage.agent_size(), Vec3::ZERO, ink);
                canvas.circle(at, stage.agent_size().0, Pen::of(ink).width(2.0));
            }
        }
    }

    fn undo(&mut self, _: &mut Stage) -> bool {
        let Some([start, goal]) = self.before.pop() else { return false };
        self.start = start;
        self.goal = goal;
        self.asked = None;
        true
    }

    fn points(&self) -> Vec<Vec3> {
        self.start.into_iter().chain(self.goal).collect()
    }

    fn set_points(&mut self, _: &mut Stage, points: &[Vec3]) {
        self.start = points.first().copied();
        self.goal = points.get(1).copied();
        self.asked = None;
    }

    fn reset(&mut self) {
        *self = Self {
            question: self.question,
            placement: self.placement,
            crossings: self.crossings,
            radius: self.radius,
            shows_search: self.shows_search,
            ..Self::default()
        };
    }
}

/// A polygon of the mesh, see-through.
pub(crate) fn fill(mesh: &NavMesh, poly: PolyRef, ink: Ink, canvas: &mut Canvas) {
    if let Ok(view) = mesh.poly(poly) {
        let corners: Vec<Vec3> = view.points().map(|corner| corner + Vec3::Y * 0.02).collect();
        canvas.fill(&corners, ink, 0.3);
    }
}

/// The search as it was after so many nodes had been expanded.
fn draw_steps(record: &RecordedSearch<PolyRef>, step: u32, canvas: &mut Canvas) {
    let step = record.at_step(step);
    draw_search_step(&step, canvas);
    if let Some(current) = step.current() {
        canvas.dot(current.at, 13.0, Ink::Current);
        canvas.label(current.at, format!("g {:.1}  f {:.1}", current.cost, current.total), Ink::Text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;
    use crate::workbench::testing::baked_stage;

    fn asked(scene: &str, question: usize) -> (PathTool, Stage) {
        let mut stage = baked_stage(scene);
        let [from, to] = stage.level.as_ref().unwrap().errand.unwrap();
        let mut tool = PathTool { question, ..PathTool::default() };
        tool.click(&mut stage, &Click::at(from));
        tool.click(&mut stage, &Click::at(to));
        (tool, stage)
    }

    #[test]
    fn two_clicks_find_a_path_and_it_is_drawn() {
        for question in [0, ANY_ANGLE, HIERARCHICAL] {
            let (mut tool, mut stage) = asked("dungeon", question);
            assert!(tool.points().len() > 1, "{}: {}", QUESTIONS[question], tool.answer.status);
            let mut script = Script::default();
            tool.panel(&mut stage, &mut script);
            assert_eq!(script.figure("Status"), Some("complete"));
            let mut canvas = Canvas::new();
            tool.draw(&stage, &mut canvas);
            assert!(!canvas.lines.is_empty() && !canvas.discs.is_empty());
        }
    }

    #[test]
    fn every_question_has_an_answer() {
        for (question, name) in QUESTIONS.iter().enumerate() {
            let (tool, stage) = asked("stairs", question);
            assert!(!tool.answer.status.is_empty(), "{name}");
            let mut canvas = Canvas::new();
            tool.draw(&stage, &mut canvas);
            assert!(!canvas.discs.is_empty(), "{name}");
        }
    }

    #[test]
    fn the_search_grows_step_by_step() {
        let (mut tool, mut stage) = asked("dungeon", 0);
        tool.panel(&mut stage, &mut Script::set("Show the search", 1.0));
        let dots = |tool: &PathTool| {
            let mut canvas = Canvas::new();
            tool.draw(&stage, &mut canvas);
            canvas.dots.len()
        };
        let all = dots(&tool);
        tool.step = 3;
        assert!(dots(&tool) < all);
    }

    #[test]
    fn a_mesh_that_changes_is_asked_again() {
        let (mut tool, mut stage) = asked("dungeon", 0);
        let tiles: Vec<_> = stage.mesh().unwrap().tiles().map(|tile| tile.tile_ref()).collect();
        stage.edit("all tiles", |mesh| tiles.iter().filter(|&&tile| mesh.remove_tile(tile).is_ok()).count());
        tool.update(&mut stage, 0.0);
        assert!(tool.points().is_empty());
    }
}
