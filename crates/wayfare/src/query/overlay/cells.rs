//! The cells of an overlay: blocks of eight by eight in a sorted map, and the walk along a segment through them.
//!
//! ```text
//!   from ●──┬───┬──           each piece of the segment inside one cell counts by its length;
//!           │ ··│·● to        a block that is not there is walked through all the same, with nothing to add
//! ```
//!
//! Copies share their blocks until one of them is changed.
//!
//! Cost: a segment takes a few nanoseconds for each cell that it crosses inside the bounding box of everything painted,
//! and one lookup for each block; a segment outside that box takes one comparison.
//!
//! Sources: John Amanatides, Andrew Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987.

use crate::math::steps;
use glam::DVec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A block is so many cells wide and deep, and one high.
const SIDE: i32 = 1 << SHIFT;
const SHIFT: u32 = 3;
/// Cells of a block.
pub(super) const BLOCK: usize = (SIDE * SIDE) as usize;
/// Cells lie within so many of the origin.
pub(super) const FARTHEST: i32 = 1 << 29;

/// A cell, by column, layer and row.
pub(super) type CellPlace = [i32; 3];

pub(super) type CellBlock = [f32; BLOCK];

/// Values of cells; those without a block are 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellMap {
    blocks: Arc<BTreeMap<CellPlace, Arc<CellBlock>>>,
    /// The least cell of all blocks, and one more than the greatest.
    bounds: [CellPlace; 2],
}

const NOWHERE: [CellPlace; 2] = [[i32::MAX; 3], [i32::MIN; 3]];

impl Default for CellMap {
    fn default() -> Self {
        Self { blocks: Arc::default(), bounds: NOWHERE }
    }
}

/// The block that a cell is in, and its place there.
#[inline]
pub(super) fn block_of([x, y, z]: CellPlace) -> (CellPlace, usize) {
    let within = (z & (SIDE - 1)) << SHIFT | x & (SIDE - 1);
    ([x >> SHIFT, y, z >> SHIFT], within as usize)
}

impl CellMap {
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// How many cells there is memory for.
    pub(super) fn cell_count(&self) -> u32 {
        (self.blocks.len() * BLOCK) as u32
    }

    pub(super) fn has_block(&self, block: CellPlace) -> bool {
        self.blocks.contains_key(&block)
    }

    pub(super) fn blocks(&self) -> impl Iterator<Item = (CellPlace, &CellBlock)> {
        self.blocks.iter().map(|(&place, block)| (place, &**block))
    }

    /// All cells of which the value is not 0, block by block.
    pub(super) fn cells(&self) -> impl Iterator<Item = (CellPlace, f32)> {
        let of_block = |([x, y, z], block): (CellPlace, &CellBlock)| {
            let place = move |i: usize| [(x << SHIFT) + i as i32 % SIDE, y, (z << SHIFT) + i as i32 / SIDE];
            block.map(|value| value).into_iter().enumerate().map(move |(i, value)| (place(i), value))
        };
        self.blocks().flat_map(of_block).filter(|(_, value)| *value > 0.0)
    }

    pub(super) fn value(&self, cell: CellPlace) -> f32 {
        let (block, within) = block_of(cell);
        self.blocks.get(&block).map_or(0.0, |block| block[within])
    }

    /// The cell, to be changed. Makes its block if it is not there.
    pub(super) fn value_mut(&mut self, cell: CellPlace) -> &mut f32 {
        let (place, within) = block_of(cell);
        self.enclose(place);
        let block = Arc::make_mut(&mut self.blocks).entry(place).or_insert_with(|| Arc::new([0.0; BLOCK]));
        &mut Arc::make_mut(block)[within]
    }

    pub(super) fn put_block(&mut self, place: CellPlace, block: CellBlock) {
        self.enclose(place);
        Arc::make_mut(&mut self.blocks).insert(place, Arc::new(block));
    }

    fn enclose(&mut self, [x, y, z]: CellPlace) {
        let [low, high] = &mut self.bounds;
        for (axis, [from, to]) in
            [[x << SHIFT, (x + 1) << SHIFT], [y, y + 1], [z << SHIFT, (z + 1) << SHIFT]].into_iter().enumerate()
        {
            low[axis] = low[axis].min(from);
            high[axis] = high[axis].max(to);
        }
    }

    /// Multiplies all values, makes those below `least` 0, and lets go of blocks of which nothing is left.
    pub(super) fn scale(&mut self, by: f32, least: f32) {
        let all = core::mem::take(self);
        for (place, block) in all.blocks() {
            let scaled = block.map(|value| if value * by < least { 0.0 } else { value * by });
            if scaled.iter().any(|value| *value > 0.0) {
                self.put_block(place, scaled);
            }
        }
    }

    /// The greatest value.
    pub(super) fn greatest(&self) -> f32 {
        self.blocks().flat_map(|(_, block)| block).copied().fold(0.0, f32::max)
    }

    /// The sum of all values along a segment, each times the part of the segment that lies in its cell. Places are in
    /// cells.
    pub(super) fn along(&self, from: DVec3, to: DVec3) -> f64 {
        let step = to - from;
        let Some([start, end]) = self.clip(from, step) else { return 0.0 };
        let mut walk = CellWalk::new(from, step, start);
        let mut sum = 0.0;
        let mut at = start;
        let mut block = None;
        let mut values = None;
        // Rounding may let it end beside the last cell; then it is over, too.
        let most = (step.abs() * (end - start)).element_sum() as usize + 4;
        for _ in 0..most {
            steps::count(1);
            let (place, within) = block_of(walk.cell);
            if block != Some(place) {
                (block, values) = (Some(place), self.blocks.get(&place));
            }
            let exit = walk.exit().min(end);
            if let Some(values) = values {
                sum += f64::from(values[within]) * (exit - at).max(0.0);
            }
            if exit >= end {
                break;
            }
            at = exit;
            walk.advance();
        }
        sum
    }

    /// The part of the segment that lies inside the bounds, as fractions of it.
    #[inline]
    fn clip(&self, from: DVec3, step: DVec3) -> Option<[f64; 2]> {
        let [low, high] = self.bounds.map(|place| DVec3::from_array(place.map(f64::from)));
        let mut part = [0.0, 1.0_f64];
        for axis in 0..3 {
            if step[axis] == 0.0 {
                if from[axis] < low[axis] || from[axis] >= high[axis] {
                    return None;
                }
                continue;
            }
            let [a, b] = [(low[axis] - from[axis]) / step[axis], (high[axis] - from[axis]) / step[axis]];
            part = [part[0].max(a.min(b)), part[1].min(a.max(b))];
        }
        (part[0] < part[1]).then_some(part)
    }
}

/// A walk from cell to cell along a segment.
struct CellWalk {
    cell: CellPlace,
    /// Where along the segment the next cell begins, by axis; how far it is from one to the next; and in which
    /// direction that lies.
    next: DVec3,
    apart: DVec3,
    direction: [i32; 3],
}

impl CellWalk {
    fn new(from: DVec3, step: DVec3, start: f64) -> Self {
        let at = from + step * start;
        let mut walk =
            Self { cell: [0; 3], next: DVec3::INFINITY, apart: DVec3::INFINITY, direction: step.to_array().map(sign) };
        for axis in 0..3 {
            // On the border of two cells it may be the one just left: then the next begins at once.
            walk.cell[axis] = at[axis].floor() as i32;
            if walk.direction[axis] != 0 {
                let border = walk.cell[axis] + i32::from(walk.direction[axis] > 0);
                walk.next[axis] = (f64::from(border) - from[axis]) / step[axis];
                walk.apart[axis] = 1.0 / step[axis].abs();
            }
        }
        walk
    }

    fn exit(&self) -> f64 {
        self.next.min_element()
    }

    fn advance(&mut self) {
        let axis = if self.next.x <= self.next.y && self.next.x <= self.next.z {
            0
        } else if self.next.y <= self.next.z {
            1
        } else {
            2
        };
        self.next[axis] += self.apart[axis];
        self.cell[axis] += self.direction[axis];
    }
}

fn sign(step: f64) -> i32 {
    i32::from(step > 0.0) - i32::from(step < 0.0)
}
