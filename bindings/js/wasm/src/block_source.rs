//! Blocks of a world: kept here in chunks.

use crate::callback::{Callback, rethrow};
use crate::fault::{Answer, Fault};
use js_sys::Function;
use wasm_bindgen::prelude::*;
use wayfare::blocks::{Block, BlockBox, BlockSource, Cell, ChunkedBlocks, HeightMapBlocks};

#[wasm_bindgen(js_name = RawBlocks)]
pub struct RawBlocks(pub(crate) Kept);

/// Where the blocks are.
pub(crate) enum Kept {
    Chunks(ChunkedBlocks),
    Heights(HeightMapBlocks),
    /// A function of the page, asked block by block.
    Page(Callback),
}

pub(crate) fn block(kind: u8) -> Answer<Block> {
    Ok(match kind {
        0 => Block::Air,
        1 => Block::Solid,
        2 => Block::Water,
        3 => Block::Ladder,
        4 => Block::Door,
        5 => Block::Hazard,
        _ => return Err(Fault::argument(format_args!("a block is 0 to 5, not {kind}"))),
    })
}

pub(crate) fn cell(at: &[i32]) -> Answer<Cell> {
    match at {
        &[x, y, z] => Ok(Cell { x, y, z }),
        _ => Err(Fault::argument("a cell is 3 whole numbers")),
    }
}

#[wasm_bindgen(js_class = RawBlocks)]
impl RawBlocks {
    /// Air everywhere.
    #[wasm_bindgen(constructor)]
    pub fn new() -> RawBlocks {
        Self(Kept::Chunks(ChunkedBlocks::new()))
    }

    /// Solid up to a height in each column.
    pub fn heights(width: u32, heights: Vec<i32>) -> RawBlocks {
        Self(Kept::Heights(HeightMapBlocks::new(width, heights)))
    }

    /// Blocks that the page holds: a function of x, y and z that returns a kind.
    pub fn page(function: Function) -> RawBlocks {
        Self(Kept::Page(Callback::new(function)))
    }

    pub fn set(&mut self, x: i32, y: i32, z: i32, kind: u8) -> Answer<()> {
        let block = block(kind)?;
        match &mut self.0 {
            Kept::Chunks(chunks) => chunks.set(Cell { x, y, z }, block),
            _ => return Err(Fault::argument("the blocks of this world are not kept here: change them where they are")),
        }
        Ok(())
    }

    /// Many blocks: x, y, z of each, and the kinds.
    #[wasm_bindgen(js_name = setMany)]
    pub fn set_many(&mut self, cells: &[i32], kinds: &[u8]) -> Answer<()> {
        let (cells, rest) = cells.as_chunks::<3>();
        if !rest.is_empty() || cells.len() != kinds.len() {
            return Err(Fault::argument("each block takes a cell of 3 numbers, and a kind"));
        }
        cells.iter().zip(kinds).try_for_each(|(&[x, y, z], kind)| self.set(x, y, z, *kind))
    }

    /// Fills a box between any two opposite corners, both included.
    #[wasm_bindgen(js_name = fillBox)]
    pub fn fill_box(&mut self, bounds: &[i32], kind: u8) -> Answer<()> {
        let &[x, y, z, to_x, to_y, to_z] = bounds else {
            return Err(Fault::argument("a box of blocks is 6 whole numbers"));
        };
        let filled = BlockBox::new(Cell { x, y, z }, Cell { x: to_x, y: to_y, z: to_z });
        let [wide, high, deep] = filled.size();
        if wide.saturating_mul(high).saturating_mul(deep) > 1 << 28 {
            let sentence = format!("a box of {wide} x {high} x {deep} blocks: fill 2^28 at most at once");
            return Err(Fault::new("memory", sentence));
        }
        let BlockBox { min, max } = filled;
        for y in min.y..=max.y {
            for z in min.z..=max.z {
                (min.x..=max.x).try_for_each(|x| self.set(x, y, z, kind))?;
            }
        }
        Ok(())
    }

    pub fn get(&self, x: i32, y: i32, z: i32) -> Answer<u8> {
        let block = self.0.block(x, y, z);
        rethrow()?;
        Ok(match block {
            Block::Air => 0,
            Block::Solid => 1,
            Block::Water => 2,
            Block::Ladder => 3,
            Block::Door => 4,
            Block::Hazard => 5,
        })
    }
}

impl BlockSource for Kept {
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        match self {
            Self::Chunks(chunks) => chunks.is_solid(x, y, z),
            Self::Heights(heights) => heights.is_solid(x, y, z),
            Self::Page(_) => self.block(x, y, z) == Block::Solid,
        }
    }

    fn block(&self, x: i32, y: i32, z: i32) -> Block {
        match self {
            Self::Chunks(chunks) => chunks.block(x, y, z),
            Self::Heights(heights) => heights.block(x, y, z),
            Self::Page(function) => {
                let answer = function.call(&[x.into(), y.into(), z.into()]).and_then(|kind| kind.as_f64());
                answer.and_then(|kind| block(kind as u8).ok()).unwrap_or(Block::Air)
            }
        }
    }

    fn column(&self, x: i32, y: i32, z: i32, into: &mut [Block]) {
        match self {
            Self::Chunks(chunks) => chunks.column(x, y, z, into),
            Self::Heights(heights) => heights.column(x, y, z, into),
            Self::Page(_) => {
                for (y, place) in (y..).zip(into) {
                    *place = self.block(x, y, z);
                }
            }
        }
    }

    fn area(&self, x: i32, y: i32, z: i32) -> wayfare::area::AreaId {
        match self {
            Self::Chunks(chunks) => chunks.area(x, y, z),
            Self::Heights(heights) => heights.area(x, y, z),
            Self::Page(_) => self.block(x, y, z).area(),
        }
    }

    fn bounds(&self) -> Option<BlockBox> {
        match self {
            Self::Chunks(chunks) => chunks.bounds(),
            Self::Heights(heights) => heights.bounds(),
            Self::Page(_) => None,
        }
    }
}
