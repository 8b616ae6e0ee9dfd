//! The edges on a tile's border: numbered in the order of their corners, and sorted along each side.
//!
//! Computed when the tile is made and stored in its block, so that reading or linking a tile needs no sorting.
//!
//! Cost: sorting the border edges; a pass to check them. Sources: own.

use super::few::each_in_order;
use super::{BorderEdge, Side, TileData, TileError, TileLists};
use core::ops::Range;

/// The border edges of one tile.
#[derive(Clone, Debug, Default)]
pub(super) struct BorderList {
    pub(super) edges: Vec<BorderEdge>,
    /// Number of border edges on each side and those before it.
    pub(super) sides: [u32; 4],
    /// The side of each.
    pub(super) side_of: Vec<Side>,
    keys: Vec<u64>,
}

/// The sort key of edges: the side, how far along it they begin, and their numbers, below 2²⁹.
fn key(lists: &TileLists<'_>, edge: &BorderEdge, side: Side, number: u32) -> u64 {
    let along = lists.edge(edge.poly, edge.corner).map(|end| if side.is_x() { end.z } else { end.x });
    let low = if along[0] <= along[1] { along[0] } else { along[1] };
    (side as u64) << 61 | u64::from(total_order(low)) << 29 | u64::from(number)
}

impl BorderList {
    /// Finds them. The lists must have been [checked](TileLists::check).
    pub(super) fn find(&mut self, lists: &TileLists<'_>) {
        self.edges.clear();
        self.side_of.clear();
        self.keys.clear();
        self.sides = [0; 4];
        for (poly, p) in (0u32..).zip(lists.polys) {
            for (corner, neighbour) in (p.first..).zip(&lists.neighbours[p.range()]) {
                let Some(side) = neighbour.as_border() else { continue };
                let edge = BorderEdge { poly, corner, sorted: 0 };
                self.keys.push(key(lists, &edge, side, self.edges.len() as u32));
                self.edges.push(edge);
                self.side_of.push(side);
                self.sides[side as usize] += 1;
            }
        }
        each_in_order(&mut self.keys, |place, key| self.edges[place].sorted = (key & ((1 << 29) - 1)) as u32);
        for side in 1..4 {
            self.sides[side] += self.sides[side - 1];
        }
    }
}

impl TileData {
    /// Checks that the border edges are those that [`BorderList::find`] finds. The other lists must have been checked.
    pub(super) fn check_border(&self) -> Result<(), TileError> {
        let edges = self.border_edges();
        let neighbours = self.neighbours();
        let polys = self.polys();
        let count = neighbours.iter().fold(0, |sum, n| sum + usize::from(n.is_border()));
        if count != edges.len() {
            return Err(TileError::Count { what: "border edges", have: edges.len(), want: count });
        }
        // All are there, each is on the border, none appears twice.
        let mut next = 0;
        let mut sides = [0; 4];
        for (number, edge) in (0u32..).zip(edges) {
            let side = neighbours.get(edge.corner as usize).and_then(|n| n.as_border());
            let owner = polys.get(edge.poly as usize).map(|poly| poly.range());
            let Some(side) =
                side.filter(|_| edge.corner >= next && owner.is_some_and(|r| r.contains(&(edge.corner as usize))))
            else {
                return Err(TileError::Border { edge: number });
            };
            next = edge.corner + 1;
            sides[side as usize] += 1;
        }
        for side in 1..4 {
            sides[side] += sides[side - 1];
        }
        if sides != self.head().border_sides {
            return Err(TileError::Block { what: "number of border edges of a side", value: edges.len() as u32 });
        }
        let lists = self.lists();
        let mut least = 0;
        for (place, edge) in (0u32..).zip(edges) {
            let sorted = edges.get(edge.sorted as usize);
            let side = sorted.and_then(|sorted| neighbours[sorted.corner as usize].as_border());
            let key = sorted.zip(side).map(|(sorted, side)| key(&lists, sorted, side, edge.sorted));
            match key.filter(|&key| key >= least) {
                Some(key) => least = key + 1,
                None => return Err(TileError::Border { edge: place }),
            }
        }
        Ok(())
    }

    /// The side of the tile on which a border edge lies.
    #[must_use]
    #[inline]
    pub fn side_of(&self, edge: &BorderEdge) -> Option<Side> {
        self.neighbours().get(edge.corner as usize).and_then(|n| n.as_border())
    }

    /// The numbers of the border edges of a side, in order along it.
    pub(crate) fn border_along(&self, side: Side) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        let edges = &self.border_edges()[side_range(&self.head().border_sides, side)];
        edges.iter().map(|edge| edge.sorted)
    }
}

/// The part of a list that belongs to a side, given the number of elements on each side and those before it.
pub(super) fn side_range(ends: &[u32; 4], side: Side) -> Range<usize> {
    let start = if side as usize == 0 { 0 } else { ends[side as usize - 1] };
    start as usize..ends[side as usize] as usize
}

/// Numbers with the order of [`f32::total_cmp`].
fn total_order(v: f32) -> u32 {
    let bits = v.to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
}
