//! The kinds of changes that the [feed](super::change_feed) of a mesh reports.

use super::{PolyRef, TileRef};
use std::sync::Arc;

/// Something that has changed in a mesh, or is about to. Replacing a tile is reported as a removal under its old
/// reference and an addition under a new reference with the same slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Change {
    /// The tile was [announced](super::NavMesh::announce) to be replaced or removed soon. Nothing has changed yet.
    TileAnnounced(TileRef),
    /// The tile was removed or replaced.
    TileRemoved(TileRef),
    /// The tile was added.
    TileAdded(TileRef),
    /// The tile's links changed: a neighbour was added or removed, or a connection now begins or ends elsewhere.
    TileLinks(TileRef),
    /// Flags or area types of the tile's polygons changed.
    TileState(TileRef),
    /// An off-mesh connection was added.
    ConnectionAdded(PolyRef),
    /// An off-mesh connection was removed.
    ConnectionRemoved(PolyRef),
    /// An end of an off-mesh connection is now attached to another polygon, or to none.
    ConnectionEnds(PolyRef),
    /// Flags or area type of an off-mesh connection changed.
    ConnectionState(PolyRef),
}

impl Change {
    /// The tile concerned, if the change is about a tile.
    #[must_use]
    pub fn tile(self) -> Option<TileRef> {
        match self {
            Self::TileAnnounced(tile)
            | Self::TileRemoved(tile)
            | Self::TileAdded(tile)
            | Self::TileLinks(tile)
            | Self::TileState(tile) => Some(tile),
            _ => None,
        }
    }

    /// The off-mesh connection concerned, if the change is about a connection.
    #[must_use]
    pub fn connection(self) -> Option<PolyRef> {
        match self {
            Self::ConnectionAdded(connection)
            | Self::ConnectionRemoved(connection)
            | Self::ConnectionEnds(connection)
            | Self::ConnectionState(connection) => Some(connection),
            _ => None,
        }
    }
}

/// Identifies one version of a mesh: its content between two changes. Snapshots of the same version have equal
/// identifiers. It is not a number and cannot be saved. It takes a few bytes and keeps neither tiles nor changes alive.
#[derive(Clone, Debug, Default)]
pub struct MeshVersion(pub(super) Arc<()>);

impl PartialEq for MeshVersion {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for MeshVersion {}

/// The mesh does not know what has changed since a version: treat all of it as changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "what has changed since that version is not known: too much has, or it is a version of another mesh; look at the whole mesh"
)]
pub struct ChangesUnknown;
