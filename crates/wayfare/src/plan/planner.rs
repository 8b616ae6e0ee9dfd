//! Decides how paths are found.
//!
//! A planner is given one request after the other, on one thread, in the order in which they were made. It either has
//! the answer, or computes it within the budget, or names the search by which the queue should find it: those run on
//! many threads.
//!
//! Sources: none needed.

use super::PlanOutcome;
use crate::context::Budget;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{CostBounds, PathRequest, PolyPath, PolyPoint, QueryFilter, SearchLimits, flag_components};
use std::sync::Arc;

/// A filter that requests share, on any thread.
pub type SharedFilter = Arc<dyn QueryFilter + Send + Sync>;

/// How a planner answers a request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Planned {
    /// The path is in the output that was passed in.
    Done,
    /// The budget is used up: the planner continues when it is called with the same request again. Requests behind this
    /// one wait.
    Working,
    /// A search finds it, in parallel with others.
    Search {
        /// The kind of search.
        kind: SearchKind,
        /// Its limits; most planners pass on those of the request.
        limits: SearchLimits,
    },
}

/// The searches that a queue can run itself.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum SearchKind {
    /// A* over polygons: the answer is that of [`find_path`](crate::query::find_path) with nodes at the middles of
    /// portals.
    #[default]
    AStar,
    /// The optimal search in any direction: the answer is the path of
    /// [`find_optimal_path`](crate::query::find_optimal_path). Several times more expensive.
    Optimal,
    /// A search guided by bounds of costs: the answer is that of
    /// [`find_bounded_path`](crate::query::find_bounded_path).
    Bounded(Arc<CostBounds>),
}

/// Plans paths for a [`PathQueue`](super::PathQueue).
pub trait Planner {
    /// Whether the goal may be reachable for the filter. `false` is final: a crowd reports it at once, without a
    /// search.
    ///
    /// Default: goals in other connected components of the mesh are refused; so are those behind closed doors, if the
    /// mesh [keeps components](NavMesh::keep_components_for) for the filter's mask. Two look-ups; the mesh computes its
    /// components when a path is first requested on it.
    fn may_reach(&mut self, mesh: &NavMesh, from: PolyRef, to: PolyRef, filter: &SharedFilter) -> bool {
        match flag_components(mesh, filter.as_ref(), from) {
            Some((kept, component)) => kept.may_lead(component, to),
            None => mesh.components().may_reach(from, to),
        }
    }

    /// Answers a request, or works on the answer until the budget, in nodes, is spent. While it is
    /// [`Planned::Working`], the next call asks for the same request, unless [`forget`](Self::forget) comes first.
    fn plan(
        &mut self,
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &SharedFilter,
        budget: &mut Budget,
        path: &mut PolyPath,
    ) -> Planned;

    /// What comes out of the request that the planner is working on, if that can be seen to its end now: a crowd that
    /// is [stored](../crowd/struct.Crowd.html#method.to_bytes) takes it along. Default `None`: then the path is asked
    /// for anew, and may come some ticks later.
    fn outcome(&self, _filter: &SharedFilter) -> Option<PlanOutcome> {
        None
    }

    /// The request that the planner is working on is no longer wanted. Default: nothing.
    fn forget(&mut self) {}

    /// An agent at `at` cannot get past obstacles that the mesh does not contain: no local path leads around those with
    /// the numbers `by`, nearest first. A crowd tells this in every tick while it lasts, before it asks for paths. A
    /// planner of one's own may avoid the place in its answers; see
    /// [`Crowd::set_obstacles`](../crowd/struct.Crowd.html#method.set_obstacles). Default: nothing.
    fn obstructed(&mut self, _mesh: &NavMesh, _at: PolyPoint, _by: &[u32]) {}

    /// The mesh is another than last time. Default: nothing.
    fn mesh_changed(&mut self, _mesh: &NavMesh) {}
}
