//! A world that changes: obstacles are added, moved and removed, and the tiles under them are rebuilt within a frame.
//!
//! ```text
//!   level ─ bake ─> LevelCheckpoints: the compact heightfield of each tile, compressed ──┐
//!                                                                                       v
//!   add, move_by, remove ─> dirty tiles ─ step(budget): unpack, mark, erode, … the recipe ─> tiles of the mesh
//! ```
//!
//! [`Obstacles`] is the session. It rebuilds a tile by the same recipe that baked it, starting from the tile's
//! checkpoint. So a rebuilt tile has the bytes of a bake of the level with the same shapes as volumes, and when all
//! obstacles are gone it is the original tile again. Finished tiles are put into the mesh that the caller passes; the
//! caller publishes that mesh to its readers.
//!
//! [`LiveLevel`] holds all of this beside its mesh, in one session: begin with it. [`ObjectLevel`] and
//! [`TriangleSource`] are for changes of the level's own triangles, [`NearbyTiles`] is for worlds that are baked only
//! around the players. [`AutoLinks`] keeps drops, jumps and climbs up to date.
//!
//! Sources: Mikko Mononen, "Handling Temporary Obstacles", Digesting Duck, 2010.

mod auto_links;
mod checkpoint_bytes;
mod dirty_tiles;
mod ground_cache;
mod level_checkpoints;
mod live_level;
mod nearby_tiles;
mod obstacle;
mod obstacle_bytes;
mod obstacle_file;
mod obstacle_table;
mod obstacles;
mod rebuild;
mod rebuild_error;
mod round;
mod round_work;
#[cfg(test)]
mod step_tests;
mod tile_ground;
mod triangle_source;
mod volume_bytes;

pub use auto_links::{AutoLinks, AutoLinksError};
pub use checkpoint_bytes::CheckpointBytesError;
pub use level_checkpoints::LevelCheckpoints;
pub use live_level::{LiveLevel, LiveLevelError, LiveProgress, LiveStage};
pub use nearby_tiles::NearbyTiles;
pub use obstacle::{ObstacleError, ObstacleRef};
pub use obstacle_bytes::ObstacleBytesError;
pub use obstacle_file::ObstacleFileError;
pub use obstacles::{Obstacles, Outcome, Request};
pub use rebuild_error::RebuildError;
pub use round::{RebuiltTile, TileChange};
pub use triangle_source::{ObjectError, ObjectLevel, ObjectRef, TriangleSource};
