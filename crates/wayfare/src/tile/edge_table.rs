//! The edge table of a tile: the corners of each polygon and what is on the other side of the edges between them,
//! arranged in the order in which walks and searches read it.
//!
//! Corner lists, vertices and neighbours together define which polygons surround a polygon, but a walk over them
//! touches four arrays. Here the same information is stored contiguously, in the order of the corners: an
//! [*outline*](super::poly_outline) for each polygon, a block with its corners in lanes and what is beyond the edges
//! between them. Rays, moves, floods and path searches all read it.
//!
//! ```text
//!   blocks   [ a b c d | wall p1 x0 p2 ] [ a e b | p0 … ]   one block a polygon; large ones go on behind the last
//!                                                           p: polygon of this tile, x: border edge, see the mesh's links
//! ```
//!
//! Derived from the tile's data on first use, never stored. Cost: one pass over the corners.
//!
//! Sources: own; that stored edges halve the time of A* on navigation meshes was measured against Detour's linked
//! lists.

use super::TileData;
use super::beyond::Beyond;
use super::dead_ends::DeadEnds;
use super::large_polys::EdgesBetween;
use super::poly_outline::{Outline, OutlineBlock};

/// The edges of a tile, as walks and searches read them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EdgeTable {
    /// The first block of each polygon, then those in which large ones continue.
    blocks: Vec<OutlineBlock>,
    dead_ends: DeadEnds,
}

impl EdgeTable {
    /// Derives it.
    #[must_use]
    pub(crate) fn of(tile: &TileData) -> Self {
        let dead_ends = DeadEnds::of(tile);
        let beyond = beyond_edges(tile, &dead_ends);
        let polys = tile.polys();
        let verts = tile.verts();
        let corners = tile.corners();
        let point = |corner: usize| verts[corners[corner] as usize];
        let mut blocks = Vec::with_capacity(polys.len());
        let mut more = Vec::new();
        for poly in polys {
            let range = poly.range();
            for from in range.clone().step_by(OutlineBlock::EDGES) {
                let to = range.end.min(from + OutlineBlock::EDGES);
                let end = point(if to == range.end { range.start } else { to });
                let edges = (from..to).map(|corner| (point(corner), beyond[corner]));
                let is_first = from == range.start;
                let after = polys.len() + more.len() + usize::from(!is_first);
                let next = if to == range.end { 0 } else { after as u32 };
                let block = OutlineBlock::new(edges, end, next);
                if is_first { blocks.push(block) } else { more.push(block) }
            }
        }
        // Few polygons need more blocks: reserve exactly those.
        blocks.reserve_exact(more.len());
        blocks.append(&mut more);
        Self { blocks, dead_ends }
    }

    /// The outline of polygon `poly`.
    #[inline]
    pub(crate) fn outline_of(&self, poly: u32) -> Outline<'_> {
        Outline::new(&self.blocks, poly)
    }

    /// What each edge can lead to.
    #[inline]
    pub(crate) fn dead_ends(&self) -> &DeadEnds {
        &self.dead_ends
    }

    /// How many bytes it takes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.blocks) + self.dead_ends.bytes()
    }
}

/// What is on the other side of the edge that begins at each corner.
fn beyond_edges(tile: &TileData, dead_ends: &DeadEnds) -> Vec<Beyond> {
    let between = EdgesBetween::of(tile);
    // The facing edge of each corner's edge, found once for both.
    let mut twins = vec![Beyond::NO_TWIN; tile.corners().len()];
    let mut beyond = Vec::with_capacity(tile.corners().len());
    // Numbered as in `TileData::border_edges`.
    let mut borders = 0;
    for (poly, p) in (0u32..).zip(tile.polys()) {
        let corners = &tile.corners()[p.range()];
        for (k, (corner, &neighbour)) in p.range().zip(&tile.neighbours()[p.range()]).enumerate() {
            let after = corners[if k + 1 == corners.len() { 0 } else { k + 1 }];
            beyond.push(match (neighbour.as_poly(), neighbour.as_border()) {
                (Some(next), _) => {
                    if next > poly
                        && let Some(facing) = between.between([next, poly], [after, corners[k]])
                    {
                        twins[corner] = facing;
                        twins[(tile.polys()[next as usize].first + facing) as usize] = k as u32;
                    }
                    let there = Beyond::poly(next, twins[corner]);
                    if dead_ends.is_dead_end(poly, next) { there.with_dead_end() } else { there }
                }
                (None, Some(side)) => {
                    borders += 1;
                    Beyond::border(side, borders - 1)
                }
                (None, None) => Beyond::WALL,
            });
        }
    }
    beyond
}
