//! Where a hierarchical search gets tiles and their parts of the abstract graph from.
//!
//! Sources: none needed.

use super::graph_tile::GraphTile;
use super::tile_graph::TileInside;
use super::{AbstractGraph, GraphLevels};
use crate::math::index::TileSlot;
use crate::mesh::NavMesh;
use crate::tile::TileCoord;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A tile that cannot be loaded. The search goes on without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tile at column {}, row {}, layer {} is not loaded: it is {why}", coord.x, coord.z, coord.layer)]
pub struct NotLoaded {
    /// Its place.
    pub coord: TileCoord,
    /// Its slot.
    pub slot: u32,
    /// Why.
    pub why: NotLoadedReason,
}

/// Why a tile cannot be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NotLoadedReason {
    /// There is none at its place, or not any more.
    Missing,
    /// What is there is damaged.
    Broken,
    /// There is no room: all that is resident is needed at once.
    NoRoom,
}

impl core::fmt::Display for NotLoadedReason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::Broken => "broken",
            Self::NoRoom => "more than fits into the budget",
        })
    }
}

/// Tiles of a mesh, in memory or loaded when they are needed, and the abstract graph over all of them.
pub trait TileAccess {
    /// The mesh of the tiles that are there now.
    fn mesh(&self) -> &NavMesh;

    /// One more than the highest slot of a tile, whether it is there now or not.
    fn slot_count(&self) -> u32;

    /// A tile's part of the abstract graph, which need not be there as a tile; and the mesh.
    fn graph_tile_and_mesh(&mut self, slot: u32) -> (Option<&GraphTile>, &NavMesh);

    /// A tile's part of the abstract graph.
    fn graph_tile(&mut self, slot: u32) -> Option<&GraphTile> {
        self.graph_tile_and_mesh(slot).0
    }

    /// The place of the tile in a slot.
    fn coord_of(&mut self, slot: u32) -> Option<TileCoord> {
        self.graph_tile(slot).map(|tile| tile.coord)
    }

    /// The levels above its tiles, each for other filters.
    fn levels(&self) -> &[Arc<GraphLevels>] {
        &[]
    }

    /// The slots of tiles that are others now than when the levels were made. What connects around them is looked at
    /// portal by portal.
    fn changed_since_levels(&self) -> &BTreeSet<u32> {
        const NONE: &BTreeSet<u32> = &BTreeSet::new();
        NONE
    }

    /// Sees to it that tiles are there, all at once.
    ///
    /// # Errors
    /// [`NotLoaded`] for the first that cannot be.
    fn load(&mut self, slots: &[u32]) -> Result<(), NotLoaded>;

    /// Whether all tiles are there at any time.
    fn is_whole(&self) -> bool {
        false
    }
}

/// A mesh that is in memory, and its graph, which must be [up to date](AbstractGraph::update).
#[derive(Clone, Copy, Debug)]
pub struct InMemory<'a> {
    mesh: &'a NavMesh,
    graph: &'a AbstractGraph,
}

impl<'a> InMemory<'a> {
    /// Both together.
    #[must_use]
    pub fn new(mesh: &'a NavMesh, graph: &'a AbstractGraph) -> Self {
        Self { mesh, graph }
    }
}

impl TileAccess for InMemory<'_> {
    fn mesh(&self) -> &NavMesh {
        self.mesh
    }

    fn slot_count(&self) -> u32 {
        self.graph.slot_count()
    }

    #[inline]
    fn graph_tile_and_mesh(&mut self, slot: u32) -> (Option<&GraphTile>, &NavMesh) {
        (self.graph.tile_in(slot), self.mesh)
    }

    fn levels(&self) -> &[Arc<GraphLevels>] {
        self.graph.levels()
    }

    fn load(&mut self, slots: &[u32]) -> Result<(), NotLoaded> {
        let is_there = |slot: u32| self.mesh.tile_in(TileSlot::new(slot)).is_some();
        match slots.iter().find(|&&slot| !is_there(slot)) {
            None => Ok(()),
            Some(&slot) => {
                let coord = self.graph.tile_in(slot).map_or(TileCoord::default(), |tile| tile.coord);
                Err(NotLoaded { coord, slot, why: NotLoadedReason::Missing })
            }
        }
    }

    fn is_whole(&self) -> bool {
        true
    }
}

/// What connects the polygons of a tile that is there with its part of the graph.
pub(super) fn inside_of<W: TileAccess + ?Sized>(world: &mut W, slot: u32) -> Option<Arc<TileInside>> {
    let (part, mesh) = world.graph_tile_and_mesh(slot);
    let part = part?;
    let tile = mesh.tile(part.tile).ok()?;
    let make = || Arc::new(TileInside::of(tile.data(), tile.states(), part.stops.iter().map(|stop| stop.poly)));
    Some(Arc::clone(part.inside.get_or_init(make)))
}
