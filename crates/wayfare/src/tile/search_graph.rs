//! What queries read of a tile, in the order in which they read it.
//!
//! Corner lists, vertices and neighbours together say which polygons lie around one, but a walk that reads them touches four
//! arrays. Here the same facts stand as two lists of records of 16 bytes, polygon after polygon.
//!
//! For walks (rays, moves, floods) the *outline*: every corner with what lies beyond the edge that begins there, and which edge of
//! that polygon faces this one, so that who enters over it knows where he stands. For searches the *half-edges*: only
//! edges that lead somewhere, each with its middle:
//!
//! ```text
//!   outline [a,wall][b,p1][c,x0][d,p2]  [a,p0]…  as many as corners: number k begins at corner k
//!   starts  [0 .  . 4 . 7]                       one entry a polygon, and the end
//!   first   [0 .  . 3 . 5]                       one entry a polygon, and the end
//!   edges   [mid,p1][mid,x0][mid,p2] [mid,p0]…   p: polygon of this tile, x: border edge, see the mesh's links
//!   corner  [    1       2       3        4 ]…   the edge's first corner; read only to build portals
//! ```
//!
//! Derived from the tile's data when it enters a mesh, never stored. Cost: one pass over the corners.
//!
//! Sources: the half-edge in compressed rows is folklore; that it halves the time of A* on navigation meshes was measured
//! against Detour's linked lists.

use super::{EdgeNeighbour, Side, TileData};
use glam::Vec3;

/// An edge of a polygon that leads somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct HalfEdge {
    /// The middle of the edge.
    pub mid: Vec3,
    /// The polygon of the same tile beyond the edge; or, with [`HalfEdge::BORDER`] set, the side of the tile (two bits) and the number of the
    /// border edge, by which the tile's links are found.
    next: u32,
}

impl HalfEdge {
    /// Set for edges on the tile's border.
    const BORDER: u32 = 1 << 31;
    const SIDE_SHIFT: u32 = 29;
    const NUMBER: u32 = (1 << Self::SIDE_SHIFT) - 1;

    /// The polygon of the same tile beyond the edge, if the edge does not lie on the tile's border.
    #[must_use]
    #[inline]
    pub const fn as_poly(self) -> Option<u32> {
        if self.next & Self::BORDER == 0 { Some(self.next) } else { None }
    }

    /// The number of the border edge, if the edge lies on the tile's border.
    #[must_use]
    #[inline]
    pub const fn as_border(self) -> Option<u32> {
        if self.next & Self::BORDER != 0 { Some(self.next & Self::NUMBER) } else { None }
    }

    /// The side of the tile on which the edge lies, if it lies on one.
    #[must_use]
    #[inline]
    pub const fn side(self) -> Option<Side> {
        if self.next & Self::BORDER != 0 { Some(Side::ALL[(self.next >> Self::SIDE_SHIFT & 3) as usize]) } else { None }
    }
}

const _: () = assert!(size_of::<HalfEdge>() == 16);

/// A corner of a polygon and what lies beyond the edge from it to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct OutlineEdge {
    /// The corner.
    pub start: Vec3,
    /// All ones: wall. Highest bit set: a border edge, as in [`HalfEdge`]. Otherwise 20 bits for the polygon and above them 11 for the
    /// facing edge.
    next: u32,
}

const _: () = assert!(size_of::<OutlineEdge>() == 16);

impl OutlineEdge {
    const POLY: u32 = (1 << 20) - 1;
    const TWIN_SHIFT: u32 = 20;
    /// Facing edge unknown: none faces exactly, or the polygon has too many edges to number it.
    const NO_TWIN: u32 = (1 << 11) - 1;

    /// Whether nothing lies beyond.
    #[must_use]
    #[inline]
    pub const fn is_wall(self) -> bool {
        self.next == u32::MAX
    }

    /// The polygon of the same tile beyond.
    #[must_use]
    #[inline]
    pub const fn as_poly(self) -> Option<u32> {
        if self.next & HalfEdge::BORDER == 0 { Some(self.next & Self::POLY) } else { None }
    }

    /// The number of the border edge, if the edge lies on the tile's border.
    #[must_use]
    #[inline]
    pub const fn as_border(self) -> Option<u32> {
        if self.next & HalfEdge::BORDER != 0 && self.next != u32::MAX {
            Some(self.next & HalfEdge::NUMBER)
        } else {
            None
        }
    }

    /// Which edge of the [polygon beyond](Self::as_poly) runs between the same two vertices, counted from that polygon's first; `None` if
    /// none does.
    #[must_use]
    #[inline]
    pub const fn twin(self) -> Option<u32> {
        let twin = self.next >> Self::TWIN_SHIFT & Self::NO_TWIN;
        if self.next & HalfEdge::BORDER == 0 && twin != Self::NO_TWIN { Some(twin) } else { None }
    }
}

/// What walks and searches read of a tile.
#[derive(Clone, Debug, Default, PartialEq)]
#[repr(C)]
pub struct SearchGraph {
    // Rays and moves read these two, on the first cache line of a tile.
    outline: Vec<OutlineEdge>,
    starts: Vec<u32>,
    first: Vec<u32>,
    edges: Vec<HalfEdge>,
    corner: Vec<u32>,
    border: Vec<BorderEdge>,
}

/// An edge on the tile's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct BorderEdge {
    /// The polygon it belongs to.
    pub poly: u32,
    /// Its first corner, as an index into [`TileData::corners`].
    pub corner: u32,
    /// The side of the tile that it lies on.
    pub side: Side,
}

impl SearchGraph {
    /// Derives it. `tile` must be [valid](TileData::validate).
    #[must_use]
    pub fn of(tile: &TileData) -> Self {
        let inner = tile.neighbours.iter().filter(|n| !n.is_wall()).count();
        let mut graph = Self {
            outline: Vec::with_capacity(tile.corners.len()),
            starts: Vec::with_capacity(tile.polys.len() + 1),
            first: Vec::with_capacity(tile.polys.len() + 1),
            edges: Vec::with_capacity(inner),
            corner: Vec::with_capacity(inner),
            border: Vec::new(),
        };
        graph.first.push(0);
        graph.starts.push(0);
        // The facing edge of each corner's, found once for both.
        let mut twins = vec![OutlineEdge::NO_TWIN; tile.corners.len()];
        for (index, poly) in tile.polys.iter().enumerate() {
            graph.push_poly(tile, index as u32, (poly.first, u32::from(poly.count)), &mut twins);
        }
        graph
    }

    fn push_poly(&mut self, tile: &TileData, poly: u32, (first, count): (u32, u32), twins: &mut [u32]) {
        let corners = &tile.corners[first as usize..(first + count) as usize];
        let neighbours = &tile.neighbours[first as usize..(first + count) as usize];
        let mut start = tile.verts[corners[0] as usize];
        for (k, &neighbour) in neighbours.iter().enumerate() {
            let after = corners[if k + 1 == corners.len() { 0 } else { k + 1 }];
            let end = tile.verts[after as usize];
            let corner = first + k as u32;
            let (next, beyond) = match (neighbour.as_poly(), neighbour.as_border()) {
                (Some(next), _) => {
                    if next > poly
                        && let Some(facing) = twin_of(tile, [corners[k], after], poly, next)
                    {
                        let own = &tile.polys[next as usize];
                        twins[corner as usize] = facing.min(OutlineEdge::NO_TWIN);
                        twins[(own.first + facing) as usize] = (k as u32).min(OutlineEdge::NO_TWIN);
                    }
                    (next, next | twins[corner as usize] << OutlineEdge::TWIN_SHIFT)
                }
                (None, None) => (u32::MAX, u32::MAX),
                (None, Some(side)) => {
                    self.border.push(BorderEdge { poly, corner, side });
                    let number = (self.border.len() - 1) as u32;
                    let bits = HalfEdge::BORDER | (side as u32) << HalfEdge::SIDE_SHIFT | number;
                    (bits, bits)
                }
            };
            self.outline.push(OutlineEdge { start, next: beyond });
            if next != u32::MAX {
                self.edges.push(HalfEdge { mid: (start + end) * 0.5, next });
                self.corner.push(corner);
            }
            start = end;
        }
        self.first.push(self.edges.len() as u32);
        self.starts.push(first + count);
    }

    /// How many polygons the tile has.
    #[must_use]
    #[inline]
    pub fn poly_count(&self) -> u32 {
        self.starts.len().saturating_sub(1) as u32
    }

    /// The outline of polygon `poly`, corner by corner.
    #[must_use]
    #[inline]
    pub fn outline_of(&self, poly: u32) -> &[OutlineEdge] {
        &self.outline[self.starts[poly as usize] as usize..self.starts[poly as usize + 1] as usize]
    }

    /// The outlines of all polygons, one after the other: the corners of polygon `p` are those of
    /// [`TileData::corner_range`].
    #[must_use]
    #[inline]
    pub fn outline(&self) -> &[OutlineEdge] {
        &self.outline
    }

    /// The range of polygon `poly` in [`edges`](Self::edges) and [`corners`](Self::corners).
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

    /// The tile's border edges, by number.
    #[must_use]
    #[inline]
    pub fn border(&self) -> &[BorderEdge] {
        &self.border
    }
}

/// The edge of polygon `next` that runs between the vertices of an edge of `poly` the other way round.
#[inline]
fn twin_of(tile: &TileData, [from, to]: [u32; 2], poly: u32, next: u32) -> Option<u32> {
    let range = tile.polys.get(next as usize).map(|p| p.first as usize..p.first as usize + p.count as usize)?;
    let corners = &tile.corners[range.clone()];
    let facing = tile.neighbours[range].iter().enumerate().find(|&(k, &beyond)| {
        let after = if k + 1 == corners.len() { 0 } else { k + 1 };
        beyond == EdgeNeighbour::poly(poly) && corners[k] == to && corners[after] == from
    });
    facing.map(|(k, _)| k as u32)
}
