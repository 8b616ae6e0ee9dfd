//! The data of a tile that an optimal search reads: for each corner of each polygon its position, the edge on the other
//! side, and its fan.
//!
//! Such a search looks at every edge of a polygon from outside, so it reads the corners one after the other, with their
//! coordinates: 16 bytes each, a quadrilateral in a cache line.
//!
//! ```text
//!   corners of polygon 0          polygon 1
//!   [x z fan twin][x z …] …       [x z fan twin] …      twin: the corner at which the same edge begins, seen from beyond
//! ```
//!
//! The polygons around a vertex that can be reached from each other without leaving the vertex form a *fan*. Most
//! vertices have one; where two walls touch in a point there are several, and knowing the path past the vertex on one
//! side says nothing about the other. A fan that does not close has a wall: a path may bend there.
//!
//! Derived from the tile's data on first use, never stored. Cost: a few passes over the corners.
//!
//! Sources: the half-edge is folklore; corners as the only points where shortest paths bend: Lozano-Pérez and Wesley,
//! 1979.

use super::TileData;
use super::dead_ends::{DeadEnds, Numbers};
use crate::math::index::NONE;
use crate::math::steps::count;

/// A corner of a polygon, at which an edge to the next corner begins.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct SightCorner {
    pub(crate) x: f32,
    pub(crate) z: f32,
    /// Number of the fan, with [`SightCorner::BEND`] set if it has a wall or a border.
    fan: u32,
    /// The corner at which the edge begins as seen from the other side; the number of the border edge with
    /// [`SightCorner::BORDER`]; [`NONE`] for a wall.
    twin: u32,
}

const _: () = assert!(size_of::<SightCorner>() == 16);

impl SightCorner {
    const BEND: u32 = 1 << 31;
    const BORDER: u32 = 1 << 31;

    #[inline]
    pub(crate) fn at(&self) -> glam::Vec2 {
        glam::Vec2::new(self.x, self.z)
    }

    #[inline]
    pub(crate) fn fan(&self) -> u32 {
        self.fan & !Self::BEND
    }

    /// Whether the fan has a wall or a border, so that a path may bend around the vertex with any filter.
    #[inline]
    pub(crate) fn may_bend(&self) -> bool {
        self.fan & Self::BEND != 0
    }

    #[inline]
    pub(crate) fn is_wall(&self) -> bool {
        self.twin == NONE
    }

    /// The corner on the other side of the edge, if it leads to a polygon of the tile.
    #[inline]
    pub(crate) fn twin(&self) -> Option<u32> {
        (self.twin & Self::BORDER == 0).then_some(self.twin)
    }

    /// The number of the border edge, if it is one.
    #[inline]
    pub(crate) fn border(&self) -> Option<u32> {
        (self.twin & Self::BORDER != 0 && self.twin != NONE).then_some(self.twin & !Self::BORDER)
    }
}

/// The corners of a tile, as an optimal search reads them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SightGraph {
    corners: Vec<SightCorner>,
    /// The polygon of each corner.
    poly_of: Vec<u32>,
    /// What is ahead over the edge at each corner, among the numbers of the tile's dead ends; empty if there are none.
    ahead: Vec<Numbers>,
    fans: u32,
}

impl SightGraph {
    /// Derives it. `tile` must be valid.
    pub(crate) fn of(tile: &TileData, dead_ends: &DeadEnds) -> Self {
        let twins = twins(tile);
        let corner = |(&vert, &twin): (&u32, &u32)| {
            let v = tile.verts()[vert as usize];
            SightCorner { x: v.x, z: v.z, fan: NONE, twin }
        };
        let corners = tile.corners().iter().zip(&twins).map(corner).collect();
        let poly_of = (0u32..).zip(tile.polys()).flat_map(|(poly, p)| (0..p.count).map(move |_| poly)).collect();
        let mut graph = Self { corners, poly_of, ahead: Vec::new(), fans: 0 };
        if !dead_ends.is_empty() {
            let polys = graph.poly_of.iter().zip(tile.neighbours());
            graph.ahead = polys.map(|(&poly, neighbour)| dead_ends.ahead(poly, neighbour.as_poly())).collect();
        }
        for corner in 0..graph.corners.len() as u32 {
            if graph.corners[corner as usize].fan == NONE {
                graph.number_fan(tile, corner);
            }
        }
        graph
    }

    fn number_fan(&mut self, tile: &TileData, first: u32) {
        let closed = self.fan_around(tile, first, |_| true);
        let fan = self.fans | if closed { 0 } else { SightCorner::BEND };
        self.fans += 1;
        let mut members = Vec::new();
        self.fan_around(tile, first, |corner| {
            members.push(corner);
            true
        });
        for corner in members {
            self.corners[corner as usize].fan = fan;
        }
    }

    /// Calls `visit` with each corner of the fan of `first`, starting with itself, in both directions as long as it
    /// returns `true`. Returns whether it went all the way around.
    pub(crate) fn fan_around(&self, tile: &TileData, first: u32, mut visit: impl FnMut(u32) -> bool) -> bool {
        if !visit(first) {
            return false;
        }
        // In one direction, over the edges that begin at the vertex. (With damaged neighbours it might never come
        // back.)
        let mut at = first;
        for _ in 0..self.corners.len() {
            let Some(twin) = self.corners[at as usize].twin() else { break };
            count(1);
            at = self.next(tile, twin);
            if at == first {
                return true;
            }
            if !visit(at) {
                break;
            }
        }
        // In the other direction, over those that end at it.
        let mut at = first;
        for _ in 0..self.corners.len() {
            let Some(twin) = self.corners[self.before(tile, at) as usize].twin() else { break };
            count(1);
            at = twin;
            if at == first || !visit(at) {
                break;
            }
        }
        false
    }

    /// The corner after one, around its polygon.
    pub(crate) fn next(&self, tile: &TileData, corner: u32) -> u32 {
        let poly = tile.polys()[self.poly_of[corner as usize] as usize];
        if corner + 1 == poly.first + u32::from(poly.count) { poly.first } else { corner + 1 }
    }

    fn before(&self, tile: &TileData, corner: u32) -> u32 {
        let poly = tile.polys()[self.poly_of[corner as usize] as usize];
        if corner == poly.first { poly.first + u32::from(poly.count) - 1 } else { corner - 1 }
    }

    /// The corners of all polygons, in the order of [`TileData::corners`].
    #[inline]
    pub(crate) fn corners(&self) -> &[SightCorner] {
        &self.corners
    }

    /// Whether a shortest path to the polygon with a number among the dead ends may cross the edge at a corner, which
    /// must not be a wall.
    #[inline]
    pub(crate) fn leads_to(&self, corner: u32, number: u32) -> bool {
        self.ahead.get(corner as usize).is_none_or(|ahead| ahead.contains(number))
    }

    /// How many bytes it takes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.corners) + size_of_val(&*self.poly_of) + size_of_val(&*self.ahead)
    }

    /// The polygon of a corner.
    #[inline]
    pub(crate) fn poly_of(&self, corner: u32) -> u32 {
        self.poly_of[corner as usize]
    }

    /// How many fans there are.
    pub(crate) fn fans(&self) -> u32 {
        self.fans
    }
}

/// For each corner the one at which the same edge begins on its other side; border numbers as in
/// [`SearchGraph`](super::SearchGraph). No two corners have the same one.
fn twins(tile: &TileData) -> Vec<u32> {
    let mut twins = vec![NONE; tile.corners().len()];
    let mut borders = 0;
    let mut rising = Vec::new();
    let mut falling = Vec::new();
    for poly in 0..tile.polys().len() as u32 {
        for (corner, [a, b]) in edges(tile, poly) {
            let neighbour = tile.neighbours()[corner as usize];
            if neighbour.as_border().is_some() {
                twins[corner as usize] = SightCorner::BORDER | borders;
                borders += 1;
            } else if let Some(beyond) = neighbour.as_poly() {
                // As seen by the polygon for which it runs to the higher vertex.
                if a < b {
                    rising.push(([a, b, poly, beyond], corner));
                } else if a > b {
                    falling.push(([b, a, beyond, poly], corner));
                }
            }
        }
    }
    rising.sort_unstable();
    falling.sort_unstable();
    let mut others = falling.iter().peekable();
    for &(edge, corner) in &rising {
        while others.next_if(|(other, _)| *other < edge).is_some() {}
        if let Some(&(_, twin)) = others.next_if(|(other, _)| *other == edge) {
            (twins[corner as usize], twins[twin as usize]) = (twin, corner);
        }
    }
    twins
}

/// The corners of a polygon with the vertices of the edges that begin there.
fn edges(tile: &TileData, poly: u32) -> impl Iterator<Item = (u32, [u32; 2])> + '_ {
    let corners = tile.corners_of(poly);
    let first = tile.polys()[poly as usize].first;
    let ends = corners.iter().zip(corners.iter().cycle().skip(1));
    (first..).zip(ends.map(|(&a, &b)| [a, b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{TileCoord, test_sketch::sketch};

    #[test]
    fn twins_name_each_other_and_share_their_ends() {
        let tile = sketch(TileCoord::default(), "a.aa\naaaa\n.aa.");
        let graph = SightGraph::of(&tile, &DeadEnds::of(&tile));
        let mut inner = 0;
        for (at, corner) in (0u32..).zip(graph.corners()) {
            let vert = tile.verts()[tile.corners()[at as usize] as usize];
            assert_eq!(corner.at(), crate::math::plane::xz(vert));
            let neighbour = tile.neighbours()[at as usize];
            assert_eq!(
                (corner.is_wall(), corner.border().is_some()),
                (neighbour.is_wall(), neighbour.as_border().is_some())
            );
            if let Some(twin) = corner.twin() {
                let back = graph.corners()[twin as usize];
                assert_eq!((back.twin(), Some(graph.poly_of(twin))), (Some(at), neighbour.as_poly()));
                assert_eq!(corner.at(), graph.corners()[graph.next(&tile, twin) as usize].at());
                inner += 1;
            }
        }
        assert_eq!(inner, 20);
    }

    #[test]
    fn a_point_where_two_walls_touch_has_two_fans() {
        let tile = sketch(TileCoord::default(), ".....\n.a.aa\n..aaa\n.aaaa\n.....");
        let graph = SightGraph::of(&tile, &DeadEnds::of(&tile));
        let fans_at = |x: f32, z: f32| {
            let here = graph.corners().iter().filter(|c| c.at().to_array() == [x, z]);
            let mut fans: Vec<(u32, bool)> = here.map(|c| (c.fan(), c.may_bend())).collect();
            fans.sort_unstable();
            fans.dedup();
            fans
        };
        assert_eq!(fans_at(2.0, 3.0).len(), 2);
        assert_eq!(fans_at(3.0, 2.0).len(), 1);
        assert!(!fans_at(3.0, 2.0)[0].1, "a vertex with ground all around");
        assert!(fans_at(1.0, 1.0)[0].1);
    }
}
