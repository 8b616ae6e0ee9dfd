//! Finds an abstract path between two positions on tiles that are in memory.
//!
//! Cost: a flood of the area of each end within its tile, and the search.
//!
//! Sources: none needed.

use super::HierarchyScratch;
use super::abstract_search::AbstractPath;
use super::abstract_task::AbstractTask;
use super::attach::{attach, direct};
use super::closed_parts::ClosedParts;
use super::tile_access::TileAccess;
use crate::query::{PolyPoint, QueryFilter};

/// The question.
#[derive(Clone, Copy)]
pub(super) struct AbstractQuestion<'a> {
    /// Start and goal.
    pub(super) ends: [PolyPoint; 2],
    pub(super) closed: &'a ClosedParts,
    /// Whether clusters may be crossed as a whole.
    pub(super) by_clusters: bool,
}

/// Finds the cheapest abstract path between two positions; also returns how many nodes were expanded.
pub(super) fn find_abstract<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
    world: &mut W,
    question: AbstractQuestion<'_>,
    filter: &F,
    scratch: &mut HierarchyScratch,
) -> (Option<AbstractPath>, u32) {
    let AbstractQuestion { ends: [from, to], closed, by_clusters } = question;
    let flood = &mut scratch.flood;
    let Some(goal) = attach(world, to, flood) else { return (None, 0) };
    let Some(start) = attach(world, from, flood) else { return (None, 0) };
    let direct = direct(world, &start, to, flood);
    let task = AbstractTask { start: &start, goal: &goal, direct, closed, by_clusters };
    let found = scratch.search.run(world, &task, filter);
    (found, scratch.search.opened())
}
