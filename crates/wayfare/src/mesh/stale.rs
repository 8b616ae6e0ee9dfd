//! Stale references, and the reason.
//!
//! Sources: none needed.

use super::{PolyRef, TileRef};

/// A reference that identifies nothing in this mesh, or nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reference} is not valid here: {reason}; look the place up again")]
#[non_exhaustive]
pub struct StaleRef {
    /// The reference.
    pub reference: PolyRef,
    /// The reason.
    pub reason: StaleReason,
}

/// Why a reference is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StaleReason {
    /// There is no tile, or no connection, in the slot.
    #[error("nothing is in its slot")]
    Removed,
    /// The slot has been given to another tile or connection.
    #[error("something else is in its slot now")]
    Replaced,
    /// The tile has fewer polygons.
    #[error("its tile has no such polygon")]
    NoSuchPoly,
    /// The reference is an off-mesh connection where a polygon is needed, or the other way round.
    #[error("it is an off-mesh connection and ground was asked for, or the other way round")]
    OtherKind,
    /// The off-mesh connection exists, but an end is now attached to another polygon, or to none.
    #[error("the off-mesh connection does not lead where it led")]
    Relinked,
}

/// A reference to a tile that is not in this mesh, or not any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tile {tile} is not here: {reason}; look it up again by column, row and layer")]
#[non_exhaustive]
pub struct StaleTile {
    /// The reference.
    pub tile: TileRef,
    /// The reason: [`Removed`](StaleReason::Removed) or [`Replaced`](StaleReason::Replaced).
    pub reason: StaleReason,
}
