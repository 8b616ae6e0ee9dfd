//! The voxels around a tile, as the link search sees them: what is solid, where an agent can stand, and what can be
//! reached on foot.
//!
//! The heightfield says what blocks a flight, the eroded compact heightfield where it may land. Both cover the tile and
//! its surroundings within the reach of links, so links across tile borders need no other tile.
//!
//! Coordinates are cells of the level's grid and cell heights above its lowest point.
//!
//! Cost: a binary search in one column per query; walks are limited by their reach.
//!
//! Sources: sampling the heightfield beside navigation borders is Mikko Mononen's, as in [`links`](super::links).

use crate::bake::ground_islands::for_each_island;
use crate::math::index::NONE;
use crate::voxel::{CompactHeightfield, Heightfield};
use glam::DVec2;
use std::collections::VecDeque;

/// Open and solid voxels of one rectangle.
#[derive(Clone, Copy)]
pub(super) struct LinkGround<'a> {
    /// Solid spans.
    pub(super) solid: &'a Heightfield,
    /// Open spans after erosion, of the same rectangle.
    pub(super) open: &'a CompactHeightfield,
    /// For each open span, whether its island is large enough to be part of the mesh.
    pub(super) kept: &'a [bool],
}

impl LinkGround<'_> {
    /// The cell under a position; `None` outside the rectangle.
    pub(super) fn cell(&self, at: DVec2) -> Option<usize> {
        let grid = &self.solid.grid;
        let x = at.x.floor() - f64::from(grid.x);
        let z = at.y.floor() - f64::from(grid.z);
        let inside = x >= 0.0 && z >= 0.0 && x < f64::from(grid.width) && z < f64::from(grid.depth);
        inside.then(|| grid.index(x as u32, z as u32))
    }

    /// The walkable spans of a cell, at most `reach` above or below height `y`; lowest first.
    pub(super) fn standing(&self, cell: usize, y: f64, reach: f64) -> impl Iterator<Item = u32> + '_ {
        let column = self.open.column(cell);
        let heights = &self.open.y[column.clone()];
        // Spans of a column are sorted: in a tall world most are far above or below.
        let first = heights.partition_point(|&height| f64::from(height) < y - reach);
        let here = heights[first..].iter().take_while(move |&&height| f64::from(height) <= y + reach).count();
        let near = column.start + first..column.start + first + here;
        near.filter(|&span| self.kept[span]).map(|span| span as u32)
    }

    /// Height of a walkable span.
    pub(super) fn height(&self, span: u32) -> f64 {
        f64::from(self.open.y[span as usize])
    }

    /// The walkable span at a position that is nearest in height to `y`, at most `reach` away.
    pub(super) fn standing_near(&self, at: DVec2, y: f64, reach: f64) -> Option<u32> {
        let away = |span: &u32| (self.height(*span) - y).abs();
        self.standing(self.cell(at)?, y, reach).min_by(|a, b| away(a).total_cmp(&away(b)))
    }

    /// Whether something solid ends within `reach` of height `y`.
    pub(super) fn has_top_near(&self, at: DVec2, y: f64, reach: f64) -> bool {
        self.has_top(at, y - reach, y + reach)
    }

    /// Whether something solid ends between two heights, inclusive.
    pub(super) fn has_top(&self, at: DVec2, low: f64, high: f64) -> bool {
        let Some(cell) = self.cell(at) else { return false };
        let tops = &self.solid.max[self.solid.column(cell)];
        let next = tops.partition_point(|&top| f64::from(top) < low);
        tops.get(next).is_some_and(|&top| f64::from(top) <= high)
    }

    /// Whether nothing solid is between two heights. Outside the rectangle nothing is known, so nothing counts as free.
    pub(super) fn is_free(&self, at: DVec2, low: f64, high: f64) -> bool {
        let Some(cell) = self.cell(at) else { return false };
        let column = self.solid.column(cell);
        let below = self.solid.max[column.clone()].partition_point(|&top| f64::from(top) <= low);
        self.solid.min[column].get(below).is_none_or(|&bottom| f64::from(bottom) >= high)
    }
}

/// The middles of the sections of a line of this many cells, one for each cell that it crosses, so that no cell is
/// missed.
pub(super) fn stretches(from: DVec2, direction: DVec2, length: f64) -> impl Iterator<Item = f64> {
    let mut along = 0.0;
    core::iter::from_fn(move || {
        let at = from + direction * along;
        let to_next = |at: f64, step: f64| match step {
            _ if step > 0.0 => (at.floor() + 1.0 - at) / step,
            _ if step < 0.0 => (at.ceil() - 1.0 - at) / step,
            _ => f64::INFINITY,
        };
        // Far enough that a rounding remainder at a cell's corner is not a section of its own.
        let next = along + to_next(at.x, direction.x).min(to_next(at.y, direction.y)).max(1e-6);
        let end = next.min(length);
        (along < length).then(|| (core::mem::replace(&mut along, end) + end) * 0.5)
    })
}

/// For every span, whether it is walkable and belongs to an island of at least `least` spans, or to one that continues
/// outside the rectangle.
pub(super) fn mark_islands(field: &CompactHeightfield, least: u32, kept: &mut Vec<bool>) {
    kept.clear();
    kept.extend(field.area.iter().map(|area| !area.is_null()));
    let last_column = field.grid.width.max(1) - 1;
    let last_row = field.grid.depth.max(1) - 1;
    let at_border = |&span: &u32| {
        let cell = field.columns.partition_point(|&first| first <= span) as u32 - 1;
        let x = cell % field.grid.width;
        let z = cell / field.grid.width;
        x == 0 || z == 0 || x == last_column || z == last_row
    };
    for_each_island(field, |island| {
        if (island.len() as u64) < u64::from(least) && !island.iter().any(at_border) {
            island.iter().for_each(|&span| kept[span as usize] = false);
        }
    });
}

/// Memory of walks.
#[derive(Debug, Default)]
pub(super) struct WalkScratch {
    /// The last walk that visited each span.
    seen: Vec<u32>,
    walk: u32,
    open: VecDeque<(u32, u32)>,
}

impl WalkScratch {
    /// Prepares for another rectangle.
    pub(super) fn start(&mut self, field: &CompactHeightfield) {
        self.seen.clear();
        self.seen.resize(field.span_count(), 0);
        self.walk = 0;
    }

    /// Whether one can walk from one span to another in at most `most` steps from cell to cell.
    pub(super) fn is_near(&mut self, field: &CompactHeightfield, from: u32, to: u32, most: u32) -> bool {
        self.walk += 1;
        self.open.clear();
        self.open.push_back((from, 0));
        self.seen[from as usize] = self.walk;
        while let Some((span, steps)) = self.open.pop_front() {
            if span == to {
                return true;
            }
            if steps == most {
                continue;
            }
            for next in field.neighbours[span as usize] {
                if next == NONE || field.area[next as usize].is_null() || self.seen[next as usize] == self.walk {
                    continue;
                }
                self.seen[next as usize] = self.walk;
                self.open.push_back((next, steps + 1));
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_passes_over_no_cell() {
        let cells = |from: DVec2, to: DVec2| -> Vec<[i32; 2]> {
            let way = to - from;
            let middles = stretches(from, way.normalize(), way.length()).map(|d| from + way.normalize() * d);
            middles.map(|at| [at.x.floor() as i32, at.y.floor() as i32]).collect()
        };
        let at = DVec2::new;
        assert_eq!(cells(at(0.5, 0.5), at(2.5, 0.5)), [[0, 0], [1, 0], [2, 0]]);
        assert_eq!(cells(at(2.0, 0.5), at(0.0, 0.5)), [[1, 0], [0, 0]]);
        // A corner is cut, however little; right through a corner there is nothing to cut.
        assert_eq!(cells(at(0.5, 0.4), at(1.5, 1.4)), [[0, 0], [1, 0], [1, 1]]);
        assert_eq!(cells(at(0.5, 0.5), at(2.5, 2.5)), [[0, 0], [1, 1], [2, 2]]);
        assert_eq!(cells(at(2.5, 0.5), at(0.5, 2.5)), [[2, 0], [1, 1], [0, 2]]);
    }
}
