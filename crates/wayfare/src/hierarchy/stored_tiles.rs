//! Tiles of a store, for a world of which only some are in memory.
//!
//! Sources: none needed.

use super::tile_access::NotLoadedReason;
use super::tile_reader::TileReader;
use crate::format::{StoreError, StoreRecord, WorldStore};
use crate::mesh::{NavMesh, PreparedTile};
use crate::tile::{TileCoord, TileLayout};

/// The tiles of a store. It may be written meanwhile by somebody else: what was committed when it was opened is read.
#[derive(Clone, Debug)]
pub struct StoredTiles<S> {
    /// The store.
    pub store: S,
}

impl<S: WorldStore> StoredTiles<S> {
    /// The tiles of a store that is open.
    #[must_use]
    pub fn new(store: S) -> Self {
        Self { store }
    }
}

impl<S: WorldStore> TileReader for StoredTiles<S> {
    fn empty_mesh(&self) -> NavMesh {
        // A store is opened with its head read.
        let none = || NavMesh::new(TileLayout { origin: glam::Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 });
        self.store.head().mesh().unwrap_or_else(|_| none())
    }

    fn coords(&self) -> Vec<TileCoord> {
        self.store.index().iter().filter(|entry| entry.has_tile()).map(|entry| entry.coord).collect()
    }

    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason> {
        let stored = self.store.read_tile(coord).map_err(|error| reason(&error))?;
        stored.tile.ok_or(NotLoadedReason::Missing)
    }

    fn read_graph(&self, coord: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason> {
        match self.store.read_section(coord, StoreRecord::GRAPH_SECTION) {
            Ok(section) => Ok(section.map(|section| section.bytes)),
            Err(error) => Err(reason(&error)),
        }
    }
}

fn reason(error: &StoreError) -> NotLoadedReason {
    match error {
        StoreError::Missing { .. } => NotLoadedReason::Missing,
        _ => NotLoadedReason::Broken,
    }
}
