//! A world larger than memory: what it is baked from, and the bake of it, tile by tile into a store.
//!
//! A [`WorldSource`] answers what lies in a box: a level in memory ([`LevelSource`]), files, or a generator that makes
//! it when it is asked. A [`WorldBake`] asks it for block after block of tiles, bakes what the
//! [store](crate::format::WorldStore) does not have yet or has from other input, and writes that. Memory is bounded by
//! the threads, the work of a killed bake is not lost, and ranges of tiles can be baked by different machines.
//!
//! No file I/O: stores in files are the crate `wayfare-store`.

mod bake;
mod blocks;
mod box_grid;
mod level_source;
mod source;
mod tile_block;
mod world_bake_error;

pub use bake::{WorldBake, WorldSettings};
pub use blocks::TileWindow;
pub use box_grid::BoxGrid;
pub use level_source::LevelSource;
pub use source::{WorldPiece, WorldSource};
pub use world_bake_error::{SourceError, WorldBakeError};
