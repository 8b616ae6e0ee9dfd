//! Cuts a patch of standing points into rectangles, the greatest first.
//!
//! ```text
//!   # . . . . #         # a a a a #        A rectangle needs open squares throughout: within it, every straight line
//!   . . . . . .   →     b a a a a c        can be walked. Its cells may have different heights, if steps up and
//!   . . . # . .         b a a # d c        down between all of them are legal.
//! ```
//!
//! The greatest rectangle of all is taken first, then the greatest of the rest. Each row stores how far it extends, so
//! the greatest rectangle that starts at a cell is found row by row. It is recomputed only when it is about to be taken
//! and no longer fits.
//!
//! Cost: O(cells × rows per rectangle), a few steps per cell in practice.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 ("greedy selection yields near-optimal result").

use crate::math::index::NONE;

/// The cells of a patch with their neighbours.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// The neighbour of each cell towards +x, if steps go both ways; [`NONE`] if there is none.
    pub(super) right: Vec<u32>,
    /// The same towards +z.
    pub(super) down: Vec<u32>,
    /// Whether the square of a cell, its right and lower neighbours and the fourth cell is open in all directions.
    pub(super) square: Vec<bool>,
    /// Cells from which steps lead to several cells of one column, as next to a ladder. Each becomes a rectangle of its
    /// own, so that all its steps cross a side of a node.
    pub(super) alone: Vec<bool>,
    /// The neighbours of each cell towards −x and −z.
    pub(super) left: Vec<u32>,
    pub(super) up: Vec<u32>,
    /// Number of free cells from each one towards +x, itself included.
    run: Vec<u8>,
    /// Number of open squares from each cell towards +x.
    squares: Vec<u8>,
    taken: Vec<bool>,
    /// Stacks of cells by the size of the greatest rectangle that starts there: the top of each stack, and the next
    /// cell below each cell.
    tops: Vec<u32>,
    under: Vec<u32>,
}

/// A rectangle: its least cell, and its cells along x and z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rectangle {
    pub(super) first: u32,
    pub(super) width: u8,
    pub(super) depth: u8,
}

impl Rectangle {
    fn size(&self) -> u32 {
        u32::from(self.width) * u32::from(self.depth)
    }
}

impl Places {
    /// Calls `each` for every cell of a rectangle, row by row along x.
    pub(super) fn walk(&self, rectangle: Rectangle, mut each: impl FnMut(u32)) {
        let mut row = rectangle.first;
        for _ in 0..rectangle.depth {
            let mut at = row;
            for _ in 0..rectangle.width {
                each(at);
                at = self.right[at as usize];
            }
            row = self.down[row as usize];
        }
    }

    /// The greatest rectangle of free cells with its least cell at `first`. Of equal ones the squarest, then the
    /// widest.
    fn greatest_at(&self, first: u32) -> Rectangle {
        if self.alone[first as usize] {
            return Rectangle { first, width: 1, depth: 1 };
        }
        let mut width = self.run[first as usize];
        let mut best = Rectangle { first, width, depth: 1 };
        let mut row = first as usize;
        let mut depth = 1u8;
        while depth < 255 {
            let below = self.down[row];
            if below == NONE || self.run[below as usize] == 0 {
                break;
            }
            // One more column requires the square between it and the one before.
            let columns = self.squares[row].saturating_add(1);
            (width, depth) = (width.min(self.run[below as usize]).min(columns), depth + 1);
            row = below as usize;
            let found = Rectangle { first, width, depth };
            let squarer = || found.width.min(found.depth) > best.width.min(best.depth);
            if found.size() > best.size() || (found.size() == best.size() && squarer()) {
                best = found;
            }
        }
        best
    }

    /// Computes how far rows extend. Cells towards +x come later in world order.
    fn begin(&mut self) {
        let count = self.square.len();
        let Self { right, down, square, alone, left, up, run, squares, taken, .. } = self;
        for list in [&mut *run, squares] {
            list.clear();
            list.resize(count, 0);
        }
        for list in [&mut *left, up] {
            list.clear();
            list.resize(count, NONE);
        }
        taken.clear();
        taken.resize(count, false);
        for i in (0..count).rev() {
            let beside = right[i] as usize;
            if !alone[i] {
                run[i] = run.get(beside).map_or(1, |n| n.saturating_add(1));
            }
            if square[i] {
                squares[i] = squares.get(beside).map_or(1, |n| n.saturating_add(1));
            }
            if right[i] != NONE {
                left[beside] = i as u32;
            }
            if down[i] != NONE {
                up[down[i] as usize] = i as u32;
            }
        }
    }

    /// Takes the cells of a rectangle, and shortens the rows that ended in it.
    fn take(&mut self, rectangle: Rectangle) {
        let mut row = rectangle.first;
        for _ in 0..rectangle.depth {
            let mut at = row;
            for _ in 0..rectangle.width {
                self.taken[at as usize] = true;
                self.run[at as usize] = 0;
                at = self.right[at as usize];
            }
            let mut before = self.left[row as usize];
            let mut reach = 1u8;
            while before != NONE && self.run[before as usize] > 0 {
                self.run[before as usize] = reach;
                (before, reach) = (self.left[before as usize], reach.saturating_add(1));
            }
            row = self.down[row as usize];
        }
    }

    fn push(&mut self, place: u32, size: u32) {
        self.under[place as usize] = core::mem::replace(&mut self.tops[size as usize], place);
    }

    /// Cuts all cells into rectangles, in an order that depends only on the cells.
    pub(super) fn cut(&mut self, rectangles: &mut Vec<Rectangle>) {
        rectangles.clear();
        self.begin();
        let count = self.square.len();
        self.tops.clear();
        self.tops.resize(count + 1, NONE);
        self.under.clear();
        self.under.resize(count, NONE);
        // Sizes only shrink: one stack per size, greatest first, from which the least cell is popped first.
        for i in (0..count as u32).rev() {
            let size = self.greatest_at(i).size();
            self.push(i, size);
        }
        for size in (1..=count as u32).rev() {
            while self.tops[size as usize] != NONE {
                let i = self.tops[size as usize];
                self.tops[size as usize] = self.under[i as usize];
                if self.taken[i as usize] {
                    continue;
                }
                let found = self.greatest_at(i);
                if found.size() == size {
                    self.take(found);
                    rectangles.push(found);
                } else {
                    self.push(i, found.size());
                }
            }
        }
    }
}
