//! Block worlds stored as a dense array, in chunks, or as heights.

use super::{Block, BlockBox, BlockSource, Cell};
use std::collections::BTreeMap;

/// A box of blocks in one array, one byte per block. The blocks of a column are adjacent: surfaces are read column by
/// column, and with another order each level of a wide world would be on a memory page of its own.
#[derive(Clone, Debug)]
pub struct DenseBlocks {
    bounds: BlockBox,
    size: [usize; 3],
    blocks: Vec<Block>,
}

/// There is not enough memory for a box with this many blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not enough memory for {} x {} x {} blocks: use smaller boxes, or chunks (ChunkedBlocks)", size[0], size[1], size[2]
)]
pub struct TooManyBlocks {
    /// Blocks along x, y and z.
    pub size: [u64; 3],
}

impl DenseBlocks {
    /// A box of air.
    ///
    /// # Errors
    /// [`TooManyBlocks`] if there is not enough memory for one byte per block.
    pub fn new(bounds: BlockBox) -> Result<Self, TooManyBlocks> {
        Self::from_fn(bounds, |_, _, _| Block::Air)
    }

    /// A box filled by calling `fill` for every block.
    ///
    /// # Errors
    /// [`TooManyBlocks`] if there is not enough memory for one byte per block.
    pub fn from_fn(bounds: BlockBox, mut fill: impl FnMut(i32, i32, i32) -> Block) -> Result<Self, TooManyBlocks> {
        let too_many = TooManyBlocks { size: bounds.size() };
        let size = bounds.size().map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let volume = size[0].saturating_mul(size[1]).saturating_mul(size[2]);
        let mut blocks = Vec::new();
        blocks.try_reserve_exact(volume).map_err(|_| too_many)?;
        if volume > 0 {
            for z in bounds.min.z..=bounds.max.z {
                for x in bounds.min.x..=bounds.max.x {
                    blocks.extend((bounds.min.y..=bounds.max.y).map(|y| fill(x, y, z)));
                }
            }
        }
        Ok(Self { bounds, size, blocks })
    }

    /// Sets a block; `false` if the cell is outside the box.
    pub fn set(&mut self, cell: Cell, block: Block) -> bool {
        let Some(i) = self.index(cell.x, cell.y, cell.z) else { return false };
        self.blocks[i] = block;
        true
    }

    #[inline]
    fn index(&self, x: i32, y: i32, z: i32) -> Option<usize> {
        // A negative difference wraps to more than any size.
        let at = |v: i32, low: i32| v.wrapping_sub(low) as u32 as usize;
        let [i, j, k] = [at(x, self.bounds.min.x), at(y, self.bounds.min.y), at(z, self.bounds.min.z)];
        let [w, h, d] = self.size;
        (i < w && j < h && k < d).then(|| (k * w + i) * h + j)
    }
}

impl BlockSource for DenseBlocks {
    #[inline]
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        self.block(x, y, z) == Block::Solid
    }

    #[inline]
    fn block(&self, x: i32, y: i32, z: i32) -> Block {
        self.index(x, y, z).map_or(Block::Air, |i| self.blocks[i])
    }

    fn column(&self, x: i32, y: i32, z: i32, into: &mut [Block]) {
        let at = |v: i32, low: i32| v.wrapping_sub(low) as u32 as usize;
        let [w, h, d] = self.size;
        let [i, k] = [at(x, self.bounds.min.x), at(z, self.bounds.min.z)];
        if i >= w || k >= d {
            return into.fill(Block::Air);
        }
        let column = &self.blocks[(k * w + i) * h..][..h];
        let j = at(y, self.bounds.min.y);
        if let Some(whole) = column.get(j..j.saturating_add(into.len())) {
            return into.copy_from_slice(whole);
        }
        for (level, block) in (y..).zip(into) {
            *block = column.get(at(level, self.bounds.min.y)).copied().unwrap_or_default();
        }
    }

    fn bounds(&self) -> Option<BlockBox> {
        Some(self.bounds)
    }
}

/// Blocks per side of a chunk of [`ChunkedBlocks`].
const CHUNK: i32 = 16;

/// An unbounded world in chunks of 16 × 16 × 16 blocks. Chunks that were never written are air and take no memory.
#[derive(Clone, Debug, Default)]
pub struct ChunkedBlocks {
    chunks: BTreeMap<[i32; 3], Box<[Block]>>,
}

impl ChunkedBlocks {
    /// A world of air.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a block.
    pub fn set(&mut self, cell: Cell, block: Block) {
        let (chunk, i) = Self::place(cell.x, cell.y, cell.z);
        let volume = (CHUNK * CHUNK * CHUNK) as usize;
        let blocks = self.chunks.entry(chunk).or_insert_with(|| vec![Block::Air; volume].into_boxed_slice());
        blocks[i] = block;
    }

    /// Number of chunks in memory.
    #[must_use]
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    fn place(x: i32, y: i32, z: i32) -> ([i32; 3], usize) {
        let chunk = [x, y, z].map(|v| v.div_euclid(CHUNK));
        let [i, j, k] = [x, y, z].map(|v| v.rem_euclid(CHUNK) as usize);
        (chunk, (j * CHUNK as usize + k) * CHUNK as usize + i)
    }
}

impl BlockSource for ChunkedBlocks {
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        self.block(x, y, z) == Block::Solid
    }

    fn block(&self, x: i32, y: i32, z: i32) -> Block {
        let (chunk, i) = Self::place(x, y, z);
        self.chunks.get(&chunk).map_or(Block::Air, |blocks| blocks[i])
    }
}

/// Solid blocks up to a height in each column; columns start at (0, 0).
#[derive(Clone, Debug)]
pub struct HeightMapBlocks {
    width: u32,
    heights: Vec<i32>,
    /// The least and the greatest height.
    range: Option<[i32; 2]>,
}

impl HeightMapBlocks {
    /// Heights row by row along x, `width` per row. Blocks below the height are solid, so feet rest at the height. An
    /// incomplete last row is dropped.
    #[must_use]
    pub fn new(width: u32, mut heights: Vec<i32>) -> Self {
        let rows = if width == 0 { 0 } else { heights.len() / width as usize };
        heights.truncate(rows * width as usize);
        let range = heights.iter().min().zip(heights.iter().max()).map(|(&low, &high)| [low, high]);
        Self { width, heights, range }
    }

    /// The height of a column; `None` outside the map.
    #[must_use]
    pub fn height(&self, x: i32, z: i32) -> Option<i32> {
        let inside = x >= 0 && (x as u32) < self.width && z >= 0;
        // In u64: the index of a far column does not fit a usize of 32 bits.
        let index = inside.then(|| z as u64 * u64::from(self.width) + x as u64)?;
        self.heights.get(usize::try_from(index).ok()?).copied()
    }
}

impl BlockSource for HeightMapBlocks {
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        self.height(x, z).is_some_and(|top| y < top)
    }

    fn bounds(&self) -> Option<BlockBox> {
        let [low, high] = self.range?;
        let rows = self.heights.len() / self.width as usize;
        Some(BlockBox {
            min: Cell::new(0, low.saturating_sub(1), 0),
            max: Cell::new((self.width - 1) as i32, high.saturating_sub(1), rows as i32 - 1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_chunked_worlds_hold_the_same() {
        let bounds = BlockBox::new(Cell::new(-20, -3, 5), Cell::new(20, 9, 40));
        let kinds = [Block::Air, Block::Solid, Block::Water, Block::Ladder, Block::Door, Block::Hazard];
        let kind = |x: i32, y: i32, z: i32| kinds[(x * 7 + y * 5 + z * 3).rem_euclid(6) as usize];
        let dense = DenseBlocks::from_fn(bounds, kind).unwrap();
        let mut chunked = ChunkedBlocks::new();
        for y in -3..=9 {
            for z in 5..=40 {
                for x in -20..=20 {
                    chunked.set(Cell::new(x, y, z), kind(x, y, z));
                }
            }
        }
        for (x, y, z) in [(-20, -3, 5), (20, 9, 40), (0, 0, 17), (-1, 4, 31), (21, 0, 9), (0, 10, 9), (0, 0, 4)] {
            assert_eq!(dense.block(x, y, z), chunked.block(x, y, z), "{x} {y} {z}");
        }
        assert_eq!(chunked.chunk_count(), 4 * 2 * 3);
    }

    #[test]
    fn a_box_beyond_memory_is_refused() {
        let ends = [i32::MIN, i32::MAX].map(|v| Cell::new(v, v, v));
        let all = BlockBox::new(ends[0], ends[1]);
        let refused = DenseBlocks::new(all).unwrap_err();
        assert_eq!(refused, TooManyBlocks { size: [1 << 32; 3] });
        assert!(refused.to_string().contains("4294967296 x 4294967296 x 4294967296 blocks"), "{refused}");
        // An empty box has no blocks, however far apart its corners are.
        let nothing = DenseBlocks::new(BlockBox { min: ends[1], max: ends[0] }).unwrap();
        assert_eq!((nothing.block(0, 0, 0), nothing.bounds().map(|b| b.size())), (Block::Air, Some([0; 3])));
    }

    #[test]
    fn heights_are_where_feet_rest() {
        let map = HeightMapBlocks::new(2, vec![1, 2, 3, 4, 9]);
        assert!(map.is_solid(1, 1, 0) && !map.is_solid(1, 2, 0) && !map.is_solid(0, 0, 2) && !map.is_solid(-1, 0, 0));
        assert_eq!(map.bounds().unwrap(), BlockBox::new(Cell::new(0, 0, 0), Cell::new(1, 3, 1)));
        assert_eq!(HeightMapBlocks::new(0, vec![1]).bounds(), None);
        let abyss = HeightMapBlocks::new(1, vec![i32::MIN]);
        assert_eq!(abyss.bounds(), Some(BlockBox::of(Cell::new(0, i32::MIN, 0))));
    }
}
