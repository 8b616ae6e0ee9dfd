//! What a later bake need not bake again: the tiles of a mesh as they were baked, and what each was made from.
//!
//! ```text
//!   level, settings ──> key of each tile ── the same as in the cache? ── yes: take its tile
//!                                                                        no:  bake it
//! ```
//!
//! It stands beside the mesh and holds a snapshot of it, so that it stays right whatever is done to the mesh since.
//!
//! Cost: a look at a tile is two look-ups. As long as it is held, so are the tiles that the mesh has given up since.
//!
//! Sources: none needed.

use super::{NavMesh, Tile};
use crate::tile::{TileCoord, TileData, TileKeys};

/// The tiles of a mesh as they were baked, each with the [key](TileKeys) of what it was made from.
#[derive(Clone, Debug)]
pub struct BakeCache {
    mesh: NavMesh,
    keys: TileKeys,
}

impl BakeCache {
    /// The tiles that a mesh has now, which were baked from what `keys` stand for.
    #[must_use]
    pub fn new(mesh: &NavMesh, keys: TileKeys) -> Self {
        Self { mesh: mesh.clone(), keys }
    }

    /// The keys of all tiles, those without ground included.
    #[must_use]
    pub fn keys(&self) -> &TileKeys {
        &self.keys
    }

    /// The tile at a place as it was baked, if it was baked from what `key` stands for: `Some(None)` if it has no
    /// ground, `None` if it must be baked. Changes of state since do not count.
    #[must_use]
    pub fn unchanged_tile(&self, coord: TileCoord, key: u64) -> Option<Option<&TileData>> {
        (self.keys.get(coord) == Some(key)).then(|| self.mesh.tile_at(coord).map(Tile::data))
    }

    /// The keys that hold for a mesh which the cached one has become: of the places where it has the tile that was
    /// baked, or none as then.
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
