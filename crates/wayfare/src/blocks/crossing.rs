//! Where a path crosses a link: the cells on its near and its far side.

use super::distance::nearest_in;
use super::node::{NodeLink, UP};
use super::row::Row;
use super::store::Store;
use super::{BlockBox, Cell};

/// The row of cell centres through which a link leaves a node.
pub(super) fn row_of(store: &Store, node: u32, link: NodeLink) -> Row {
    let n = &store.nodes[node as usize];
    let side = usize::from(link.side);
    let (line, base) = match side {
        0 => (n.x, n.z),
        1 => (n.last_x(), n.z),
        2 => (n.z, n.x),
        _ => (n.last_z(), n.x),
    };
    Row { side, line, low: base + i32::from(link.first), high: base + i32::from(link.last) }
}

/// The (x, z) of a ladder link.
pub(super) fn rung_of(store: &Store, node: u32, link: NodeLink) -> [i32; 2] {
    let n = &store.nodes[node as usize];
    [n.x + i32::from(link.first), n.z + i32::from(link.last)]
}

/// The standing point of a node at (x, z).
pub(super) fn cell_of(store: &Store, node: u32, [x, z]: [i32; 2]) -> Cell {
    Cell::new(x, store.height(node, x, z), z)
}

/// Where the straight line from a cell to a goal enters by a link.
pub(super) fn cross(store: &Store, node: u32, link: NodeLink, from: Cell, goal: BlockBox) -> Cell {
    let place = if link.side >= UP {
        rung_of(store, node, link)
    } else {
        let far = row_of(store, node, link).next();
        far.point(far.aim([from.x, from.z], nearest_in(from, goal)))
    };
    cell_of(store, link.to, place)
}

/// The cell in the middle of a link, on its far side.
pub(super) fn middle(store: &Store, node: u32, link: NodeLink) -> Cell {
    let place = if link.side >= UP {
        rung_of(store, node, link)
    } else {
        let far = row_of(store, node, link).next();
        far.point(far.low + (far.high - far.low) / 2)
    };
    cell_of(store, link.to, place)
}
