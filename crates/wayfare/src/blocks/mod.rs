//! Navigation of block worlds that users edit all the time: no preprocessing, immediate paths.
//!
//! The world is cut into mini meshes of 10 × 1 × 10 blocks. Each is empty until a search comes near it, is then built
//! (its standing points are grouped into rectangles), and then connected to its neighbours; what no search comes near
//! is never read. When blocks change, the mini meshes around them are discarded and rebuilt when needed. A [`BlockNav`]
//! holds what was built. The blocks themselves stay with the caller and are read through [`BlockSource`].
//!
//! ```
//! use wayfare::blocks::{Block, BlockBox, BlockNav, BlockPathRequest, BlockSettings, Cell, DenseBlocks};
//! use wayfare::area::PathStatus;
//!
//! // A floor with a wall across it.
//! let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(31, 7, 31));
//! let mut world = DenseBlocks::from_fn(bounds, |x, y, _| match (x, y) {
//!     (_, 0) | (16, 1..=3) => Block::Solid,
//!     _ => Block::Air,
//! })?;
//! let mut nav = BlockNav::new(BlockSettings::default())?;
//! let request = BlockPathRequest::to(Cell::new(4, 1, 4), Cell::new(28, 1, 4));
//! assert_eq!(nav.find_path(&world, &request).status, PathStatus::Partial);
//!
//! // Somebody breaks a hole into the wall.
//! for y in 1..=2 {
//!     world.set(Cell::new(16, y, 4), Block::Air);
//!     nav.invalidate(BlockBox::of(Cell::new(16, y, 4)));
//! }
//! let path = nav.find_path(&world, &request);
//! assert_eq!((path.status, path.length), (PathStatus::Complete, 24.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Positions of feet are [`Cell`]s; [`BlockNav::nearest`] and [`BlockNav::position`] convert metres to cells and back.
//! A block is one metre.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014.

mod adapters;
mod backward;
mod block;
mod build;
mod coarse;
mod column_store;
mod columns;
mod connect;
mod corridor;
mod costs;
mod crossing;
mod distance;
mod exists;
mod frontier;
mod grid_path;
mod ground;
mod inner_links;
mod marks;
mod mini_mesh;
mod nav;
mod node;
mod place_table;
mod quest;
mod random;
mod rectangles;
mod requests;
mod row;
mod search;
mod settings;
mod sight;
mod source;
mod store;
mod straight;
#[cfg(test)]
mod tests;
mod touched;
mod tube;
mod world_view;

pub use adapters::{ChunkedBlocks, DenseBlocks, HeightMapBlocks, TooManyBlocks};
pub use block::{Block, BlockBox, Cell};
pub use corridor::BlockCorridor;
pub use costs::BlockCosts;
pub use grid_path::{BlockGridPath, plain_grid_path};
pub use nav::{BlockNav, BlockNavStats, BlockNode, BlockPath, BlockPathRequest, MiniMeshState};
pub use node::BlockNodeRef;
pub use requests::{BlockRequestId, BlockRequests};
pub use settings::{BlockAgent, BlockSettings, BlockSettingsError};
pub use source::BlockSource;
