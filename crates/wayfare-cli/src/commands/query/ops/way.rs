//! Questions about the way between two places: path, reachable, raycast, move.
//!
//! Places were found in the very mesh that is asked, so no reference is stale, and errors about stale ones mean that there is nothing.

use super::{Ground, Line, Question, fields, nowhere, polys_json};
use crate::output::numbers::{number, point};
use serde_json::{Map, Value, json};
use wayfare::Vec3;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    DefaultFilter, PathRequest, PolyPath, PolyPoint, Raycast, SearchScratch, StraightPath, find_path_into,
    is_reachable, move_along_surface_into, raycast_into, string_pull_into,
};

pub(super) struct PathOp {
    ends: [Option<PolyPoint>; 2],
    filter: DefaultFilter,
    path: PolyPath,
    straight: StraightPath,
}

impl PathOp {
    pub(super) fn new(line: &Line, ground: Ground<'_>) -> Result<Self, String> {
        match line.search.as_deref() {
            None | Some("corridor") => {}
            Some(other) => return Err(format!("there is no search \"{other}\"; there is corridor")),
        }
        let ends = [ground.snap(line.start()?), ground.snap(line.end()?)];
        Ok(Self { ends, filter: ground.filter, path: PolyPath::default(), straight: StraightPath::default() })
    }
}

impl Question for PathOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let [Some(start), Some(goal)] = self.ends else { return };
        if find_path_into(mesh, &PathRequest::new(start, goal), &self.filter, scratch, &mut self.path).is_ok() {
            string_pull_into(&self.path, scratch, &mut self.straight);
        }
    }

    fn answer(&self) -> Map<String, Value> {
        let path = &self.path;
        let mut answer = fields([
            ("status", json!(path.status.to_string())),
            ("polys", polys_json(&path.polys)),
            ("cost", number(path.cost)),
            ("points", self.straight.points.iter().map(|p| point(p.point)).collect()),
            ("length", number(self.straight.length)),
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

pub(super) struct ReachableOp {
    ends: [Option<PolyPoint>; 2],
    filter: DefaultFilter,
    reachable: bool,
}

impl ReachableOp {
    pub(super) fn new(line: &Line, ground: Ground<'_>) -> Result<Self, String> {
        let ends = [ground.snap(line.start()?), ground.snap(line.end()?)];
        Ok(Self { ends, filter: ground.filter, reachable: false })
    }
}

impl Question for ReachableOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let [Some(start), Some(goal)] = self.ends else { return };
        let answer = is_reachable(mesh, &PathRequest::new(start, goal), &self.filter, scratch);
        // Without limits the search always knows.
        self.reachable = matches!(answer, Ok(Some(true)));
    }

    fn answer(&self) -> Map<String, Value> {
        let mut answer = if self.ends.contains(&None) { nowhere(&[]) } else { Map::new() };
        answer.insert("reachable".into(), json!(self.reachable));
        answer
    }
}

pub(super) struct RaycastOp {
    start: Option<PolyPoint>,
    end: Vec3,
    filter: DefaultFilter,
    ray: Raycast,
}

impl RaycastOp {
    pub(super) fn new(line: &Line, ground: Ground<'_>) -> Result<Self, String> {
        let (start, end) = (ground.snap(line.start()?), line.end()?);
        Ok(Self { start, end, filter: ground.filter, ray: Raycast::default() })
    }
}

impl Question for RaycastOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        if let Some(start) = self.start {
            let _ = raycast_into(mesh, start, self.end, &self.filter, (scratch, &mut self.ray));
        }
    }

    fn answer(&self) -> Map<String, Value> {
        if self.start.is_none() {
            return nowhere(&["polys"]);
        }
        fields([
            ("hit", json!(self.ray.hit)),
            ("t", number(self.ray.t)),
            ("normal", point(self.ray.normal)),
            ("polys", polys_json(&self.ray.polys)),
        ])
    }
}

pub(super) struct MoveOp {
    start: Option<PolyPoint>,
    end: Vec3,
    filter: DefaultFilter,
    place: Option<PolyPoint>,
    visited: Vec<PolyRef>,
}

impl MoveOp {
    pub(super) fn new(line: &Line, ground: Ground<'_>) -> Result<Self, String> {
        let (start, end) = (ground.snap(line.start()?), line.end()?);
        Ok(Self { start, end, filter: ground.filter, place: None, visited: Vec::new() })
    }
}

impl Question for MoveOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let filter = &self.filter;
        self.place = self.start.and_then(|start| {
            move_along_surface_into(mesh, start, self.end, filter, (scratch, &mut self.visited)).ok()
        });
    }

    fn answer(&self) -> Map<String, Value> {
        match self.place {
            None => nowhere(&["visited"]),
            Some(place) => fields([("point", point(place.point)), ("visited", polys_json(&self.visited))]),
        }
    }
}
