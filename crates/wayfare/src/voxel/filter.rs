//! Runs the three filters in their fixed order, in one pass.
//!
//! Run one after the other, each filter would walk all columns again, and their lengths are unpredictable for the
//! processor. Here a row's columns are first arranged in layers: the free space above the first span of every column,
//! above the second, and so on. Then eight cells are filtered at a time, against the layers of the previous and the
//! next row and against their own shifted by one cell.
//!
//! ```text
//!   layer 2    .  .  A  .  .            each free space: its floor and its ceiling, two arrays of 16 bits per layer;
//!   layer 1    A  A  B  A  .            "." has its ceiling below its floor and so fits nothing
//!   layer 0    B  B  C  B  A
//! ```
//!
//! The results are those of [`filter_low_hanging_obstacles`], [`filter_ledges`] and [`filter_low_height`] in turn; rows
//! with columns too high for layers are left to these functions.
//!
//! Cost: linear in cells times layers, about 50 instructions per cell. Sources: own work.

use super::filter_ledges::{edge_rows_and_columns, filter_ledges_of_row};
use super::filter_low_hanging::step_onto_obstacles;
use super::filter_low_height::take_low_ground;
use super::{Grid, Heightfield};
#[cfg(doc)]
use super::{filter_ledges, filter_low_hanging_obstacles, filter_low_height};
use crate::area::AreaId;
use crate::input::{Filters, VoxelSettings};
use core::ops::Range;
use wide::{CmpGt, i16x8};

/// Cells filtered together.
const LANES: usize = 8;
/// Rows with higher columns are filtered column by column.
const MAX_LAYERS: usize = 12;
/// Agents up to this height in cell heights are filtered in lanes: half the range of 16 bits.
const MAX_HEIGHT: u32 = i16::MAX as u32;

/// Memory that [`filter_into`] keeps from call to call.
#[derive(Debug, Default)]
pub struct FilterScratch {
    /// The previous row, the current row and the next row, in turn.
    rows: [LayeredRow; 3],
    obstacles: Vec<u32>,
}

/// Runs the filters enabled in the settings: low-hanging obstacles, then ledges, then low ceilings.
///
/// Only area types change, spans do not move. `level` is the grid of the whole level: its edge counts as a drop.
pub fn filter(field: &mut Heightfield, level: &Grid, settings: &VoxelSettings) {
    filter_into(field, level, settings, &mut FilterScratch::default());
}

/// Like [`filter`], reusing memory.
pub fn filter_into(field: &mut Heightfield, level: &Grid, settings: &VoxelSettings, scratch: &mut FilterScratch) {
    filter_rows(field, level, settings, 0..field.grid.depth, scratch);
}

/// Like [`filter_into`], for some rows; the rows before them must have been filtered last with the same `scratch`.
pub(crate) fn filter_rows(
    field: &mut Heightfield,
    level: &Grid,
    settings: &VoxelSettings,
    rows: Range<u32>,
    scratch: &mut FilterScratch,
) {
    let Filters { low_hanging_obstacles, ledges, low_height } = settings.filters;
    let height = settings.agent_height_vx;
    let climb = settings.agent_climb_vx;
    let depth = if field.grid.width == 0 { 0 } else { field.grid.depth };
    let (edge_rows, edge_columns) = edge_rows_and_columns(field, level);
    // Lanes use a single step height, up and down.
    let agent =
        (height <= MAX_HEIGHT && climb <= MAX_HEIGHT && settings.agent_drop_vx <= climb).then_some(FilterAgent {
            height: i16x8::from((height.saturating_sub(1)) as i16),
            climb: i16x8::from(climb as i16),
            ledges,
            low_height,
        });
    for z in rows.start..rows.end.min(depth) {
        for next in if z == 0 { 0..depth.min(2) } else { z + 1..depth.min(z + 2) } {
            if low_hanging_obstacles {
                step_onto_obstacles(field, next, climb, &mut scratch.obstacles);
            }
            scratch.rows[next as usize % 3].fill(field, next);
        }
        let [before, row, after] = [2, 0, 1].map(|shift| &scratch.rows[(z as usize + shift) % 3]);
        let at_edge = edge_rows.contains(&z);
        match &agent {
            Some(agent) if [before, row, after].iter().all(|row| row.is_laid_out(height)) => {
                // At the edge every span is removed.
                let around = if at_edge { [row; 2] } else { [before, after] };
                filter_row(field, z, agent, row, around);
                if ledges && at_edge {
                    clear_cells(field, z, 0..field.grid.width);
                }
            }
            _ => {
                if ledges {
                    filter_ledges_of_row(field, level, z, settings);
                }
                if low_height {
                    take_low_ground(field, z, height);
                }
            }
        }
        if ledges {
            edge_columns.iter().for_each(|&x| clear_cells(field, z, x..x + 1));
        }
    }
}

/// Removes the area types of all spans of some cells.
fn clear_cells(field: &mut Heightfield, z: u32, cells: core::ops::Range<u32>) {
    let start = field.columns[field.grid.index(cells.start, z)] as usize;
    let end = field.columns[field.grid.index(cells.end, z)] as usize;
    field.area[start..end].fill(AreaId::NULL);
}

/// The agent's requirements on free space, in every lane.
struct FilterAgent {
    /// One less than the agent's height.
    height: i16x8,
    climb: i16x8,
    ledges: bool,
    low_height: bool,
}

/// The free spaces of a row of columns, layer by layer. Heights are shifted down by 32768, so that signed lanes compare
/// them.
#[derive(Debug, Default)]
struct LayeredRow {
    /// Columns of one layer, with an empty block on either side.
    stride: usize,
    /// Greatest number of spans in a column.
    layers: usize,
    /// The same for each block of columns, with an empty block on either side.
    layers_of_block: Vec<u8>,
    /// One bit for each layer of a block of columns that has walkable spans.
    walkable: Vec<u16>,
    /// The lowest solid of each column; the sky if there is none.
    lowest: Vec<i16>,
    /// Layer after layer: its floors, then its ceilings.
    spaces: Vec<i16>,
    /// The highest floor of all.
    highest: u16,
}

/// The ceiling of the topmost free space.
const SKY: i16 = i16::MAX;

/// A height in signed lanes.
#[inline]
fn signed(height: u16) -> i16 {
    (height ^ 0x8000).cast_signed()
}

impl LayeredRow {
    /// Arranges row `z`.
    fn fill(&mut self, field: &Heightfield, z: u32) {
        let width = field.grid.width as usize;
        let blocks = width.div_ceil(LANES);
        let columns = &field.columns[field.grid.index(0, z)..][..width + 1];
        self.stride = (blocks + 2) * LANES;
        self.layers_of_block.clear();
        self.layers_of_block.push(0);
        self.layers = 0;
        for (starts, ends) in columns.chunks(LANES).zip(columns[1..].chunks(LANES)) {
            let most = starts.iter().zip(ends).map(|(start, end)| end - start).max().unwrap_or(0) as usize;
            self.layers = self.layers.max(most);
            self.layers_of_block.push(most.min(u8::MAX as usize) as u8);
        }
        self.layers_of_block.push(0);
        if self.layers > MAX_LAYERS {
            return;
        }
        self.lowest.clear();
        self.lowest.resize(self.stride, SKY);
        self.spaces.clear();
        for _ in 0..self.layers {
            self.spaces.resize(self.spaces.len() + self.stride, i16::MAX);
            self.spaces.resize(self.spaces.len() + self.stride, i16::MIN);
        }
        self.highest = 0;
        self.walkable.clear();
        let mut start = columns[0] as usize;
        for (block, ends) in columns[1..].chunks(LANES).enumerate() {
            let mut walkable = 0;
            // Empty columns are often consecutive.
            if self.layers_of_block[block + 1] > 0 {
                for (at, &end) in ((block + 1) * LANES..).zip(ends) {
                    walkable |= self.fill_column(field, start..end as usize, at);
                    start = end as usize;
                }
            }
            self.walkable.push(walkable);
        }
    }

    /// Arranges a column at index `at`. Returns one bit for each walkable layer.
    #[inline]
    fn fill_column(&mut self, field: &Heightfield, column: core::ops::Range<usize>, mut at: usize) -> u16 {
        let bottoms = &field.min[column.clone()];
        let tops = &field.max[column.clone()];
        let (Some((&lowest, bottoms)), Some((&highest, tops))) = (bottoms.split_first(), tops.split_last()) else {
            return 0;
        };
        self.lowest[at] = signed(lowest);
        self.highest = self.highest.max(highest);
        let areas = &field.area[column];
        let mut walkable = 0;
        for (layer, ((&floor, &ceiling), area)) in tops.iter().zip(bottoms).zip(areas).enumerate() {
            self.spaces[at] = signed(floor);
            self.spaces[at + self.stride] = signed(ceiling);
            at += 2 * self.stride;
            walkable |= u16::from(!area.is_null()) << layer;
        }
        self.spaces[at] = signed(highest);
        self.spaces[at + self.stride] = SKY;
        walkable | u16::from(!areas[tops.len()].is_null()) << tops.len()
    }

    /// Whether lanes can process it, for an agent of a height: few layers, and room for the agent above the highest
    /// floor.
    fn is_laid_out(&self, height: u32) -> bool {
        self.layers <= MAX_LAYERS && u32::from(self.highest) + height <= u32::from(u16::MAX)
    }

    /// The free spaces, floors and ceilings, of eight columns from index `at`, layer by layer from the lowest.
    #[inline]
    fn free(&self, at: usize, layers: u8) -> impl Iterator<Item = [i16x8; 2]> {
        (0..usize::from(layers)).map(move |layer| self.space(at, layer))
    }

    /// One layer of them.
    #[inline]
    fn space(&self, at: usize, layer: usize) -> [i16x8; 2] {
        let at = at + 2 * layer * self.stride;
        [lanes(&self.spaces, at), lanes(&self.spaces, at + self.stride)]
    }
}

#[inline]
fn lanes(array: &[i16], at: usize) -> i16x8 {
    i16x8::new(*array[at..].first_chunk().unwrap_or(&[0; LANES]))
}

/// Filters one row for ledges and low ceilings. Never inlined, so that its lanes stay in registers.
#[inline(never)]
fn filter_row(
    field: &mut Heightfield,
    z: u32,
    agent: &FilterAgent,
    row: &LayeredRow,
    [before, after]: [&LayeredRow; 2],
) {
    let width = field.grid.width as usize;
    let columns = &field.columns[field.grid.index(0, z)..][..width + 1];
    for (block, &walkable) in row.walkable.iter().enumerate() {
        let mut walkable = walkable;
        if walkable == 0 {
            continue;
        }
        let layers = &row.layers_of_block[block..block + 3];
        let beside = layers[0].max(layers[1]).max(layers[2]);
        let at = (block + 1) * LANES;
        let neighbours = [
            (row, at - 1, beside),
            (after, at, after.layers_of_block[block + 1]),
            (row, at + 1, beside),
            (before, at, before.layers_of_block[block + 1]),
        ];
        while walkable != 0 {
            let layer = walkable.trailing_zeros() as usize;
            walkable &= walkable - 1;
            let [floor, ceiling] = row.space(at, layer);
            let mut taken = i16x8::splat(0);
            if agent.low_height {
                taken = !fits(agent, floor, ceiling) & ceiling.cmp_gt(floor);
            }
            if agent.ledges {
                taken |= ledges(agent, [floor, ceiling], &neighbours);
            }
            let mut mask = taken.move_mask();
            while mask != 0 {
                let x = block * LANES + mask.trailing_zeros() as usize;
                field.area[columns[x] as usize + layer] = AreaId::NULL;
                mask &= mask - 1;
            }
        }
    }
}

/// Where an agent fits between floor and ceiling.
#[inline]
fn fits(agent: &FilterAgent, floor: i16x8, ceiling: i16x8) -> i16x8 {
    ceiling.saturating_sub(floor).cmp_gt(agent.height)
}

/// Which of eight free spaces have a drop beside them, or neighbours of too different heights: where the depth of the
/// deepest neighbour plus the height of the highest (of those within the climb) is more than the climb.
#[inline]
fn ledges(agent: &FilterAgent, [floor, ceiling]: [i16x8; 2], neighbours: &[(&LayeredRow, usize, u8); 4]) -> i16x8 {
    let mut down = i16x8::splat(0);
    let mut up = i16x8::splat(0);
    for &(row, at, layers) in neighbours {
        // The space below a neighbour's lowest solid has no floor.
        let bottomless = fits(agent, floor, ceiling.min(lanes(&row.lowest, at)));
        down = down.max(bottomless & i16x8::splat(i16::MAX));
        for [other, other_ceiling] in row.free(at, layers) {
            let open = fits(agent, floor.max(other), ceiling.min(other_ceiling));
            let step = other.saturating_sub(floor) & open;
            down = down.max(i16x8::splat(0).saturating_sub(step));
            up = up.max(step & !step.cmp_gt(agent.climb));
        }
    }
    down.saturating_add(up).cmp_gt(agent.climb)
}
