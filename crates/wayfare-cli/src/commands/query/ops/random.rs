//! Random positions on the mesh: random.

use super::question::{Ground, Question, fields, nowhere};
use crate::commands::query::line::Line;
use crate::output::numbers::point;
use serde_json::{Map, Value};
use std::rc::Rc;
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, PointSampler, PolyPoint, SearchScratch, random_point_in_circle};

/// For more points than this, use several queries.
const MAX_COUNT: u32 = 1_000_000;

pub(super) struct RandomOp {
    seed: u64,
    count: u32,
    place: Place,
    points: Vec<PolyPoint>,
}

/// Where the points may be.
enum Place {
    Anywhere(Rc<PointSampler>),
    /// In a circle: its centre on the mesh (if near) and its radius.
    Circle(Option<PolyPoint>, f32, Box<DefaultFilter>),
}

/// Samplers of whole meshes, by filter: each takes memory for every polygon, so a batch builds it once.
#[derive(Default)]
pub(super) struct Samplers(Vec<(DefaultFilter, Rc<PointSampler>)>);

impl Samplers {
    fn of(&mut self, mesh: &NavMesh, filter: &DefaultFilter) -> Rc<PointSampler> {
        if let Some((_, known)) = self.0.iter().find(|(f, _)| f == filter) {
            return Rc::clone(known);
        }
        let sampler = Rc::new(PointSampler::on_mesh(mesh, filter));
        self.0.push((filter.clone(), Rc::clone(&sampler)));
        sampler
    }
}

impl RandomOp {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>, samplers: &mut Samplers) -> Result<Self, String> {
        let (seed, count) = (line.seed()?, line.count(MAX_COUNT)?);
        let place = if line.has_point() {
            Place::Circle(ground.snap(line.point()?, "point"), line.radius()?, Box::new(ground.filter))
        } else if line.has_radius() {
            return Err("\"random\" asks with \"point\" where it has a \"radius\"".into());
        } else {
            Place::Anywhere(samplers.of(ground.mesh, &ground.filter))
        };
        Ok(Self { seed, count, place, points: Vec::new() })
    }
}

impl Question for RandomOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let mut rng = Rng::new(self.seed);
        self.points.clear();
        for _ in 0..self.count {
            let found = match &self.place {
                Place::Anywhere(sampler) => sampler.sample(mesh, &mut rng),
                Place::Circle(None, ..) => return,
                Place::Circle(Some(at), radius, filter) => {
                    random_point_in_circle(mesh, *at, *radius, &**filter, scratch, &mut rng)
                }
            };
            // All polygons were just found in this mesh, so none is stale.
            let Ok(Some(found)) = found else { return };
            self.points.push(found);
        }
    }

    fn answer(&self) -> Map<String, Value> {
        if matches!(self.place, Place::Circle(None, ..)) {
            return nowhere(&["points"]);
        }
        fields([("points", self.points.iter().map(|p| point(p.point)).collect())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wayfare::Vec3;
    use wayfare::tile::TileLayout;

    #[test]
    fn a_batch_samples_the_mesh_once_for_each_filter_and_never_for_circles() {
        let mesh = NavMesh::new(TileLayout { origin: Vec3::ZERO, tile_width: 8.0, tile_depth: 8.0 });
        let mut samplers = Samplers::default();
        let mut ask = |json: Value| {
            let line = Line::read(json.to_string().as_bytes()).unwrap();
            let filter = line.filter(DefaultFilter::of(&mesh)).unwrap();
            let mut remarks = Map::new();
            let ground = Ground { mesh: &mesh, filter, half_extents: Vec3::ONE, radius: 0.0, remarks: &mut remarks };
            RandomOp::new(&line, ground, &mut samplers).map(|_| samplers.0.len())
        };
        assert_eq!(ask(json!({"op": "random", "seed": 1, "count": 1, "point": [1, 0, 1], "radius": 2})), Ok(0));
        assert_eq!(ask(json!({"op": "random", "seed": 1, "count": 1})), Ok(1));
        assert_eq!(ask(json!({"op": "random", "seed": 2, "count": 3})), Ok(1));
        assert_eq!(ask(json!({"op": "random", "seed": 2, "count": 3, "exclude": 4})), Ok(2));
        assert!(ask(json!({"op": "random", "seed": 2, "count": 3, "radius": 2})).unwrap_err().contains("\"point\""));
    }
}
