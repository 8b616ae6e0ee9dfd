//! A patch of standing points cut into rectangles, the greatest first.
//!
//! ```text
//!   # . . . . #         # a a a a #        A rectangle needs open squares throughout: within it, every straight line
//!   . . . . . .   →     b a a a a c        can be walked. Its places may lie at different heights, as far as one can
//!   . . . # . .         b a a # d c        step up and down between all of them.
//! ```
//!
//! The greatest rectangle of all is taken first, then the greatest of what is left. Each place remembers the greatest rectangle that
//! begins there; what is remembered is worked out again only when it is about to be taken and no longer fits.
//!
//! Cost: O(places × places a rectangle) at worst, a few steps a place in practice.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 ("greedy selection yields near-optimal result").

use crate::math::index::NONE;

/// The places of a patch with their neighbours.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// The place beside each towards +x that can be stepped to and from; [`NONE`] if there is none.
    pub(super) right: Vec<u32>,
    /// The same towards +z.
    pub(super) down: Vec<u32>,
    /// Whether the square of a place, its right, its down and the fourth is open in all directions.
    pub(super) square: Vec<bool>,
    /// Places from which steps lead to several places of one column, as beside a ladder: they stay by themselves, so that all their steps
    /// cross a side of a node.
    pub(super) alone: Vec<bool>,
}

/// A rectangle: its least place, places along x and z.
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
    /// Calls `each` for every place of a rectangle, row by row along x.
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

    /// The greatest rectangle of places that are not taken with its least place at `first`. Of equal ones the squarest, then the widest.
    fn greatest_at(&self, first: u32, taken: &[bool]) -> Rectangle {
        if self.alone[first as usize] {
            return Rectangle { first, width: 1, depth: 1 };
        }
        let usable = |i: u32| i != NONE && !taken[i as usize] && !self.alone[i as usize];
        let mut width = 0u32;
        let mut at = first;
        while usable(at) && width < 255 {
            width += 1;
            at = self.right[at as usize];
        }
        let mut best = Rectangle { first, width: width as u8, depth: 1 };
        let (mut row, mut depth) = (first, 1u32);
        while depth < 255 {
            let (mut above, mut below, mut fits) = (row, self.down[row as usize], 0);
            while fits < width && usable(below) {
                fits += 1;
                // One more column needs the square between this one and the next.
                if !self.square[above as usize] {
                    break;
                }
                (above, below) = (self.right[above as usize], self.right[below as usize]);
            }
            if fits == 0 {
                break;
            }
            (width, depth) = (fits, depth + 1);
            row = self.down[row as usize];
            let found = Rectangle { first, width: width as u8, depth: depth as u8 };
            let squarer = || found.width.min(found.depth) > best.width.min(best.depth);
            if found.size() > best.size() || (found.size() == best.size() && squarer()) {
                best = found;
            }
        }
        best
    }

    /// Cuts all places into rectangles, in an order that depends on them alone.
    pub(super) fn cut(&self, rectangles: &mut Vec<Rectangle>) {
        rectangles.clear();
        let count = self.square.len();
        let mut taken = vec![false; count];
        let mut best: Vec<Rectangle> = (0..count as u32).map(|i| self.greatest_at(i, &taken)).collect();
        // Sizes only shrink: a stack a size, greatest first, in which the least place comes out first.
        let greatest = best.iter().map(Rectangle::size).max().unwrap_or(0) as usize;
        let mut stacks: Vec<Vec<u32>> = vec![Vec::new(); greatest + 1];
        for i in (0..count).rev() {
            stacks[best[i].size() as usize].push(i as u32);
        }
        for size in (1..=greatest).rev() {
            while let Some(i) = stacks[size].pop() {
                if taken[i as usize] {
                    continue;
                }
                let found = self.greatest_at(i, &taken);
                if found.size() as usize == size {
                    self.walk(found, |place| taken[place as usize] = true);
                    rectangles.push(found);
                } else {
                    best[i as usize] = found;
                    stacks[found.size() as usize].push(i);
                }
            }
        }
    }
}
