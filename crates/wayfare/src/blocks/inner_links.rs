//! The links within a patch that was just built, from what building found out.
//!
//! ```text
//!     a a b b c      Where all places of the tile that steps lead to are of the patch, and one at most lies beside each, what
//!     a a b b c      lies across a side of a node is known place by place: a run goes on while the node there stays the
//!     a a d d d      same and the squares between are open.
//! ```
//!
//! It gives the links, and their order, that asking for steps gives (`connect.rs`).
//!
//! Cost: a few loads a border place.
//!
//! Sources: own work.

use super::node::{BACK, FORTH, Link};
use super::rectangles::{Places, Rectangle};
use crate::math::index::NONE;

/// What building left behind.
pub(super) struct InnerLinks<'a> {
    pub(super) places: &'a Places,
    pub(super) rectangles: &'a [Rectangle],
    /// The node of each place.
    pub(super) node_of: &'a [u32],
}

impl InnerLinks<'_> {
    /// Adds the links across a side of a node, by the number of its rectangle.
    pub(super) fn across(&self, number: usize, side: usize, links: &mut Vec<Link>) {
        let Some(&rectangle) = self.rectangles.get(number) else { return };
        let Places { left, right, up, down, square, .. } = self.places;
        let beyond = [left, right, up, down][side];
        let along = if side < 2 { down } else { right };
        let count = if side < 2 { rectangle.depth } else { rectangle.width };
        let mut here = match side {
            1 => self.last_of(rectangle.first, right, rectangle.width),
            3 => self.last_of(rectangle.first, down, rectangle.depth),
            _ => rectangle.first,
        };
        // Whether the run goes on, and the least place of the square to the next step.
        let (mut goes_on, mut corner) = (false, 0);
        for i in 0..count {
            let there = beyond[here as usize];
            if there == NONE {
                goes_on = false;
            } else {
                let to = self.node_of[there as usize];
                match links.last_mut().filter(|run| goes_on && run.to == to && square[corner as usize]) {
                    Some(run) => run.last = i,
                    None => links.push(Link { to, side: side as u8, first: i, last: i, ways: FORTH | BACK }),
                }
                (goes_on, corner) = (true, if side.is_multiple_of(2) { there } else { here });
            }
            here = if i + 1 < count { along[here as usize] } else { here };
        }
    }

    /// The last place of a row.
    fn last_of(&self, first: u32, towards: &[u32], count: u8) -> u32 {
        (1..count).fold(first, |at, _| towards[at as usize])
    }
}
