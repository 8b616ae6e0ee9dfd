//! The outcome of a search in progress, for storing it.
//!
//! A search may use a mesh that has changed since, so its nodes would be useless when read later. But its result, and
//! how many nodes it still takes, are determined unless it is cancelled.
//!
//! Sources: none needed.

use crate::context::Budget;
use crate::mesh::{NavMesh, StaleRef};
use crate::query::{PolyPath, cut_where_stale};

/// The result of a search in progress, and when it will be ready.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanOutcome {
    /// The path, on the mesh on which it is searched.
    pub path: PolyPath,
    /// How many budget nodes are spent before it is ready.
    pub nodes: u64,
}

impl PlanOutcome {
    /// Spends nodes as the search would. Returns whether the path is ready.
    pub(super) fn step(&mut self, budget: &mut Budget) -> bool {
        // An unlimited budget stays unlimited.
        if budget.left() == u64::MAX {
            return true;
        }
        let spent = self.nodes.min(budget.left());
        self.nodes -= spent;
        budget.charge(spent);
        self.nodes == 0
    }

    /// Takes the path, cut before what is no longer in `mesh`, which is returned.
    pub(super) fn take(self, mesh: &NavMesh, path: &mut PolyPath) -> Option<StaleRef> {
        *path = self.path;
        cut_where_stale(mesh, path)
    }
}
