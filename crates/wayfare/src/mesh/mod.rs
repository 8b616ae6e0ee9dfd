//! A mesh of connected tiles that can be queried and edited.
//!
//! A [`NavMesh`] holds tiles in slots. Polygons are identified by [`PolyRef`]s, which become stale when their tile is
//! removed. Cloning a mesh makes a snapshot at almost no cost: readers keep theirs while a writer edits its own and
//! publishes it. Code that depends on a mesh asks it what has [changed](NavMesh::changes_since) since a
//! [version](MeshVersion) it has seen.

mod area_rules;
mod bake_cache;
mod beside;
mod border_span;
mod change;
mod change_feed;
mod change_set;
mod check;
mod connect;
mod connection;
mod connection_table;
mod edit;
mod join_edges;
mod join_seams;
mod linking;
mod links;
mod nav_mesh;
mod off_mesh;
mod once;
mod paged;
mod parse_ref;
mod places;
#[cfg(test)]
mod planted_fault_tests;
mod poly_point;
mod poly_ref;
mod poly_state;
mod poly_view;
mod restore;
mod shared;
mod slot;
mod slot_table;
mod stale;
#[cfg(test)]
mod tests;
mod tile;
mod tile_ref;
mod tile_table;
mod versions;

pub use bake_cache::BakeCache;
pub(crate) use beside::KeptBeside;
pub use change::{Change, ChangesUnknown, MeshVersion};
pub(crate) use change_feed::ChangeFeed;
pub use change_set::ChangeSet;
pub use check::{Violation, ViolationKind};
pub use connection::{AddConnectionError, Connection, OffMeshConnection};
pub use edit::AddTileError;
pub use links::{ConnectionLink, Link, TileLinks};
pub use nav_mesh::NavMesh;
pub(crate) use off_mesh::distance_to;
pub(crate) use once::once;
pub(crate) use paged::Paged;
pub use parse_ref::ParseRefError;
pub use poly_point::PolyPoint;
pub use poly_ref::PolyRef;
pub use poly_state::PolyState;
pub(crate) use poly_state::original_state;
pub use poly_view::PolyView;
pub use shared::{MeshReader, Outdated, SharedMesh};
pub(crate) use slot::{SlotGap, connection_limit, slot_limit};
pub use stale::{StaleReason, StaleRef, StaleTile};
pub(crate) use tile::TileGeometry;
pub use tile::{PolyPortal, PreparedTile, Tile, TileBytes};
pub use tile_ref::TileRef;
