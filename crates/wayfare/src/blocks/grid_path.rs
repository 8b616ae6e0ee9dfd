//! Plain A* over standing points: the baseline for the navigation of this module.
//!
//! Eight neighbours, no cutting of corners: a diagonal step requires that both pairs of straight steps around the
//! corner are open. The cost of a step is its length in space. Nothing is stored between searches; every standing point
//! is a node.
//!
//! Cost: O(n log n) in the standing points visited, each with about 16 block look-ups or more.
//!
//! Sources: common knowledge; the heuristic combines the octile distance in the plane with the rise as the sides of a
//! right triangle.

use super::distance::distance;
use super::ground::{Ground, SIDES};
use super::place_table::PlaceTable;
use super::settings::BlockAgent;
use super::{BlockBox, BlockSource, Cell};
use crate::math::OpenList;
use crate::math::index::NONE;

/// The result of plain A*.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockGridPath {
    /// The standing points of the path, both ends included; empty if there is none.
    pub cells: Vec<Cell>,
    /// Length of the path, 0 if there is none.
    pub length: f32,
    /// Standing points taken from the open list.
    pub nodes: u32,
}

struct Point {
    cell: Cell,
    parent: u32,
    length: f32,
    closed: bool,
}

/// The shortest path from a standing point to a box over single standing points, ignoring area costs.
pub fn plain_grid_path<S: BlockSource + ?Sized>(
    world: &S,
    agent: BlockAgent,
    start: Cell,
    goal: BlockBox,
) -> BlockGridPath {
    let ground = Ground::new(world, agent);
    let mut grid = PathGrid { points: Vec::new(), known: PlaceTable::default(), open: OpenList::default(), goal };
    if goal.is_empty() || !ground.stands(start) {
        return BlockGridPath::default();
    }
    grid.offer(start, NONE, 0.0);
    let mut nodes = 0;
    let mut next = Vec::new();
    while let Some((_, at)) = grid.open.pop() {
        let Point { cell, length, closed, .. } = grid.points[at as usize];
        if closed {
            continue;
        }
        grid.points[at as usize].closed = true;
        nodes += 1;
        if goal.contains(cell) {
            return BlockGridPath { cells: grid.trace(at), length, nodes };
        }
        neighbours(&ground, cell, &mut next);
        for &to in &next {
            grid.offer(to, at, length + distance(cell, to));
        }
    }
    BlockGridPath { nodes, ..BlockGridPath::default() }
}

struct PathGrid {
    points: Vec<Point>,
    known: PlaceTable,
    open: OpenList,
    goal: BlockBox,
}

impl PathGrid {
    fn offer(&mut self, cell: Cell, parent: u32, length: f32) {
        let fresh = self.points.len() as u32;
        let key = [cell.x, cell.y, cell.z];
        let index = self.known.get(key).unwrap_or(fresh);
        if index == fresh {
            self.known.insert(key, fresh);
            self.points.push(Point { cell, parent, length, closed: false });
        } else {
            let point = &mut self.points[index as usize];
            if point.closed || length >= point.length {
                return;
            }
            (point.parent, point.length) = (parent, length);
        }
        self.open.push(length + self.rest(cell), index);
    }

    fn rest(&self, c: Cell) -> f32 {
        let off = |v: i32, low: i32, high: i32| low.saturating_sub(v).max(v.saturating_sub(high)).max(0) as f32;
        let x = off(c.x, self.goal.min.x, self.goal.max.x);
        let z = off(c.z, self.goal.min.z, self.goal.max.z);
        let y = off(c.y, self.goal.min.y, self.goal.max.y);
        let flat = x.max(z) + (core::f32::consts::SQRT_2 - 1.0) * x.min(z);
        (flat * flat + y * y).sqrt()
    }

    fn trace(&self, mut at: u32) -> Vec<Cell> {
        let mut cells = Vec::new();
        while at != NONE {
            cells.push(self.points[at as usize].cell);
            at = self.points[at as usize].parent;
        }
        cells.reverse();
        cells
    }
}

/// Adds every cell that one step leads to.
fn neighbours<S: BlockSource + ?Sized>(ground: &Ground<'_, S>, a: Cell, found: &mut Vec<Cell>) {
    found.clear();
    let mut beside: [Vec<Cell>; 4] = Default::default();
    for (side, beside) in beside.iter_mut().enumerate() {
        ground.steps(a, side, |step| {
            if step.forth {
                beside.push(step.to);
            }
        });
        found.extend_from_slice(beside);
    }
    for side_x in 0..2 {
        for side_z in 2..4 {
            let around = |via: &[Cell], side: usize| {
                let mut ends = Vec::new();
                for &b in via {
                    ground.steps(b, side, |step| {
                        if step.forth {
                            ends.push(step.to);
                        }
                    });
                }
                ends
            };
            if beside[side_x].is_empty() || beside[side_z].is_empty() {
                continue;
            }
            let other = around(&beside[side_z], side_x);
            for c in around(&beside[side_x], side_z) {
                debug_assert_eq!((c.x - a.x, c.z - a.z), (SIDES[side_x][0], SIDES[side_z][1]));
                if other.contains(&c) && !found.contains(&c) && ground.diagonal_fits(a, c) {
                    found.push(c);
                }
            }
        }
    }
    found.extend([ground.rung_above(a), ground.rung_below(a)].into_iter().flatten());
}
