//! Layers of mini meshes: maps standing points to their nodes.
//!
//! ```text
//!   tile (2, 0): 10 x 10 columns         Each cell of a layer holds one standing point of its column, at any height.
//!     layer 0   7a 7a 7a 6b 6b 6b        Surfaces that never overlap need one layer, however steep
//!     layer 1   .  .  3c 3c .  .         they are. Layers without nodes are dropped.
//! ```
//!
//! Cost: a standing point is found in as many steps as its tile has layers, the greatest number of surfaces above each
//! other anywhere in it.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 (`NodeContainer`: position to node); layers own
//! work.

use super::Cell;
use crate::math::index::NONE;
use std::collections::BTreeSet;

/// The height of a standing point and its node; [`NONE`] for nothing.
type Place = (i32, u32);

const NOTHING: Place = (0, NONE);

/// At most one standing point per column, row by row along x.
#[derive(Clone, Debug)]
struct Layer {
    known: u32,
    places: Box<[Place]>,
}

impl Layer {
    /// Whether it holds the standing point of a column at a height.
    #[inline]
    fn holds(&self, column: usize, y: i32) -> bool {
        let place = self.places[column];
        place.0 == y && place.1 != NONE
    }
}

/// The layers of mini meshes in one tile.
#[derive(Clone, Debug)]
pub(super) struct MiniTile {
    pub(super) key: [i32; 2],
    /// Cells along a side.
    mini: i32,
    layers: Vec<Layer>,
}

impl MiniTile {
    pub(super) fn new(key: [i32; 2], mini: i32) -> Self {
        Self { key, mini, layers: Vec::new() }
    }

    /// The node of a cell; [`NONE`] if it is not built.
    #[inline]
    pub(super) fn node(&self, c: Cell) -> u32 {
        let i = self.local(c.x, c.z);
        self.layers.iter().find(|layer| layer.holds(i, c.y)).map_or(NONE, |layer| layer.places[i].1)
    }

    /// Assigns a cell to a node.
    pub(super) fn put(&mut self, c: Cell, node: u32) {
        let i = self.local(c.x, c.z);
        let known = self.layers.iter().position(|layer| layer.holds(i, c.y));
        let free = || self.layers.iter().position(|layer| layer.places[i].1 == NONE);
        let at = known.or_else(free).unwrap_or_else(|| {
            let places = vec![NOTHING; (self.mini * self.mini) as usize].into_boxed_slice();
            self.layers.push(Layer { known: 0, places });
            self.layers.len() - 1
        });
        let layer = &mut self.layers[at];
        layer.known += u32::from(layer.places[i].1 == NONE);
        layer.places[i] = (c.y, node);
    }

    /// Removes a cell.
    pub(super) fn clear(&mut self, c: Cell) {
        let i = self.local(c.x, c.z);
        let Some(at) = self.layers.iter().position(|layer| layer.holds(i, c.y)) else { return };
        let layer = &mut self.layers[at];
        layer.places[i] = NOTHING;
        layer.known -= 1;
        if layer.known == 0 {
            self.layers.remove(at);
        }
    }

    /// Whether no cell belongs to a node.
    pub(super) fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// Visits the node of each cell in a box, some of them many times.
    pub(super) fn each_in(&self, min: Cell, max: Cell, mut visit: impl FnMut(u32)) {
        let [x0, z0] = self.key.map(|k| k * self.mini);
        for layer in &self.layers {
            for z in min.z.max(z0)..=max.z.min(z0 + self.mini - 1) {
                for x in min.x.max(x0)..=max.x.min(x0 + self.mini - 1) {
                    let (y, node) = layer.places[self.local(x, z)];
                    if node != NONE && min.y <= y && y <= max.y {
                        visit(node);
                    }
                }
            }
        }
    }

    /// The heights of its mini meshes.
    pub(super) fn heights(&self) -> BTreeSet<i32> {
        self.places().map(|(y, _)| y).collect()
    }

    /// The nodes of the mini mesh at a height, one for each cell.
    pub(super) fn nodes_at(&self, height: i32) -> impl Iterator<Item = u32> {
        self.places().filter(move |&(y, _)| y == height).map(|(_, node)| node)
    }

    fn places(&self) -> impl Iterator<Item = Place> {
        self.layers.iter().flat_map(|layer| layer.places.iter().copied()).filter(|place| place.1 != NONE)
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        let layer = size_of::<Layer>() + (self.mini * self.mini) as usize * size_of::<Place>();
        size_of::<Self>() + self.layers.len() * layer
    }

    /// The index of a column in the tile.
    #[inline]
    fn local(&self, x: i32, z: i32) -> usize {
        ((z - self.key[1] * self.mini) * self.mini + x - self.key[0] * self.mini) as usize
    }
}
