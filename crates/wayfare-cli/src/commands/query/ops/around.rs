//! Queries about the surroundings of a position: around, neighbourhood.
//!
//! Positions were just found in the same mesh, so no reference is stale, and a stale one is treated as an empty answer.

use super::question::{Ground, Question, fields, nowhere, overlaid, polys_json};
use crate::commands::path::poly_json;
use crate::commands::query::line::Line;
use crate::output::numbers::number;
use serde_json::{Map, Value, json};
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    AroundRequest, CostOverlay, DefaultFilter, NeighbourhoodRequest, PolyPoint, QueryFilter, ReachedPoly,
    SearchScratch, local_neighbourhood_into, polys_around_into,
};

pub(super) struct AroundOp<F> {
    at: Option<PolyPoint>,
    radius: f32,
    filter: F,
    found: Vec<ReachedPoly>,
}

impl AroundOp<DefaultFilter> {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>) -> Result<Self, String> {
        let (at, radius) = (ground.snap(line.point()?, "point"), line.radius()?);
        Ok(Self { at, radius, filter: ground.filter, found: Vec::new() })
    }

    /// The same where metres cost more, if they do.
    pub(super) fn under(self, overlays: &[CostOverlay]) -> Result<Box<dyn Question>, String> {
        if overlays.is_empty() {
            return Ok(Box::new(self));
        }
        let Self { at, radius, filter, found } = self;
        Ok(Box::new(AroundOp { at, radius, filter: overlaid(filter, overlays)?, found }))
    }
}

impl<F: QueryFilter> Question for AroundOp<F> {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        if let Some(at) = self.at {
            let _ = polys_around_into(
                mesh,
                &AroundRequest::circle(at, self.radius),
                &self.filter,
                scratch,
                &mut self.found,
            );
        }
    }

    fn answer(&self) -> Map<String, Value> {
        if self.at.is_none() {
            return nowhere(&["polys", "costs"]);
        }
        fields([
            ("polys", self.found.iter().map(|p| json!(poly_json(p.poly))).collect()),
            ("costs", self.found.iter().map(|p| number(p.cost)).collect()),
        ])
    }
}

pub(super) struct NeighbourhoodOp {
    at: Option<PolyPoint>,
    radius: f32,
    filter: DefaultFilter,
    found: Vec<PolyRef>,
}

impl NeighbourhoodOp {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>) -> Result<Self, String> {
        let (at, radius) = (ground.snap(line.point()?, "point"), line.radius()?);
        Ok(Self { at, radius, filter: ground.filter, found: Vec::new() })
    }
}

impl Question for NeighbourhoodOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        if let Some(at) = self.at {
            let _ = local_neighbourhood_into(
                mesh,
                &NeighbourhoodRequest::new(at, self.radius),
                &self.filter,
                scratch,
                &mut self.found,
            );
        }
    }

    fn answer(&self) -> Map<String, Value> {
        if self.at.is_none() { nowhere(&["polys"]) } else { fields([("polys", polys_json(&self.found))]) }
    }
}
