//! Limits of a search.
//!
//! Sources: none needed.

/// Limits of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchLimits {
    /// The maximum number of nodes (entries into polygons) that a search may open. When it is reached, no new nodes are
    /// opened and the answer carries [`LimitHit::Nodes`](crate::area::LimitHit::Nodes). Default: no limit, so a search
    /// may open the whole connected part of the mesh.
    pub max_nodes: u32,
    /// The maximum cost of a path from the start, without the estimate of the rest. More expensive paths are left out
    /// and the answer carries [`LimitHit::Distance`](crate::area::LimitHit::Distance): a complete path never costs
    /// more. Default: infinite; NaN is no limit either.
    pub max_cost: f32,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { max_nodes: u32::MAX, max_cost: f32::INFINITY }
    }
}
