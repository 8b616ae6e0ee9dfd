//! A grid of cells for boxes of any size, seen from above, which finds those that may touch another box.
//!
//! ```text
//!   level 0    +--+--+--+--+--+--+--+--+     each box is in one cell: that of its low corner, on the first level
//!   level 1    +-----------+-----------+     whose cells are at least as large as the box
//!   level 2    +-----------------------+
//! ```
//!
//! A box that touches the query begins at most one cell before it, so on each level the cells under the query are
//! visited, and one more on the low side. No box is in two cells, so none is found twice.
//!
//! Cost: adding is constant; a query visits its cells on each level that is in use.
//!
//! Sources: loose quadtrees (Thatcher Ulrich, "Loose Octrees", Game Programming Gems, 2000).

use super::Aabb;
use std::collections::BTreeMap;

/// A cell. Cells are ordered by level, row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BoxCell {
    /// Its size: the cells of each level are four times as wide as those of the level before.
    level: u8,
    z: i32,
    x: i32,
}

/// A value of type `T` for each cell that contains boxes.
#[derive(Clone, Debug)]
pub struct BoxGrid<T> {
    plane: CellPlane,
    cells: BTreeMap<BoxCell, T>,
}

/// How the plane is divided into cells.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CellPlane {
    /// The side of the smallest cells, metres.
    side: f32,
}

/// A cell of this level holds any finite box.
const LAST_LEVEL: u8 = 63;

impl<T: Default> BoxGrid<T> {
    /// An empty grid whose smallest cells have this side in metres; best is about the size of the queries.
    #[must_use]
    pub fn new(side: f32) -> Self {
        let side = if side.is_finite() && side > 0.0 { side } else { 1.0 };
        Self { plane: CellPlane { side }, cells: BTreeMap::new() }
    }

    /// The value for the cell that a box belongs to.
    pub fn cell_of(&mut self, bounds: &Aabb) -> &mut T {
        self.cells.entry(self.plane.cell_of(bounds)).or_default()
    }

    /// The values for the cells whose boxes may touch this one.
    pub fn under(&self, bounds: &Aabb) -> impl Iterator<Item = &T> {
        let first = self.cells.keys().next().map(|cell| cell.level);
        let above = |level: u8| {
            let next = BoxCell { level: level.checked_add(1)?, z: i32::MIN, x: i32::MIN };
            self.cells.range(next..).next().map(|(cell, _)| cell.level)
        };
        let levels = core::iter::successors(first, move |&level| above(level));
        let bounds = *bounds;
        let rows = levels.flat_map(move |level| self.plane.rows_under(level, &bounds));
        rows.flat_map(|[first, last]| self.cells.range(first..=last)).map(|(_, kept)| kept)
    }

    /// The values for all cells.
    pub fn cells_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.cells.values_mut()
    }
}

impl CellPlane {
    /// The cell that a box belongs to.
    fn cell_of(&self, bounds: &Aabb) -> BoxCell {
        let extent = (bounds.max.x - bounds.min.x).max(bounds.max.z - bounds.min.z);
        let level = (0..LAST_LEVEL).find(|&level| self.side_of(level) >= extent).unwrap_or(LAST_LEVEL);
        let side = self.side_of(level);
        BoxCell { level, x: line(bounds.min.x, side), z: line(bounds.min.z, side) }
    }

    /// The cells of a level whose boxes may touch this one, row by row: the first and the last of each row.
    fn rows_under(&self, level: u8, bounds: &Aabb) -> impl Iterator<Item = [BoxCell; 2]> + use<> {
        let side = self.side_of(level);
        let columns = [line(bounds.min.x, side).saturating_sub(1), line(bounds.max.x, side)];
        let rows = line(bounds.min.z, side).saturating_sub(1)..=line(bounds.max.z, side);
        rows.map(move |z| columns.map(|x| BoxCell { level, z, x }))
    }

    fn side_of(&self, level: u8) -> f32 {
        (0..level).fold(self.side, |side, _| side * 4.0)
    }
}

fn line(at: f32, side: f32) -> i32 {
    (f64::from(at) / f64::from(side)).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn whatever_touches_is_in_a_cell_that_is_looked_at() {
        let grid = CellPlane { side: 3.0 };
        let at = |k: u32| (k.wrapping_mul(2_654_435_761) >> 8) as f32 / 50_000.0 - 150.0;
        let boxes: Vec<Aabb> = (0..400)
            .map(|k| {
                let min = Vec3::new(at(4 * k), 0.0, at(4 * k + 1));
                let size =
                    Vec3::new(at(4 * k + 2).abs(), 1.0, at(4 * k + 3).abs()) * if k % 7 == 0 { 1.0 } else { 0.03 };
                Aabb { min, max: min + size }
            })
            .collect();
        for asked in &boxes {
            for found in &boxes {
                let BoxCell { level, x, z } = grid.cell_of(found);
                let mut rows = grid.rows_under(level, asked);
                let is_under = rows.any(|[first, last]| first.z == z && (first.x..=last.x).contains(&x));
                assert!(is_under || !found.overlaps(asked), "{found:?} touches {asked:?}");
            }
        }
    }
}
