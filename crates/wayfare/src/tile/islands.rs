//! Islands: which polygons of one tile are connected within it.
//!
//! Finding out what is connected in a whole mesh then only needs islands and the links between them, not polygons.
//! There are far fewer: most tiles are one island.
//!
//! ```text
//!   0 0 . 1      two islands; that they meet beyond the tile's border is the mesh's to know
//!   0 . 1 1
//! ```
//!
//! Cost: nearly linear in the edges; four bytes a polygon. Sources: none needed.

use super::TileData;
use super::few::each_of_few;
use crate::math::disjoint_sets::{number_sets, unite};
use crate::math::index::NONE;

/// The islands of a tile, numbered in the order of their first polygons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Islands {
    of_poly: Vec<u32>,
    count: u32,
}

impl Islands {
    /// Finds them.
    #[must_use]
    pub fn of(tile: &TileData) -> Self {
        Self::of_open(tile, |_| true)
    }

    /// The islands of the open polygons; closed ones belong to none, [`NONE`].
    pub(crate) fn of_open(tile: &TileData, is_open: impl Fn(u32) -> bool) -> Self {
        let node = |poly: u32| if is_open(poly) { poly } else { NONE };
        let mut parent: Vec<u32> = (0..tile.polys().len() as u32).map(node).collect();
        let neighbours = tile.neighbours();
        for (poly, p) in (0u32..).zip(tile.polys()).filter(|(poly, _)| is_open(*poly)) {
            let edges = &neighbours[p.range()];
            let mut own = parent[poly as usize];
            each_of_few(edges, |neighbour| {
                // Neighbours refer to each other: looking from the higher one is enough if they do, and looking from
                // both does no harm. Anything that is not a polygon counts as the polygon itself.
                let next = neighbour.as_poly().unwrap_or(poly);
                let other = parent[next as usize];
                if other != own && other != NONE {
                    unite(&mut parent, poly, next);
                    own = parent[poly as usize];
                }
            });
        }
        let count = number_sets(&mut parent);
        Self { of_poly: parent, count }
    }

    /// How many bytes they take on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.of_poly)
    }

    /// How many there are.
    #[must_use]
    #[inline]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The island of each polygon.
    #[must_use]
    #[inline]
    pub fn of_polys(&self) -> &[u32] {
        &self.of_poly
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{TileCoord, test_sketch::sketch};

    #[test]
    fn islands_are_numbered_as_they_come() {
        // Polygons are numbered from the last row of the map.
        let islands = Islands::of(&sketch(TileCoord::default(), "aa.a\n..a.\naa.a\na.aa"));
        assert_eq!((islands.count(), islands.of_polys()), (5, &[0, 1, 1, 0, 0, 1, 2, 3, 3, 4][..]));
        assert_eq!(Islands::of(&TileData::empty(TileCoord::default())).count(), 0);
    }
}
