//! Nodes, the links between them, and the patches that they are built in.
//!
//! ```text
//!   patch: ground that hangs together          . . a a a b b      a, b, c: nodes, rectangles of standing points
//!   within a tile, over as many mini meshes    . c c a a a b      a link: a run of places along a side of one node
//!   as stairs take it through                  . c c a a a b        from which one steps into another
//! ```
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014.

use super::Cell;
use crate::area::AreaId;
use core::fmt;

/// A node of a [`BlockNav`](super::BlockNav): a handle that notices when what it meant was built anew.
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

/// A way out of a node: from a run of its border places to places of another node, across a side or up and down a
/// ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) to: u32,
    /// The side it leaves by, an index of `SIDES`; or up or down a ladder.
    pub(super) side: u8,
    /// The run along the side, from the node's least place on, both included. For ladders: x and z.
    pub(super) first: u8,
    pub(super) last: u8,
    /// Bit 0: it can be gone. Bit 1: it can be come by.
    pub(super) ways: u8,
}

const _: () = assert!(size_of::<Link>() == 8);

/// [`Link::side`] of a ladder.
pub(super) const UP: u8 = 4;
pub(super) const DOWN: u8 = 5;
pub(super) const FORTH: u8 = 1;
pub(super) const BACK: u8 = 2;

/// A rectangle of standing points, any two of which see each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its least place.
    pub(super) x: i32,
    pub(super) z: i32,
    /// Places along x and z.
    pub(super) width: u8,
    pub(super) depth: u8,
    pub(super) area: AreaId,
    /// All heights are `low`.
    pub(super) flat: bool,
    pub(super) low: i32,
    pub(super) patch: u32,
    /// Where its heights begin in the patch, row by row along x.
    pub(super) heights: u32,
    /// Its links in the patch, once it is connected.
    pub(super) links: [u32; 2],
    /// The sides, a bit each, whose links are to be found anew; bit 4 stands for ladders.
    pub(super) stale: u8,
    pub(super) salt: u32,
}

/// [`Node::stale`] of a node that has no links yet.
pub(super) const ALL_STALE: u8 = 0b1_1111;

impl Link {
    /// Its bit in [`Node::stale`].
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

/// A way between a patch and another, with all that searches over patches want to know of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) to: u32,
    /// Where it enters the other: the middle of a link.
    pub(super) entry: Cell,
    /// The areas of its patch and of the other.
    pub(super) areas: [AreaId; 2],
    /// As [`Link::ways`].
    pub(super) ways: u8,
}

/// What is built and thrown away at a time: ground of one area that hangs together. What searches look at lies in one
/// line of a cache.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Patch {
    /// Some ways forth to each other patch, and a way back if there is one.
    pub(super) gates: Box<[Gate]>,
    pub(super) links: Box<[Link]>,
    /// Its least and greatest coordinates.
    pub(super) bounds: [Cell; 2],
    pub(super) tile: u32,
    pub(super) connected: bool,
    pub(super) alive: bool,
    /// The order of the places is that of the world.
    pub(super) cells: Vec<Cell>,
    pub(super) nodes: Vec<u32>,
    pub(super) heights: Vec<i32>,
    /// Patches with links to nodes of this one.
    pub(super) dependents: Vec<u32>,
}
