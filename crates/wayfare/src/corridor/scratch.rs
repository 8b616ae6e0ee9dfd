//! The working memory of corridors.

use crate::math::funnel::{Corner, Portal};
use crate::mesh::PolyRef;
use crate::query::{PolyPath, Raycast, SearchScratch};

/// Reusable memory for corridors: one per thread. Its content never affects a result.
#[derive(Clone, Debug, Default)]
pub struct CorridorScratch {
    /// For queries.
    pub search: SearchScratch,
    pub(super) visited: Vec<PolyRef>,
    pub(super) portals: Vec<Portal>,
    pub(super) corners: Vec<Corner>,
    pub(super) ray: Raycast,
    pub(super) path: PolyPath,
}

impl CorridorScratch {
    /// Memory is allocated when it is first needed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
