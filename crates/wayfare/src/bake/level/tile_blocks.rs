//! Decides which tiles are baked together.
//!
//! A small tile has as many cells in its border as in itself: with tiles of 32 cells and a border of five, every cell
//! is rasterised 1.7 times. So neighbouring tiles are rasterised and filtered as one block, and each takes its part of
//! it, including its border.
//!
//! ```text
//!    +- - - - - - - - - - -+
//!    |  +-----+-----+---   |    one border around the block; the borders between
//!    |  |    .|.    |      |    its tiles are cells of the block
//!    |  +-----+-----+---   |
//!    |  |     |     |      |
//! ```
//!
//! Blocks are grouped into batches: as many tiles as may be kept until they can be returned row by row.
//!
//! Cost: negligible. Sources: own work.

use crate::bake::TilePlan;
use core::ops::Range;

/// A block is at most about this many cells wide: then its solid spans stay in the cache, and its border is a sixth.
const BLOCK_SIDE: u32 = 128;
/// Blocks per thread in a batch: with fewer, some threads would be idle at its end.
const BLOCKS_A_THREAD: u64 = 8;

/// How the tiles of a plan are divided into batches and these into blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileBlocks {
    columns: u32,
    rows: u32,
    /// Columns and rows of tiles in a block.
    pub(super) block: [u32; 2],
    /// Columns and rows of tiles in a batch.
    batch: [u32; 2],
}

/// A range of tile columns and rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TileRange {
    pub(super) columns: Range<u32>,
    pub(super) rows: Range<u32>,
}

impl TileRange {
    /// The numbers of the tiles, ascending.
    pub(super) fn numbers(&self, plan: &TilePlan) -> impl Iterator<Item = u64> + use<> {
        let columns = self.columns.clone();
        let all = u64::from(plan.columns);
        self.rows
            .clone()
            .flat_map(move |row| columns.clone().map(move |column| u64::from(row) * all + u64::from(column)))
    }
}

impl TileBlocks {
    /// No tiles.
    pub(super) const NONE: Self = Self { columns: 0, rows: 0, block: [1, 1], batch: [1, 1] };

    /// Divides a plan for this many threads; `most`: tiles in a batch.
    pub(super) fn new(plan: &TilePlan, threads: usize, most: u64) -> Self {
        let TilePlan { columns, rows, .. } = *plan;
        let most = most.min(u64::from(u32::MAX)) as u32;
        let tiles = plan.tile_count().min(u64::from(most));
        let enough = threads as u64 * BLOCKS_A_THREAD;
        let mut side = (BLOCK_SIDE / plan.settings.tile_size_vx.max(1)).max(1);
        while side > 1 && threads > 1 && tiles / u64::from(side * side) < enough {
            side /= 2;
        }
        let deep = side.min(most / columns).max(1);
        let batch = [columns.min(most), (most / columns / deep * deep).max(1)];
        Self { columns, rows, block: [side.min(columns), deep], batch }
    }

    /// The batches: each is whole rows or a part of one row, in the order of the tiles' numbers.
    pub(super) fn batches(self) -> impl Iterator<Item = TileRange> {
        pieces(0..self.rows, self.batch[1])
            .flat_map(move |rows| pieces(0..self.columns, self.batch[0]).map(move |columns| (columns, rows.clone())))
            .map(|(columns, rows)| TileRange { columns, rows })
    }

    /// The blocks of a batch.
    pub(super) fn blocks(self, batch: &TileRange) -> impl Iterator<Item = TileRange> {
        let columns = batch.columns.clone();
        pieces(batch.rows.clone(), self.block[1])
            .flat_map(move |rows| pieces(columns.clone(), self.block[0]).map(move |columns| (columns, rows.clone())))
            .map(|(columns, rows)| TileRange { columns, rows })
    }
}

/// Divides a range at the multiples of `size`.
fn pieces(range: Range<u32>, size: u32) -> impl Iterator<Item = Range<u32>> {
    let mut start = range.start;
    core::iter::from_fn(move || {
        let piece = start..(start / size).saturating_add(1).saturating_mul(size).min(range.end);
        start = piece.end;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{BakeSettings, TriMesh};
    use glam::Vec3;

    #[test]
    fn every_tile_is_in_one_block_and_batches_follow_the_numbers() {
        for (width, depth, tile_size, most) in [
            (200.0, 100.0, 8, 1024),
            (90.0, 90.0, 16, 10),
            (30.0, 5.0, 32, 1),
            (900.0, 3.0, 8, 100),
            (5.0, 900.0, 50, 7),
        ] {
            let verts = vec![Vec3::ZERO, Vec3::new(0.0, 0.0, depth), Vec3::new(width, 0.0, 0.0)];
            let mesh = TriMesh::new(verts, vec![[0, 1, 2]]).unwrap();
            let plan = TilePlan::new(&mesh, &BakeSettings { tile_size, ..BakeSettings::default() }).unwrap();
            for threads in [1, 2, 16] {
                let blocks = TileBlocks::new(&plan, threads, most);
                let mut next = 0;
                for batch in blocks.batches() {
                    let mut numbers = Vec::new();
                    for block in blocks.blocks(&batch) {
                        let corner = |r: &Range<u32>, size: u32| (r.start / size, (r.end - 1) / size);
                        let (a, b) = corner(&block.columns, blocks.block[0]);
                        let (c, d) = corner(&block.rows, blocks.block[1]);
                        assert!(a == b && c == d, "a block of triangles serves one block of tiles");
                        numbers.extend(block.numbers(&plan));
                    }
                    numbers.sort_unstable();
                    let end = next + numbers.len() as u64;
                    assert!(numbers.len() as u64 <= most && numbers.iter().copied().eq(next..end), "{numbers:?}");
                    next = end;
                }
                assert_eq!(next, plan.tile_count());
            }
        }
    }
}
