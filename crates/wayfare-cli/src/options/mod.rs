//! Options that several commands share.

mod agents;
mod areas;
mod bake_options;
mod config_file;
pub(crate) mod connections;
mod drawing;
mod heights;
pub(crate) mod json_lines;
mod links;
mod memory_size;
mod plain_words;
mod point;
mod residency;
mod route;
mod tile_range;
mod toml_table;
pub(crate) mod volumes;

pub(crate) use agents::NamedAgent;
pub(crate) use areas::Areas;
pub(crate) use bake_options::{BakeOptions, ErosionName, PartitionName, UpAxis, option_of};
pub(crate) use drawing::{Drawing, pixels};
pub(crate) use heights::Heights;
pub(crate) use links::LinkOptions;
pub(crate) use memory_size::MemorySize;
pub(crate) use plain_words::plainly;
pub(crate) use point::{Bounds, Point, Reach};
pub(crate) use residency::Residency;
pub(crate) use route::{Route, Search, radius};
pub(crate) use tile_range::TileRange;
pub(crate) use toml_table::one_line;
