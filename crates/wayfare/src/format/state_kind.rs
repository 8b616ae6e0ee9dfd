//! The kinds of stored states, distinguished by their first bytes.

/// A kind of stored state: the first seven bytes, before the digit of the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// Of [one tile](crate::mesh::NavMesh::store_tile_state).
    Tile,
    /// A [delta](crate::mesh::NavMesh::store_delta) of a whole mesh.
    Delta,
}

impl StateKind {
    pub(super) const ALL: [Self; 2] = [Self::Tile, Self::Delta];

    pub(super) const fn name(self) -> [u8; 7] {
        match self {
            Self::Tile => *b"WAYTILE",
            Self::Delta => *b"WAYDELT",
        }
    }
}

impl core::fmt::Display for StateKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Tile => "the state of one tile",
            Self::Delta => "the delta of a mesh",
        })
    }
}
