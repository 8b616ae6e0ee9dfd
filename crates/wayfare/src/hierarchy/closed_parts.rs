//! The parts of an abstract graph that a search must avoid, since they turned out to be closed when a path over them
//! was refined.
//!
//! Sources: none needed.

use crate::math::index::NONE;
use std::collections::BTreeSet;

/// A node of an abstract graph: a portal of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AbstractNode {
    /// The slot of the tile.
    pub(super) slot: u32,
    /// The portal in the tile's part.
    pub(super) portal: u32,
}

impl AbstractNode {
    /// The start of a search.
    pub(super) const START: Self = Self { slot: NONE, portal: 0 };
    /// The goal of a search.
    pub(super) const GOAL: Self = Self { slot: NONE, portal: 1 };
}

/// Closed edges and tiles.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosedParts {
    edges: BTreeSet<(AbstractNode, AbstractNode)>,
    tiles: BTreeSet<u32>,
}

impl ClosedParts {
    /// Closes the edge from one node to another.
    pub(super) fn close_edge(&mut self, from: AbstractNode, to: AbstractNode) {
        self.edges.insert((from, to));
    }

    /// Closes all steps into a tile.
    pub(super) fn close_tile(&mut self, slot: u32) {
        self.tiles.insert(slot);
    }

    /// Forgets the closed edges at the start, which has moved.
    pub(super) fn move_start(&mut self) {
        self.edges.retain(|(from, _)| *from != AbstractNode::START);
    }

    #[inline]
    pub(super) fn has_edge(&self, from: AbstractNode, to: AbstractNode) -> bool {
        !self.edges.is_empty() && self.edges.contains(&(from, to))
    }

    #[inline]
    pub(super) fn has_tile(&self, slot: u32) -> bool {
        !self.tiles.is_empty() && self.tiles.contains(&slot)
    }

    /// The slots of all tiles that are closed or that a closed edge leads from or to.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        let nodes = self.edges.iter().flat_map(|&(from, to)| [from.slot, to.slot]);
        self.tiles.iter().copied().chain(nodes).filter(|&slot| slot != NONE)
    }

    /// Whether nothing is closed.
    pub(super) fn is_empty(&self) -> bool {
        self.edges.is_empty() && self.tiles.is_empty()
    }

    /// How many edges are closed.
    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }
}
