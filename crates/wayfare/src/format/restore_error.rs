//! Why a stored state is refused.
//!
//! Sources: none needed.

use super::StateKind;
use crate::mesh::{PolyRef, StaleTile, TileRef};

/// A stored state that cannot be restored. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// Not a stored state.
    #[error("not a stored state: it begins with {:?}, neither WAYTILE nor WAYDELT", String::from_utf8_lossy(found))]
    Magic {
        /// The first eight bytes.
        found: [u8; 8],
    },
    /// A stored state of the other kind.
    #[error("this is {found}, but {wanted} is asked for: call the other function")]
    Kind {
        /// What it is.
        found: StateKind,
        /// What it should be.
        wanted: StateKind,
    },
    /// Written by a version of this library that knows more.
    #[error(
        "the stored state has version {found} of the format, but this program knows versions up to {known}: use a newer one"
    )]
    Version {
        /// The version found.
        found: u8,
        /// The highest that is known.
        known: u8,
    },
    /// Shorter or longer than it says, or than any stored state is.
    #[error("the stored state has {have} bytes, but should have {want}: it was cut short or something was appended")]
    Length {
        /// Bytes there are.
        have: u64,
        /// Bytes there must be.
        want: u64,
    },
    /// Some byte was altered.
    #[error("the stored state's checksum is {have:016x}, but should be {want:016x}: it was altered; get a fresh copy")]
    Checksum {
        /// Of the bytes.
        have: u64,
        /// As stored.
        want: u64,
    },
    /// The bytes are intact, but end before all that they promise.
    #[error("the stored state ends before its {what}: it was not written by this library")]
    Short {
        /// What is missing.
        what: &'static str,
    },
    /// The bytes are intact, but more than they promise.
    #[error("the stored state has {bytes} bytes more than its counts say: it was not written by this library")]
    Surplus {
        /// Bytes too many.
        bytes: u64,
    },
    /// A number that means nothing.
    #[error("the stored state has {value} as {what}, which means nothing")]
    Value {
        /// What was read.
        what: &'static str,
        /// The value.
        value: u32,
    },
    /// Tiles that do not follow each other by slot.
    #[error("the stored state has slot {slot} after {before}, but these go up: it was not written by this library")]
    Order {
        /// The slot.
        slot: u32,
        /// The one before.
        before: u32,
    },
    /// The tile is not there (any more).
    #[error("the state is of a tile that is not here: {0}")]
    Stale(#[from] StaleTile),
    /// The tile's geometry is not that of the tile it was taken from.
    #[error(
        "the state is of another tile than {tile}: their geometries differ ({stored:016x} when it was stored, {found:016x} now)"
    )]
    OtherTile {
        /// The tile.
        tile: TileRef,
        /// Digest of the tile's geometry when the state was stored.
        stored: u64,
        /// Digest of the tile's geometry now.
        found: u64,
    },
    /// The state has more or fewer polygons than the tile it is of.
    #[error("the state has {stored} polygons, but tile {tile} has {found}: it was not written by this library")]
    PolyCount {
        /// The tile.
        tile: TileRef,
        /// Polygons of the state.
        stored: u32,
        /// Polygons of the tile.
        found: u32,
    },
    /// An off-mesh connection is not there (any more).
    #[error("the state is of off-mesh connection {reference}, which is not there")]
    NoConnection {
        /// The connection.
        reference: PolyRef,
    },
    /// The off-mesh connection has other ends, another radius, direction or number than the one it was taken from.
    #[error(
        "the state is of another off-mesh connection than {reference}: their ends, radii, directions or numbers differ ({stored:016x} when it was stored, {found:016x} now)"
    )]
    OtherConnection {
        /// The connection.
        reference: PolyRef,
        /// Digest of the connection when the state was stored.
        stored: u64,
        /// Digest of the connection now.
        found: u64,
    },
}
