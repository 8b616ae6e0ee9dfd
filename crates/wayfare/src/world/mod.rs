//! A world larger than memory: the input of its bake, and the bake, tile by tile into a store.
//!
//! A [`WorldSource`] returns what lies in a box: a level in memory ([`LevelSource`]), files, or a generator that
//! creates it on demand. A [`WorldBake`] queries it for one block of tiles after another, bakes the tiles that the
//! [store](crate::format::WorldStore) does not have or has from other input, and writes them. Memory is proportional to
//! the number of threads, the work of a killed bake is not lost, and different machines can bake different ranges of
//! tiles.
//!
//! There is no file I/O here: stores in files are in the crate `wayfare-store`.

mod bake;
mod blocks;
mod level_source;
mod source;
mod tile_block;
mod world_bake_error;

pub use bake::{WorldBake, WorldSettings};
pub use blocks::TileWindow;
pub use level_source::LevelSource;
pub use source::{WorldPiece, WorldSource};
pub use world_bake_error::{SourceError, WorldBakeError};
