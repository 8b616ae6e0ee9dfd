//! Why a stored state cannot be restored.
//!
//! Sources: none needed.

use super::StateKind;
use crate::mesh::{PolyRef, StaleTile, TileRef};

/// A stored state that cannot be restored. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// Not a stored state.
    #[error(
        "not a stored state: it begins with {:?}, not with WAYTILE, WAYDELT or WAYWRLD",
        String::from_utf8_lossy(found)
    )]
    Magic {
        /// The first eight bytes.
        found: [u8; 8],
    },
    /// A stored state of another kind.
    #[error("this is {found}, but {wanted} is asked for: call the function for that")]
    Kind {
        /// What it is.
        found: StateKind,
        /// What it should be.
        wanted: StateKind,
    },
    /// Written by a newer version of this library.
    #[error(
        "the stored state has version {found} of the format, but this program knows versions up to {known}: use a newer one"
    )]
    Version {
        /// The version found.
        found: u8,
        /// The highest version this program can read.
        known: u8,
    },
    /// Shorter or longer than the stored length, or than any stored state can be.
    #[error("the stored state has {have} bytes, but should have {want}: it was cut short or something was appended")]
    Length {
        /// Number of bytes present.
        have: u64,
        /// Number of bytes expected.
        want: u64,
    },
    /// A byte was altered.
    #[error("the stored state's checksum is {have:016x}, but should be {want:016x}: it was altered; get a fresh copy")]
    Checksum {
        /// Checksum of the bytes.
        have: u64,
        /// Checksum as stored.
        want: u64,
    },
    /// The bytes are intact, but end before their counts are complete.
    #[error("the stored state ends before its {what}: it was not written by this library")]
    Short {
        /// What is missing.
        what: &'static str,
    },
    /// The bytes are intact, but there are more than their counts say.
    #[error("the stored state has {bytes} bytes more than its counts say: it was not written by this library")]
    Surplus {
        /// Number of surplus bytes.
        bytes: u64,
    },
    /// An invalid number.
    #[error("the stored state has {value} as {what}, which is not a valid value")]
    Value {
        /// What it was read as.
        what: &'static str,
        /// The value.
        value: u32,
    },
    /// Tiles are not in order of slot.
    #[error("the stored state has slot {slot} after {before}, but these go up: it was not written by this library")]
    Order {
        /// The slot.
        slot: u32,
        /// The previous slot.
        before: u32,
    },
    /// The tiles of the world lie elsewhere, or are other ones, than those of the stored world: slots mean other tiles.
    #[error(
        "the state is of a world with other tiles ({stored:016x} is the digest of their places when it was stored, {found:016x} now): open the store that it belongs to"
    )]
    OtherWorld {
        /// Digest of the list of tiles when the state was stored.
        stored: u64,
        /// Digest of the list of tiles now.
        found: u64,
    },
    /// The tile is not there (any more).
    #[error("the state is of a tile that is not here: {0}")]
    Stale(#[from] StaleTile),
    /// The tile's geometry differs from that of the tile whose state was stored.
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
    /// The number of polygons differs from that of the tile.
    #[error("the state has {stored} polygons, but tile {tile} has {found}: it was not written by this library")]
    PolyCount {
        /// The tile.
        tile: TileRef,
        /// Number of polygons in the state.
        stored: u32,
        /// Number of polygons in the tile.
        found: u32,
    },
    /// An off-mesh connection is not there (any more).
    #[error("the state is of off-mesh connection {reference}, which is not there")]
    NoConnection {
        /// The connection.
        reference: PolyRef,
    },
    /// The off-mesh connection differs from the stored one in its ends, radius, direction or number.
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
