//! Triangles become voxels: solid spans, then the open ground above them.
//!
//! [`Grid`] says where the cells lie; [`Heightfield`] holds solid spans; [`CompactHeightfield`] holds the ground an agent can
//! stand on with its neighbours resolved.

mod compact_heightfield;
mod grid;
mod heightfield;

pub use compact_heightfield::CompactHeightfield;
pub use grid::{DIRECTIONS, Grid, GridError};
pub use heightfield::Heightfield;
