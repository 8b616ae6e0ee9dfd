//! What comes out of a search under way, for those that cannot be stored as they stand.
//!
//! A search may go on over a mesh that has changed since, so its nodes mean nothing to whoever reads them later. But
//! what comes out of it, and how many nodes that still takes, is settled unless it is broken off.
//!
//! Sources: none needed.

use crate::context::Budget;
use crate::mesh::{NavMesh, StaleRef};
use crate::query::{PolyPath, cut_where_stale};

/// What comes out of a search under way, and when.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanOutcome {
    /// The path, on the mesh that it is searched on.
    pub path: PolyPath,
    /// How many nodes of the budget are spent before it stands.
    pub nodes: u64,
}

impl PlanOutcome {
    /// Does what the search would, and has done already: spends nodes. Whether the path stands.
    pub(super) fn step(&mut self, budget: &mut Budget) -> bool {
        // A budget without limit stays without.
        if budget.left() == u64::MAX {
            return true;
        }
        let spent = self.nodes.min(budget.left());
        self.nodes -= spent;
        budget.charge(spent);
        self.nodes == 0
    }

    /// Takes the path, ended before what is no longer in `mesh`, which is returned.
    pub(super) fn take(self, mesh: &NavMesh, path: &mut PolyPath) -> Option<StaleRef> {
        *path = self.path;
        cut_where_stale(mesh, path)
    }
}
