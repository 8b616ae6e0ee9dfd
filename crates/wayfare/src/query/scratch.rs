//! The memory of searches: it belongs to the caller, is reused for every query, and never needs clearing.
//!
//! ```text
//!   SearchScratch ── memory of searches, of which each takes what it needs
//!                └── observer, who looks at their nodes; nobody, if not said otherwise
//! ```
//!
//! Cost: grows with what a search touches, not with the mesh. The second query allocates nothing.
//!
//! Sources: none needed.

use super::circle_ground::CircleGround;
use super::goal_point::GoalPoint;
use super::mesh_nodes::{Exits, Nodes};
use super::optimal::{OptimalMemory, OptimalPath};
use super::taken_polys::TakenOutline;
use crate::graph::{FirstFound, InHand};
use crate::math::funnel::Corner;
use glam::Vec3;

/// Reusable memory for queries. Use one per thread; it works for any query on any mesh.
///
/// `O` observes the nodes of every search that uses it, see [`SearchObserver`](crate::graph::SearchObserver). With `()`
/// there is no observer, and searches are compiled as if observers did not exist.
#[derive(Clone, Debug)]
pub struct SearchScratch<O = ()> {
    pub(super) memory: SearchMemory,
    pub(super) observer: O,
}

/// The memory of the searches.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchMemory {
    pub(super) nodes: Nodes,
    pub(super) exits: Exits,
    /// Nodes in the order in which they will be expanded: the cheapest first, or the first found.
    pub(super) open: InHand,
    pub(super) queue: FirstFound,
    pub(super) components: Vec<u32>,
    pub(super) corners: Vec<Corner>,
    /// Corners of polygons, one polygon after the other, and what is known of each.
    pub(super) verts: Vec<Vec3>,
    pub(super) outlines: Vec<TakenOutline>,
    pub(super) circle: CircleGround,
    /// The goals of a search for the nearest of many, and a polygon being clipped.
    pub(super) places: Vec<GoalPoint>,
    pub(super) clip: [Vec<Vec3>; 2],
    pub(super) optimal: OptimalMemory,
    /// The path that an optimal search compares with its own.
    pub(super) other: OptimalPath,
}

impl SearchScratch {
    /// Memory is allocated when it is first needed.
    #[must_use]
    pub fn new() -> Self {
        Self { memory: SearchMemory::default(), observer: () }
    }
}

impl Default for SearchScratch {
    fn default() -> Self {
        Self::new()
    }
}

impl<O> SearchScratch<O> {
    /// The same memory with an observer of the searches that use it. Pass a `&mut` to keep the observer.
    #[must_use]
    pub fn observed_by<N>(self, observer: N) -> SearchScratch<N> {
        SearchScratch { memory: self.memory, observer }
    }

    /// The observer.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The observer, mutable.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }
}
