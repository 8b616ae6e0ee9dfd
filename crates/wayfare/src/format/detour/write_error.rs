//! Why a mesh cannot be written for Detour.

use super::MAX_CORNERS;
use crate::mesh::StaleTile;

/// A mesh that Detour's format cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetourWriteError {
    /// A polygon with too many corners.
    #[error(
        "polygon {poly} of slot {slot} has {count} corners, but Detour's polygons have at most {MAX_CORNERS}: cut it, or bake with `verts_per_poly` 6"
    )]
    Corners {
        /// The tile's slot.
        slot: u32,
        /// The polygon.
        poly: u32,
        /// Its corners.
        count: u16,
    },
    /// There are too many of something in one tile.
    #[error("slot {slot} has {count} {what}, but a Detour tile holds at most {max}: use smaller tiles")]
    TooMany {
        /// The tile's slot.
        slot: u32,
        /// What there is too much of.
        what: &'static str,
        /// How many.
        count: u64,
        /// The maximum.
        max: u64,
    },
    /// Slots, polygons and salts together do not fit in a reference.
    #[error(
        "{tiles} slots, {polys} polygons a tile and salt {salt} do not fit in a reference of 32 bits together: use 64 bits"
    )]
    Reference {
        /// Slots.
        tiles: u32,
        /// The largest number of polygons in a tile.
        polys: u32,
        /// The greatest salt.
        salt: u16,
    },
    /// The requested capacities are too small.
    #[error("{what} is {value}, but the references asked for go to {max}: ask for more, or let `to_detour` choose")]
    Capacity {
        /// Which field.
        what: &'static str,
        /// The greatest value in use.
        value: u32,
        /// The greatest value it can hold.
        max: u32,
    },
    /// A slot that could not be read back.
    #[error(
        "the tile in slot {slot} is too far out for a set of {tiles} tiles: slots must be below {limit}; move the tile to a lower slot"
    )]
    SlotFar {
        /// The slot.
        slot: u32,
        /// Tiles of the mesh.
        tiles: u32,
        /// Slots must be below this one.
        limit: u32,
    },
    /// The tile to be written is not there (any more).
    #[error(transparent)]
    Stale(#[from] StaleTile),
    /// There is no tile to store the connections in.
    #[error("the mesh has {count} off-mesh connections but no tile, and Detour keeps connections in tiles")]
    NoTile {
        /// How many connections.
        count: u32,
    },
}
