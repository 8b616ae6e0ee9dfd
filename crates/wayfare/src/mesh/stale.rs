//! References that mean nothing (any more), and why.
//!
//! Sources: none needed.

use super::{PolyRef, TileRef};

/// A reference that means nothing in this mesh, or nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reference} means nothing here: {reason}; look the place up again")]
#[non_exhaustive]
pub struct StaleRef {
    /// The reference.
    pub reference: PolyRef,
    /// What is wrong with it.
    pub reason: StaleReason,
}

/// Why a reference is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StaleReason {
    /// There is no tile in the slot, or no connection.
    #[error("nothing is in its slot")]
    Removed,
    /// The slot has had other tiles since, or other connections.
    #[error("something else is in its slot now")]
    Replaced,
    /// The tile has fewer polygons.
    #[error("its tile has no such polygon")]
    NoSuchPoly,
    /// The reference is an off-mesh connection, and ground was asked for; or the other way round.
    #[error("it is an off-mesh connection and ground was asked for, or the other way round")]
    OtherKind,
    /// The off-mesh connection is there, but does not lead where it led: an end holds on to other ground, or to none.
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
    /// What is wrong with it: [`Removed`](StaleReason::Removed) or [`Replaced`](StaleReason::Replaced).
    pub reason: StaleReason,
}
