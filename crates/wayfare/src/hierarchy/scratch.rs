//! The memory of hierarchical searches.
//!
//! Sources: none needed.

use super::abstract_search::AbstractSearch;
use super::area_flood::AreaFlood;
use crate::math::funnel::Corner;
use crate::query::SearchScratch;

/// Reusable memory for hierarchical searches. One for each thread that asks; any search in any world may use it.
#[derive(Clone, Debug, Default)]
pub struct HierarchyScratch {
    pub(super) search: AbstractSearch,
    pub(super) flood: AreaFlood,
    /// The tiles that a search is in.
    pub(super) slots: Vec<u32>,
    pub(super) corners: Vec<Corner>,
    /// The memory of searches over polygons.
    pub query: SearchScratch,
}

impl HierarchyScratch {
    /// Memory that is allocated when it is first needed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
