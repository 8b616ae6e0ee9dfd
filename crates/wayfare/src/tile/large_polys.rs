//! Finds edges of polygons with many corners without going through all of them.
//!
//! To find the matching edge of a neighbouring polygon, its edges are searched, since there are usually three to six.
//! Between two polygons of thousands of corners that share thousands of edges, that would be millions of steps. So the
//! edges of large polygons are stored here, sorted by polygon, by neighbour and by vertices.
//!
//! Cost: one look at each polygon; O(n log n) in the corners of large ones.
//!
//! Sources: none needed.

use super::{EdgeNeighbour, TileData};

/// Polygons with more corners than this are large.
const FEW: usize = 16;

/// An edge of a large polygon that leads to another polygon of the tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LargeEdge {
    poly: u32,
    beyond: u32,
    verts: [u32; 2],
    /// Its number within the polygon.
    number: u32,
}

/// The edges of large polygons that lead to other polygons.
pub(super) struct EdgesBetween<'a> {
    tile: &'a TileData,
    large: Vec<LargeEdge>,
}

impl<'a> EdgesBetween<'a> {
    /// Those of a tile.
    pub(super) fn of(tile: &'a TileData) -> Self {
        let mut large = Vec::new();
        for (poly, _) in (0u32..).zip(tile.polys()).filter(|(_, p)| usize::from(p.count) > FEW) {
            let corners = tile.corners_of(poly);
            let beyond = tile.neighbours_of(poly);
            let leading = (0u32..).zip(beyond).filter_map(|(number, beyond)| Some((number, beyond.as_poly()?)));
            large.extend(leading.map(|(number, beyond)| {
                let verts = [0, 1].map(|k| corners[(number as usize + k) % corners.len()]);
                LargeEdge { poly, beyond, verts, number }
            }));
        }
        large.sort_unstable();
        Self { tile, large }
    }

    /// The first edge by which a polygon leads to another from one vertex to the next.
    #[inline]
    pub(super) fn between(&self, [poly, beyond]: [u32; 2], verts: [u32; 2]) -> Option<u32> {
        let range = self.tile.polys().get(poly as usize)?.range();
        if range.len() > FEW {
            let at = self.large.partition_point(|e| (e.poly, e.beyond, e.verts) < (poly, beyond, verts));
            let found = self.large.get(at).filter(|e| (e.poly, e.beyond, e.verts) == (poly, beyond, verts));
            return found.map(|edge| edge.number);
        }
        let corners = &self.tile.corners()[range.clone()];
        let found = self.tile.neighbours()[range].iter().enumerate().find(|&(k, &there)| {
            let after = if k + 1 == corners.len() { 0 } else { k + 1 };
            there == EdgeNeighbour::poly(beyond) && [corners[k], corners[after]] == verts
        });
        found.map(|(k, _)| k as u32)
    }

    /// All edges by which a polygon leads to another, by their numbers within it.
    pub(super) fn all_between(&self, [poly, beyond]: [u32; 2]) -> impl Iterator<Item = u32> + '_ {
        let few = self.tile.neighbours_of(poly);
        let (few, large) = if few.len() > FEW {
            let from = self.large.partition_point(|e| (e.poly, e.beyond) < (poly, beyond));
            (&few[..0], &self.large[from..])
        } else {
            (few, &self.large[..0])
        };
        let of_few = (0u32..).zip(few).filter(move |(_, there)| there.as_poly() == Some(beyond)).map(|(k, _)| k);
        of_few.chain(large.iter().take_while(move |e| (e.poly, e.beyond) == (poly, beyond)).map(|e| e.number))
    }
}
