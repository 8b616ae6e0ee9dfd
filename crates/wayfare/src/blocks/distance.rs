//! Distances between cells, and from cells to boxes.

use super::{BlockBox, Cell};

/// The (x, z) of a non-empty box nearest to a cell.
pub(super) fn nearest_in(c: Cell, goal: BlockBox) -> [i32; 2] {
    [c.x.clamp(goal.min.x, goal.max.x), c.z.clamp(goal.min.z, goal.max.z)]
}

/// Distance between the centres of two cells, in blocks.
pub(super) fn distance(a: Cell, b: Cell) -> f32 {
    let d = |p: i32, q: i32| (i64::from(p) - i64::from(q)) as f32;
    let x = d(a.x, b.x);
    let y = d(a.y, b.y);
    let z = d(a.z, b.z);
    (x * x + y * y + z * z).sqrt()
}

/// Distance from a cell to a box: a lower bound of the remaining path.
pub(super) fn rest(c: Cell, goal: BlockBox) -> f32 {
    let [x, z] = nearest_in(c, goal);
    distance(c, Cell::new(x, c.y.clamp(goal.min.y, goal.max.y), z))
}
