//! Nodes, the links between them, and the patches in which they are built.
//!
//! ```text
//!   patch: a connected surface                 . . a a a b b      a, b, c: nodes, rectangles of standing points
//!   within a tile, over as many mini meshes    . c c a a a b      a link: a run of cells along a side of one node
//!   as stairs take it through                  . c c a a a b        from which one steps into another
//! ```
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014.

use super::Cell;
use crate::area::AreaId;
use core::fmt;

/// A handle of a node of a [`BlockNav`](super::BlockNav). It becomes stale when the node is discarded, even if its slot
/// is used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockNodeRef {
    pub(super) slot: u32,
    pub(super) salt: u32,
}

impl fmt::Debug for BlockNodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}:n{}", self.salt, self.slot)
    }
}

impl fmt::Display for BlockNodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A link from a node: from a run of its border cells to cells of another node, across a side or up and down a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeLink {
    pub(super) to: u32,
    /// The side that it crosses, an index of `SIDES`; or up or down a ladder.
    pub(super) side: u8,
    /// The run along the side, counted from the node's least cell, both ends included. For ladders: x and z.
    pub(super) first: u8,
    pub(super) last: u8,
    /// Bit 0 ([`FORTH`]): it can be walked from this node. Bit 1 ([`BACK`]): it can be walked to this node.
    pub(super) ways: u8,
}

const _: () = assert!(size_of::<NodeLink>() == 8);

/// [`NodeLink::side`] of a ladder.
pub(super) const UP: u8 = 4;
pub(super) const DOWN: u8 = 5;
pub(super) const FORTH: u8 = 1;
pub(super) const BACK: u8 = 2;

/// A rectangle of standing points, any two of which see each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its least cell.
    pub(super) x: i32,
    pub(super) z: i32,
    /// Cells along x and z.
    pub(super) width: u8,
    pub(super) depth: u8,
    pub(super) area: AreaId,
    /// Whether all heights are `low`.
    pub(super) flat: bool,
    pub(super) low: i32,
    pub(super) patch: u32,
    /// Index of its first height in the patch; heights are row by row along x.
    pub(super) heights: u32,
    /// The range of its links in the patch, once it is connected.
    pub(super) links: [u32; 2],
    /// The sides whose links must be found again, one bit each; bit 4 is for ladders.
    pub(super) stale: u8,
    pub(super) salt: u32,
}

/// [`Node::stale`] of a node that has no links yet.
pub(super) const ALL_STALE: u8 = 0b1_1111;

impl NodeLink {
    /// The bit of its side in [`Node::stale`].
    #[inline]
    pub(super) fn side_bit(&self) -> u8 {
        1 << self.side.min(UP)
    }
}

impl Node {
    pub(super) fn last_x(&self) -> i32 {
        self.x + i32::from(self.width) - 1
    }

    pub(super) fn last_z(&self) -> i32 {
        self.z + i32::from(self.depth) - 1
    }
}

/// A connection from a patch to another, with all data that searches over patches need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) to: u32,
    /// Where it enters the other patch: the middle of a link.
    pub(super) entry: Cell,
    /// The areas of its patch and of the other.
    pub(super) areas: [AreaId; 2],
    /// As [`NodeLink::ways`].
    pub(super) ways: u8,
}

/// The unit of building and discarding: a connected surface of one area. The fields that searches read are in one cache
/// line.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Patch {
    /// Some connections to each other patch, and one back if there is any.
    pub(super) gates: Box<[Gate]>,
    pub(super) links: Box<[NodeLink]>,
    /// The least and greatest coordinates.
    pub(super) bounds: [Cell; 2],
    pub(super) tile: u32,
    pub(super) connected: bool,
    pub(super) alive: bool,
    /// The cells in world order.
    pub(super) cells: Vec<Cell>,
    pub(super) nodes: Vec<u32>,
    pub(super) heights: Vec<i32>,
    /// Patches with links to nodes of this one.
    pub(super) dependents: Vec<u32>,
}
