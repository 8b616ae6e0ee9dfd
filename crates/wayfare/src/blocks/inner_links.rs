//! The links within a patch that was just built, from intermediate results of building it.
//!
//! ```text
//!     a a b b c      If all cells of the tile that steps lead to are in the patch, and each has at most one neighbour per side,
//!     a a b b c      the neighbours across a side of a node are stored cell by cell: a run continues while the node there is
//!     a a d d d      the same and the squares in between are open.
//! ```
//!
//! The links and their order are those that querying steps gives (`connect.rs`).
//!
//! Cost: a few loads per border cell.
//!
//! Sources: own work.

use super::node::{BACK, FORTH, NodeLink};
use super::rectangles::{Places, Rectangle};
use crate::math::index::NONE;

/// Intermediate results of building.
pub(super) struct InnerLinks<'a> {
    pub(super) places: &'a Places,
    pub(super) rectangles: &'a [Rectangle],
    /// The node of each cell.
    pub(super) node_of: &'a [u32],
}

impl InnerLinks<'_> {
    /// Adds the links across a side of the node made from rectangle `number`.
    pub(super) fn across(&self, number: usize, side: usize, links: &mut Vec<NodeLink>) {
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
        // Whether the run continues, and the least cell of the square up to the next step.
        let mut goes_on = false;
        let mut corner = 0;
        for i in 0..count {
            let there = beyond[here as usize];
            if there == NONE {
                goes_on = false;
            } else {
                let to = self.node_of[there as usize];
                match links.last_mut().filter(|run| goes_on && run.to == to && square[corner as usize]) {
                    Some(run) => run.last = i,
                    None => links.push(NodeLink { to, side: side as u8, first: i, last: i, ways: FORTH | BACK }),
                }
                (goes_on, corner) = (true, if side.is_multiple_of(2) { there } else { here });
            }
            here = if i + 1 < count { along[here as usize] } else { here };
        }
    }

    /// The last cell of a row.
    fn last_of(&self, first: u32, towards: &[u32], count: u8) -> u32 {
        (1..count).fold(first, |at, _| towards[at as usize])
    }
}
