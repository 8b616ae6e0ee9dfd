//! Random places on the mesh: random.

use super::{Ground, Line, Question, fields, nowhere};
use crate::output::numbers::point;
use serde_json::{Map, Value};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, PointSampler, PolyPoint, SearchScratch, random_point_in_circle};

/// Who wants more points than this asks several questions.
const MAX_COUNT: u32 = 1_000_000;

pub(super) struct RandomOp {
    seed: u64,
    count: u32,
    /// Within this circle, if one was asked for: its middle on the mesh (if that is near) and its radius.
    circle: Option<(Option<PolyPoint>, f32)>,
    filter: DefaultFilter,
    sampler: PointSampler,
    points: Vec<PolyPoint>,
}

impl RandomOp {
    pub(super) fn new(line: &Line, ground: Ground<'_>) -> Result<Self, String> {
        let circle = if line.has_point() { Some((ground.snap(line.point()?), line.radius()?)) } else { None };
        let sampler = PointSampler::on_mesh(ground.mesh, &ground.filter);
        let (seed, count) = (line.seed()?, line.count(MAX_COUNT)?);
        Ok(Self { seed, count, circle, filter: ground.filter, sampler, points: Vec::new() })
    }
}

impl Question for RandomOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let mut rng = Rng::new(self.seed);
        self.points.clear();
        for _ in 0..self.count {
            let found = match self.circle {
                None => self.sampler.sample(mesh, &mut rng),
                Some((None, _)) => return,
                Some((Some(at), radius)) => random_point_in_circle(mesh, at, radius, (&self.filter, &mut rng), scratch),
            };
            // All polygons were found in this very mesh, so none is stale.
            let Ok(Some(found)) = found else { return };
            self.points.push(found);
        }
    }

    fn answer(&self) -> Map<String, Value> {
        if matches!(self.circle, Some((None, _))) {
            return nowhere(&["points"]);
        }
        fields([("points", self.points.iter().map(|p| point(p.point)).collect())])
    }
}
