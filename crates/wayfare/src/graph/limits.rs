//! How far a search may go.
//!
//! Sources: none needed.

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchLimits {
    /// Most nodes (ways into polygons) that a search may open. When there are no more, ways that would need new ones
    /// are left out and the answer carries [`LimitHit::Nodes`](crate::area::LimitHit::Nodes). Default: no limit, so a
    /// search may open the whole connected part of the mesh.
    pub max_nodes: u32,
    /// Greatest cost of a path from the start, the estimate of the rest not counted. Ways that cost more are left out
    /// and the answer carries [`LimitHit::Distance`](crate::area::LimitHit::Distance): a complete path never costs
    /// more. Default: infinite; NaN is no limit either.
    pub max_cost: f32,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { max_nodes: u32::MAX, max_cost: f32::INFINITY }
    }
}
