//! Planners that search every path.
//!
//! Sources: none needed.

use super::{Planned, Planner, SearchKind, SharedFilter};
use crate::context::Budget;
use crate::mesh::NavMesh;
use crate::query::{CostBounds, PathRequest, PolyPath};
use std::sync::Arc;

/// Searches paths with A* over polygons, as [`find_path`](crate::query::find_path) does.
#[derive(Clone, Copy, Debug, Default)]
pub struct AStarPlanner;

/// Searches optimal paths, as [`find_optimal_path`](crate::query::find_optimal_path) does.
#[derive(Clone, Copy, Debug, Default)]
pub struct OptimalPlanner;

/// Searches paths guided by bounds of costs, as [`find_bounded_path`](crate::query::find_bounded_path) does: with
/// several times fewer nodes, so that more agents get their paths in one step.
///
/// Bounds are [made for one version of a mesh](CostBounds). While the mesh is another, paths are searched as by
/// [`AStarPlanner`]; set new ones when they are ready.
#[derive(Clone, Debug)]
pub struct BoundedPlanner {
    bounds: Arc<CostBounds>,
}

impl BoundedPlanner {
    /// A planner with these bounds.
    #[must_use]
    pub fn new(bounds: Arc<CostBounds>) -> Self {
        Self { bounds }
    }

    /// The bounds.
    #[must_use]
    pub fn bounds(&self) -> &Arc<CostBounds> {
        &self.bounds
    }

    /// Replaces the bounds, by those of the current version of the mesh. Searches in progress go on with the old ones.
    pub fn set_bounds(&mut self, bounds: Arc<CostBounds>) {
        self.bounds = bounds;
    }
}

impl Planner for BoundedPlanner {
    fn plan(
        &mut self,
        _: &NavMesh,
        request: &PathRequest,
        _: &SharedFilter,
        _: &mut Budget,
        _: &mut PolyPath,
    ) -> Planned {
        Planned::Search { kind: SearchKind::Bounded(Arc::clone(&self.bounds)), limits: request.limits }
    }
}

impl AStarPlanner {
    /// The planner.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

impl OptimalPlanner {
    /// The planner.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

impl Planner for AStarPlanner {
    fn plan(
        &mut self,
        _: &NavMesh,
        request: &PathRequest,
        _: &SharedFilter,
        _: &mut Budget,
        _: &mut PolyPath,
    ) -> Planned {
        Planned::Search { kind: SearchKind::AStar, limits: request.limits }
    }
}

impl Planner for OptimalPlanner {
    fn plan(
        &mut self,
        _: &NavMesh,
        request: &PathRequest,
        _: &SharedFilter,
        _: &mut Budget,
        _: &mut PolyPath,
    ) -> Planned {
        Planned::Search { kind: SearchKind::Optimal, limits: request.limits }
    }
}
