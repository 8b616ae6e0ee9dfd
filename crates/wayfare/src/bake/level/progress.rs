//! How far the bake of a level has come, in cells: each cell of a tile, with its border, counts once for each step of
//! the recipe. So the whole is known before the first tile is baked.
//!
//! What a piece of work took is counted as it comes; a block is never counted for more than its cells, and when it is
//! done for no less.
//!
//! Cost: an addition to a shared number after each piece of work. Sources: none needed.

use crate::bake::{BakeStep, TilePlan};
use crate::context::Context;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the tiles of a plan count for in all.
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

/// What one tile counts for.
pub(super) fn work_of_tile(plan: &TilePlan, index: u64) -> u64 {
    plan.tile(index).baked_grid().cell_count() as u64 * BakeStep::ALL.len() as u64
}

/// The number that all threads add to.
#[derive(Debug)]
pub(super) struct LevelProgress {
    pub(super) done: AtomicU64,
    pub(super) total: u64,
}

/// How far one block has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BlockCount {
    done: u64,
    pub(super) total: u64,
}

impl BlockCount {
    pub(super) const fn new(total: u64) -> Self {
        Self { done: 0, total }
    }

    /// What is left of it, as far as can be told beforehand; at least one.
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
    /// A piece of work is done.
    pub(super) fn add(&mut self, units: u64) {
        let units = units.min(self.block.total - self.block.done);
        self.block.done += units;
        let before = self.level.done.fetch_add(units, Ordering::Relaxed);
        self.context.progress(before + units, self.level.total);
    }

    /// The block is done.
    pub(super) fn end(&mut self) {
        self.add(self.block.total);
    }
}
