//! Queries about one position: nearest, height, wall, segments.
//!
//! Positions were just found in the same mesh, so no reference is stale, and a stale one is treated as an empty answer.

use super::question::{Ground, Question, fields, nowhere};
use crate::commands::path::poly_json;
use crate::commands::query::line::Line;
use crate::output::numbers::{number, point};
use serde_json::{Map, Value, json};
use wayfare::Vec3;
use wayfare::mesh::NavMesh;
use wayfare::query::{
    DefaultFilter, Nearest, NearestWall, PolyPoint, SearchScratch, WallSegment, find_distance_to_wall, find_nearest,
    poly_height, wall_segments_into,
};

pub(super) struct NearestOp {
    point: Vec3,
    half_extents: Vec3,
    filter: DefaultFilter,
    found: Option<Nearest>,
}

impl NearestOp {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>) -> Result<Self, String> {
        let point = line.point()?;
        // Found again when it is run: finding is the purpose of this op.
        ground.snap(point, "point");
        Ok(Self { point, half_extents: ground.half_extents, filter: ground.filter, found: None })
    }
}

impl Question for NearestOp {
    fn run(&mut self, mesh: &NavMesh, _: &mut SearchScratch) {
        self.found = find_nearest(mesh, self.point, self.half_extents, &self.filter);
    }

    fn answer(&self) -> Map<String, Value> {
        match self.found {
            None => nowhere(&[]),
            Some(n) => fields([("poly", json!(poly_json(n.poly))), ("point", point(n.point)), ("over", json!(n.over))]),
        }
    }
}

pub(super) struct HeightOp {
    at: Option<PolyPoint>,
    height: Option<f32>,
}

impl HeightOp {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>) -> Result<Self, String> {
        Ok(Self { at: ground.snap(line.point()?, "point"), height: None })
    }
}

impl Question for HeightOp {
    fn run(&mut self, mesh: &NavMesh, _: &mut SearchScratch) {
        self.height = self.at.and_then(|at| poly_height(mesh, at.poly, at.point).ok().flatten());
    }

    fn answer(&self) -> Map<String, Value> {
        match self.at {
            None => nowhere(&[]),
            // A position exactly on the edge may count as beside the polygon; its own height is then the answer.
            Some(at) => fields([("height", number(self.height.unwrap_or(at.point.y)))]),
        }
    }
}

pub(super) struct WallOp {
    at: Option<PolyPoint>,
    max_radius: f32,
    filter: DefaultFilter,
    found: Option<NearestWall>,
}

impl WallOp {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>) -> Result<Self, String> {
        let (at, max_radius) = (ground.snap(line.point()?, "point"), line.max_radius()?);
        Ok(Self { at, max_radius, filter: ground.filter, found: None })
    }
}

impl Question for WallOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        self.found = self
            .at
            .and_then(|at| find_distance_to_wall(mesh, at, self.max_radius, &self.filter, scratch).ok().flatten());
    }

    fn answer(&self) -> Map<String, Value> {
        match (self.at, self.found) {
            (None, _) => nowhere(&[]),
            (_, Some(wall)) => fields([
                ("distance", number(wall.distance)),
                ("point", point(wall.point)),
                ("normal", point(wall.normal)),
            ]),
            // No wall within the radius: it is at least that far away.
            (_, None) => fields([
                ("distance", number(self.max_radius)),
                ("point", Value::Null),
                ("normal", json!([0.0, 0.0, 0.0])),
                ("limit", json!("distance")),
            ]),
        }
    }
}

pub(super) struct SegmentsOp {
    at: Option<PolyPoint>,
    filter: DefaultFilter,
    walls: Vec<WallSegment>,
}

impl SegmentsOp {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>) -> Result<Self, String> {
        Ok(Self { at: ground.snap(line.point()?, "point"), filter: ground.filter, walls: Vec::new() })
    }
}

impl Question for SegmentsOp {
    fn run(&mut self, mesh: &NavMesh, _: &mut SearchScratch) {
        if let Some(at) = self.at {
            let _ = wall_segments_into(mesh, at.poly, &self.filter, &mut self.walls);
        }
    }

    fn answer(&self) -> Map<String, Value> {
        if self.at.is_none() {
            return nowhere(&["segments"]);
        }
        let segments = self.walls.iter().map(|w| json!([point(w.start), point(w.end)])).collect();
        fields([("segments", segments)])
    }
}
