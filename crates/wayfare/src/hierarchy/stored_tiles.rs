//! The tiles of a store, for a world of which only some are in memory.
//!
//! Sources: none needed.

use super::level_bytes::LevelTiles;
use super::resident_world::row_by_row;
use super::tile_access::NotLoadedReason;
use super::tile_reader::TileReader;
use super::{GraphLevels, ResidentBudget, ResidentWorld};
use crate::format::{Section, StoreError, StoreHead, StoreRecord, WorldStore};
use crate::mesh::{NavMesh, PreparedTile};
use crate::plan::SharedFilter;
use crate::query::DefaultFilter;
use crate::tile::{TileCoord, TileLayout};
use std::sync::Arc;

/// The tiles of a store, as it lists them since it was opened. Another process may write to it meanwhile: a store in
/// one file still has the tiles of that moment; of one in a folder, those that were
/// [replaced](NotLoadedReason::Replaced) or removed cannot be read until it is opened again.
#[derive(Clone, Debug)]
pub struct StoredTiles<S> {
    /// The store.
    pub store: S,
}

impl<S: WorldStore> StoredTiles<S> {
    /// The tiles of an open store.
    #[must_use]
    pub fn new(store: S) -> Self {
        Self { store }
    }
}

impl<S: WorldStore> TileReader for StoredTiles<S> {
    fn empty_mesh(&self) -> NavMesh {
        TilesOf(&self.store).empty_mesh()
    }

    fn coords(&self) -> Vec<TileCoord> {
        TilesOf(&self.store).coords()
    }

    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason> {
        TilesOf(&self.store).read_tile(coord)
    }

    fn read_graph(&self, coord: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason> {
        TilesOf(&self.store).read_graph(coord)
    }

    fn read_levels(&self) -> Option<(Vec<u8>, String)> {
        TilesOf(&self.store).read_levels()
    }
}

/// The tiles of any kind of store.
struct TilesOf<'a>(&'a dyn WorldStore);

impl TileReader for TilesOf<'_> {
    fn empty_mesh(&self) -> NavMesh {
        // The head of an open store has been checked.
        let none = || NavMesh::new(TileLayout { origin: glam::Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 });
        self.0.head().mesh().unwrap_or_else(|_| none())
    }

    fn coords(&self) -> Vec<TileCoord> {
        self.0.index().iter().filter(|entry| entry.has_tile()).map(|entry| entry.coord).collect()
    }

    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason> {
        let stored = self.0.read_tile(coord).map_err(|error| reason(&error))?;
        stored.tile.ok_or(NotLoadedReason::Missing)
    }

    fn read_graph(&self, coord: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason> {
        match self.0.read_section(coord, StoreRecord::GRAPH_SECTION) {
            Ok(section) => Ok(section.map(|section| section.bytes)),
            Err(error) => Err(reason(&error)),
        }
    }

    fn read_levels(&self) -> Option<(Vec<u8>, String)> {
        let mut sections = self.0.head().sections().ok()?;
        let levels = sections.remove(StoreHead::LEVELS_SECTION)?;
        Some((levels.bytes, self.0.index().digest()))
    }
}

fn reason(error: &StoreError) -> NotLoadedReason {
    match error {
        StoreError::Missing { .. } => NotLoadedReason::Missing,
        StoreError::Replaced { .. } => NotLoadedReason::Replaced,
        StoreError::Failed(_) => NotLoadedReason::Failed,
        _ => NotLoadedReason::Broken,
    }
}

/// How many parts of the graph are in memory at once while levels are built.
const PARTS: usize = 4096;

/// Builds the levels above the tiles of a store for a filter, and writes them into its head in place of existing ones.
/// [Searches](super::HierarchicalPath) of the same costs then take hardly longer across a large [`ResidentWorld`] than
/// across a small one. Levels are valid until a tile is written or removed. A bake builds them at its end, for the
/// default filter with the costs of the store's area types. A store of few tiles does not need any: none are written.
///
/// Cost: each part of the graph is read about three times. Memory grows with the levels only.
///
/// # Errors
/// [`StoreError`] if the store cannot be written.
pub fn write_levels(store: &mut dyn WorldStore, filter: SharedFilter) -> Result<(), StoreError> {
    let made = made_levels(&*store, filter);
    let section = made.map(|bytes| Section { version: 1, bytes });
    let head = store.head().with_section(StoreHead::LEVELS_SECTION, section).map_err(StoreError::Head)?;
    if head != *store.head() {
        store.set_head(head)?;
        store.commit()?;
    }
    Ok(())
}

/// [`write_levels`] for the default filter with the costs of the store's area types. Does nothing if the store has
/// valid levels.
///
/// # Errors
/// As [`write_levels`].
pub fn write_default_levels(store: &mut dyn WorldStore) -> Result<(), StoreError> {
    if read_levels(&*store).is_some() {
        return Ok(());
    }
    let filter = DefaultFilter::of(&TilesOf(&*store).empty_mesh());
    write_levels(store, Arc::new(filter))
}

/// The levels above the tiles of a store, if it has some that are valid for its tiles.
#[must_use]
pub fn read_levels(store: &dyn WorldStore) -> Option<GraphLevels> {
    let tiles = TilesOf(store);
    let (bytes, digest) = tiles.read_levels()?;
    let coords = row_by_row(tiles.coords());
    GraphLevels::from_bytes(&bytes, LevelTiles { coords: &coords, digest: &digest }, store.head().layout())
}

fn made_levels(store: &dyn WorldStore, filter: SharedFilter) -> Option<Vec<u8>> {
    let digest = store.index().digest();
    let budget = ResidentBudget { parts: PARTS, ..ResidentBudget::default() };
    let mut world = ResidentWorld::new(TilesOf(store), budget);
    let count = GraphLevels::worth(world.tile_count());
    let slots = (0..world.tile_count() as u32).collect();
    let levels = (count > 0).then(|| GraphLevels::of_world(&mut world, filter, &slots, count))?;
    Some(levels.to_bytes(LevelTiles { coords: world.coords(), digest: &digest }))
}
