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
use crate::tile::{Beyond, DeadEnds, Numbers};

/// What the edges of a polygon must lead to.
pub(super) struct UsefulEdges<'a> {
    dead_ends: &'a DeadEnds,
    /// The number of the goal among the dead ends, if it is in the tile.
    goal: Option<u32>,
    /// The numbers of the polygons from which connections can be entered.
    entrances: &'a [u32],
    /// Whether those of its edges that lead into no dead end can be part of the path.
    lead_on: bool,
}

impl<'a> UsefulEdges<'a> {
    /// Those of a polygon of a tile, for a goal that lies in one polygon: slot of its tile, and index.
    #[inline(always)]
    pub(super) fn to(goal: (u32, u32), mesh: &NavMesh, (tile, poly): (&'a Tile, u32)) -> Self {
        let dead_ends = tile.edges().dead_ends();
        let links = tile.links();
        let goal = (goal.0 == tile.slot().get()).then(|| dead_ends.number_of(goal.1));
        let mut edges = Self { dead_ends, goal, entrances: links.entrances(dead_ends), lead_on: true };
        // Over the border, and back only over a connection.
        let over_border = || goal.is_none() || mesh.connection_count() > 0 && !links.all().is_empty();
        edges.lead_on = over_border() || edges.is_wanted(dead_ends.elsewhere(poly));
        edges
    }

    /// Whether the goal or an entrance of a connection is among the polygons with these numbers.
    #[inline]
    fn is_wanted(&self, ahead: Numbers) -> bool {
        self.goal.is_some_and(|goal| ahead.contains(goal))
            || !self.entrances.is_empty() && ahead.contains_any(self.entrances)
    }

    /// Whether an edge can be part of the path.
    #[inline]
    pub(super) fn has(&self, beyond: Beyond) -> bool {
        match beyond.as_poly() {
            Some(next) if beyond.is_dead_end() => self.is_wanted(self.dead_ends.block_of(next)),
            _ => self.lead_on,
        }
    }
}
