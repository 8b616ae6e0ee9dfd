//! The source of the tiles of a world that does not fit in memory.
//!
//! Sources: none needed.

use super::tile_access::NotLoadedReason;
use crate::mesh::{NavMesh, OffMeshConnection, PolyState, PreparedTile, Tile};
use crate::tile::{Poly, TileCoord, TileData};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tiles that can be read one by one: a tile store, or any other place where a game keeps them.
pub trait TileReader {
    /// A mesh without tiles that has the world's layout, area types and off-mesh connections.
    fn empty_mesh(&self) -> NavMesh;

    /// The columns, rows and layers of all tiles, in any order.
    fn coords(&self) -> Vec<TileCoord>;

    /// Reads and checks a tile.
    ///
    /// # Errors
    /// Why there is none.
    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason>;

    /// Reads a tile's part of the abstract graph without the tile; `None` if it has to be derived from the tile.
    ///
    /// # Errors
    /// Why there is none.
    fn read_graph(&self, coord: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason>;

    /// The levels above the tiles as [they were written](super::write_levels), and the digest of the tiles as they are
    /// now; `None` if there are none.
    fn read_levels(&self) -> Option<(Vec<u8>, String)> {
        None
    }
}

/// A source that several threads read from.
impl<T: TileReader + ?Sized> TileReader for Arc<T> {
    fn empty_mesh(&self) -> NavMesh {
        (**self).empty_mesh()
    }

    fn coords(&self) -> Vec<TileCoord> {
        (**self).coords()
    }

    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason> {
        (**self).read_tile(coord)
    }

    fn read_graph(&self, coord: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason> {
        (**self).read_graph(coord)
    }

    fn read_levels(&self) -> Option<(Vec<u8>, String)> {
        (**self).read_levels()
    }
}

/// Tiles in memory as a source: for tests, and for worlds whose tiles fit in memory while what searches derive of them
/// does not.
#[derive(Clone, Debug)]
pub struct MeshTiles {
    empty: NavMesh,
    tiles: BTreeMap<TileCoord, Result<TileData, NotLoadedReason>>,
}

impl MeshTiles {
    /// The tiles of a mesh in their current states, and its off-mesh connections.
    #[must_use]
    pub fn new(mesh: &NavMesh) -> Self {
        let mut empty = NavMesh::new(mesh.layout());
        empty.set_areas(mesh.areas().clone());
        for connection in mesh.connections() {
            let PolyState { area, flags } = connection.state();
            let definition = OffMeshConnection { area, flags, ..*connection.definition() };
            // A connection that one mesh accepts is accepted by another of the same layout.
            let _ = empty.add_connection(definition);
        }
        let mut tiles = Self { empty, tiles: BTreeMap::new() };
        mesh.tiles().for_each(|tile| tiles.insert(tile));
        tiles
    }

    /// Takes a tile of a mesh in its current state, in place of what there was at its coordinates. A world that reads
    /// from here is told by [`ResidentWorld::refresh`](super::ResidentWorld::refresh).
    pub fn insert(&mut self, tile: &Tile) {
        let states = tile.states();
        let state_of = |index: usize, poly: &Poly| {
            states.get(index).map_or((poly.flags, poly.area), |state| (state.flags, state.area))
        };
        self.tiles.insert(tile.coord(), Ok(tile.data().with_states(state_of)));
    }

    /// Removes a tile.
    pub fn remove(&mut self, coord: TileCoord) {
        self.tiles.remove(&coord);
    }

    /// Makes a tile unreadable, as if its bytes were damaged: for tests.
    pub fn lose(&mut self, coord: TileCoord, why: NotLoadedReason) {
        self.tiles.insert(coord, Err(why));
    }
}

impl TileReader for MeshTiles {
    fn empty_mesh(&self) -> NavMesh {
        self.empty.clone()
    }

    fn coords(&self) -> Vec<TileCoord> {
        self.tiles.keys().copied().collect()
    }

    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason> {
        let data = self.tiles.get(&coord).cloned().unwrap_or(Err(NotLoadedReason::Missing))?;
        Ok(PreparedTile::new(data))
    }

    fn read_graph(&self, _: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason> {
        Ok(None)
    }
}
