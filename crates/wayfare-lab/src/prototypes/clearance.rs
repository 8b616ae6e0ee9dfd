//! Surfaces for agents of any size, cut from one mesh: a wide agent needs other gaps than a slim one.
//!
//! Sources: Mikko Mononen on "Shortest Paths with Arbitrary Clearance from Navigation Meshes", Digesting Duck, May
//! 2010.

use crate::kit::stage::draw_ends;
use crate::kit::{Stage, lift, maps};
use crate::prelude::*;
use wayfare::math::segment;
use wayfare::query::{ClearanceMesh, DefaultFilter, StraightPath, wall_segments};

#[derive(Clone)]
pub(super) struct Clearance {
    start: Vec3,
    goal: Vec3,
    radius: f32,
    polygons: bool,
    base: Stage,
    cut: Stage,
    paths: [Option<StraightPath>; 2],
    asked: (f32, [Vec3; 2]),
}

impl Default for Clearance {
    fn default() -> Self {
        Self {
            start: Vec3::new(2.0, 0.0, 8.4),
            goal: Vec3::new(22.0, 0.0, 8.0),
            radius: 0.8,
            polygons: true,
            base: Stage::default(),
            cut: Stage::default(),
            paths: [None, None],
            asked: (f32::NAN, [Vec3::NAN; 2]),
        }
    }
}

impl Clearance {
    fn ask(&mut self) {
        if self.asked == (self.radius, [self.start, self.goal]) {
            return;
        }
        if self.asked.0 != self.radius {
            let filter = DefaultFilter::of(&self.base.mesh);
            let cut = ClearanceMesh::new(&self.base.mesh, self.radius, &filter);
            self.cut =
                cut.map_or_else(|_| Stage::default(), |cut| Stage { mesh: cut.mesh().clone(), ..Stage::default() });
        }
        self.asked = (self.radius, [self.start, self.goal]);
        let line = |stage: &Stage| stage.shortest(self.start, self.goal).map(|path| path.straight);
        self.paths = [line(&self.base), line(&self.cut)];
    }

    /// The least distance from the wide agent's path to a wall of the mesh that it was cut from.
    fn least_distance(&self) -> f32 {
        let Some(path) = &self.paths[1] else { return f32::NAN };
        let filter = DefaultFilter::of(&self.base.mesh);
        let polys = self.base.mesh.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly)));
        let walls: Vec<_> =
            polys.filter_map(|poly| wall_segments(&self.base.mesh, poly, &filter).ok()).flatten().collect();
        let corners = path.points.iter().map(|corner| corner.point);
        let from_walls = |p: Vec3| {
            let nearest =
                |wall: &wayfare::query::WallSegment| p.distance(segment::closest_point(p, wall.start, wall.end));
            walls.iter().map(nearest).fold(f32::INFINITY, f32::min)
        };
        corners.map(from_walls).fold(f32::INFINITY, f32::min)
    }
}

impl Prototype for Clearance {
    fn meta(&self) -> Meta {
        Meta {
            title: "Clearance for any radius",
            category: Category::Paths,
            help: "The mesh is for a point. For an agent with a body, another mesh is cut from it whose walls keep the \
                   distance of its radius: make the agent wider and see which gaps close. The thin line is the path of a \
                   point, the thick one that of the agent.",
            source: "Shortest Paths with Arbitrary Clearance from Navigation Meshes, 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        params.slider("radius", &mut self.radius, 0.05..=1.6).help("Metres.");
        params.toggle("polygons", &mut self.polygons);
    }

    fn init(&mut self, _: &Setup) {
        self.base = Stage::of_outlines(&maps::courtyard());
        self.asked = (f32::NAN, [Vec3::NAN; 2]);
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.base.draw(canvas);
        for tile in self.cut.mesh.tiles() {
            for poly in 0..tile.poly_count() {
                let corners = lift(tile.data().points_of(poly));
                canvas.fill(&corners, Ink::Allowed, 0.3);
                if self.polygons {
                    canvas.outline(&corners, Pen::of(Ink::Allowed).width(0.8));
                }
            }
        }
        if let Some(path) = &self.paths[0] {
            self.base.draw_line(canvas, path, Pen::of(Ink::Text).width(2.0).dashed());
        }
        if let Some(path) = &self.paths[1] {
            self.cut.draw_line(canvas, path, Pen::of(Ink::Path(0)).width(4.0));
            for corner in &path.points {
                canvas.circle(corner.point, self.radius, Pen::of(Ink::Path(0)).width(1.5));
            }
        }
        draw_ends(canvas, self.start, self.goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.base.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        let length = |path: &Option<StraightPath>| path.as_ref().map_or(f32::NAN, |path| path.length);
        let polys = |stage: &Stage| stage.mesh.tiles().map(|tile| tile.poly_count() as usize).sum();
        figures.push("radius", self.radius, "m");
        figures.push("path of a point", length(&self.paths[0]), "m");
        figures.push("path of the agent", length(&self.paths[1]), "m");
        figures.push("least distance to a wall", self.least_distance(), "m");
        figures.count("polygons for a point", polys(&self.base));
        figures.count("polygons for the agent", polys(&self.cut));
    }

    fn report(&self, report: &mut Report) {
        // The first and last point may have been set nearer to a wall than the agent can stand: they are moved in.
        let distance = self.least_distance();
        report.must(
            distance.is_nan() || distance >= self.radius * 0.97,
            &format!("the path is {distance} from a wall"),
            None,
        );
        if self.paths[1].is_none() {
            report.warn("the agent is too wide for this place", Some(self.start));
        }
    }
}
