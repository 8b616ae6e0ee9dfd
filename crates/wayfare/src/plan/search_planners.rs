//! The planners that have every path searched.
//!
//! Goals in other connected components of the mesh are refused without a search; so are those behind closed doors, if
//! the mesh [keeps components](NavMesh::keep_components_for) for the filter's mask.
//!
//! Cost: two look-ups a request; the mesh computes its components when a path is first wanted on it.
//!
//! Sources: none needed.

use super::{Planned, Planner, SearchKind, SharedFilter};
use crate::context::Budget;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{PathRequest, PolyPath};

/// Has paths searched with A* over polygons, as [`find_path`](crate::query::find_path) does.
#[derive(Clone, Copy, Debug, Default)]
pub struct AStarPlanner;

/// Has the shortest paths searched, as [`find_optimal_path`](crate::query::find_optimal_path) does.
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
    fn may_reach(&mut self, mesh: &NavMesh, from: PolyRef, to: PolyRef, filter: &SharedFilter) -> bool {
        may_reach(mesh, from, to, filter)
    }

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
    fn may_reach(&mut self, mesh: &NavMesh, from: PolyRef, to: PolyRef, filter: &SharedFilter) -> bool {
        may_reach(mesh, from, to, filter)
    }

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

fn may_reach(mesh: &NavMesh, from: PolyRef, to: PolyRef, filter: &SharedFilter) -> bool {
    let kept = filter.mask().and_then(|mask| mesh.components_for(mask));
    // An agent that stands on closed ground may still leave it.
    match kept.and_then(|kept| Some((kept, kept.component(from)?))) {
        Some((kept, component)) => kept.may_lead(component, to),
        None => mesh.components().may_reach(from, to),
    }
}
