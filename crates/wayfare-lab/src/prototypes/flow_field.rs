//! A flow field: one search from the goal backwards serves everybody who goes there.
//!
//! Sources: Mikko Mononen, "Path Following Performance pt. 2" (the spike of new requests), Digesting Duck, August 2010;
//! Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959.

use crate::kit::{Stage, lifted, maps};
use crate::prelude::*;
use wayfare::crowd::FlowField as Field;
use wayfare::math::Rng;
use wayfare::query::{
    DefaultFilter, PathRequest, PointSampler, PolyPath, PolyPoint, SearchLimits, SearchScratch, find_path, string_pull,
};

#[derive(Clone)]
pub(super) struct FlowField {
    goal: Vec3,
    travellers: u32,
    map: usize,
    stage: Stage,
    starts: Vec<PolyPoint>,
    field: Option<Field>,
    lines: Vec<Vec<Vec3>>,
    /// Nodes of as many single searches, and lengths of both.
    single_nodes: u64,
    lengths: [f32; 2],
    asked: Vec3,
}

const MAPS: &[&str] = &["courtyard", "holes_and_pillars", "offices"];

impl Default for FlowField {
    fn default() -> Self {
        Self {
            goal: Vec3::new(22.5, 0.0, 9.0),
            travellers: 60,
            map: 0,
            stage: Stage::default(),
            starts: Vec::new(),
            field: None,
            lines: Vec::new(),
            single_nodes: 0,
            lengths: [0.0; 2],
            asked: Vec3::NAN,
        }
    }
}

impl FlowField {
    fn ask(&mut self) {
        if self.asked == self.goal {
            return;
        }
        self.asked = self.goal;
        self.lines.clear();
        (self.single_nodes, self.lengths) = (0, [0.0; 2]);
        let filter = DefaultFilter::of(&self.stage.mesh);
        let mesh = &self.stage.mesh;
        let Some(goal) = self.stage.place(self.goal) else { return };
        self.field = Field::new(mesh, goal, SearchLimits::default(), &filter).ok();
        let Some(field) = &self.field else { return };
        let (mut path, mut scratch) = (PolyPath::default(), SearchScratch::new());
        for &start in &self.starts {
            field.path_from(mesh, start, &filter, &mut path);
            let line = string_pull(&path, &mut scratch);
            self.lengths[0] += line.length;
            self.lines.push(line.points.iter().map(|corner| lifted(corner.point)).collect());
            if let Ok(single) = find_path(mesh, &PathRequest::new(start, goal), &filter, &mut scratch) {
                self.single_nodes += u64::from(single.nodes);
                self.lengths[1] += string_pull(&single, &mut scratch).length;
            }
        }
    }
}

impl Prototype for FlowField {
    fn meta(&self) -> Meta {
        Meta {
            title: "Flow field",
            category: Category::Crowds,
            help: "When many go to one place, one search from the goal over all the ground is cheaper than one for each: \
                   every polygon then knows its cost (bright is far) and the next polygon on the way. Drag the goal, add \
                   travellers, and compare the nodes.",
            source: "Path Following Performance pt. 2, August 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("goal", &mut self.goal);
        params.count("travellers", &mut self.travellers, 1..=400).restarts();
        params.choice("map", &mut self.map, MAPS).restarts();
    }

    fn init(&mut self, setup: &Setup) {
        self.stage = match self.map {
            0 => Stage::of_outlines(&maps::courtyard()),
            other => Stage::baked(MAPS[other.min(MAPS.len() - 1)], 0),
        };
        let filter = DefaultFilter::of(&self.stage.mesh);
        let sampler = PointSampler::on_mesh(&self.stage.mesh, &filter);
        let mut rng = Rng::new(setup.seed);
        let sample = |_| sampler.sample(&self.stage.mesh, &mut rng).ok().flatten();
        self.starts = (0..self.travellers).filter_map(sample).collect();
        self.asked = Vec3::NAN;
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        if let Some(field) = &self.field {
            let polys =
                || self.stage.mesh.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly)));
            let most = polys().filter_map(|poly| field.cost_from(poly)).fold(1e-3, f32::max);
            for poly in polys() {
                if let Some(cost) = field.cost_from(poly) {
                    self.stage.fill_one(canvas, poly, Ink::Value(cost / most), 0.8);
                }
            }
        }
        for (number, line) in (0..).zip(&self.lines) {
            canvas.path(line, Pen::of(Ink::Text).width(1.2).alpha(0.7));
            if let Some(&start) = line.first() {
                canvas.agent(start, (0.18, 0.5), Vec3::ZERO, Ink::Agent(number));
            }
        }
        canvas.dot(lifted(self.goal), 14.0, Ink::Goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        let polys: usize = self.stage.mesh.tiles().map(|tile| tile.poly_count() as usize).sum();
        figures.count("travellers", self.starts.len());
        figures.count("nodes of one field", polys);
        figures.push("nodes of single searches", self.single_nodes as f64, "");
        figures.push("paths by the field", self.lengths[0], "m");
        figures.push("paths by searches", self.lengths[1], "m");
    }
}
