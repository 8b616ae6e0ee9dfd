//! Why the bake of a world fails.

use crate::bake::BakeError;
use crate::context::Cancelled;
use crate::format::{StoreError, WriteError};

/// A source failed to return what lies in a box: a file cannot be read, for example.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

/// Why the bake of a world ended. Everything that was committed to the store stays, and the next bake continues from
/// there.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldBakeError {
    /// A tile could not be baked, or the bake was cancelled.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// The source failed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The requested range contains no tiles of the world.
    #[error("there are no such tiles: the world has {columns} columns and {rows} rows, counted from 0")]
    NoTiles {
        /// Columns of tiles.
        columns: u32,
        /// Rows of tiles.
        rows: u32,
    },
}

impl From<Cancelled> for WorldBakeError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Bake(cancelled.into())
    }
}

impl From<WriteError> for WorldBakeError {
    fn from(error: WriteError) -> Self {
        Self::Store(error.into())
    }
}
