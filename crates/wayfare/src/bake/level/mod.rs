//! Bakes whole levels: divides them into tiles, collects the input of each, and distributes them to threads.

mod agents;
mod baked_tiles;
mod block_baker;
mod job;
mod progress;
mod tile_blocks;
mod tile_inputs;
mod tile_key;
mod tile_plan;
mod tile_work;
mod tiled;

pub use baked_tiles::BakedTiles;
pub(crate) use block_baker::{BlockBaker, count_known};
pub use job::BakeJob;
pub(crate) use tile_inputs::TileInputs;
pub use tile_key::{tile_key, tile_keys};
pub use tile_plan::TilePlan;
pub use tile_work::{TILES_AT_ONCE, TileSink, bake_agents_planned};
pub use tiled::{bake_agents, bake_planned, bake_tiles};
