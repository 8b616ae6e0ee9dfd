//! The surface around a position without what lies over or under it, and the walls that matter there.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010.

use crate::kit::{Stage, lifted};
use crate::prelude::*;
use wayfare::math::segment;
use wayfare::mesh::PolyRef;
use wayfare::query::{
    AroundRequest, DefaultFilter, NeighbourhoodRequest, SearchScratch, WallSegment, local_neighbourhood, polys_around,
    wall_segments,
};

#[derive(Clone)]
pub(super) struct Neighbourhood {
    place: Vec3,
    radius: f32,
    by_distance: bool,
    scene: usize,
    stage: Stage,
    polys: Vec<PolyRef>,
    /// What a plain flood over the circle finds, and the neighbourhood leaves out.
    culled: Vec<PolyRef>,
    walls: Vec<WallSegment>,
    asked: (Vec3, f32, bool),
}

const SCENES: &[&str] = &["bridge", "two_floors", "spiral_ramp"];

impl Default for Neighbourhood {
    fn default() -> Self {
        Self {
            place: Vec3::new(-12.0, 2.0, 0.0),
            radius: 13.0,
            by_distance: false,
            scene: 0,
            stage: Stage::default(),
            polys: Vec::new(),
            culled: Vec::new(),
            walls: Vec::new(),
            asked: (Vec3::NAN, 0.0, false),
        }
    }
}

impl Neighbourhood {
    fn ask(&mut self) {
        if self.asked == (self.place, self.radius, self.by_distance) {
            return;
        }
        self.asked = (self.place, self.radius, self.by_distance);
        (self.polys, self.culled, self.walls) = (Vec::new(), Vec::new(), Vec::new());
        let Some(place) = self.stage.place(self.place) else { return };
        let (mesh, filter) = (&self.stage.mesh, DefaultFilter::of(&self.stage.mesh));
        let mut scratch = SearchScratch::new();
        let request = NeighbourhoodRequest::new(place, self.radius);
        let request = if self.by_distance { request.by_distance() } else { request };
        self.polys = local_neighbourhood(mesh, &request, &filter, &mut scratch).unwrap_or_default();
        let around = polys_around(mesh, &AroundRequest::circle(place, self.radius), &filter, &mut scratch);
        let all = around.unwrap_or_default().into_iter().map(|reached| reached.poly);
        self.culled = all.filter(|poly| !self.polys.contains(poly)).collect();
        let walls = self.polys.iter().filter_map(|&poly| wall_segments(mesh, poly, &filter).ok()).flatten();
        self.walls = walls.collect();
    }
}

impl Prototype for Neighbourhood {
    fn meta(&self) -> Meta {
        Meta {
            title: "Local neighbourhood",
            category: Category::Movement,
            help: "Which walls should an agent avoid here? Polygons are taken from near to far; one that would lie over \
                   another in plan is left out (red). So on a bridge the road below does not count, and below it the \
                   bridge does not. Drag the place onto the ramps and look at what changes.",
            source: "Finding Local 2D Neighborhood of Navmesh, July 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("place", &mut self.place);
        params.slider("radius", &mut self.radius, 0.5..=15.0).help("Metres.");
        params.toggle("by distance", &mut self.by_distance).help("Nearest first, instead of portal by portal.");
        params.choice("scene", &mut self.scene, SCENES).restarts();
    }

    fn init(&mut self, _: &Setup) {
        self.stage = Stage::baked(SCENES[self.scene.min(SCENES.len() - 1)], 0);
        self.asked.0 = Vec3::NAN;
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        self.stage.fill(canvas, &self.culled, Ink::Forbidden, 0.35);
        for (number, &poly) in (0_u32..).zip(&self.polys) {
            let far = number as f32 / self.polys.len().max(1) as f32;
            self.stage.fill_one(canvas, poly, Ink::Allowed, 0.75 - 0.5 * far);
        }
        let Some(place) = self.stage.place(self.place) else { return };
        for wall in &self.walls {
            let nearest = segment::closest_point(place.point, wall.start, wall.end);
            let pen = if nearest.distance(place.point) <= self.radius {
                Pen::of(Ink::Current).width(5.0)
            } else {
                Pen::of(Ink::Wall).width(3.0)
            };
            canvas.line(lifted(wall.start), lifted(wall.end), pen);
        }
        canvas.circle(lifted(place.point), self.radius, Pen::of(Ink::Text).dashed());
        canvas.dot(lifted(place.point), 13.0, Ink::Start);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        figures.count("polygons", self.polys.len());
        figures.count("left out", self.culled.len());
        figures.count("walls", self.walls.len());
    }

    fn report(&self, report: &mut Report) {
        let corners = |poly: PolyRef| -> Vec<Vec3> {
            self.stage.mesh.poly(poly).map(|view| view.points().collect()).unwrap_or_default()
        };
        let all: Vec<Vec<Vec3>> = self.polys.iter().map(|&poly| corners(poly)).collect();
        for (i, a) in all.iter().enumerate() {
            let over = all[..i].iter().any(|b| wayfare::math::polygon::overlap(a, b, 0.05));
            report.must(!over, "two polygons of the neighbourhood lie over each other", a.first().copied());
        }
    }
}
