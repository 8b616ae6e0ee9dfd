//! A moving target: the end of the corridor follows it without another search. Compared with searching anew each
//! time.
//!
//! Sources: Mikko Mononen, "Following Moving Target", Digesting Duck, October 2010.

use crate::kit::{Stage, lifted, maps};
use crate::prelude::*;
use wayfare::corridor::{CorridorScratch, PathCorridor};
use wayfare::math::ops;
use wayfare::query::{DefaultFilter, SearchScratch, find_path, move_along_surface};

const FOLLOWERS: usize = 3;
const HOW: &[&str] = &["adjust the corridor", "search anew"];

#[derive(Clone)]
pub(super) struct MovingTarget {
    how: usize,
    follow_pointer: bool,
    topology: bool,
    stage: Stage,
    target: Vec3,
    corridors: Vec<PathCorridor>,
    lines: Vec<Vec<Vec3>>,
    time: f32,
    searches: u32,
    nodes: u64,
    walked: f32,
}

impl Default for MovingTarget {
    fn default() -> Self {
        Self {
            how: 0,
            follow_pointer: false,
            topology: false,
            stage: Stage::default(),
            target: Vec3::ZERO,
            corridors: Vec::new(),
            lines: Vec::new(),
            time: 0.0,
            searches: 0,
            nodes: 0,
            walked: 0.0,
        }
    }
}

const STARTS: [Vec3; FOLLOWERS] = [Vec3::new(1.0, 0.0, 1.0), Vec3::new(2.0, 0.0, 14.5), Vec3::new(14.0, 0.0, 1.2)];

impl MovingTarget {
    /// Where the target wants to be: at the pointer, or on a round through the court.
    fn wish(&self, input: &Input) -> Vec3 {
        match (self.follow_pointer, input.pointer) {
            (true, Some(pointer)) => pointer.at,
            _ => {
                let angle = self.time * 0.35 + 0.4;
                Vec3::new(12.0 + 10.5 * ops::cos(angle), 0.0, 8.0 + 6.8 * ops::sin(angle))
            }
        }
    }

    fn ask(&mut self, follower: usize) {
        let Some(start) = self.corridors[follower].start() else { return };
        let filter = DefaultFilter::of(&self.stage.mesh);
        let Some(request) = self.stage.request(start.point, self.target) else { return };
        if let Ok(path) = find_path(&self.stage.mesh, &request, &filter, &mut SearchScratch::new()) {
            self.searches += 1;
            self.nodes += u64::from(path.nodes);
            let mut corridor = PathCorridor::new(request.start);
            if corridor.follow(&path).is_ok() {
                self.corridors[follower] = corridor;
            }
        }
    }
}

impl Prototype for MovingTarget {
    fn meta(&self) -> Meta {
        Meta {
            title: "Moving target",
            category: Category::Movement,
            help: "Three follow one that moves all the time. Searching anew in each tick is costly, and the answer may \
                   flip from side to side. Instead, the polygons that the target walked over are fused to the end of \
                   each corridor. That path is not the shortest: compare the two side by side, or turn on the repair of \
                   its beginning.",
            source: "Following Moving Target, October 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.choice("followers", &mut self.how, HOW).restarts();
        params.toggle("repair the beginning", &mut self.topology).help("A local search of 32 nodes, twice a second.");
        params.toggle("target at the pointer", &mut self.follow_pointer);
    }

    fn init(&mut self, _: &Setup) {
        let kept = (self.how, self.topology, self.follow_pointer);
        *self = Self::default();
        (self.how, self.topology, self.follow_pointer) = kept;
        self.stage = Stage::of_outlines(&maps::courtyard());
        self.target = self.wish(&Input::default());
        let places = STARTS.into_iter().filter_map(|start| self.stage.place(start));
        self.corridors = places.map(PathCorridor::new).collect();
        (0..self.corridors.len()).for_each(|follower| self.ask(follower));
    }

    fn update(&mut self, dt: f32, input: &Input) {
        let ticks = (self.time / dt).round() as u32;
        self.time += dt;
        let filter = DefaultFilter::of(&self.stage.mesh);
        let wish = self.wish(input);
        if let Some(place) = self.stage.place(self.target) {
            let step = (wish - place.point).clamp_length_max(3.5 * dt);
            let to = place.point + step;
            if let Ok(moved) = move_along_surface(&self.stage.mesh, place, to, &filter, &mut SearchScratch::new()) {
                self.target = moved.place.point;
            }
        }
        let mut scratch = CorridorScratch::new();
        self.lines.clear();
        for follower in 0..self.corridors.len() {
            if self.how == 1 {
                self.ask(follower);
            } else {
                // The handles are of this mesh, which does not change.
                let _ = self.corridors[follower].move_end(&self.stage.mesh, self.target, &filter, &mut scratch);
            }
            let corridor = &mut self.corridors[follower];
            if self.topology && ticks % 30 == follower as u32 * 10 {
                let _ = corridor.optimise_topology(&self.stage.mesh, 32, &filter, &mut scratch);
            }
            let corners = corridor.corners(16, &mut scratch);
            let Some(start) = corridor.start() else { continue };
            let far = start.point.distance(self.target);
            if let (Some(next), true) = (corners.first(), far > 1.2) {
                let step = (next.point - start.point).clamp_length_max(2.6 * dt);
                if let Ok(at) = corridor.move_start(&self.stage.mesh, start.point + step, &filter, &mut scratch) {
                    self.walked += at.distance(start.point);
                }
            }
            let line = [start.point].into_iter().chain(corners.iter().map(|corner| corner.point));
            self.lines.push(line.map(lifted).collect());
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        for (number, corridor) in (0..).zip(&self.corridors) {
            self.stage.fill(canvas, corridor.polys(), Ink::Path(number), 0.22);
        }
        for (number, line) in (0..).zip(&self.lines) {
            canvas.path(line, Pen::of(Ink::Path(number)).width(3.5));
        }
        for (number, corridor) in (0..).zip(&self.corridors) {
            if let Some(start) = corridor.start() {
                canvas.agent(start.point, (0.4, 1.4), Vec3::ZERO, Ink::Path(number));
            }
        }
        canvas.agent(self.target, (0.4, 1.4), Vec3::ZERO, Ink::Goal);
        canvas.label(self.target + Vec3::Y * 1.5, "target", Ink::Text);
    }

    fn figures(&self, figures: &mut Figures) {
        let mut scratch = CorridorScratch::new();
        let lengths: f32 = self.corridors.iter().map(|corridor| corridor.length(&mut scratch)).sum();
        let starts = self.corridors.iter().filter_map(PathCorridor::start);
        let best: f32 = starts
            .filter_map(|start| self.stage.shortest(start.point, self.target))
            .map(|path| path.straight.length)
            .sum();
        figures.push("searches", self.searches, "");
        figures.push("nodes searched", self.nodes as f64, "");
        figures.count("polygons in corridors", self.corridors.iter().map(|corridor| corridor.polys().len()).sum());
        figures.push("all three paths", lengths, "m");
        figures.push("longer than need be", lengths - best, "m");
        figures.push("walked", self.walked, "m");
    }

    fn report(&self, report: &mut Report) {
        let filter = DefaultFilter::of(&self.stage.mesh);
        for corridor in &self.corridors {
            let holds = corridor.is_valid(&self.stage.mesh, u32::MAX, &filter);
            report.must(holds, "a corridor is not connected", corridor.start().map(|start| start.point));
        }
    }
}
