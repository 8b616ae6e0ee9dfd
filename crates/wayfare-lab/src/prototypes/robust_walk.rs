//! "Don't walk that tight rope": somebody pushes the agents all the time. One follows a line, point by point; the other
//! keeps a corridor of polygons and steers to the next corner that it sees.
//!
//! Sources: Mikko Mononen, "On Navigation Robustness", Digesting Duck, September 2010.

use crate::kit::stage::draw_ends;
use crate::kit::{Stage, lifted, maps};
use crate::prelude::*;
use wayfare::corridor::{CorridorScratch, PathCorridor};
use wayfare::math::Rng;
use wayfare::query::DefaultFilter;

#[derive(Clone)]
pub(super) struct RobustWalk {
    push: f32,
    start: Vec3,
    goal: Vec3,
    stage: Stage,
    rng: Rng,
    rope: Vec<Vec3>,
    /// The one on the rope: where it is, which point comes next, its trail.
    on_rope: (Vec3, usize, Vec<Vec3>),
    corridor: PathCorridor,
    trail: Vec<Vec3>,
    time: f32,
    off_mesh: u32,
    ticks: u32,
    arrived: [Option<f32>; 2],
}

const SPEED: f32 = 2.5;

impl Default for RobustWalk {
    fn default() -> Self {
        Self {
            push: 5.0,
            start: Vec3::new(1.0, 0.0, 2.5),
            goal: Vec3::new(22.0, 0.0, 12.5),
            stage: Stage::default(),
            rng: Rng::new(0),
            rope: Vec::new(),
            on_rope: (Vec3::ZERO, 0, Vec::new()),
            corridor: PathCorridor::default(),
            trail: Vec::new(),
            time: 0.0,
            off_mesh: 0,
            ticks: 0,
            arrived: [None; 2],
        }
    }
}

impl RobustWalk {
    fn is_off_mesh(&self, at: Vec3) -> bool {
        self.stage.place(at).is_none_or(|place| place.point.distance(at) > 0.05)
    }

    /// Goes to the next point of the line, wherever it was pushed.
    fn walk_rope(&mut self, dt: f32, push: Vec3) {
        let (at, next, trail) = &mut self.on_rope;
        if let Some(&to) = self.rope.get(*next) {
            *at += (to - *at).clamp_length_max(SPEED * dt) + push;
            if at.distance(to) < 0.3 {
                *next += 1;
            }
            trail.push(*at);
        } else if self.arrived[0].is_none() {
            self.arrived[0] = Some(self.time);
        }
    }

    fn walk_corridor(&mut self, dt: f32, push: Vec3) {
        let (filter, mut scratch) = (DefaultFilter::of(&self.stage.mesh), CorridorScratch::new());
        let Some(start) = self.corridor.start() else { return };
        if start.point.distance(self.goal) < 0.3 {
            self.arrived[1] = self.arrived[1].or(Some(self.time));
            return;
        }
        let corners = self.corridor.corners(3, &mut scratch);
        let Some(next) = corners.first() else { return };
        let to = start.point + (next.point - start.point).clamp_length_max(SPEED * dt) + push;
        if let Ok(at) = self.corridor.move_start(&self.stage.mesh, to, &filter, &mut scratch) {
            self.trail.push(at);
        }
    }
}

impl Prototype for RobustWalk {
    fn meta(&self) -> Meta {
        Meta {
            title: "Don't walk that tight rope",
            category: Category::Movement,
            help: "Gusts push both agents alike. Red follows a line of points and ends up inside walls, from where it \
                   walks through whatever is in between. Green keeps the polygons of its path as a corridor: it is always \
                   on the mesh, and always knows the next corner. Make the gusts stronger.",
            source: "On Navigation Robustness, September 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.slider("gusts", &mut self.push, 0.0..=8.0).help("How strong, m/s.");
        params.point("start", &mut self.start).restarts();
        params.point("goal", &mut self.goal).restarts();
    }

    fn init(&mut self, setup: &Setup) {
        let Self { push, start, goal, .. } = *self;
        let stage = Stage::of_outlines(&maps::winding());
        *self = Self { push, start, goal, stage, rng: Rng::new(setup.seed), ..Self::default() };
        if let (Some((path, straight)), Some(place)) = (self.stage.path(start, goal), self.stage.place(start)) {
            self.rope = straight.points.iter().map(|corner| corner.point).collect();
            self.corridor.reset(place);
            // The path begins at this place.
            let _ = self.corridor.follow(&path);
            self.on_rope = (place.point, 1, Vec::new());
        }
    }

    fn update(&mut self, dt: f32, _: &Input) {
        self.time += dt;
        // A gust lasts a third of a second.
        let mut gust = self.rng.clone();
        if self.ticks % 20 == 19 {
            self.rng.next_u64();
        }
        self.ticks += 1;
        let angle = gust.unit() * core::f32::consts::TAU;
        let strength = gust.unit() * self.push * dt;
        let push = Vec3::new(wayfare::math::ops::cos(angle), 0.0, wayfare::math::ops::sin(angle)) * strength;
        self.walk_rope(dt, push);
        self.walk_corridor(dt, push);
        self.off_mesh += u32::from(self.is_off_mesh(self.on_rope.0));
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        self.stage.fill(canvas, self.corridor.polys(), Ink::Allowed, 0.25);
        canvas.path(&self.rope.iter().map(|&p| lifted(p)).collect::<Vec<_>>(), Pen::of(Ink::Text).dashed());
        let line = |trail: &[Vec3]| trail.iter().map(|&p| lifted(p)).collect::<Vec<_>>();
        canvas.path(&line(&self.on_rope.2), Pen::of(Ink::Forbidden).width(2.0));
        canvas.path(&line(&self.trail), Pen::of(Ink::Allowed).width(2.0));
        draw_ends(canvas, self.start, self.goal);
        canvas.agent(self.on_rope.0, (0.3, 1.2), Vec3::ZERO, Ink::Forbidden);
        if let Some(start) = self.corridor.start() {
            canvas.agent(start.point, (0.3, 1.2), Vec3::ZERO, Ink::Allowed);
        }
    }

    fn figures(&self, figures: &mut Figures) {
        figures.push("rope: time off the mesh", self.off_mesh as f32 / self.ticks.max(1) as f32 * 100.0, "%");
        figures.push("rope: arrived after", self.arrived[0].unwrap_or(f32::NAN), "s");
        figures.push("corridor: arrived after", self.arrived[1].unwrap_or(f32::NAN), "s");
        figures.count("polygons left in the corridor", self.corridor.polys().len());
    }

    fn report(&self, report: &mut Report) {
        if self.is_off_mesh(self.on_rope.0) {
            report.warn("the one on the rope has left the mesh", Some(self.on_rope.0));
        }
        if let Some(start) = self.corridor.start() {
            report.must(!self.is_off_mesh(start.point), "the one in the corridor has left the mesh", Some(start.point));
        }
    }
}
