//! Mini meshes over each other: which node a standing point belongs to.
//!
//! ```text
//!   tile (2, 0): 10 x 10 columns         Nodes of one patch may lie in several mini meshes, and two nodes over each
//!     slice y = 7   . . a a a b b         other; the slices tell them apart. A slice without nodes is not kept.
//!     slice y = 6   . c c a a a b
//! ```
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 (`NodeContainer`: position to node, one state a
//! slice).

use super::Cell;
use crate::math::index::NONE;

/// One mini mesh: the node of each place, row by row along x.
#[derive(Clone, Debug)]
struct Slice {
    y: i32,
    known: u32,
    nodes: Box<[u32]>,
}

/// Mini meshes over each other.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    pub(super) key: [i32; 2],
    /// Places along a side.
    mini: i32,
    /// By height.
    slices: Vec<Slice>,
}

impl Tile {
    pub(super) fn new(key: [i32; 2], mini: i32) -> Self {
        Self { key, mini, slices: Vec::new() }
    }

    /// The node of a place; [`NONE`] if it was not built.
    #[inline]
    pub(super) fn node(&self, c: Cell) -> u32 {
        self.slice(c.y).map_or(NONE, |k| self.slices[k].nodes[self.local(c.x, c.z)])
    }

    /// Says which node a place belongs to; [`NONE`] for none.
    pub(super) fn put(&mut self, c: Cell, node: u32) {
        let (i, area) = (self.local(c.x, c.z), (self.mini * self.mini) as usize);
        let k = self.slice(c.y).unwrap_or_else(|k| {
            let nodes = vec![NONE; area].into_boxed_slice();
            self.slices.insert(k, Slice { y: c.y, known: 0, nodes });
            k
        });
        let slice = &mut self.slices[k];
        let old = core::mem::replace(&mut slice.nodes[i], node);
        slice.known = slice.known + u32::from(old == NONE) - u32::from(node == NONE);
        if slice.known == 0 {
            self.slices.remove(k);
        }
    }

    /// Whether no place of it belongs to a node.
    pub(super) fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    /// Visits the node of each place in a box, some of them many times.
    pub(super) fn each_in(&self, min: Cell, max: Cell, mut visit: impl FnMut(u32)) {
        let [x0, z0] = self.key.map(|k| k * self.mini);
        for slice in self.slices.iter().filter(|s| min.y <= s.y && s.y <= max.y) {
            for z in min.z.max(z0)..=max.z.min(z0 + self.mini - 1) {
                for x in min.x.max(x0)..=max.x.min(x0 + self.mini - 1) {
                    let node = slice.nodes[self.local(x, z)];
                    if node != NONE {
                        visit(node);
                    }
                }
            }
        }
    }

    /// Of each of its mini meshes the nodes of all places, [`NONE`] for those without.
    pub(super) fn mini_meshes(&self) -> impl Iterator<Item = &[u32]> {
        self.slices.iter().map(|slice| &*slice.nodes)
    }

    /// The same of the mini mesh at a height, if it holds any.
    pub(super) fn mini_mesh(&self, y: i32) -> Option<&[u32]> {
        self.slice(y).ok().map(|k| &*self.slices[k].nodes)
    }

    /// Bytes that are held.
    pub(super) fn bytes(&self) -> usize {
        let slice = size_of::<Slice>() + (self.mini * self.mini) as usize * size_of::<u32>();
        size_of::<Self>() + self.slices.len() * slice
    }

    /// The number of a column of it.
    #[inline]
    fn local(&self, x: i32, z: i32) -> usize {
        ((z - self.key[1] * self.mini) * self.mini + x - self.key[0] * self.mini) as usize
    }

    /// The number of the slice at a height, or where it would go.
    #[inline]
    fn slice(&self, y: i32) -> Result<usize, usize> {
        // On a slope there is one at every height.
        let guess = self.slices.first().map_or(0, |s| y.wrapping_sub(s.y) as u32 as usize);
        if self.slices.get(guess).is_some_and(|s| s.y == y) {
            return Ok(guess);
        }
        self.slices.binary_search_by_key(&y, |s| s.y)
    }
}
