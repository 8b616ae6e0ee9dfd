//! The kinds of stored states, distinguished by their first bytes.

/// A kind of stored state: the first seven bytes, before the digit of the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// Of [one tile](crate::mesh::NavMesh::store_tile_state).
    Tile,
    /// A [delta](crate::mesh::NavMesh::store_delta) of a whole mesh.
    Delta,
    /// The [changes](crate::hierarchy::ResidentWorld::store_changes) of a world of which only some tiles are in memory.
    World,
}

impl StateKind {
    pub(super) const ALL: [Self; 3] = [Self::Tile, Self::Delta, Self::World];

    pub(super) const fn name(self) -> [u8; 7] {
        match self {
            Self::Tile => *b"WAYTILE",
            Self::Delta => *b"WAYDELT",
            Self::World => *b"WAYWRLD",
        }
    }
}

impl core::fmt::Display for StateKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Tile => "the state of one tile",
            Self::Delta => "the delta of a mesh",
            Self::World => "the changes of a world",
        })
    }
}
