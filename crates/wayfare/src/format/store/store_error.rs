//! Why a store cannot return a tile, or accept one.

use super::{IndexError, WorldDifference};
use crate::format::{ReadError, WriteError};
use crate::tile::TileCoord;

/// An error of a store. If a tile is missing or broken, the others can still be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store has nothing at this place.
    #[error("the store has no tile at column {}, row {}, layer {}: bake it", coord.x, coord.z, coord.layer)]
    Missing {
        /// The place.
        coord: TileCoord,
    },
    /// The content at this place is not what was written.
    #[error(
        "the tile at column {}, row {}, layer {} is broken ({why}): bake again, which makes it anew",
        coord.x, coord.z, coord.layer
    )]
    Broken {
        /// The place.
        coord: TileCoord,
        /// What is wrong.
        why: ReadError,
    },
    /// The tile was replaced after the store was opened, and the store keeps no copy of the old one. Never the error of
    /// a store in one file.
    #[error(
        "the tile at column {}, row {}, layer {} was replaced since the store was opened: open the store again; if its \
         file was replaced by hand, `wayfare store repair` lists it",
        coord.x, coord.z, coord.layer
    )]
    Replaced {
        /// The place.
        coord: TileCoord,
    },
    /// The index cannot be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The head cannot be read.
    #[error("the store's head cannot be read: {0}")]
    Head(ReadError),
    /// A tile or a head cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The tiles of two stores do not fit together.
    #[error(
        "these are stores of different worlds: {0}; bake both with the same bounds and settings, or keep them apart"
    )]
    OtherWorld(WorldDifference),
    /// The store may only be read.
    #[error("the store was opened to be read: open it to be written")]
    ReadOnly,
    /// The underlying storage failed.
    #[error("{0}")]
    Failed(String),
}
