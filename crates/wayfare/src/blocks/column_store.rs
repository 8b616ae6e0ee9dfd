//! Keeps the columns of the tiles edited last: for an agent that builds and digs in one area, only the columns that
//! changed are read again.
//!
//! All other tiles are read into the same memory, one after the other.
//!
//! Cost: memory for about 4,000 columns, 0.3 MB on nearly level terrain.
//!
//! Sources: own work.

use super::columns::Columns;
use super::store::ColumnRange;

/// Number of columns that are kept, in whole tiles with their rings.
const MOST: i32 = 4096;

/// Columns by tile.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnStore {
    /// The columns of the tile built last, unless it is one of the edited tiles.
    common: Columns,
    /// The least cells of edited tiles, whose columns are in `kept`. The oldest is replaced first.
    origins: Vec<[i32; 2]>,
    kept: Vec<Columns>,
    oldest: usize,
    /// The edited tile that was used last.
    at: Option<usize>,
}

impl ColumnStore {
    /// The columns of the tile with this least cell, ready for a flood from a height.
    pub(super) fn begin(&mut self, origin: [i32; 2], mini: i32, seed: i32) -> &mut Columns {
        self.at = self.origins.iter().position(|&of| of == origin);
        match self.at.and_then(|at| self.kept.get_mut(at)) {
            Some(columns) => {
                columns.begin_again(origin, mini, seed);
                columns
            }
            None => {
                self.common.begin(origin, mini, seed);
                &mut self.common
            }
        }
    }

    /// The columns used last.
    pub(super) fn last(&self) -> &Columns {
        self.at.and_then(|at| self.kept.get(at)).unwrap_or(&self.common)
    }

    /// Marks columns whose blocks may have changed to be read again, where they are kept.
    pub(super) fn forget(&mut self, changed: &ColumnRange, mini: i32) {
        let hit = |low: &[i32; 2]| changed.meets(*low, low.map(|v| v + mini - 1));
        let tiles = self.origins.iter().zip(&mut self.kept);
        tiles.filter(|(origin, _)| hit(origin)).for_each(|(_, columns)| columns.forget(changed));
    }

    /// Keeps the columns of a tile from now on.
    pub(super) fn keep(&mut self, origin: [i32; 2], mini: i32) {
        let most = MOST / ((mini + 2) * (mini + 2));
        if self.origins.contains(&origin) {
            return;
        }
        if self.kept.len() < most as usize {
            self.origins.push(origin);
            self.kept.push(Columns::default());
        } else if let (Some(of), Some(columns)) = (self.origins.get_mut(self.oldest), self.kept.get_mut(self.oldest)) {
            (*of, self.oldest) = (origin, (self.oldest + 1) % most as usize);
            columns.empty();
        }
    }
}
