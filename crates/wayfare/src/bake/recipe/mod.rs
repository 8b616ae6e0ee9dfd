//! The recipe: the steps that make a tile, their order, and the doors at which a bake can start and end.

mod bake_error;
mod observer;
mod products;
mod step;
mod steps;
mod tile_baker;
mod tile_input;

pub use bake_error::BakeError;
pub use observer::BakeObserver;
pub(super) use products::Keep;
pub use products::Products;
pub use step::{BakeStep, Door};
pub(super) use tile_baker::BakeRun;
pub use tile_baker::TileBaker;
pub use tile_input::{TileInput, TileRect};
