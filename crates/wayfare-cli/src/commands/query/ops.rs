//! The ops of a batch. Each is understood once ([`question`]: reading, snapping to the mesh), may be run any number of
//! times (what `--bench` measures), and is answered at the end.

use super::super::path::poly_json;
use super::line::Line;
use serde_json::{Map, Value, json};
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    DefaultFilter, Nearest, PathRequest, PolyPath, PolyPoint, SearchScratch, StraightPath, find_nearest,
    find_path_into, poly_height, string_pull_into,
};

/// A question that was understood.
pub(super) trait Question {
    /// Finds the answer, and keeps it.
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch);
    /// The answer that was found, as JSON fields.
    fn answer(&self) -> Map<String, Value>;
}

/// Understands a question: all its fields are there and make sense, its places are moved to the mesh.
pub(super) fn question(line: &Line, mesh: &NavMesh) -> Result<Box<dyn Question>, String> {
    let (filter, half_extents) = (line.filter()?, line.half_extents()?);
    let snap = |point: Vec3| find_nearest(mesh, point, half_extents, &filter).map(|n| n.place());
    Ok(match line.op.as_str() {
        "nearest" => Box::new(NearestOp { point: line.point()?, half_extents, filter, found: None }),
        "path" => {
            search(line)?;
            let ends = [snap(line.start()?), snap(line.end()?)];
            Box::new(PathOp { ends, filter, path: PolyPath::default(), straight: StraightPath::default() })
        }
        "height" => Box::new(HeightOp { at: snap(line.point()?), height: None }),
        "reachable" => {
            let ends = [snap(line.start()?), snap(line.end()?)];
            Box::new(ReachableOp { ends, filter, path: PolyPath::default() })
        }
        "" => return Err("the question has no \"op\"".into()),
        other => return Err(format!("there is no op \"{other}\"; there are nearest, path, height and reachable")),
    })
}

fn search(line: &Line) -> Result<(), String> {
    match line.search.as_deref() {
        None | Some("corridor") => Ok(()),
        Some(other) => Err(format!("there is no search \"{other}\"; there is corridor")),
    }
}

/// Fields of an answer.
fn fields<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The answer where no polygon is in reach, with the lists that the op would have given.
fn nowhere(lists: &[&str]) -> Map<String, Value> {
    let mut answer = fields([("poly", Value::Null), ("status", json!("none"))]);
    answer.extend(lists.iter().map(|&list| (list.to_owned(), json!([]))));
    answer
}

fn polys_json(polys: &[PolyRef]) -> Value {
    polys.iter().map(|&p| json!(poly_json(p))).collect()
}

struct NearestOp {
    point: Vec3,
    half_extents: Vec3,
    filter: DefaultFilter,
    found: Option<Nearest>,
}

impl Question for NearestOp {
    fn run(&mut self, mesh: &NavMesh, _: &mut SearchScratch) {
        self.found = find_nearest(mesh, self.point, self.half_extents, &self.filter);
    }

    fn answer(&self) -> Map<String, Value> {
        match self.found {
            None => nowhere(&[]),
            Some(n) => fields([
                ("poly", json!(poly_json(n.poly))),
                ("point", json!(n.point.to_array())),
                ("over", json!(n.over)),
            ]),
        }
    }
}

struct PathOp {
    ends: [Option<PolyPoint>; 2],
    filter: DefaultFilter,
    path: PolyPath,
    straight: StraightPath,
}

impl Question for PathOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let [Some(start), Some(goal)] = self.ends else { return };
        // Both polygons were found in this very mesh, so they are not stale.
        if find_path_into(mesh, &PathRequest::new(start, goal), &self.filter, scratch, &mut self.path).is_ok() {
            string_pull_into(&self.path, scratch, &mut self.straight);
        }
    }

    fn answer(&self) -> Map<String, Value> {
        let path = &self.path;
        let mut answer = fields([
            ("status", json!(path.status.to_string())),
            ("polys", polys_json(&path.polys)),
            ("cost", json!(path.cost)),
            ("points", self.straight.points.iter().map(|p| json!(p.point.to_array())).collect()),
            ("length", json!(self.straight.length)),
            ("nodes", json!(path.nodes)),
        ]);
        if self.ends.contains(&None) {
            answer.insert("poly".into(), Value::Null);
        }
        if let Some(limit) = path.limit {
            answer.insert("limit".into(), json!(limit.to_string()));
        }
        answer
    }
}

struct HeightOp {
    at: Option<PolyPoint>,
    height: Option<f32>,
}

impl Question for HeightOp {
    fn run(&mut self, mesh: &NavMesh, _: &mut SearchScratch) {
        self.height = self.at.and_then(|at| poly_height(mesh, at.poly, at.point).ok().flatten());
    }

    fn answer(&self) -> Map<String, Value> {
        match self.at {
            None => nowhere(&[]),
            Some(at) => fields([("height", json!(self.height.unwrap_or(at.point.y)))]),
        }
    }
}

struct ReachableOp {
    ends: [Option<PolyPoint>; 2],
    filter: DefaultFilter,
    path: PolyPath,
}

impl Question for ReachableOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let [Some(start), Some(goal)] = self.ends else { return };
        let found = find_path_into(mesh, &PathRequest::new(start, goal), &self.filter, scratch, &mut self.path);
        if found.is_err() {
            self.path.clear();
        }
    }

    fn answer(&self) -> Map<String, Value> {
        let mut answer = fields([("reachable", json!(self.path.status == PathStatus::Complete))]);
        if self.ends.contains(&None) {
            answer.extend(nowhere(&[]));
        }
        answer
    }
}
