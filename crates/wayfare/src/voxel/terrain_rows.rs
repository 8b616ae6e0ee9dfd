//! Makes the triangles of a height map when the sweep of the rasteriser reaches them.
//!
//! ```text
//!   ---- row of points 7        The sweep goes from low to high z, and so do the rows of points: each strip of triangles
//!   =========== sweep           between two rows of points joins when the sweep reaches it, and is forgotten when it has
//!   ---- row of points 6        passed. Only those columns are made that the wanted cells can touch.
//! ```
//!
//! Cost: linear in the points over the wanted cells; memory only for the strips under the sweep. Sources: own work.

use super::active_triangles::ActiveTriangles;
use super::sweep::Sweep;
use crate::input::{HeightMap, has_area};
use core::ops::Range;

/// The position of the sweep on a height map.
pub(super) struct TerrainRows<'a> {
    map: &'a HeightMap,
    columns: Range<u32>,
    /// Strips that have not been added.
    pub(super) strips: Range<u32>,
}

impl<'a> TerrainRows<'a> {
    pub(super) fn new(map: &'a HeightMap, sweep: &Sweep<'_>) -> Self {
        // One more cell on each side for rounding.
        let line = |lines: &super::grid_lines::GridLines, [first, last]: [i32; 2]| {
            (lines.at(first.saturating_sub(1)), lines.at(last.saturating_add(2)))
        };
        let (left, right) = line(&sweep.lines_x, sweep.columns);
        let (low, high) = line(&sweep.lines_z, sweep.rows);
        Self { map, columns: map.columns_between(left, right), strips: map.rows_between(low, high) }
    }

    /// Adds the triangles that begin in a band from row `begin` to row `end`; those before it have been added.
    pub(super) fn activate(&mut self, [begin, end]: [i32; 2], sweep: &Sweep<'_>, active: &mut ActiveTriangles) {
        while !self.strips.is_empty() {
            let strip = self.strips.start;
            let [low, high] = [strip, strip + 1].map(|row| self.map.row_z(row));
            // All triangles of a strip lie between the same two lines, so they begin and end together.
            let [first, last] = sweep.rows_of(low, high);
            if first.max(sweep.rows[0]) > end {
                return;
            }
            self.strips.start += 1;
            if last < begin {
                continue;
            }
            let map = self.map;
            let triangles = map.triangles(strip, self.columns.clone()).filter(|&t| has_area(t));
            let wanted = triangles.filter(|&t| sweep.first_row(t).is_some());
            active.join(wanted.map(|t| sweep.row_triangle(t, map.area())));
        }
    }
}
