//! How a hierarchical search accesses tiles and their parts of the abstract graph.
//!
//! Sources: none needed.

use super::GraphLevels;
use super::graph_tile::GraphTile;
use super::tile_graph::TileInside;
use crate::mesh::NavMesh;
use crate::tile::TileCoord;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A tile that cannot be loaded. The search continues without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tile at column {}, row {}, layer {} is not loaded: it is {why}", coord.x, coord.z, coord.layer)]
pub struct NotLoaded {
    /// Its column, row and layer.
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
    /// It does not exist, or no longer.
    Missing,
    /// Its data is damaged.
    Broken,
    /// It could not be read this time, such as from a busy network share. It is tried again later.
    Failed,
    /// It was replaced since its store was opened: open the store again.
    Replaced,
    /// There is no room: the budget is too small for the tiles that are needed at the same time.
    NoRoom,
}

impl core::fmt::Display for NotLoadedReason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::Broken => "broken",
            Self::Failed => "not to be read at the moment",
            Self::Replaced => "replaced since its store was opened",
            Self::NoRoom => "more than fits into the budget",
        })
    }
}

/// The tiles of a mesh, in memory or loaded when needed, and the abstract graph over all of them.
pub trait TileAccess {
    /// The mesh of the tiles that are in memory now.
    fn mesh(&self) -> &NavMesh;

    /// One more than the highest slot of a tile, whether it is in memory or not.
    fn slot_count(&self) -> u32;

    /// A tile's part of the abstract graph, also if the tile is not in memory; and the mesh.
    fn graph_tile_and_mesh(&mut self, slot: u32) -> (Option<&GraphTile>, &NavMesh);

    /// A tile's part of the abstract graph.
    fn graph_tile(&mut self, slot: u32) -> Option<&GraphTile> {
        self.graph_tile_and_mesh(slot).0
    }

    /// Column, row and layer of the tile in a slot.
    fn coord_of(&mut self, slot: u32) -> Option<TileCoord> {
        self.graph_tile(slot).map(|tile| tile.coord)
    }

    /// The levels above its tiles, each for different filters.
    fn levels(&self) -> &[Arc<GraphLevels>] {
        &[]
    }

    /// The slots of tiles that have changed since the levels were made. Searches cross their clusters portal by portal.
    fn changed_since_levels(&self) -> &BTreeSet<u32> {
        const NONE: &BTreeSet<u32> = &BTreeSet::new();
        NONE
    }

    /// Loads tiles, so that all of them are in memory at the same time.
    ///
    /// # Errors
    /// [`NotLoaded`] for the first tile that cannot be loaded.
    fn load(&mut self, slots: &[u32]) -> Result<(), NotLoaded>;

    /// Whether all tiles are always in memory.
    fn is_whole(&self) -> bool {
        false
    }
}

/// How the polygons of a tile in memory are related to its part of the graph.
pub(super) fn inside_of<W: TileAccess + ?Sized>(world: &mut W, slot: u32) -> Option<Arc<TileInside>> {
    let (part, mesh) = world.graph_tile_and_mesh(slot);
    let part = part?;
    let tile = mesh.tile(part.tile).ok()?;
    let make = || Arc::new(TileInside::of(tile.data(), tile.states(), part.stops.iter().map(|stop| stop.poly)));
    Some(Arc::clone(part.inside.get_or_init(make)))
}
