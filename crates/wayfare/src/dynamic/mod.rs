//! A world that changes: obstacles are added, moved and removed, and the tiles under them are rebuilt within a frame.
//!
//! ```text
//!   level ─ bake ─> LevelCheckpoints: the open ground of each tile, kept small ──┐
//!                                                                                v
//!   add, move_by, remove ─> dirty tiles ─ step(budget): unpack, mark, erode, … the recipe ─> tiles of the mesh
//! ```
//!
//! [`Obstacles`] is the session. A tile is rebuilt by the very recipe that baked it, from the checkpoint of its open
//! ground on: it has the bytes of a bake of the level with the same shapes as volumes, and when all obstacles are gone
//! it is the tile of before. Who reads the mesh is not known here: finished tiles are put into a mesh, and the caller
//! publishes it.
//!
//! Sources: Mikko Mononen, "Handling Temporary Obstacles", Digesting Duck, 2010.

mod checkpoint_bytes;
mod ground_cache;
mod level_checkpoints;
mod obstacle;
mod obstacle_bytes;
mod obstacle_table;
mod obstacles;
mod rebuild;
mod rebuild_error;
mod round;
mod surroundings;
mod tile_ground;
mod triangle_source;
mod volume_bytes;

pub use checkpoint_bytes::CheckpointBytesError;
pub use level_checkpoints::LevelCheckpoints;
pub use obstacle::{ObstacleError, ObstacleRef};
pub use obstacle_bytes::ObstacleBytesError;
pub use obstacles::{Obstacles, Outcome, Request};
pub use rebuild_error::RebuildError;
pub use round::{RebuiltTile, TileChange};
pub use surroundings::Surroundings;
pub use triangle_source::{ObjectError, ObjectLevel, ObjectRef, TriangleSource};
