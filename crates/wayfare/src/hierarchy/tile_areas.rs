//! The contiguous areas of a tile: maximal connected sets of polygons with the same area type and flags.
//!
//! ```text
//!   a a . b        a: a street, b: the bridge over it, c: a meadow beside the street, of another area type.
//!   a c c b        Only polygons that share an edge belong together, so a bridge is not part of the street.
//! ```
//!
//! Cost: nearly linear in the edges of the tile.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010.

use crate::math::disjoint_sets::{number_sets, unite};
use crate::math::index::NONE;
use crate::mesh::PolyState;
use crate::tile::TileData;

/// The area of each polygon of a tile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TileAreas {
    of_poly: Vec<u32>,
    /// The lowest polygon of each area.
    first: Vec<u32>,
}

impl TileAreas {
    /// Finds the areas. `states` are those of the tile's polygons.
    pub(super) fn of(tile: &TileData, states: &[PolyState]) -> Self {
        let mut parent: Vec<u32> = (0..tile.polys().len() as u32).collect();
        for (poly, state) in (0u32..).zip(states) {
            let inner = tile.neighbours_of(poly).iter().filter_map(|beyond| beyond.as_poly());
            for next in inner.filter(|&next| states.get(next as usize) == Some(state)) {
                unite(&mut parent, poly, next);
            }
        }
        let count = number_sets(&mut parent);
        let mut first = vec![NONE; count as usize];
        for (poly, &area) in (0u32..).zip(&parent) {
            let lowest = &mut first[area as usize];
            *lowest = poly.min(*lowest);
        }
        Self { of_poly: parent, first }
    }

    /// The area of a polygon; [`NONE`] if there is no such polygon.
    #[inline]
    pub(super) fn of_poly(&self, poly: u32) -> u32 {
        self.of_poly.get(poly as usize).copied().unwrap_or(NONE)
    }

    /// The lowest polygon of each area.
    pub(super) fn first_polys(&self) -> &[u32] {
        &self.first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::NavMesh;
    use crate::tile::{TileCoord, test_sketch::sketch};

    #[test]
    fn areas_differ_by_type_and_by_what_lies_between() {
        // Polygons are numbered from the last row of the map.
        let mesh = NavMesh::from_tile(sketch(TileCoord::default(), "aa.a\nab.a\nabba")).unwrap();
        let tile = mesh.tiles().next().unwrap();
        let areas = TileAreas::of(tile.data(), tile.states());
        assert_eq!(areas.of_poly, [0, 1, 1, 2, 0, 1, 2, 0, 0, 2]);
        assert_eq!((areas.first_polys(), areas.of_poly(10)), (&[0, 1, 3][..], NONE));
    }
}
