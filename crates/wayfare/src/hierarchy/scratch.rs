//! The memory of hierarchical searches.
//!
//! Sources: none needed.

use super::abstract_search::AbstractSearch;
use super::area_flood::AreaFlood;
use crate::math::funnel::Corner;
use crate::query::SearchScratch;

/// Reusable memory for hierarchical searches. Use one per thread; it works for any search in any world.
#[derive(Clone, Debug, Default)]
pub struct HierarchyScratch {
    pub(super) search: AbstractSearch,
    pub(super) flood: AreaFlood,
    /// The tiles that a search may enter.
    pub(super) slots: Vec<u32>,
    pub(super) corners: Vec<Corner>,
    /// The memory of searches over polygons.
    pub query: SearchScratch,
}

impl HierarchyScratch {
    /// Memory is allocated when it is first needed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
