//! A tile's part of the abstract graph, joined with the parts of its neighbours.
//!
//! If both tiles are in a mesh, their portals are joined where the mesh links their edges. If they are not, portals of
//! facing sides are joined if they overlap along the border and their heights may meet. That joins a few too many,
//! never too few; a wrong one is discovered when a path over it is refined.
//!
//! Cost: the links of the tile; without a mesh, the portals of a side times those that face them.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010.

use super::TileGraph;
use super::tile_graph::{GraphPortal, TileInside};
use crate::math::index::NONE;
use crate::mesh::{PolyRef, TileRef};
use crate::tile::{Side, TileCoord};
use glam::Vec3;
use std::sync::{Arc, OnceLock};

/// A step from a portal to one of another tile, or over an off-mesh connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Join {
    /// The portal of the tile.
    pub(super) from: u32,
    /// The slot of the tile it leads to.
    pub(super) slot: u32,
    /// The portal there.
    pub(super) to: u32,
    /// The off-mesh connection, if the step uses one.
    pub(super) connection: Option<PolyRef>,
}

/// An end of an off-mesh connection on a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stop {
    pub(super) connection: PolyRef,
    /// Which end: 0 the start, 1 the end.
    pub(super) end: u32,
    pub(super) poly: u32,
    pub(super) at: Vec3,
    /// The slot of the tile at the other end.
    pub(super) beyond: u32,
}

/// A tile of an abstract graph.
#[derive(Clone, Debug)]
pub struct GraphTile {
    pub(super) tile: TileRef,
    pub(super) coord: TileCoord,
    pub(super) graph: Arc<TileGraph>,
    /// Set once the tile itself has been in memory.
    pub(super) inside: OnceLock<Arc<TileInside>>,
    pub(super) stops: Vec<Stop>,
    /// Sorted by portal.
    pub(super) joins: Vec<Join>,
    /// Whether it has been joined.
    pub(super) is_joined: bool,
}

impl GraphTile {
    /// Without joins.
    pub(super) fn new(tile: TileRef, coord: TileCoord, graph: Arc<TileGraph>) -> Self {
        Self { tile, coord, graph, inside: OnceLock::new(), stops: Vec::new(), joins: Vec::new(), is_joined: false }
    }

    /// The tile.
    #[must_use]
    pub fn tile(&self) -> TileRef {
        self.tile
    }

    /// Its part of the graph.
    #[must_use]
    pub fn graph(&self) -> &TileGraph {
        &self.graph
    }

    /// The portal of a stop. Stops come after the runs of edges.
    pub(super) fn portal_of_stop(&self, connection: PolyRef, end: u32) -> Option<u32> {
        let at = self.stops.iter().position(|stop| stop.connection == connection && stop.end == end)?;
        Some((self.graph.portals().len() - self.stops.len() + at) as u32)
    }

    /// The slot at the other end of the connection that starts or ends at a portal; [`NONE`] for other portals.
    pub(super) fn slot_beyond(&self, portal: u32) -> u32 {
        let first = self.graph.portals().len() - self.stops.len();
        let stop = (portal as usize).checked_sub(first).and_then(|at| self.stops.get(at));
        stop.map_or(NONE, |stop| stop.beyond)
    }

    pub(super) fn set_joins(&mut self, mut joins: Vec<Join>) {
        joins.sort_unstable();
        joins.dedup();
        (self.joins, self.is_joined) = (joins, true);
    }

    /// The steps from a portal beyond the tile.
    #[inline]
    pub(super) fn joins_of(&self, portal: u32) -> &[Join] {
        let first = self.joins.partition_point(|join| join.from < portal);
        let count = self.joins[first..].iter().take_while(|join| join.from == portal).count();
        &self.joins[first..first + count]
    }

    /// Adds the joins of the portals on a side with those of another tile that they may meet.
    pub(super) fn meet(&self, side: Side, other: &Self, joins: &mut Vec<Join>) {
        let reach = self.graph.reach.max(other.graph.reach);
        let along = |place: Vec3| if side.step().0 == 0 { place.x } else { place.z };
        let range = |portal: &GraphPortal| {
            let ends = portal.ends.map(along);
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        };
        let slot = other.tile.slot().get();
        for (from, here) in (0..).zip(self.graph.portals()).filter(|(_, portal)| portal.side == Some(side)) {
            let [low, high] = range(here);
            for (to, there) in (0..).zip(other.graph.portals()) {
                let [least, most] = range(there);
                let heights = [here.heights[0] - reach, here.heights[1] + reach];
                let may_meet = there.side == Some(side.opposite())
                    && low.max(least) < high.min(most)
                    && heights[0] <= there.heights[1]
                    && there.heights[0] <= heights[1];
                if may_meet {
                    joins.push(Join { from, slot, to, connection: None });
                }
            }
        }
    }
}

/// The polygon of a tile, by its index.
#[inline]
pub(super) fn poly_of(tile: TileRef, poly: u32) -> Option<PolyRef> {
    if poly == NONE { None } else { PolyRef::new(tile.salt(), tile.slot().get(), poly) }
}
