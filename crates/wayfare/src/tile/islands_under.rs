//! The island under each box of a bounding tree, for searches restricted to an island.
//!
//! ```text
//!   level 1      [ 2 ][ ~ ]              ~: polygons of several islands
//!   level 0   [2][2]…    [2][5]…
//! ```
//!
//! Cost: linear in the nodes; 32 bytes each, none where a tile is one island.
//!
//! Sources: own.

use super::Islands;
use super::bounding_tree::{BoundingTree, WIDTH};

/// The polygons under this child are in several islands, or there are none.
pub(crate) const MIXED: u32 = u32::MAX;

/// The island of the polygons under each child of each node of a tree, [`MIXED`] for several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IslandsUnder(Vec<[u32; WIDTH]>);

impl IslandsUnder {
    /// Names them.
    pub(crate) fn of(tree: &BoundingTree, islands: &Islands) -> Self {
        // If there is only one, nothing is stored.
        if islands.count() <= 1 {
            return Self(Vec::new());
        }
        let named = |islands: &mut dyn Iterator<Item = u32>| {
            let mut lanes = [MIXED; WIDTH];
            lanes.iter_mut().zip(islands).for_each(|(lane, island)| *lane = island);
            lanes
        };
        let mut lanes: Vec<[u32; WIDTH]> = Vec::with_capacity(tree.nodes().len());
        for eight in tree.polys().chunks(WIDTH) {
            lanes.push(named(&mut eight.iter().map(|&poly| islands.of_polys()[poly as usize])));
        }
        for level in tree.levels().windows(2) {
            for first in (level[0] as usize..level[1] as usize).step_by(WIDTH) {
                let last = (first + WIDTH).min(level[1] as usize);
                // Unused lanes are mixed; all but the last node of a level have none.
                let used = |child: usize| &lanes[child][..tree.nodes()[child].used()];
                let children = named(&mut (first..last).map(|child| common(used(child))));
                lanes.push(children);
            }
        }
        Self(lanes)
    }

    /// How many bytes they take on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// Those under the children of a node.
    #[inline]
    pub(crate) fn node(&self, node: u32) -> &[u32; WIDTH] {
        // It does not matter which lanes of the last node of a level are used: unused ones match nothing.
        self.0.get(node as usize).unwrap_or(&[0; WIDTH])
    }
}

/// The island that all of them have in common, or [`MIXED`].
fn common(islands: &[u32]) -> u32 {
    let first = islands.first().copied().unwrap_or(MIXED);
    if islands.iter().all(|&island| island == first) { first } else { MIXED }
}
