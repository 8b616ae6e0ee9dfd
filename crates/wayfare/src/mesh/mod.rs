//! Tiles connected into a mesh that can be asked and changed.
//!
//! A [`NavMesh`] holds tiles in slots. Polygons are named by [`PolyRef`]s, which notice when their tile is gone.
//! Cloning a mesh is a snapshot that costs next to nothing: readers keep theirs while a writer edits its own and
//! publishes it.

mod area_rules;
pub(crate) mod bytes;
mod check;
mod component_square;
mod components;
mod connect;
mod detour;
mod edit;
#[cfg(test)]
mod hostile_tests;
mod join_edges;
mod join_seams;
mod kept_components;
mod linking;
mod links;
mod nav_mesh;
mod near_tree;
mod off_mesh;
mod once;
mod paged;
mod places;
#[cfg(test)]
mod planted_fault_tests;
mod poly_point;
mod poly_ref;
mod poly_view;
mod restore_error;
mod shared;
mod slot;
mod state;
#[cfg(test)]
mod tests;
mod tile;
mod way;

pub use check::{Violation, ViolationKind};
pub use components::Components;
pub(crate) use connect::BorderIndex;
pub use detour::{DetourReadError, DetourRefs, DetourTileError, DetourWriteError, RefBits, is_detour_file};
pub use edit::AddTileError;
pub use links::{ConnectionLink, Link, TileLinks};
pub use nav_mesh::NavMesh;
pub use off_mesh::{AddConnectionError, Connection, OffMeshConnection};
pub use poly_point::PolyPoint;
pub use poly_ref::{ParsePolyRefError, PolyRef, StaleReason, StaleRef};
pub use poly_view::PolyView;
pub use restore_error::RestoreError;
pub use shared::{MeshReader, SharedMesh};
pub use state::{PolyState, StateKind};
pub use tile::{Portal, PreparedTile, Tile};
pub use way::{ReadError, WayEnd, WayStream, WriteError, is_way_file};
