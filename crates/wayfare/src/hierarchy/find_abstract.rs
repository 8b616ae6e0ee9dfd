//! An abstract path between two places on tiles that are there.
//!
//! Cost: a flood of the area of each end within its tile, then the search.
//!
//! Sources: none needed.

use super::HierarchyScratch;
use super::abstract_search::{AbstractPath, AbstractTask};
use super::attach::{attach, direct};
use super::closed_parts::ClosedParts;
use super::tile_access::TileAccess;
use crate::query::{PolyPoint, QueryFilter};

/// Finds the cheapest abstract path from one place to another, over clusters or portal by portal, and how many nodes
/// that took.
pub(super) fn find_abstract<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
    world: &mut W,
    [from, to]: [PolyPoint; 2],
    (closed, by_clusters): (&ClosedParts, bool),
    filter: &F,
    scratch: &mut HierarchyScratch,
) -> (Option<AbstractPath>, u32) {
    let flood = &mut scratch.flood;
    let Some(goal) = attach(world, to, flood) else { return (None, 0) };
    let Some(start) = attach(world, from, flood) else { return (None, 0) };
    let direct = direct(world, &start, to, flood);
    let task = AbstractTask { start: &start, goal: &goal, direct, closed, by_clusters };
    let found = scratch.search.run(world, &task, filter);
    (found, scratch.search.opened())
}
