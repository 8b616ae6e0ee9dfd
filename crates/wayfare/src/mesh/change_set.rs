//! What has changed since a version, sorted so that many paths can be checked against it.
//!
//! The [feed](super::change_feed) lists changes one after another. A caller that holds a thousand paths has the
//! opposite question: does this path cross anything that has changed? So the changes are sorted once, and each polygon
//! of a path is looked up among them.
//!
//! ```text
//!   feed: t4 gone, t4 has come, t7 announced ──> gone or changed [ s1:t4 ]   announced [ s1:t7 ]
//!                                                     ^ path [ t3 | t4 | t5 ]: touched
//! ```
//!
//! Cost: sorting the changes once, then a binary search for each polygon.
//!
//! Sources: none needed.

use super::{Change, MeshVersion, NavMesh, PolyRef, TileRef};

/// What has changed in a mesh since a version: [`NavMesh::changes_since`], sorted for checking paths against it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    /// The feed does not reach back far enough: anything may have changed.
    pub(crate) is_unknown: bool,
    /// Tiles that were removed, or whose links or states changed.
    pub(crate) changed: Vec<TileRef>,
    /// Tiles that were added.
    pub(crate) added: Vec<TileRef>,
    /// Tiles that were announced to be replaced or removed.
    pub(crate) announced: Vec<TileRef>,
    /// Off-mesh connections that changed in any way.
    pub(crate) connections: Vec<PolyRef>,
}

impl ChangeSet {
    /// The changes in `mesh` since a version. Nothing is computed if `mesh` still has that version.
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

    /// Adds earlier changes.
    pub(crate) fn add(&mut self, earlier: &Self) {
        self.is_unknown |= earlier.is_unknown;
        self.changed.extend(&earlier.changed);
        self.added.extend(&earlier.added);
        self.announced.extend(&earlier.announced);
        self.connections.extend(&earlier.connections);
        self.sort();
    }

    /// A set in which anything may have changed.
    #[must_use]
    pub fn unknown() -> Self {
        Self { is_unknown: true, ..Self::default() }
    }

    /// Whether the changes are unknown, because there were too many or the version is of another mesh. Every polygon
    /// then counts as touched.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// Whether anything has changed. Announcements do not count.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        self.is_unknown || !(self.changed.is_empty() && self.added.is_empty() && self.connections.is_empty())
    }

    /// Whether nothing has changed and nothing was announced.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.has_changes() && self.announced.is_empty()
    }

    /// Tiles that were removed, or whose links, flags or area types changed; sorted. Empty if the changes are
    /// [unknown](Self::is_unknown).
    #[must_use]
    pub fn changed(&self) -> &[TileRef] {
        &self.changed
    }

    /// Tiles that were added, including replacements; sorted.
    #[must_use]
    pub fn added(&self) -> &[TileRef] {
        &self.added
    }

    /// Tiles that were announced to be replaced or removed; sorted.
    #[must_use]
    pub fn announced(&self) -> &[TileRef] {
        &self.announced
    }

    /// Whether a polygon's tile, or an off-mesh connection, was removed or changed.
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
