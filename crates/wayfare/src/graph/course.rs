//! The progress of a search: what is kept between two slices, apart from the nodes.
//!
//! Cost: a comparison for each limit and node.
//!
//! Sources: none needed.

use super::SearchLimits;
use crate::area::LimitHit;

/// The state of a search between two slices. Its nodes and its open list are in the caller's memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub(crate) limits: SearchLimits,
    /// The limit that was hit.
    pub(crate) limit: Option<LimitHit>,
    /// The node estimated nearest to the goal, and that estimate.
    pub(crate) best: u32,
    pub(crate) best_estimate: f32,
    /// Whether there is nothing left to do.
    pub(crate) is_finished: bool,
}

impl Course {
    /// A search at its beginning.
    #[inline]
    pub(crate) fn within(limits: SearchLimits) -> Self {
        Self { limits, limit: None, best: 0, best_estimate: f32::INFINITY, is_finished: false }
    }

    /// Whether a path costs more than the limit; an infinite cost means no path and is not counted as hitting the
    /// limit.
    #[inline]
    pub(crate) fn is_too_expensive(&mut self, cost: f32) -> bool {
        let is_too_expensive = cost > self.limits.max_cost;
        if is_too_expensive && cost < f32::INFINITY {
            self.limit = self.limit.or(Some(LimitHit::Distance));
        }
        is_too_expensive
    }

    /// Whether the limit of nodes is reached.
    #[inline]
    pub(crate) fn is_full(&mut self, nodes: u32) -> bool {
        let is_full = nodes >= self.limits.max_nodes;
        if is_full {
            self.limit = Some(LimitHit::Nodes);
        }
        is_full
    }
}
