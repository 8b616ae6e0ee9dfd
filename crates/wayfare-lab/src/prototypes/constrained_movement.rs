//! Moving over the mesh without ever leaving it: slide along walls and go on from polygon to polygon. Compared with
//! clamping to the polygon where the move began, and with a ray that stops at the first wall.
//!
//! Sources: Mikko Mononen, "Constrained Movement Along Navmesh" pt. 2, Digesting Duck, May 2010, and "Detour Agent
//! Movement Progress", August 2010.

use crate::kit::{Stage, lifted, maps};
use crate::prelude::*;
use wayfare::mesh::PolyRef;
use wayfare::query::{DefaultFilter, Raycast, SearchScratch, closest_point_on_poly, move_along_surface, raycast};

#[derive(Clone)]
pub(super) struct ConstrainedMovement {
    start: Vec3,
    target: Vec3,
    stage: Stage,
    moved: Option<(Vec3, Vec<PolyRef>)>,
    clamped: Option<Vec3>,
    ray: Option<Raycast>,
    walker: Vec3,
    trail: Vec<Vec3>,
}

/// How fast the walker is driven by the arrow keys, m/s.
const SPEED: f32 = 4.0;

impl Default for ConstrainedMovement {
    fn default() -> Self {
        Self {
            start: Vec3::new(7.5, 0.0, 8.2),
            target: Vec3::new(14.0, 0.0, 10.6),
            stage: Stage::default(),
            moved: None,
            clamped: None,
            ray: None,
            walker: Vec3::new(13.5, 0.0, 9.8),
            trail: Vec::new(),
        }
    }
}

impl ConstrainedMovement {
    fn ask(&mut self) {
        let Some(start) = self.stage.place(self.start) else { return };
        let (mesh, filter) = (&self.stage.mesh, DefaultFilter::of(&self.stage.mesh));
        let mut scratch = SearchScratch::new();
        let moved = move_along_surface(mesh, start, self.target, &filter, &mut scratch);
        self.moved = moved.ok().map(|moved| (moved.place.point, moved.visited));
        self.clamped = closest_point_on_poly(mesh, start.poly, self.target).ok().map(|closest| closest.point);
        self.ray = raycast(mesh, start, self.target, &filter, &mut scratch).ok();
    }

    /// The walker is driven by the arrow keys, or along a fixed round while none is held.
    fn walk(&mut self, dt: f32, input: &Input) {
        let by_itself = self.trail.len() as f32 * 0.013;
        let direction = match input.arrows() {
            Vec3::ZERO => Vec3::new(wayfare::math::ops::cos(by_itself), 0.0, wayfare::math::ops::sin(by_itself)),
            arrows => arrows,
        };
        let Some(place) = self.stage.place(self.walker) else { return };
        let filter = DefaultFilter::of(&self.stage.mesh);
        let to = place.point + direction * (SPEED * dt);
        if let Ok(moved) = move_along_surface(&self.stage.mesh, place, to, &filter, &mut SearchScratch::new()) {
            self.walker = moved.place.point;
            self.trail.push(self.walker);
        }
    }
}

impl Prototype for ConstrainedMovement {
    fn meta(&self) -> Meta {
        Meta {
            title: "Constrained movement",
            category: Category::Movement,
            help: "A step towards the target slides along walls and ends where it is nearest to it (green). Clamping to \
                   the first polygon alone (dashed) misses ways on that are in plain sight, and a ray (blue) stops where \
                   it hits. Drag the target; the arrow keys drive the round body, which can never leave the mesh.",
            source: "Constrained Movement Along Navmesh pt. 2, May 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("target", &mut self.target);
    }

    fn init(&mut self, _: &Setup) {
        self.stage = Stage::of_outlines(&maps::courtyard());
        self.trail.clear();
        self.walker = Self::default().walker;
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn update(&mut self, dt: f32, input: &Input) {
        self.walk(dt, input);
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        canvas.path(&self.trail.iter().map(|&p| lifted(p)).collect::<Vec<_>>(), Pen::of(Ink::Agent(1)).alpha(0.7));
        canvas.agent(self.walker, (0.35, 0.8), Vec3::ZERO, Ink::Agent(1));
        let Some((end, visited)) = &self.moved else { return };
        self.stage.fill(canvas, visited, Ink::Chosen, 0.3);
        canvas.line(lifted(self.start), lifted(self.target), Pen::of(Ink::Wish).width(2.0).dashed().arrow());
        if let Some(ray) = &self.ray {
            canvas.line(lifted(self.start), lifted(ray.point), Pen::of(Ink::Wish).width(3.0));
            canvas.dot(lifted(ray.point), 10.0, Ink::Wish);
            canvas.label(lifted(ray.point), if ray.hit { "the ray hits" } else { "the ray arrives" }, Ink::Text);
        }
        if let Some(clamped) = self.clamped {
            canvas.line(lifted(self.start), lifted(clamped), Pen::of(Ink::Forbidden).width(2.5).dashed());
            canvas.dot(lifted(clamped), 10.0, Ink::Forbidden);
            canvas.label(lifted(clamped), "clamped", Ink::Text);
        }
        canvas.line(lifted(self.start), lifted(*end), Pen::of(Ink::Chosen).width(4.0));
        canvas.dot(lifted(*end), 12.0, Ink::Chosen);
        canvas.label(lifted(*end), "moved", Ink::Text);
        canvas.dot(lifted(self.start), 13.0, Ink::Start);
        canvas.dot(lifted(self.target), 13.0, Ink::Goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        let short = |end: Option<Vec3>| end.map_or(f32::NAN, |end| end.distance(self.target));
        figures.push("short of the target: moved", short(self.moved.as_ref().map(|moved| moved.0)), "m");
        figures.push("short of the target: clamped", short(self.clamped), "m");
        figures.push("short of the target: ray", short(self.ray.as_ref().map(|ray| ray.point)), "m");
        figures.count("polygons looked at", self.moved.as_ref().map_or(0, |moved| moved.1.len()));
    }

    fn report(&self, report: &mut Report) {
        for at in [self.moved.as_ref().map(|moved| moved.0), Some(self.walker)].into_iter().flatten() {
            let off = self.stage.place(at).map_or(f32::INFINITY, |place| place.point.distance(at));
            report.must(off < 1e-3, "a move has left the mesh", Some(at));
        }
    }
}
