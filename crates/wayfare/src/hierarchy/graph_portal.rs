//! A node of a tile's graph: a run of edges through which an area can be left.
//!
//! Sources: none needed.

use crate::tile::Side;
use glam::Vec3;

/// A portal: a node of the abstract graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphPortal {
    /// The position of the node: the middle of the run of edges.
    pub middle: Vec3,
    /// The ends of the run, the left one first as seen when leaving the first area. Between areas, where a run may
    /// bend, they are the ends of its middle edge.
    pub ends: [Vec3; 2],
    /// The lowest and the highest point of the run.
    pub heights: [f32; 2],
    /// The areas that meet here, by index. The second is [`NONE`](crate::math::index::NONE) on a side of the tile and
    /// at an end of an off-mesh connection.
    pub areas: [u32; 2],
    /// The side of the tile on which it lies, if any.
    pub side: Option<Side>,
}
