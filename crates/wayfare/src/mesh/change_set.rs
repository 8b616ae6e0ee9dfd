//! What has changed since a version, in a form that many paths can be held against.
//!
//! The [feed](super::feed) says what has changed, one thing after the other. Who holds a thousand paths asks the other
//! way round: does this path cross anything that has changed? So the changes are sorted once, and each polygon of a
//! path is looked up in them.
//!
//! ```text
//!   feed: t4 gone, t4 has come, t7 announced ──> gone or changed [ s1:t4 ]   announced [ s1:t7 ]
//!                                                     ^ path [ t3 | t4 | t5 ]: touched
//! ```
//!
//! Cost: sorting the changes once; for each polygon that is asked about, a binary search in them.
//!
//! Sources: none needed.

use super::{Change, MeshVersion, NavMesh, PolyRef, TileRef};

/// What has changed in a mesh since a version: [`NavMesh::changes_since`] sorted, for those who hold paths against it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    /// The feed does not reach back so far: anything may have changed.
    pub(crate) is_unknown: bool,
    /// Tiles that are gone, or whose links or states are others.
    pub(crate) changed: Vec<TileRef>,
    /// Tiles that have come.
    pub(crate) added: Vec<TileRef>,
    /// Tiles that were announced to be replaced or removed.
    pub(crate) announced: Vec<TileRef>,
    /// Off-mesh connections of which anything has changed.
    pub(crate) connections: Vec<PolyRef>,
}

impl ChangeSet {
    /// What has changed in `mesh` since it had a version. Nothing is computed if it still has that.
    #[must_use]
    pub fn since(mesh: &NavMesh, seen: &MeshVersion) -> Self {
        let Ok(changes) = mesh.changes_since(seen) else { return Self::unknown() };
        let mut set = Self::default();
        for change in changes {
            match change {
                Change::TileAnnounced(tile) => set.announced.push(tile),
                Change::TileAdded(tile) => set.added.push(tile),
                Change::TileRemoved(tile) | Change::TileLinks(tile) | Change::TileState(tile) => set.changed.push(tile),
                Change::ConnectionAdded(connection)
                | Change::ConnectionRemoved(connection)
                | Change::ConnectionEnds(connection)
                | Change::ConnectionState(connection) => set.connections.push(connection),
            }
        }
        set.sort();
        set
    }

    fn sort(&mut self) {
        for tiles in [&mut self.changed, &mut self.added, &mut self.announced] {
            tiles.sort_unstable();
            tiles.dedup();
        }
        self.connections.sort_unstable();
        self.connections.dedup();
    }

    /// Adds what had changed before.
    pub(crate) fn add(&mut self, earlier: &Self) {
        self.is_unknown |= earlier.is_unknown;
        self.changed.extend(&earlier.changed);
        self.added.extend(&earlier.added);
        self.announced.extend(&earlier.announced);
        self.connections.extend(&earlier.connections);
        self.sort();
    }

    /// Anything may have changed.
    #[must_use]
    pub fn unknown() -> Self {
        Self { is_unknown: true, ..Self::default() }
    }

    /// Whether it is not known what has changed, since too much has or it is another mesh: everything counts as
    /// touched.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// Whether anything has changed. What is only announced has not.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        self.is_unknown || !(self.changed.is_empty() && self.added.is_empty() && self.connections.is_empty())
    }

    /// Whether nothing has changed and nothing was announced.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.has_changes() && self.announced.is_empty()
    }

    /// Tiles that are gone, or whose links, flags or area types are others; sorted. Empty if nothing is
    /// [known](Self::is_unknown).
    #[must_use]
    pub fn changed(&self) -> &[TileRef] {
        &self.changed
    }

    /// Tiles that have come, those in place of others among them; sorted.
    #[must_use]
    pub fn added(&self) -> &[TileRef] {
        &self.added
    }

    /// Tiles that were announced to be replaced or removed; sorted.
    #[must_use]
    pub fn announced(&self) -> &[TileRef] {
        &self.announced
    }

    /// Whether a polygon's tile, or an off-mesh connection, is gone or has changed.
    #[must_use]
    #[inline]
    pub fn touches(&self, poly: PolyRef) -> bool {
        self.is_unknown
            || if poly.is_off_mesh() {
                self.connections.binary_search(&poly).is_ok()
            } else {
                Self::has_tile_of(&self.changed, poly)
            }
    }

    /// Whether any polygon of a path is [touched](Self::touches).
    pub(crate) fn touches_any(&self, path: &[PolyRef]) -> bool {
        self.has_changes() && path.iter().any(|&poly| self.touches(poly))
    }

    /// Whether any polygon of a path is [announced](Self::announces).
    pub(crate) fn announces_any(&self, path: &[PolyRef]) -> bool {
        !self.announced.is_empty() && path.iter().any(|&poly| self.announces(poly))
    }

    /// Whether a polygon's tile was announced to be replaced or removed.
    #[must_use]
    #[inline]
    pub fn announces(&self, poly: PolyRef) -> bool {
        !self.announced.is_empty() && Self::has_tile_of(&self.announced, poly)
    }

    #[inline]
    fn has_tile_of(tiles: &[TileRef], poly: PolyRef) -> bool {
        poly.tile().is_some_and(|tile| tiles.binary_search(&tile).is_ok())
    }
}
