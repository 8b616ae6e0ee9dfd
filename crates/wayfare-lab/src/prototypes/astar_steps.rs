//! A* over polygons, a few nodes each tick: the search in slices, with its open and closed lists.
//!
//! Sources: Mikko Mononen, "Detour Sliced Path Find", Digesting Duck, August 2010; Peter Hart, Nils Nilsson, Bertram
//! Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968.

use crate::kit::stage::draw_ends;
use crate::kit::watch::draw_upto;
use crate::kit::{Stage, lifted};
use crate::prelude::*;
use wayfare::area::PathStatus;
use wayfare::context::Budget;
use wayfare::graph::SearchRecord;
use wayfare::mesh::PolyRef;
use wayfare::query::{DefaultFilter, NodePlacement, PolyPath, SearchScratch, SlicedSearch, StraightPath, string_pull};

/// Seconds for which the answer is shown before the search begins anew.
const PAUSE: f32 = 3.0;

#[derive(Clone)]
pub(super) struct AstarSteps {
    start: Vec3,
    goal: Vec3,
    pace: f32,
    by_hand: bool,
    costs: bool,
    scene: usize,
    stage: Stage,
    search: Option<SlicedSearch<NodePlacement, SearchRecord<PolyRef>>>,
    answer: Option<(PolyPath, StraightPath)>,
    asked: [Vec3; 2],
    due: f32,
    rest: f32,
}

const SCENES: &[&str] = &["yard", "holes_and_pillars", "two_floors", "offices"];

impl Default for AstarSteps {
    fn default() -> Self {
        Self {
            start: Vec3::new(-17.0, 0.0, -16.0),
            goal: Vec3::new(17.0, 0.0, 16.0),
            pace: 20.0,
            by_hand: false,
            costs: false,
            scene: 1,
            stage: Stage::default(),
            search: None,
            answer: None,
            asked: [Vec3::NAN; 2],
            due: 0.0,
            rest: 0.0,
        }
    }
}

impl AstarSteps {
    fn begin(&mut self) {
        self.asked = [self.start, self.goal];
        (self.answer, self.rest, self.due) = (None, PAUSE, 0.0);
        let filter = DefaultFilter::of(&self.stage.mesh);
        let scratch = SearchScratch::new().observed_by(SearchRecord::new());
        let request = self.stage.request(self.start, self.goal);
        self.search =
            request.and_then(|request| SlicedSearch::with_scratch(&self.stage.mesh, &request, &filter, scratch).ok());
    }

    fn expand(&mut self, nodes: u64) {
        let Some(search) = &mut self.search else { return };
        if nodes == 0 || search.is_finished() {
            return;
        }
        if search.step(&DefaultFilter::of(&self.stage.mesh), &mut Budget::new(nodes)) {
            let (path, _) = search.path(&self.stage.mesh);
            let straight = string_pull(&path, &mut SearchScratch::new());
            self.answer = Some((path, straight));
        }
    }
}

impl Prototype for AstarSteps {
    fn meta(&self) -> Meta {
        Meta {
            title: "A*, step by step",
            category: Category::Searches,
            help: "The cheapest open node (blue) is expanded and becomes closed (orange); its neighbours are opened. Each \
                   node is entered from the one on the cheapest way to it: the tree. The search runs in slices of a few \
                   nodes a tick, as a game would run it. Drag start and goal; expand by hand with Enter.",
            source: "Detour Sliced Path Find, August 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        params.slider("nodes a second", &mut self.pace, 1.0..=600.0);
        params.toggle("by hand", &mut self.by_hand).help("Enter expands one node.");
        params.toggle("costs", &mut self.costs).help("At each open node: cost so far + estimate.");
        params.choice("scene", &mut self.scene, SCENES).restarts();
    }

    fn init(&mut self, _: &Setup) {
        self.stage = Stage::baked(SCENES[self.scene.min(SCENES.len() - 1)], 0);
        self.begin();
    }

    fn changed(&mut self) {
        if self.asked != [self.start, self.goal] {
            self.begin();
        }
    }

    fn update(&mut self, dt: f32, input: &Input) {
        if self.by_hand {
            self.expand(u64::from(input.was_pressed(Key::Enter)));
            return;
        }
        self.due += dt * self.pace;
        let nodes = self.due as u32;
        self.due -= nodes as f32;
        self.expand(u64::from(nodes));
        if self.answer.is_some() {
            self.rest -= dt;
            if self.rest < 0.0 {
                self.begin();
            }
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        if let Some(record) = self.search.as_ref().and_then(|search| search.observer().searches().first()) {
            draw_upto(canvas, &self.stage, record, u32::MAX);
            let open = record.nodes().iter().filter(|node| self.costs && !record.is_closed(node.number));
            for node in open {
                let text = format!("{:.0}+{:.0}", node.cost, node.total - node.cost);
                canvas.label(lifted(node.at), text, Ink::Open);
            }
        }
        if let Some((path, straight)) = &self.answer {
            self.stage.fill(canvas, &path.polys, Ink::Path(0), 0.3);
            self.stage.draw_line(canvas, straight, Pen::of(Ink::Path(0)).width(4.0));
        }
        draw_ends(canvas, self.start, self.goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        let record = self.search.as_ref().and_then(|search| search.observer().searches().first());
        let (nodes, closed) = record.map_or((0, 0), |record| (record.nodes().len(), record.closed_order().len()));
        figures.count("polygons", self.stage.mesh.tiles().map(|tile| tile.poly_count() as usize).sum());
        figures.count("nodes found", nodes);
        figures.count("expanded", closed);
        figures.count("improved", record.map_or(0, |record| record.improvements() as usize));
        figures.push("length", self.answer.as_ref().map_or(f32::NAN, |(_, line)| line.length), "m");
    }

    fn report(&self, report: &mut Report) {
        if let Some((path, _)) = &self.answer {
            match path.status {
                PathStatus::Complete => report.note("the goal was reached", Some(path.end)),
                _ => report.warn("there is no path: this leads as near as can be", Some(path.end)),
            }
        }
    }
}
