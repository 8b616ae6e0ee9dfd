//! Convex hulls in two and three dimensions, on the inputs on which most code fails: grids, planes, lines.
//!
//! Sources: Mikko Mononen, "Computational Geometry Sucks!", Digesting Duck, December 2010.

use crate::prelude::*;
use wayfare::debug::draw_hull;
use wayfare::math::{Hull3, Rng, convex_hull, convex_hull3, ops};

const CLOUDS: &[&str] = &["random", "4 × 4 × 4 grid", "sphere", "all in one plane", "all in one line"];

#[derive(Clone)]
pub(super) struct ConvexHulls {
    cloud: usize,
    count: u32,
    spin: bool,
    points: Vec<Vec3>,
    hull: Hull3,
    flat: Vec<u32>,
    angle: f32,
    seed: u64,
}

impl Default for ConvexHulls {
    fn default() -> Self {
        Self {
            cloud: 1,
            count: 200,
            spin: true,
            points: Vec::new(),
            hull: Hull3::Empty,
            flat: Vec::new(),
            angle: 0.0,
            seed: 0,
        }
    }
}

impl ConvexHulls {
    fn cloud(&self) -> Vec<Vec3> {
        let mut rng = Rng::new(self.seed);
        let mut unit = || rng.unit() * 2.0 - 1.0;
        let count = self.count;
        match self.cloud {
            1 => (0..64).map(|i| Vec3::new((i % 4) as f32, (i / 4 % 4) as f32, (i / 16) as f32) * 1.2 - 1.8).collect(),
            2 => (0..count).map(|_| Vec3::new(unit(), unit(), unit()).normalize_or(Vec3::Y) * 2.0).collect(),
            3 => (0..count).map(|_| Vec3::new(unit(), 0.0, unit()) * 2.0 + Vec3::Y).collect(),
            4 => (0..count).map(|_| Vec3::new(1.0, 0.5, 0.25) * unit() * 2.0).collect(),
            _ => (0..count).map(|_| Vec3::new(unit(), unit(), unit()) * 2.0).collect(),
        }
    }

    /// A point as it is drawn: turned, and lifted over the ground.
    fn turned(&self, p: Vec3) -> Vec3 {
        let (cos, sin) = (ops::cos(self.angle), ops::sin(self.angle));
        Vec3::new(p.x * cos - p.z * sin, p.y + 2.2, p.x * sin + p.z * cos)
    }

    /// How far the farthest point lies outside the hull, metres.
    fn outside(&self) -> f32 {
        let Hull3::Solid(hull) = &self.hull else { return 0.0 };
        let mut worst = 0.0_f32;
        for triangle in &hull.triangles {
            let [a, b, c] = triangle.map(|corner| self.points[corner as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            worst = self.points.iter().map(|&p| normal.dot(p - a)).fold(worst, f32::max);
        }
        worst
    }
}

impl Prototype for ConvexHulls {
    fn meta(&self) -> Meta {
        Meta {
            title: "Convex hulls",
            category: Category::Geometry,
            help: "Clouds of random points are easy. The litmus test is a grid of 4 × 4 × 4, where nearly all points lie in a \
                   plane with others; and points that all lie in one plane, or on one line, have a hull, too. On the right \
                   is the hull of the same points seen from above.",
            source: "Computational Geometry Sucks!, December 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.choice("points", &mut self.cloud, CLOUDS).restarts();
        params.count("count", &mut self.count, 1..=2000).restarts().help("Not of the grid.");
        params.toggle("spin", &mut self.spin);
    }

    fn init(&mut self, setup: &Setup) {
        (self.seed, self.angle) = (setup.seed, 0.3);
        self.points = self.cloud();
        self.hull = convex_hull3(&self.points);
        let flat: Vec<Vec2> = self.points.iter().map(|p| Vec2::new(p.x, p.z)).collect();
        self.flat = convex_hull(&flat);
    }

    fn update(&mut self, dt: f32, _: &Input) {
        if self.spin {
            self.angle += dt * 0.5;
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        let turned: Vec<Vec3> = self.points.iter().map(|&point| self.turned(point)).collect();
        draw_hull(&turned, &self.hull, canvas);
        for (&point, &turned) in self.points.iter().zip(&turned) {
            canvas.dot(turned, 4.0, Ink::Path(0));
            canvas.dot(point * Vec3::new(1.0, 0.0, 1.0) + Vec3::X * 6.0, 4.0, Ink::Path(0));
        }
        let flat =
            self.flat.iter().map(|&corner| self.points[corner as usize] * Vec3::new(1.0, 0.0, 1.0) + Vec3::X * 6.0);
        canvas.outline(&flat.collect::<Vec<_>>(), Pen::of(Ink::Path(2)).width(3.0));
        canvas.label(Vec3::new(6.0, 0.0, 2.8), "from above", Ink::Text);
    }

    fn figures(&self, figures: &mut Figures) {
        let (triangles, faces) = match &self.hull {
            Hull3::Solid(hull) => (hull.triangles.len(), hull.faces.len()),
            _ => (0, 0),
        };
        figures.count("points", self.points.len());
        figures.count("triangles", triangles);
        figures.count("faces", faces);
        figures.count("corners from above", self.flat.len());
        figures.push("outside by at most", self.outside() * 1000.0, "mm");
    }

    fn report(&self, report: &mut Report) {
        report.must(self.outside() < 1e-3, "a point lies outside the hull", None);
    }
}
