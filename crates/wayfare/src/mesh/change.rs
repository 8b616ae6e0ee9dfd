//! What a mesh says of its changes: words for the [feed](super::feed).

use super::{PolyRef, TileRef};
use std::sync::Arc;

/// Something that has changed in a mesh, or is about to. A tile that was replaced has gone, under the reference that it
/// had, and another has come, under a reference with the same slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Change {
    /// Somebody has [announced](super::NavMesh::announce) that the tile is about to be replaced or removed. Nothing has
    /// changed yet.
    TileAnnounced(TileRef),
    /// The tile was removed or replaced.
    TileRemoved(TileRef),
    /// The tile has come.
    TileAdded(TileRef),
    /// The tile's links are others: a neighbour has come or gone, or a connection begins or ends elsewhere.
    TileLinks(TileRef),
    /// Flags or area types of the tile's polygons.
    TileState(TileRef),
    /// An off-mesh connection was added.
    ConnectionAdded(PolyRef),
    /// An off-mesh connection was removed.
    ConnectionRemoved(PolyRef),
    /// Ends of an off-mesh connection hold on to other polygons, or to none.
    ConnectionEnds(PolyRef),
    /// Flags or area type of an off-mesh connection.
    ConnectionState(PolyRef),
}

impl Change {
    /// The tile, if it is one that has changed.
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

    /// The off-mesh connection, if it is one that has changed.
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

/// Names one version of a mesh: as it was between two changes. Snapshots of that version have the same. It is no number
/// and cannot be saved; it takes some bytes, and holds neither tiles nor changes.
#[derive(Clone, Debug, Default)]
pub struct MeshVersion(pub(super) Arc<()>);

impl PartialEq for MeshVersion {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for MeshVersion {}

/// The mesh does not know what has changed since a version. Look at all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "what has changed since that version is not known: too much has, or it is a version of another mesh; look at the whole mesh"
)]
pub struct ChangesUnknown;
