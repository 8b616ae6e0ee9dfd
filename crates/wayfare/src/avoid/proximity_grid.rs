//! A grid of agents for neighbour queries: agents are sorted into cells by counting.
//!
//! ```text
//! cells   | 0    | 1    | 2    | 3    |      starts: 0 2 2 3 5
//! agents  | a d  |      | c    | b e  |      order:  a d c b e   (positions lie in this order too)
//! ```
//!
//! The number of agents in each cell determines where the agents of each cell begin. A second pass puts them there, in
//! order of ids within a cell. The cells of one row that a query touches are then one range of memory. There is no hash
//! to collide and no list to overflow: the nearest agents are found however many share a cell, and ties go to the first
//! in cell order.
//!
//! Few agents far apart would need a huge grid of empty cells. Cells are then widened until there are about four per
//! agent. If only a few are far from all others, the grid is laid over the others, and its outermost cells hold those
//! beyond as well:
//!
//! ```text
//!   a          .-------.
//!    `······>  | b c d |      a counts among the agents of the cell nearest to it
//!              '-------'
//! ```
//!
//! Cost: O(agents) to build; O(agents in the cells touched) per query. Crowds in several places far apart share the
//! cells of one grid, which are then wide.
//!
//! Sources: own; counting sort is Harold Seward, 1954.

use glam::Vec2;

/// An agent found near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Its index in the list of positions from which the grid was built.
    pub id: u32,
    /// Squared distance, m².
    pub distance_squared: f32,
}

impl Near {
    /// Distance, metres.
    #[must_use]
    pub fn distance(&self) -> f32 {
        self.distance_squared.sqrt()
    }
}

/// Agents sorted by cell.
#[derive(Clone, Debug, Default)]
pub struct ProximityGrid {
    min: Vec2,
    per_meter: f32,
    columns: u32,
    rows: u32,
    /// Index of each cell's first agent; one more at the end.
    starts: Vec<u32>,
    /// Ids, cell by cell.
    order: Vec<u32>,
    /// Positions in the same order, for the loop over candidates.
    pub(super) x: Vec<f32>,
    pub(super) y: Vec<f32>,
    /// The cell of each agent, by id; only while building.
    cells: Vec<u32>,
}

/// A rectangle of cells: its rows, its first column, and one past its last.
pub(super) struct Window {
    pub(super) rows: core::ops::Range<u32>,
    pub(super) columns: [u32; 2],
}

/// Greatest number of cells per agent, and least number in all.
const CELLS_PER_AGENT: usize = 4;
const CELLS_AT_LEAST: usize = 64;
/// How many positions are looked at to find where most of them are, and the part of these that may be beyond the grid
/// on each of its sides.
const SAMPLES: usize = 1024;
const BEYOND: usize = 64;
/// The grid is laid over most positions only if all of them would need this many times as many cells.
const SPARSE: f64 = 4.0;
/// The cell of agents whose positions are NaN or infinite: none.
const NOWHERE: u32 = u32::MAX;

impl ProximityGrid {
    /// Rebuilds the grid from positions. `cell` is the width of a cell in metres, best about the range of the queries;
    /// it is widened if the agents are far apart. Agents whose position is not finite are never found.
    pub fn rebuild(&mut self, positions: &[Vec2], cell: f32) {
        let mut min = Vec2::INFINITY;
        let mut max = Vec2::NEG_INFINITY;
        for p in positions.iter().filter(|p| p.is_finite()) {
            min = min.min(*p);
            max = max.max(*p);
        }
        if min.x > max.x {
            (min, max) = (Vec2::ZERO, Vec2::ZERO);
        }
        self.lay_out([min, max], positions, cell);
        self.starts.clear();
        self.starts.resize((self.columns * self.rows) as usize + 2, 0);
        self.cells.clear();
        for p in positions {
            let cell = if p.is_finite() { self.cell_of(*p) } else { NOWHERE };
            self.cells.push(cell);
            if cell != NOWHERE {
                self.starts[cell as usize + 2] += 1;
            }
        }
        for i in 2..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
        let count = self.starts.last().copied().unwrap_or(0) as usize;
        for list in [&mut self.x, &mut self.y] {
            list.clear();
            list.resize(count, 0.0);
        }
        self.order.clear();
        self.order.resize(count, 0);
        for (id, (p, &cell)) in positions.iter().zip(&self.cells).enumerate() {
            if cell != NOWHERE {
                let slot = &mut self.starts[cell as usize + 1];
                let at = *slot as usize;
                *slot += 1;
                (self.order[at], self.x[at], self.y[at]) = (id as u32, p.x, p.y);
            }
        }
        self.starts.pop();
    }

    /// Chooses the corner, columns, rows and cell width for positions in a box.
    fn lay_out(&mut self, whole: [Vec2; 2], positions: &[Vec2], cell: f32) {
        let most = (positions.len() * CELLS_PER_AGENT).max(CELLS_AT_LEAST) as f64;
        let mut width = if cell > 0.0 && cell.is_finite() { f64::from(cell) } else { 1.0 };
        let side = |from: f32, to: f32, width: f64| ((f64::from(to) - f64::from(from)) / width).floor() + 1.0;
        let sides = |[min, max]: [Vec2; 2], width| [side(min.x, max.x, width), side(min.y, max.y, width)];
        let cells = |area, width| sides(area, width).into_iter().product::<f64>();
        let mut area = whole;
        if cells(whole, width) > most {
            let inner = self.where_most_are(whole, positions);
            if cells(inner, width) * SPARSE <= cells(whole, width) {
                area = inner;
            }
        }
        while cells(area, width) > most {
            width *= 2.0;
        }
        self.min = area[0];
        self.per_meter = (1.0 / width) as f32;
        [self.columns, self.rows] = sides(area, width).map(|n| n as u32);
    }

    /// The box of the positions without the outermost of them on each side.
    fn where_most_are(&mut self, whole: [Vec2; 2], positions: &[Vec2]) -> [Vec2; 2] {
        let stride = positions.len().div_ceil(SAMPLES).max(1);
        let mut inner = whole;
        for axis in 0..2 {
            let found = &mut self.x; // Its memory is free until the agents are sorted into it.
            found.clear();
            found.extend(positions.iter().step_by(stride).filter(|p| p.is_finite()).map(|p| p[axis]));
            let beyond = found.len() / BEYOND;
            if beyond > 0 {
                found.sort_unstable_by(f32::total_cmp);
                [inner[0][axis], inner[1][axis]] = [found[beyond], found[found.len() - 1 - beyond]];
            }
        }
        inner
    }

    fn column_of(&self, x: f32) -> u32 {
        // Casting a negative number or NaN gives 0. A grid that was never built has no columns.
        (((x - self.min.x) * self.per_meter) as u32).min(self.columns.saturating_sub(1))
    }

    pub(super) fn row_of(&self, y: f32) -> u32 {
        (((y - self.min.y) * self.per_meter) as u32).min(self.rows.saturating_sub(1))
    }

    fn cell_of(&self, p: Vec2) -> u32 {
        self.row_of(p.y) * self.columns + self.column_of(p.x)
    }

    /// All agents in cell order. Visiting them in this order keeps neighbours in the cache, and eight in a row are near
    /// one another. Agents whose position is not finite are missing.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The position of agent `order()[slot]` when the grid was built. `slot` must be less than the length of `order()`.
    #[must_use]
    pub fn position(&self, slot: usize) -> Vec2 {
        Vec2::new(self.x[slot], self.y[slot])
    }

    /// The cells that overlap a box.
    #[inline(always)]
    pub(super) fn window(&self, low: Vec2, high: Vec2) -> Window {
        let rows = if self.order.is_empty() { 0..0 } else { self.row_of(low.y)..self.row_of(high.y) + 1 };
        Window { rows, columns: [self.column_of(low.x), self.column_of(high.x) + 1] }
    }

    /// The slots of the agents in one row of a rectangle of cells.
    #[inline(always)]
    pub(super) fn slots_of(&self, row: u32, columns: [u32; 2]) -> core::ops::Range<usize> {
        let [begin, end] = columns.map(|column| self.starts[(row * self.columns + column) as usize] as usize);
        begin..end
    }

    /// The up to `count` agents within `range` of `at` that `accept` admits, nearest first; ties in the order of
    /// [`order`](Self::order). `accept` gets an id and is called only for agents near enough to matter.
    pub fn nearest(
        &self,
        at: Vec2,
        range: f32,
        count: usize,
        mut accept: impl FnMut(u32) -> bool,
        out: &mut Vec<Near>,
    ) {
        out.clear();
        if count == 0 || !at.is_finite() || range.is_nan() || range < 0.0 {
            return;
        }
        let mut within = range * range;
        let window = self.window(at - range, at + range);
        for row in window.rows {
            let slots = self.slots_of(row, window.columns);
            let places = self.x[slots.clone()].iter().zip(&self.y[slots.clone()]);
            for ((x, y), &id) in places.zip(&self.order[slots]) {
                let dx = x - at.x;
                let dy = y - at.y;
                let near = Near { id, distance_squared: dx * dx + dy * dy };
                if near.distance_squared > within || !accept(id) {
                    continue;
                }
                if out.len() == count {
                    if out.last().is_some_and(|last| last.distance_squared <= near.distance_squared) {
                        continue;
                    }
                    out.pop();
                }
                let place = out.partition_point(|other| other.distance_squared <= near.distance_squared);
                out.insert(place, near);
                if out.len() == count {
                    within = out[count - 1].distance_squared;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    /// Tests every pair.
    fn oracle(order: &[u32], positions: &[Vec2], (at, but): (Vec2, u32), range: f32, count: usize) -> Vec<Near> {
        let mut all: Vec<Near> = order
            .iter()
            .map(|&id| (id, positions[id as usize]))
            .map(|(id, p)| Near { id, distance_squared: (p.x - at.x) * (p.x - at.x) + (p.y - at.y) * (p.y - at.y) })
            .filter(|near| near.id != but && near.distance_squared <= range * range)
            .collect();
        all.sort_by(|a, b| a.distance_squared.total_cmp(&b.distance_squared));
        all.truncate(count);
        all
    }

    #[test]
    fn the_nearest_are_those_of_looking_at_all() {
        let mut rng = Rng::new(7);
        let mut grid = ProximityGrid::default();
        let mut found = Vec::new();
        for round in 0..300_u32 {
            let count = rng.below(200) as usize;
            let size = [0.0, 1.0, 30.0, 3000.0][round as usize % 4];
            // Every other round on a coarse lattice: equal distances and equal positions.
            let snap = |v: f32| if round % 2 == 0 { v } else { (v * 0.25).floor() * 4.0 };
            let positions: Vec<Vec2> =
                (0..count).map(|_| Vec2::new(snap(rng.unit() * size - size / 2.0), snap(rng.unit() * size))).collect();
            grid.rebuild(&positions, 0.5 + rng.unit() * 8.0);
            let mut ids = grid.order().to_vec();
            ids.sort_unstable();
            assert!(ids.iter().copied().eq(0..count as u32), "everyone is in one cell");
            for _ in 0..20 {
                let me = rng.below(count as u32 + 1);
                let at = positions.get(me as usize).copied().unwrap_or(Vec2::new(rng.unit() * size, -3.0));
                let range = rng.unit() * 12.0;
                let most = 1 + rng.below(40) as usize;
                grid.nearest(at, range, most, |id| id != me, &mut found);
                assert_eq!(found, oracle(grid.order(), &positions, (at, me), range, most));
            }
        }
    }

    #[test]
    fn a_hundred_in_one_place_are_all_found() {
        let mut grid = ProximityGrid::default();
        grid.rebuild(&[Vec2::splat(-4e7); 100], 1.0);
        let mut found = Vec::new();
        grid.nearest(Vec2::splat(-4e7), 0.0, usize::MAX, |_| true, &mut found);
        assert!(found.iter().map(|n| n.id).eq(0..100));
    }

    #[test]
    fn far_apart_and_no_numbers() {
        let mut grid = ProximityGrid::default();
        let places = [Vec2::new(-3e38, 0.0), Vec2::NAN, Vec2::new(3e38, 3e38), Vec2::new(f32::INFINITY, 0.0)];
        grid.rebuild(&places, 1.0);
        assert_eq!(grid.order().len(), 2);
        let mut found = Vec::new();
        grid.nearest(Vec2::new(-3e38, 0.0), 5.0, 3, |_| true, &mut found);
        assert_eq!(found.iter().map(|n| n.id).collect::<Vec<_>>(), [0]);
        grid.nearest(Vec2::NAN, 5.0, 3, |_| true, &mut found);
        assert!(found.is_empty());
        grid.rebuild(&[], 1.0);
        grid.nearest(Vec2::ZERO, 5.0, 3, |_| true, &mut found);
        assert!(found.is_empty());
    }

    #[test]
    fn a_grid_that_was_never_built_holds_nobody() {
        let mut found = Vec::new();
        ProximityGrid::default().nearest(Vec2::ZERO, 5.0, 3, |_| true, &mut found);
        assert!(found.is_empty());
    }

    #[test]
    fn a_few_far_away_do_not_widen_the_cells_of_all() {
        let (mut rng, mut grid, mut found) = (Rng::new(3), ProximityGrid::default(), Vec::new());
        let mut positions: Vec<Vec2> = (0..4000).map(|_| Vec2::new(rng.unit(), rng.unit()) * 200.0).collect();
        positions.extend([Vec2::new(20_000.0, 50.0), Vec2::new(-300.0, -9_000.0)]);
        grid.rebuild(&positions, 3.0);
        let mut looked_at = 0;
        for (me, &at) in positions.iter().enumerate().step_by(40).chain(positions.iter().enumerate().skip(4000)) {
            let window = grid.window(at - 3.0, at + 3.0);
            looked_at += window.rows.map(|row| grid.slots_of(row, window.columns).len()).sum::<usize>();
            grid.nearest(at, 3.0, 20, |id| id != me as u32, &mut found);
            assert_eq!(found, oracle(grid.order(), &positions, (at, me as u32), 3.0, 20));
        }
        assert!(looked_at < 102 * 40, "{looked_at} in 102 queries");
    }
}
