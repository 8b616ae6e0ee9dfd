//! Decides which edges of a tile can be part of a path to a goal, and which lead only into dead ends.
//!
//! A path over an edge either reaches the goal or an exit from the tile before it comes back, or never does. Exits are
//! the tile's border and the off-mesh connections that can be entered. With the goal in the tile, paths over the border
//! and back are loops that the blocks of [`DeadEnds`] account for, unless a connection leads back anywhere.
//!
//! ```text
//!   .---.---.---.---.    S to G: the edge to b is left out, if no connection can be entered from a or b.
//!   | a | b | S | G |
//!   '---'---'---'---'
//! ```
//!
//! Sources: own; the blocks are those of [`DeadEnds`].

use crate::mesh::{NavMesh, Tile};
use crate::tile::{DeadEnds, HalfEdge, SearchGraph};

/// What the edges of a tile must lead to.
pub(super) struct UsefulEdges<'a> {
    graph: &'a SearchGraph,
    /// The number of the goal among the dead ends, if it is in the tile.
    goal: Option<u32>,
    /// Whether the path may leave over the tile's border.
    over_border: bool,
    /// The numbers of the polygons from which connections can be entered.
    entrances: &'a [u32],
}

impl<'a> UsefulEdges<'a> {
    /// Those of a tile, for a goal that lies in one polygon: slot of its tile, and index.
    #[inline]
    pub(super) fn to(goal: (u32, u32), mesh: &NavMesh, tile: &'a Tile) -> Self {
        let graph = tile.graph();
        let links = tile.links();
        let goal = (goal.0 == tile.slot().get()).then(|| graph.dead_ends().number_of(goal.1));
        let comes_back = || mesh.connection_count() > 0 && !links.all().is_empty();
        Self { graph, goal, over_border: goal.is_none() || comes_back(), entrances: links.entrances(graph.dead_ends()) }
    }

    /// Whether an edge can be part of the path. `number` is its index in the graph's list.
    #[inline]
    pub(super) fn has(&self, number: usize, edge: &HalfEdge) -> bool {
        let ends: &DeadEnds = self.graph.dead_ends();
        let corner = || self.graph.corners()[number];
        self.over_border && !edge.is_dead_end()
            || self.goal.is_some_and(|goal| ends.leads_to(corner(), goal))
            || !self.entrances.is_empty() && ends.leads_to_any(corner(), self.entrances)
    }
}
