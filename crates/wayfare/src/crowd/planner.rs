//! Where paths come from.
//!
//! The crowd asks a [`Planner`] for one path after the other, each with what is left of the tick's budget.
//! [`AStarPlanner`] searches the mesh; others may look paths up ([`FlowPlanner`](super::FlowPlanner)) or plan over a
//! hierarchy.

use crate::context::Budget;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{PathRequest, PolyPath, QueryFilter, SearchScratch, SlicedSearch, cut_where_stale};
use std::sync::Arc;

/// A filter of a crowd.
pub type SharedFilter = Arc<dyn QueryFilter + Send + Sync>;

/// How far a planner has got with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// The budget is spent: it goes on where it was when it is asked for the same again.
    Working,
    /// The path stands in what was lent for it.
    Done,
}

/// What comes out of a path under way, and when.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanOutcome {
    /// The path, on the mesh that it is searched on.
    pub path: PolyPath,
    /// How many nodes of the budget are spent before it stands.
    pub nodes: u64,
}

impl PlanOutcome {
    /// Does what the planner would, and has done already: spends nodes until the path stands, and ends it before what
    /// is no longer in the mesh.
    pub(super) fn go_on(&mut self, mesh: &NavMesh, budget: &mut Budget, path: &mut PolyPath) -> Planned {
        // A budget without limit stays without.
        if budget.left() < u64::MAX {
            let spent = self.nodes.min(budget.left());
            self.nodes -= spent;
            *budget = Budget::new(budget.left() - spent);
            if self.nodes > 0 {
                return Planned::Working;
            }
        }
        *path = core::mem::take(&mut self.path);
        cut_where_stale(mesh, path);
        Planned::Done
    }
}

/// Plans paths for a crowd, one at a time.
pub trait Planner {
    /// Whether there may be a way by the filter. `false` is final and is told the agent at once, without a search.
    fn may_reach(&mut self, mesh: &NavMesh, from: PolyRef, to: PolyRef, filter: &SharedFilter) -> bool;

    /// Works on a path until it is done or the budget, in nodes, is spent. While it is [`Planned::Working`], the next
    /// call asks for the same request, unless [`forget`](Self::forget) comes first.
    fn plan(
        &mut self,
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &SharedFilter,
        budget: &mut Budget,
        path: &mut PolyPath,
    ) -> Planned;

    /// What comes out of the path under way, if that is a search that can be seen to its end now: a crowd that is
    /// [stored](super::Crowd::to_bytes) takes it along. `None` if none is under way, and of planners that cannot say:
    /// then the path is asked for anew, and may come some ticks later.
    fn outcome(&self, _filter: &SharedFilter) -> Option<PlanOutcome> {
        None
    }

    /// The path under way is no longer wanted.
    fn forget(&mut self);

    /// The mesh is another than last time.
    fn mesh_changed(&mut self, mesh: &NavMesh);
}

/// Searches paths with A*, in slices. Goals in other connected components of the mesh are refused without a search; so
/// are those behind closed doors, if the mesh [keeps components](NavMesh::keep_components_for) for the filter's mask.
///
/// Cost: as [`find_path`](crate::query::find_path); the mesh computes its components when a path is first wanted on it.
#[derive(Clone, Debug, Default)]
pub struct AStarPlanner {
    search: Option<SlicedSearch>,
    memory: SearchScratch,
}

impl AStarPlanner {
    /// A planner that has seen no mesh.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a search is under way.
    pub(super) fn is_working(&self) -> bool {
        self.search.is_some()
    }
}

impl Planner for AStarPlanner {
    fn may_reach(&mut self, mesh: &NavMesh, from: PolyRef, to: PolyRef, filter: &SharedFilter) -> bool {
        let kept = filter.mask().and_then(|mask| mesh.components_for(mask));
        // An agent that stands on closed ground may still leave it.
        let kept = kept.filter(|kept| kept.component(from).is_some());
        kept.unwrap_or_else(|| mesh.components()).may_reach(from, to)
    }

    fn plan(
        &mut self,
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &SharedFilter,
        budget: &mut Budget,
        path: &mut PolyPath,
    ) -> Planned {
        let filter = filter.as_ref();
        let mut search = match self.search.take() {
            Some(search) => search,
            None => {
                let memory = core::mem::take(&mut self.memory);
                match SlicedSearch::with_scratch(mesh, request, filter, memory) {
                    Ok(search) => search,
                    Err(_) => {
                        path.clear();
                        return Planned::Done;
                    }
                }
            }
        };
        if !search.step(filter, budget) {
            self.search = Some(search);
            return Planned::Working;
        }
        search.path_into(mesh, path);
        self.memory = search.into_scratch();
        Planned::Done
    }

    fn outcome(&self, filter: &SharedFilter) -> Option<PlanOutcome> {
        let (path, nodes) = self.search.as_ref()?.outcome(filter.as_ref());
        Some(PlanOutcome { path, nodes })
    }

    fn forget(&mut self) {
        if let Some(search) = self.search.take() {
            self.memory = search.into_scratch();
        }
    }

    fn mesh_changed(&mut self, _: &NavMesh) {}
}
