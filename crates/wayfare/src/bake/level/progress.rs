//! Counts the progress of a level's bake in cells: each cell of a tile, including its border, counts once for each step
//! of the recipe. So the total is known before the first tile is baked.
//!
//! A block never counts for more than its cells, and for no less when it is finished.
//!
//! Cost: an addition to a shared number after each piece of work. Sources: none needed.

use crate::bake::{BakeStep, TilePlan};
use crate::context::{Context, SharedCount};

/// The total of all tiles of a plan.
pub(super) fn work_of_level(plan: &TilePlan) -> u64 {
    let columns = u64::from(plan.columns);
    let rows = u64::from(plan.rows);
    let side = |index: u64, axis: usize| {
        let grid = plan.tile(index).baked_grid();
        u64::from([grid.width, grid.depth][axis])
    };
    let wide: u64 = (0..columns).map(|column| side(column, 0)).sum();
    let deep: u64 = (0..rows).map(|row| side(row * columns, 1)).sum();
    wide.saturating_mul(deep).saturating_mul(BakeStep::ALL.len() as u64)
}

/// The total of one tile.
pub(super) fn work_of_tile(plan: &TilePlan, index: u64) -> u64 {
    plan.tile(index).baked_grid().cell_count() as u64 * BakeStep::ALL.len() as u64
}

/// The number to which all threads add.
#[derive(Debug)]
pub(super) struct LevelProgress {
    pub(super) done: SharedCount,
    pub(super) total: u64,
}

/// The progress of one block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BlockCount {
    done: u64,
    pub(super) total: u64,
}

impl BlockCount {
    pub(super) const fn new(total: u64) -> Self {
        Self { done: 0, total }
    }

    /// The remaining work, as far as it can be estimated; at least one.
    pub(super) fn left(self) -> u64 {
        (self.total - self.done).max(1)
    }
}

/// Counts the work on a block.
pub(super) struct BlockProgress<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) level: &'a LevelProgress,
    pub(super) block: &'a mut BlockCount,
}

impl BlockProgress<'_> {
    /// Called when a piece of work is finished.
    pub(super) fn add(&mut self, units: u64) {
        let units = units.min(self.block.total - self.block.done);
        self.block.done += units;
        self.level.done.add(units, |done| self.context.progress(done, self.level.total));
    }

    /// Called when the block is finished.
    pub(super) fn end(&mut self) {
        self.add(self.block.total);
    }
}
