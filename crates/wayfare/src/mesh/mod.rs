//! Tiles connected into a mesh that can be asked and changed.
//!
//! A [`NavMesh`] holds tiles in slots. Polygons are named by [`PolyRef`]s, which notice when their tile is gone. Cloning a
//! mesh is a snapshot that costs next to nothing: readers keep theirs while a writer edits its own and publishes it.

mod connect;
mod links;
mod locations;
mod nav_mesh;
mod paged;
mod poly_ref;
mod poly_view;
mod state;
mod tile;

pub(crate) use connect::BorderIndex;
pub use links::{Link, TileLinks};
pub use nav_mesh::{AddTileError, NavMesh};
pub use poly_ref::{ParsePolyRefError, PolyRef, StaleReason, StaleRef};
pub use poly_view::PolyView;
pub use state::PolyState;
pub use tile::{Portal, Tile};
