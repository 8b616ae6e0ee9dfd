//! A mesh in memory as a world to search.
//!
//! Sources: none needed.

use super::GraphLevels;
use super::graph_tile::GraphTile;
use super::tile_access::{NotLoaded, NotLoadedReason, TileAccess};
use crate::math::index::TileSlot;
use crate::mesh::NavMesh;
use crate::tile::TileCoord;
use std::sync::Arc;

/// A mesh in memory and its graph, which must be [up to date](super::AbstractGraph::update).
#[derive(Clone, Copy, Debug)]
pub struct InMemory<'a> {
    pub(super) mesh: &'a NavMesh,
    /// By slot.
    pub(super) tiles: &'a [Option<GraphTile>],
    pub(super) levels: &'a [Arc<GraphLevels>],
}

impl InMemory<'_> {
    fn tile_in(&self, slot: u32) -> Option<&GraphTile> {
        self.tiles.get(slot as usize)?.as_ref()
    }
}

impl TileAccess for InMemory<'_> {
    fn mesh(&self) -> &NavMesh {
        self.mesh
    }

    fn slot_count(&self) -> u32 {
        self.tiles.len() as u32
    }

    #[inline]
    fn graph_tile_and_mesh(&mut self, slot: u32) -> (Option<&GraphTile>, &NavMesh) {
        (self.tile_in(slot), self.mesh)
    }

    fn levels(&self) -> &[Arc<GraphLevels>] {
        self.levels
    }

    fn load(&mut self, slots: &[u32]) -> Result<(), NotLoaded> {
        let is_there = |slot: u32| self.mesh.tile_in(TileSlot::new(slot)).is_some();
        match slots.iter().find(|&&slot| !is_there(slot)) {
            None => Ok(()),
            Some(&slot) => {
                let coord = self.tile_in(slot).map_or(TileCoord::default(), |tile| tile.coord);
                Err(NotLoaded { coord, slot, why: NotLoadedReason::Missing })
            }
        }
    }

    fn is_whole(&self) -> bool {
        true
    }
}
