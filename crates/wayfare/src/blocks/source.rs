//! The source of blocks: the caller's world, read block by block.

use super::{Block, BlockBox};
use crate::area::AreaId;

/// A world of blocks. Only blocks that searches touch are read, and the world is never copied.
///
/// ```
/// use wayfare::blocks::{Block, BlockSource};
///
/// /// Unbounded ground with a wall along x = 5.
/// struct Wall;
/// impl BlockSource for Wall {
///     fn is_solid(&self, x: i32, y: i32, _z: i32) -> bool {
///         y < 0 || (x == 5 && y < 3)
///     }
/// }
/// assert_eq!(Wall.block(5, 0, 0), Block::Solid);
/// ```
pub trait BlockSource {
    /// Whether the block at (x, y, z) is solid. Outside its bounds a world is air.
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool;

    /// The kind of the block at (x, y, z). Solid or air by default; override it for water, ladders, doors and lava.
    #[inline]
    fn block(&self, x: i32, y: i32, z: i32) -> Block {
        if self.is_solid(x, y, z) { Block::Solid } else { Block::Air }
    }

    /// The kinds of the blocks at (x, y, z), (x, y + 1, z), …, as many as `into` has room for. Reads them one by one by
    /// default; override it if whole columns can be read faster.
    #[inline]
    fn column(&self, x: i32, y: i32, z: i32, into: &mut [Block]) {
        for (level, block) in (y..).zip(into) {
            *block = self.block(x, level, z);
        }
    }

    /// The area of a standing point with its feet in block (x, y, z). [`Block::area`] of that block by default. All of
    /// a node has the same area.
    #[inline]
    fn area(&self, x: i32, y: i32, z: i32) -> AreaId {
        self.block(x, y, z).area()
    }

    /// The box outside which there are no blocks; `None` for an unbounded world. Called at the start of every query, so
    /// it should be cheap.
    fn bounds(&self) -> Option<BlockBox> {
        None
    }
}

impl<S: BlockSource + ?Sized> BlockSource for &S {
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        (**self).is_solid(x, y, z)
    }
    fn block(&self, x: i32, y: i32, z: i32) -> Block {
        (**self).block(x, y, z)
    }
    fn column(&self, x: i32, y: i32, z: i32, into: &mut [Block]) {
        (**self).column(x, y, z, into);
    }
    fn area(&self, x: i32, y: i32, z: i32) -> AreaId {
        (**self).area(x, y, z)
    }
    fn bounds(&self) -> Option<BlockBox> {
        (**self).bounds()
    }
}
