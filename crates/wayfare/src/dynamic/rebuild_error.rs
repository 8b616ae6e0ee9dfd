//! Why a tile could not be rebuilt.
//!
//! Sources: none needed.

use crate::bake::BakeError;
use crate::mesh::AddTileError;
use crate::tile::TileCoord;
use crate::voxel::CheckpointError;

/// Why a step ended. If a tile could not be rebuilt, the mesh keeps the old one; later steps rebuild the others.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RebuildError {
    /// The tiles of the mesh do not lie where those of the checkpoints do.
    #[error("the mesh was baked with another layout than the checkpoints: give the mesh of the same bake")]
    OtherMesh,
    /// It was cancelled. The next step continues.
    #[error("cancelled")]
    Cancelled,
    /// The tile was [invalidated](super::Obstacles::invalidate), and there is nothing to bake it from.
    #[error("tile {}, {} is to be baked again, but no triangles were given: use step_from", coord.x, coord.z)]
    NoSource {
        /// Which tile.
        coord: TileCoord,
    },
    /// The tile's checkpoint cannot be read.
    #[error("tile {}, {}: {source}", coord.x, coord.z)]
    Checkpoint {
        /// Which tile.
        coord: TileCoord,
        /// Why.
        source: CheckpointError,
    },
    /// The recipe refused the tile.
    #[error("tile {}, {}: {source}", coord.x, coord.z)]
    Bake {
        /// Which tile.
        coord: TileCoord,
        /// Why.
        source: BakeError,
    },
    /// The mesh refused the tile.
    #[error("tile {}, {}: {source}", coord.x, coord.z)]
    Tile {
        /// Which tile.
        coord: TileCoord,
        /// Why.
        source: AddTileError,
    },
}
