//! Straight lines across level surfaces, regardless of the rectangles they were cut into.
//!
//! ```text
//!      s . | . .       The corridor leads around the corner where four rectangles meet, and so does the straight path in it (o).
//!      . \ o . .       So corners of the path are left out if the line between two others crosses only a level surface. The
//!      ----+----       line is followed column by column, and where it crosses a face, a square of four cells, all four must
//!      . . | \ e       be standing points. On one level that makes all steps between them legal.
//! ```
//!
//! Lines are not limited to the patches that the search visited: what they reach is built. So the result depends on the
//! blocks alone, not on what was built before.
//!
//! Cost: linear in the cells that a line crosses; O(1) lines per corner, and none for a path that is straight.
//!
//! Sources: Jim Bresenham, "Algorithm for computer control of a digital plotter", 1965, for following a line in
//! integers; own work otherwise.

use super::costs::BlockCosts;
use super::distance::distance;
use super::world_view::WorldView;
use super::{BlockSource, Cell};
use crate::math::index::NONE;

/// Greatest number of corners that a line may leave out, unless it leads from one end to the other.
const LOOK_AHEAD: usize = 12;

/// Tests lines on one level.
pub(super) struct LevelSight<'a, 'b, S: ?Sized> {
    pub(super) view: &'a mut WorldView<'b, S>,
    pub(super) costs: &'a BlockCosts,
    /// Greatest cost of a metre under a line: the least cost on the path that the line should shorten.
    pub(super) dearest: f32,
}

/// Leaves out corners of a path over a level surface where a straight line is open, and calls `touched` for the nodes
/// under such lines.
pub(super) fn shorten<S: BlockSource + ?Sized>(
    level: &mut LevelSight<'_, '_, S>,
    way: &mut Vec<Cell>,
    best: &mut Vec<(f32, u32)>,
    mut touched: impl FnMut(u32),
) {
    let &[first, .., last] = &way[..] else { return };
    if way.len() > 2 && level.is_open(first, last, |_| ()) {
        level.is_open(first, last, &mut touched);
        way.clear();
        way.extend([first, last]);
        return;
    }
    best.clear();
    best.push((0.0, NONE));
    for j in 1..way.len() {
        let mut found = (best[j - 1].0 + distance(way[j - 1], way[j]), j as u32 - 1);
        for i in (j.saturating_sub(LOOK_AHEAD)..j - 1).rev() {
            let length = best[i].0 + distance(way[i], way[j]);
            if length >= found.0 {
                continue;
            }
            // An obstacle of one line also blocks most longer ones.
            if !level.is_open(way[i], way[j], |_| ()) {
                break;
            }
            found = (length, i as u32);
        }
        best.push(found);
    }
    let mut at = way.len() - 1;
    let mut kept = way.len();
    while at != NONE as usize {
        kept -= 1;
        let before = best[at].1;
        if before != NONE && before as usize + 1 < at {
            level.is_open(way[before as usize], way[at], &mut touched);
        }
        way[kept] = way[at];
        at = before as usize;
    }
    way.drain(..kept);
}

impl<S: BlockSource + ?Sized> LevelSight<'_, '_, S> {
    /// Whether a straight line between two cells of the level can be walked; calls `under` for the nodes under it.
    fn is_open(&mut self, a: Cell, b: Cell, mut under: impl FnMut(u32)) -> bool {
        let run = [i64::from(b.x) - i64::from(a.x), i64::from(b.z) - i64::from(a.z)];
        // Steps along the axis on which the line is longer, with the range that it covers on the other axis.
        let along = usize::from(run[1].abs() > run[0].abs());
        let steps = run[along].abs();
        let aside = run[1 - along].abs();
        // The rectangle of the last cell.
        let mut here: Option<[[i32; 2]; 2]> = None;
        for i in 0..=steps {
            let low = (i - 1).max(0) * aside / steps.max(1);
            let high = ((i + 1).min(steps) * aside + steps - 1) / steps.max(1);
            for k in low..=high {
                let by = if along == 0 { [i, k] } else { [k, i] };
                let x = (i64::from(a.x) + run[0].signum() * by[0]) as i32;
                let z = (i64::from(a.z) + run[1].signum() * by[1]) as i32;
                if here.is_some_and(|[low, high]| low[0] <= x && x <= high[0] && low[1] <= z && z <= high[1]) {
                    continue;
                }
                let slot = self.view.node_at(Cell::new(x, a.y, z));
                if slot == NONE {
                    return false;
                }
                let node = &self.view.store.nodes[slot as usize];
                if self.costs.of(node.area).is_none_or(|cost| cost > self.dearest) {
                    return false;
                }
                here = node.flat.then(|| [[node.x, node.z], [node.last_x(), node.last_z()]]);
                under(slot);
            }
        }
        true
    }
}
