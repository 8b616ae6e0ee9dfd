//! The order in which the tiles of a world are baked, and which of them together.
//!
//! ```text
//!   +-------+-------+-----+      blocks of about 128 cells, as in the bake of a level; row by row, so that a source
//!   | tiles | . . . | . . |      that reads files needs again what it has just read
//!   +-------+-------+-----+
//! ```
//!
//! Cost: negligible. Sources: own work.

use crate::bake::TilePlan;
use core::ops::Range;

/// The approximate width of a block, cells.
const BLOCK_SIDE: u32 = 128;

/// A rectangle of tiles of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileWindow {
    /// Columns, counted from 0.
    pub columns: Range<u32>,
    /// Rows, counted from 0.
    pub rows: Range<u32>,
}

impl TileWindow {
    /// All tiles of a plan.
    #[must_use]
    pub fn of_plan(plan: &TilePlan) -> Self {
        Self { columns: 0..plan.columns, rows: 0..plan.rows }
    }

    /// The tiles among these that a plan has.
    #[must_use]
    pub fn within(&self, plan: &TilePlan) -> Self {
        let cut = |range: &Range<u32>, end: u32| range.start.min(end)..range.end.min(end);
        Self { columns: cut(&self.columns, plan.columns), rows: cut(&self.rows, plan.rows) }
    }

    /// The number of tiles.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.columns.len() as u64 * self.rows.len() as u64
    }

    /// Whether it has no tiles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() || self.rows.is_empty()
    }
}

/// Blocks of tiles, one after the other.
#[derive(Clone, Debug)]
pub(super) struct WorldBlocks {
    window: TileWindow,
    side: u32,
    /// Where the next block begins.
    next: [u32; 2],
}

impl WorldBlocks {
    /// The blocks of these tiles of a plan.
    pub(super) fn new(plan: &TilePlan, window: TileWindow) -> Self {
        let side = BLOCK_SIDE.checked_div(plan.settings.tile_size_vx).unwrap_or(1).max(1);
        let next = [window.columns.start, window.rows.start];
        Self { window, side, next }
    }
}

impl Iterator for WorldBlocks {
    type Item = TileWindow;

    fn next(&mut self) -> Option<TileWindow> {
        let [x, z] = self.next;
        // Blocks end at multiples of their side, so that they are the same for every range.
        let end =
            |at: u32, range: &Range<u32>| (at / self.side).saturating_add(1).saturating_mul(self.side).min(range.end);
        let columns = x..end(x, &self.window.columns);
        let rows = z..end(z, &self.window.rows);
        if columns.is_empty() || rows.is_empty() {
            return None;
        }
        self.next = if columns.end < self.window.columns.end {
            [columns.end, z]
        } else {
            [self.window.columns.start, rows.end]
        };
        Some(TileWindow { columns, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{BakeSettings, TriMesh};
    use glam::Vec3;

    #[test]
    fn blocks_cover_a_window_once() {
        let verts = vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 90.0), Vec3::new(170.0, 0.0, 0.0)];
        let mesh = TriMesh::new(verts, vec![[0, 1, 2]]).unwrap();
        let plan = TilePlan::new(&mesh, &BakeSettings { tile_size: 40, ..BakeSettings::default() }).unwrap();
        for window in [TileWindow::of_plan(&plan), TileWindow { columns: 2..9, rows: 1..99 }.within(&plan)] {
            let mut seen = vec![0; plan.tile_count() as usize];
            for block in WorldBlocks::new(&plan, window.clone()) {
                for (z, x) in block.rows.flat_map(|z| block.columns.clone().map(move |x| (z, x))) {
                    seen[(z * plan.columns + x) as usize] += 1;
                    assert!(window.columns.contains(&x) && window.rows.contains(&z));
                }
            }
            assert_eq!(seen.iter().sum::<u64>(), window.len());
            assert!(seen.iter().all(|&n| n <= 1));
        }
    }
}
