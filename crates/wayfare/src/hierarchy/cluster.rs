//! A cluster of tiles: the portals on its border through which it is entered and left, and the cost of crossing it from
//! each to each.
//!
//! ```text
//!   +----e1-----+      entrances e1, e2, e3 and the costs between them are all that a search which only passes
//!   |           e2     through needs
//!   e3          |
//!   +-----------+
//! ```
//!
//! Cost: quadratic in the entrances, of which there are about eight on open ground, on every level.
//!
//! Sources: see [`GraphLevels`](super::GraphLevels).

use super::closed_parts::AbstractNode;
use crate::mesh::PolyRef;
use glam::Vec3;

/// A portal on the border of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entrance {
    pub(super) node: AbstractNode,
    pub(super) at: Vec3,
    /// As the [portal's](super::GraphPortal::ends).
    pub(super) ends: [Vec3; 2],
    /// The slot at the other end of the off-mesh connection that starts or ends here;
    /// [`NONE`](crate::math::index::NONE) for other portals.
    pub(super) beyond: u32,
    /// Entrances that are connected within the cluster have the same number.
    pub(super) component: u32,
}

/// A step out of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClusterExit {
    /// The portal that is left, as an index into the list of portals beside this list.
    pub(super) from: u32,
    /// The portal that is entered.
    pub(super) to: AbstractNode,
    pub(super) cost: f32,
    /// The off-mesh connection, if the step uses one.
    pub(super) connection: Option<PolyRef>,
}

/// Portals, sorted by node, and the steps from them out of the cluster, sorted by portal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClusterBorder {
    pub(super) portals: Vec<Entrance>,
    pub(super) exits: Vec<ClusterExit>,
}

impl ClusterBorder {
    /// The index of a portal.
    #[inline]
    pub(super) fn find(&self, node: AbstractNode) -> Option<u32> {
        self.portals.binary_search_by_key(&node, |portal| portal.node).ok().map(|at| at as u32)
    }

    /// The exits of a portal.
    #[inline]
    pub(super) fn exits_of(&self, portal: u32) -> &[ClusterExit] {
        let first = self.exits.partition_point(|exit| exit.from < portal);
        let count = self.exits[first..].iter().take_while(|exit| exit.from == portal).count();
        &self.exits[first..first + count]
    }

    /// The same with only some of the portals, given by index in ascending order.
    pub(super) fn only(&self, kept: &[u32]) -> Self {
        let portals = kept.iter().map(|&at| self.portals[at as usize]).collect();
        let exits_of =
            |(from, &at): (u32, &u32)| self.exits_of(at).iter().map(move |exit| ClusterExit { from, ..*exit });
        Self { portals, exits: (0..).zip(kept).flat_map(exits_of).collect() }
    }
}

/// A cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cluster {
    /// Column and row.
    pub(super) at: (i32, i32),
    /// The slots of its tiles, or the numbers of its clusters one level below, in ascending order.
    pub(super) members: Vec<u32>,
    /// All portals that lead out of it.
    pub(super) all: ClusterBorder,
    /// The portals among them that searches use.
    pub(super) chosen: ClusterBorder,
    /// The costs from each of those to each, row by row; infinite where there is no path within the cluster.
    pub(super) costs: Vec<f32>,
}

impl Cluster {
    /// The costs from a chosen entrance to each.
    #[inline]
    pub(super) fn costs_from(&self, entrance: u32) -> &[f32] {
        let count = self.chosen.portals.len();
        let first = entrance as usize * count;
        self.costs.get(first..first + count).unwrap_or_default()
    }

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        let border = |border: &ClusterBorder| size_of_val(&border.portals[..]) + size_of_val(&border.exits[..]);
        size_of::<Self>()
            + size_of_val(&self.members[..])
            + border(&self.all)
            + border(&self.chosen)
            + size_of_val(&self.costs[..])
    }
}
