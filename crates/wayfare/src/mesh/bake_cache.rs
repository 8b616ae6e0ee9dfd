//! Tiles as they were baked, with a key for what each was baked from, so that a later bake can skip unchanged tiles.
//!
//! ```text
//!   level, settings ──> key of each tile ── the same as in the cache? ── yes: take its tile
//!                                                                        no:  bake it
//! ```
//!
//! The cache holds a snapshot of the mesh, so it stays valid whatever is done to the mesh afterwards.
//!
//! Cost: two look-ups per tile. The cache keeps tiles alive that the mesh itself has since removed.
//!
//! Sources: none needed.

use super::{NavMesh, Tile};
use crate::tile::{TileCoord, TileData, TileKeys};

/// The tiles of a mesh as they were baked, each with the [key](TileKeys) of what it was baked from.
#[derive(Clone, Debug)]
pub struct BakeCache {
    mesh: NavMesh,
    keys: TileKeys,
}

impl BakeCache {
    /// Caches the current tiles of a mesh, which were baked from the input that `keys` identify.
    #[must_use]
    pub fn new(mesh: &NavMesh, keys: TileKeys) -> Self {
        Self { mesh: mesh.clone(), keys }
    }

    /// The keys of all tiles, including tiles without a walkable surface.
    #[must_use]
    pub fn keys(&self) -> &TileKeys {
        &self.keys
    }

    /// The tile at `coord` as it was baked, if it was baked from the input with this `key`: `Some(None)` if that tile
    /// has no walkable surface, `None` if it must be baked. Later changes of flags and area types are not included.
    #[must_use]
    pub fn unchanged_tile(&self, coord: TileCoord, key: u64) -> Option<Option<&TileData>> {
        (self.keys.get(coord) == Some(key)).then(|| self.mesh.tile_at(coord).map(Tile::data))
    }

    /// The keys that are still valid for a mesh edited since it was cached: those of the places where it still has the
    /// tile that was baked, or still has none.
    #[must_use]
    pub fn keys_of(&self, mesh: &NavMesh) -> TileKeys {
        let is_as_baked = |&(coord, _): &(TileCoord, u64)| match (self.mesh.tile_at(coord), mesh.tile_at(coord)) {
            (Some(baked), Some(now)) => now.is_of_same_ground(baked),
            (None, None) => true,
            _ => false,
        };
        self.keys.iter().filter(is_as_baked).collect()
    }
}
