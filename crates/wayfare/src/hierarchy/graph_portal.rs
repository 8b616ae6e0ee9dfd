//! A node of a tile's graph: a run of edges over which one leaves an area.
//!
//! Sources: none needed.

use crate::tile::Side;
use glam::Vec3;

/// A portal: a node of the abstract graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphPortal {
    /// The place of the node: the middle of the run of edges.
    pub middle: Vec3,
    /// The ends of the run, the left one first as seen by who leaves the first area; between areas those of its middle
    /// edge, since a run may be bent there.
    pub ends: [Vec3; 2],
    /// The least and the greatest height of the run.
    pub heights: [f32; 2],
    /// The areas that meet here, by index; the second is [`NONE`](crate::math::index::NONE) over a side of the tile,
    /// and at ends of off-mesh connections.
    pub areas: [u32; 2],
    /// The side of the tile, if it leads over one.
    pub side: Option<Side>,
}
