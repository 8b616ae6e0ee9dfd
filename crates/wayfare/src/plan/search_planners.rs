//! Planners that search every path.
//!
//! Sources: none needed.

use super::{Planned, Planner, SearchKind, SharedFilter};
use crate::context::Budget;
use crate::mesh::NavMesh;
use crate::query::{PathRequest, PolyPath};

/// Searches paths with A* over polygons, as [`find_path`](crate::query::find_path) does.
#[derive(Clone, Copy, Debug, Default)]
pub struct AStarPlanner;

/// Searches optimal paths, as [`find_optimal_path`](crate::query::find_optimal_path) does.
#[derive(Clone, Copy, Debug, Default)]
pub struct OptimalPlanner;

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
