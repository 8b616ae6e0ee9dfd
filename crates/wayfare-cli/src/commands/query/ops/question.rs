//! The interface of ops, how a line is parsed into one, and what ops share.

use super::clearances::Clearances;
use super::graphs::Graphs;
use super::random::Samplers;
use super::{around, place, random, walk};
use crate::commands::footing::Footing;
use crate::commands::path::poly_json;
use crate::commands::query::line::Line;
use crate::output::numbers::number;
use serde_json::{Map, Value, json};
use wayfare::Vec3;
use wayfare::area::PolyFlags;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{CostOverlay, DefaultFilter, Overlaid, PolyPoint, SearchScratch, find_nearest};

/// A parsed query.
pub(in crate::commands::query) trait Question {
    /// Finds the answer, and stores it.
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch);
    /// The stored answer, as JSON fields.
    fn answer(&self) -> Map<String, Value>;
}

/// What the queries of a batch share, each created on first use.
#[derive(Default)]
pub(in crate::commands::query) struct Shared {
    clearances: Clearances,
    graphs: Graphs,
    samplers: Samplers,
    /// What metres cost in addition.
    overlays: Vec<CostOverlay>,
}

impl Shared {
    /// Where metres cost more, as overlays say.
    pub(in crate::commands::query) fn under(overlays: Vec<CostOverlay>) -> Self {
        Self { overlays, ..Self::default() }
    }
}

/// The context for parsing: the mesh, and how to find positions on it.
pub(super) struct Ground<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: DefaultFilter,
    pub(super) half_extents: Vec3,
    /// Radius of the agent, if it is wider than the mesh's.
    pub(super) radius: f32,
    /// Fields of the answer about positions away from their points.
    pub(super) remarks: &'a mut Map<String, Value>,
}

impl Ground<'_> {
    /// The position on the mesh nearest to a point, the query's `start`, `goal` or `point`.
    pub(super) fn snap(&mut self, point: Vec3, what: &str) -> Option<PolyPoint> {
        let Some(near) = find_nearest(self.mesh, point, self.half_extents, &self.filter) else {
            self.miss(point, what);
            return None;
        };
        let footing = Footing::new(self.mesh, point, near.place(), self.radius);
        if let Some(gap) = footing.gap {
            self.remarks.insert(format!("{what}_gap"), number(gap));
        }
        Some(footing.place)
    }

    /// Records why there is no position: of several points the first is named.
    fn miss(&mut self, point: Vec3, what: &str) {
        let open = self.filter.clone().with_flags(PolyFlags::ALL, PolyFlags::NONE);
        let is_filtered = find_nearest(self.mesh, point, self.half_extents, &open).is_some();
        let reason = if is_filtered { "filtered" } else { "off-mesh" };
        self.remarks.entry("reason").or_insert_with(|| json!(format!("{what}-{reason}")));
    }
}

/// Parses a query: checks all its fields and moves its points to the mesh. Anything notable about them goes into
/// `remarks`.
pub(in crate::commands::query) fn question(
    line: &Line,
    mesh: &NavMesh,
    shared: &mut Shared,
    remarks: &mut Map<String, Value>,
) -> Result<Box<dyn Question>, String> {
    let (filter, half_extents) = (line.filter(DefaultFilter::of(mesh))?, line.half_extents()?);
    let ground = Ground { mesh, filter, half_extents, radius: 0.0, remarks };
    Ok(match line.op.as_str() {
        op @ ("nearest" | "height" | "wall" | "segments" | "reachable" | "raycast" | "move") if line.has_radius() => {
            return Err(format!(
                "\"{op}\" is asked without \"radius\": it is about the mesh as it was baked; for other agents there are path and \
                 bounds_path"
            ));
        }
        "nearest" => Box::new(place::NearestOp::new(line, ground)?),
        "height" => Box::new(place::HeightOp::new(line, ground)?),
        "wall" => Box::new(place::WallOp::new(line, ground)?),
        "segments" => Box::new(place::SegmentsOp::new(line, ground)?),
        "path" => {
            walk::PathOp::new(line, ground, &mut shared.clearances, &mut shared.graphs)?.under(&shared.overlays)?
        }
        "bounds_path" => walk::PathOp::to_box(line, ground, &mut shared.clearances)?.under(&shared.overlays)?,
        "reachable" => Box::new(walk::ReachableOp::new(line, ground)?),
        "raycast" => Box::new(walk::RaycastOp::new(line, ground)?),
        "move" => Box::new(walk::MoveOp::new(line, ground)?),
        "around" => around::AroundOp::new(line, ground)?.under(&shared.overlays)?,
        "neighbourhood" => Box::new(around::NeighbourhoodOp::new(line, ground)?),
        "random" => Box::new(random::RandomOp::new(line, ground, &mut shared.samplers)?),
        "" => return Err("the question has no \"op\"".into()),
        other => {
            return Err(format!(
                "there is no op \"{other}\"; use nearest, height, wall, segments, path, bounds_path, reachable, raycast, move, \
                 around, neighbourhood and random"
            ));
        }
    })
}

/// A filter under overlays.
pub(super) fn overlaid(filter: DefaultFilter, overlays: &[CostOverlay]) -> Result<Overlaid<DefaultFilter>, String> {
    let under = |filter: Overlaid<_>, overlay| filter.with(overlay, 1.0);
    overlays.iter().try_fold(Overlaid::new(filter), under).map_err(|e| e.to_string())
}

/// Fields of an answer.
pub(super) fn fields<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The answer if no polygon is in reach, with the lists that the op would have returned.
pub(super) fn nowhere(lists: &[&str]) -> Map<String, Value> {
    let mut answer = fields([("poly", Value::Null), ("status", json!("none"))]);
    answer.extend(lists.iter().map(|&list| (list.to_owned(), json!([]))));
    answer
}

pub(super) fn polys_json(polys: &[PolyRef]) -> Value {
    polys.iter().map(|&p| json!(poly_json(p))).collect()
}
