//! Explains why a position is not walkable: a map of every cell, filled by running the stages again.

mod cause;
mod explain_bytes;
mod explain_map;
mod explain_tile;

pub use explain_bytes::ExplainBytesError;
pub use explain_map::{ExplainMap, Explanation, Reason};
pub use explain_tile::{explain_around, explain_level};
