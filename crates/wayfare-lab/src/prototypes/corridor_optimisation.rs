//! Two repairs of a corridor that has got tangled: by a ray to the corner after the next one, and by a small search.
//!
//! Sources: Mikko Mononen, "Path Corridor Optimizations" and "Path Corridor Topology Optimization in Action", Digesting
//! Duck, November 2010.

use crate::kit::{Stage, lifted};
use crate::prelude::*;
use wayfare::corridor::{CorridorCorner, CorridorScratch, PathCorridor};
use wayfare::mesh::PolyRef;
use wayfare::query::DefaultFilter;

#[derive(Clone)]
pub(super) struct CorridorOptimisation {
    visibility: bool,
    topology: bool,
    range: f32,
    nodes: u32,
    tiles: u32,
    stage: Stage,
    corridor: PathCorridor,
    corners: Vec<CorridorCorner>,
    trail: Vec<Vec3>,
    walked: f32,
    shortcuts: u32,
    repairs: u32,
    goal: Vec3,
    goals_reached: u32,
    ticks: u32,
}

/// The goal wanders over these places while the agent walks: the corridor's end is dragged along behind it.
const TOUR: [Vec3; 5] = [
    Vec3::new(17.0, 0.0, -16.0),
    Vec3::new(17.0, 0.0, 10.0),
    Vec3::new(2.0, 0.0, 16.0),
    Vec3::new(-17.0, 0.0, 8.0),
    Vec3::new(-2.0, 0.0, 3.0),
];

impl Default for CorridorOptimisation {
    fn default() -> Self {
        Self {
            visibility: true,
            topology: true,
            range: 20.0,
            nodes: 32,
            tiles: 16,
            stage: Stage::default(),
            corridor: PathCorridor::default(),
            corners: Vec::new(),
            trail: Vec::new(),
            walked: 0.0,
            shortcuts: 0,
            repairs: 0,
            goal: TOUR[0],
            goals_reached: 0,
            ticks: 0,
        }
    }
}

impl CorridorOptimisation {
    fn drag_goal(&mut self, dt: f32, scratch: &mut CorridorScratch) {
        let filter = DefaultFilter::of(&self.stage.mesh);
        let aim = TOUR[self.goals_reached as usize % TOUR.len()];
        let Some(end) = self.corridor.end() else { return };
        let to = end.point + (aim - end.point).clamp_length_max(7.0 * dt);
        if let Ok(at) = self.corridor.move_end(&self.stage.mesh, to, &filter, scratch) {
            // The way to the next place leads around holes: the goal slides along their walls.
            if at.distance(end.point) < 1.0 * dt || at.distance(aim) < 0.5 {
                self.goals_reached += 1;
            }
            self.goal = at;
        }
    }

    fn optimise(&mut self, scratch: &mut CorridorScratch) {
        let filter = DefaultFilter::of(&self.stage.mesh);
        let before: Vec<PolyRef> = self.corridor.polys().to_vec();
        if let (true, [.., next]) = (self.visibility, &self.corners[..self.corners.len().min(2)]) {
            let next = next.point;
            let _ = self.corridor.optimise_visibility(&self.stage.mesh, next, self.range, &filter, scratch);
            self.shortcuts += u32::from(self.corridor.polys() != before);
        }
        let before: Vec<PolyRef> = self.corridor.polys().to_vec();
        if self.topology && self.ticks.is_multiple_of(30) {
            let _ = self.corridor.optimise_topology(&self.stage.mesh, self.nodes, &filter, scratch);
            self.repairs += u32::from(self.corridor.polys() != before);
        }
    }
}

impl Prototype for CorridorOptimisation {
    fn meta(&self) -> Meta {
        Meta {
            title: "Corridor optimisations",
            category: Category::Movement,
            help: "The goal wanders, and its corridor is only ever patched, so it gets tangled. A ray to the corner after \
                   the next one straightens what can be seen; a search of a few nodes twice a second takes shortcuts that \
                   need a bit of reasoning. Turn both off and compare side by side how far the agent walks.",
            source: "Path Corridor Optimizations, November 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.toggle("visibility", &mut self.visibility).help("A ray in every tick.");
        params.slider("ray length", &mut self.range, 1.0..=40.0).help("Metres.");
        params.toggle("topology", &mut self.topology).help("A local search twice a second.");
        params.count("search nodes", &mut self.nodes, 4..=128);
        params.count("cells a tile", &mut self.tiles, 8..=128).restarts();
    }

    fn init(&mut self, _: &Setup) {
        let Self { visibility, topology, range, nodes, tiles, .. } = *self;
        *self = Self { visibility, topology, range, nodes, tiles, ..Self::default() };
        self.stage = Stage::baked("holes_and_pillars", tiles);
        let ends = self.stage.path(Vec3::new(-17.0, 0.0, -16.0), TOUR[0]);
        if let (Some((path, _)), Some(place)) = (ends, self.stage.place(Vec3::new(-17.0, 0.0, -16.0))) {
            self.corridor.reset(place);
            // The path begins at this place.
            let _ = self.corridor.follow(&path);
        }
    }

    fn update(&mut self, dt: f32, _: &Input) {
        let filter = DefaultFilter::of(&self.stage.mesh);
        let mut scratch = CorridorScratch::new();
        self.drag_goal(dt, &mut scratch);
        self.corners = self.corridor.corners(32, &mut scratch);
        self.optimise(&mut scratch);
        self.corners = self.corridor.corners(32, &mut scratch);
        let Some(start) = self.corridor.start() else { return };
        if let Some(next) = self.corners.first() {
            let step = (next.point - start.point).clamp_length_max(2.5 * dt);
            if let Ok(at) = self.corridor.move_start(&self.stage.mesh, start.point + step, &filter, &mut scratch) {
                self.walked += at.distance(start.point);
                if self.ticks.is_multiple_of(6) {
                    self.trail.push(at);
                }
            }
        }
        self.ticks += 1;
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        self.stage.fill(canvas, self.corridor.polys(), Ink::Path(2), 0.3);
        canvas.path(&self.trail.iter().map(|&p| lifted(p)).collect::<Vec<_>>(), Pen::of(Ink::Agent(0)).width(2.0));
        if let Some(start) = self.corridor.start() {
            let line = [start.point].into_iter().chain(self.corners.iter().map(|corner| corner.point));
            canvas.path(&line.map(lifted).collect::<Vec<_>>(), Pen::of(Ink::Path(0)).width(4.0));
            if let Some(best) = self.stage.shortest(start.point, self.goal) {
                self.stage.draw_line(canvas, &best.straight, Pen::of(Ink::Text).width(1.5).dashed());
            }
            canvas.agent(start.point, (0.4, 1.4), Vec3::ZERO, Ink::Path(0));
        }
        canvas.dot(lifted(self.goal), 13.0, Ink::Goal);
    }

    fn figures(&self, figures: &mut Figures) {
        let length = self.corridor.length(&mut CorridorScratch::new());
        let from = self.corridor.start().map(|start| start.point).unwrap_or_default();
        let best = self.stage.shortest(from, self.goal).map_or(f32::NAN, |path| path.straight.length);
        figures.push("path", length, "m");
        figures.push("longer than need be", length - best, "m");
        figures.count("polygons", self.corridor.polys().len());
        figures.push("shortcuts by ray", self.shortcuts, "");
        figures.push("repairs by search", self.repairs, "");
        figures.push("walked", self.walked, "m");
    }

    fn report(&self, report: &mut Report) {
        let filter = DefaultFilter::of(&self.stage.mesh);
        let holds = self.corridor.is_valid(&self.stage.mesh, u32::MAX, &filter);
        report.must(holds, "the corridor is not connected", Some(self.goal));
    }
}
