//! Where blocks come from: the caller's world, asked block by block.

use super::{Block, BlockBox};
use crate::area::AreaId;

/// A world of blocks. It is asked only about what searches touch, and never copied.
///
/// ```
/// use wayfare::blocks::{Block, BlockSource};
///
/// /// Endless ground with a wall along x = 5.
/// struct Wall;
/// impl BlockSource for Wall {
///     fn is_solid(&self, x: i32, y: i32, _z: i32) -> bool {
///         y < 0 || (x == 5 && y < 3)
///     }
/// }
/// assert_eq!(Wall.block(5, 0, 0), Block::Solid);
/// ```
pub trait BlockSource {
    /// Whether the block at (x, y, z) is solid. Outside of its bounds a world is air.
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool;

    /// What the block at (x, y, z) is. By default solid or air; override it for water, ladders, doors and lava.
    #[inline]
    fn block(&self, x: i32, y: i32, z: i32) -> Block {
        if self.is_solid(x, y, z) { Block::Solid } else { Block::Air }
    }

    /// What the blocks at (x, y, z), (x, y + 1, z), … are: as many as `into` has room for. By default asked for one by
    /// one; override it where a column can be read faster.
    #[inline]
    fn column(&self, x: i32, y: i32, z: i32, into: &mut [Block]) {
        for (level, block) in (y..).zip(into) {
            *block = self.block(x, level, z);
        }
    }

    /// The area of a standing point whose feet are in block (x, y, z). By default [`Block::area`] of that block. A node
    /// holds ground of one area only.
    #[inline]
    fn area(&self, x: i32, y: i32, z: i32) -> AreaId {
        self.block(x, y, z).area()
    }

    /// The box outside of which there is nothing; `None` for a world without end. Asked at the beginning of every
    /// question, so that it should be known and not counted.
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
