//! The data of a tile that queries read, arranged in the order in which they read it.
//!
//! Corner lists, vertices and neighbours together define which polygons surround a polygon, but a walk over them
//! touches four arrays. Here the same information is stored twice, each time contiguously.
//!
//! For walks (rays, moves, floods) there are [*outlines*](super::poly_outline): a block for each polygon, with its
//! corners in lanes and what is on the other side of the edges between them. For searches there are *half-edges*: only
//! edges that lead somewhere, each with its middle:
//!
//! ```text
//!   outlines [ a b c d | wall p1 x0 p2 ] [ a e b | p0 … ]   one block a polygon; large ones go on behind the last
//!   first    [ 0 .  . 3 . 5]                       one entry a polygon, and the end
//!   edges    [mid,p1][mid,x0][mid,p2] [mid,p0]…    p: polygon of this tile, x: border edge, see the mesh's links
//!   corner   [    1       2       3        4 ]…    the edge's first corner; read only to build portals
//! ```
//!
//! Derived from the tile's data on first use, never stored. Cost: one pass over the corners.
//!
//! Sources: the half-edge in compressed rows is folklore; that it halves the time of A* on navigation meshes was
//! measured against Detour's linked lists.

use super::beyond::Beyond;
use super::dead_ends::DeadEnds;
use super::large_polys::EdgesBetween;
use super::poly_outline::{Outline, OutlineBlock};
use super::{Side, TileData};
use glam::Vec3;

/// An edge of a polygon that leads somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct HalfEdge {
    /// The middle of the edge.
    pub mid: Vec3,
    /// Where it leads: never a wall.
    pub beyond: Beyond,
}

impl HalfEdge {
    /// The polygon of the same tile on the other side, if the edge is not on the tile's border.
    #[must_use]
    #[inline]
    pub const fn as_poly(self) -> Option<u32> {
        self.beyond.as_poly()
    }

    /// The number of the border edge, if the edge is on the tile's border.
    #[must_use]
    #[inline]
    pub const fn as_border(self) -> Option<u32> {
        self.beyond.as_border()
    }

    /// The side of the tile on which the edge lies, if it lies on one.
    #[must_use]
    #[inline]
    pub const fn side(self) -> Option<Side> {
        self.beyond.side()
    }

    /// Whether it leads only to polygons of this tile from which there is no other exit.
    #[must_use]
    #[inline]
    pub const fn is_dead_end(self) -> bool {
        self.beyond.is_dead_end()
    }
}

const _: () = assert!(size_of::<HalfEdge>() == 16);

/// The data of a tile that walks and searches read.
#[derive(Clone, Debug, Default, PartialEq)]
#[repr(C)]
pub struct SearchGraph {
    // Rays and moves read these two, on the first cache line of a tile.
    /// The first block of each polygon, then those in which large ones continue.
    outlines: Vec<OutlineBlock>,
    first: Vec<u32>,
    edges: Vec<HalfEdge>,
    corner: Vec<u32>,
    dead_ends: DeadEnds,
}

impl SearchGraph {
    /// Derives it.
    #[must_use]
    pub fn of(tile: &TileData) -> Self {
        let inner = tile.neighbours().iter().filter(|n| !n.is_wall()).count();
        let mut graph = Self {
            outlines: Vec::with_capacity(tile.polys().len()),
            first: Vec::with_capacity(tile.polys().len() + 1),
            edges: Vec::with_capacity(inner),
            corner: Vec::with_capacity(inner),
            dead_ends: DeadEnds::of(tile),
        };
        graph.first.push(0);
        let mut beyond = Vec::new();
        // Numbered as in `TileData::border_edges`.
        let mut borders = 0;
        let mut more = Vec::new();
        // The facing edge of each corner's edge, found once for both.
        let mut twins = vec![Beyond::NO_TWIN; tile.corners().len()];
        let between = EdgesBetween::of(tile);
        let polys = tile.polys();
        let verts = tile.verts();
        let corners = tile.corners();
        for (index, poly) in polys.iter().enumerate() {
            let range = poly.range();
            let point = |corner: usize| verts[corners[corner] as usize];
            graph.push_edges((tile, &between), index as u32, (&mut twins, &mut beyond, &mut borders));
            let blocks = range.clone().step_by(OutlineBlock::EDGES).map(|from| {
                let to = range.end.min(from + OutlineBlock::EDGES);
                let end = point(if to == range.end { range.start } else { to });
                (from, to, end)
            });
            for (from, to, end) in blocks {
                let edges = (from..to).map(|corner| (point(corner), beyond[corner - range.start]));
                let is_first = from == range.start;
                let after = polys.len() + more.len() + usize::from(!is_first);
                let next = if to == range.end { 0 } else { after as u32 };
                let block = OutlineBlock::new(edges, end, next);
                if is_first { graph.outlines.push(block) } else { more.push(block) }
            }
        }
        // Few polygons need more blocks: reserve exactly those.
        graph.outlines.reserve_exact(more.len());
        graph.outlines.append(&mut more);
        graph
    }

    /// Adds the edges of a polygon that lead somewhere; `beyond` receives what is on the other side of each.
    fn push_edges(
        &mut self,
        (tile, between): (&TileData, &EdgesBetween<'_>),
        poly: u32,
        (twins, beyond, borders): (&mut [u32], &mut Vec<Beyond>, &mut u32),
    ) {
        let range = tile.corner_range(poly);
        beyond.clear();
        let corners = &tile.corners()[range.clone()];
        let verts = tile.verts();
        for (k, &neighbour) in tile.neighbours()[range.clone()].iter().enumerate() {
            let corner = (range.start + k) as u32;
            let after = corners[if k + 1 == corners.len() { 0 } else { k + 1 }];
            let there = match (neighbour.as_poly(), neighbour.as_border()) {
                (Some(next), _) => {
                    if next > poly
                        && let Some(facing) = between.between([next, poly], [after, corners[k]])
                    {
                        twins[corner as usize] = facing;
                        twins[(tile.polys()[next as usize].first + facing) as usize] = k as u32;
                    }
                    Beyond::poly(next, twins[corner as usize])
                }
                (None, Some(side)) => {
                    *borders += 1;
                    Beyond::border(side, *borders - 1)
                }
                (None, None) => Beyond::WALL,
            };
            beyond.push(there);
            if there != Beyond::WALL {
                let mid = (verts[corners[k] as usize] + verts[after as usize]) * 0.5;
                let is_dead_end = !self.dead_ends.leads_to(corner, DeadEnds::OUTSIDE);
                let beyond = if is_dead_end { there.with_dead_end() } else { there };
                self.edges.push(HalfEdge { mid, beyond });
                self.corner.push(corner);
            }
        }
        self.first.push(self.edges.len() as u32);
    }

    /// How many polygons the tile has.
    #[must_use]
    #[inline]
    pub fn poly_count(&self) -> u32 {
        self.first.len().saturating_sub(1) as u32
    }

    /// The outline of polygon `poly`.
    #[inline]
    pub(crate) fn outline_of(&self, poly: u32) -> Outline<'_> {
        Outline::new(&self.outlines, poly)
    }

    /// The range of polygon `poly` in [`edges`](Self::edges) and [`corners`](Self::corners).
    ///
    /// # Panics
    /// If there is no such polygon.
    #[must_use]
    #[inline]
    pub fn range_of(&self, poly: u32) -> core::ops::Range<usize> {
        self.first[poly as usize] as usize..self.first[poly as usize + 1] as usize
    }

    /// The edges of all polygons.
    #[must_use]
    #[inline]
    pub fn edges(&self) -> &[HalfEdge] {
        &self.edges
    }

    /// The first corner of each edge in [`edges`](Self::edges), as an index into [`TileData::corners`].
    #[must_use]
    #[inline]
    pub fn corners(&self) -> &[u32] {
        &self.corner
    }

    /// What each edge can lead to.
    #[inline]
    pub(crate) fn dead_ends(&self) -> &DeadEnds {
        &self.dead_ends
    }

    /// How many bytes it takes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let lists = size_of_val(&*self.outlines) + size_of_val(&*self.first) + size_of_val(&*self.edges);
        lists + size_of_val(&*self.corner) + self.dead_ends.bytes()
    }
}
