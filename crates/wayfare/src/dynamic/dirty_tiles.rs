//! The tiles that are to be rebuilt, and how much work that is.
//!
//! Sources: none needed.

use crate::bake::TilePlan;
use std::collections::BTreeSet;

/// Tiles that wait for a round.
#[derive(Default)]
pub(super) struct DirtyTiles {
    tiles: BTreeSet<u64>,
    /// The cells of all of them, with their borders.
    cells: u64,
}

impl DirtyTiles {
    pub(super) fn tiles(&self) -> &BTreeSet<u64> {
        &self.tiles
    }

    /// The cells of all of them, with their borders.
    pub(super) fn cells(&self) -> u64 {
        self.cells
    }

    pub(super) fn extend(&mut self, tiles: impl IntoIterator<Item = u64>, plan: &TilePlan) {
        for tile in tiles {
            if self.tiles.insert(tile) {
                self.cells += cells(tile, plan);
            }
        }
    }

    pub(super) fn remove(&mut self, tile: u64, plan: &TilePlan) {
        if self.tiles.remove(&tile) {
            self.cells -= cells(tile, plan);
        }
    }

    /// Takes out those that do not wait for something else.
    pub(super) fn take_unless(&mut self, waits: impl Fn(u64) -> bool, plan: &TilePlan) -> BTreeSet<u64> {
        let (waiting, ready): (BTreeSet<u64>, _) =
            core::mem::take(&mut self.tiles).into_iter().partition(|&tile| waits(tile));
        self.cells = 0;
        self.extend(waiting, plan);
        ready
    }
}

fn cells(tile: u64, plan: &TilePlan) -> u64 {
    plan.tile(tile).baked_grid().cell_count() as u64
}
