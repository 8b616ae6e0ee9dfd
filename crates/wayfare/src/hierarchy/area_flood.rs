//! Lengths of paths within one area of a tile: from one place to many.
//!
//! A flood over the area's polygons, nodes in the middles of the edges between them, then the string of each path that
//! is asked for is pulled: so a length is what an agent walks that follows the path, not what the middles add up to.
//!
//! Cost: a flood opens each polygon of the area once; a length takes time with the polygons on its path. Memory is
//! kept from flood to flood.
//!
//! Sources: Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959; real lengths instead of straight
//! lines are what Mikko Mononen's "Sketch for Hierarchical Pathfinding Using Detour", 2010, advises.

use super::tile_areas::TileAreas;
use crate::math::OpenList;
use crate::math::funnel::{Corner, Portal, string_pull_by};
use crate::math::index::NONE;
use crate::tile::TileData;
use glam::Vec3;

#[derive(Clone, Copy, Debug)]
struct Reached {
    /// The flood that reached it last.
    stamp: u32,
    is_closed: bool,
    cost: f32,
    /// Where the polygon was entered.
    at: Vec3,
    /// The polygon before, and its corner at which the edge between begins; [`NONE`] for the first.
    from: u32,
    corner: u32,
}

/// Floods of one tile after another.
#[derive(Clone, Debug, Default)]
pub(super) struct AreaFlood {
    reached: Vec<Reached>,
    stamp: u32,
    open: OpenList,
    start: Vec3,
    portals: Vec<Portal>,
    corners: Vec<Corner>,
}

impl AreaFlood {
    /// Floods the area of a polygon from a place on it.
    pub(super) fn run(&mut self, tile: &TileData, areas: &TileAreas, (first, start): (u32, Vec3)) {
        self.begin(tile, (first, start));
        let area = areas.of_poly(first);
        while let Some((cost, poly)) = self.open.pop() {
            let here = self.reached[poly as usize];
            if here.is_closed || cost > here.cost {
                continue;
            }
            self.reached[poly as usize].is_closed = true;
            let corners = tile.corner_range(poly);
            for (corner, neighbour) in corners.clone().zip(&tile.neighbours()[corners]) {
                let Some(next) = neighbour.as_poly().filter(|&next| areas.of_poly(next) == area) else { continue };
                let [a, b] = tile.edge(poly, corner as u32);
                let at = (a + b) * 0.5;
                let cost = here.cost + here.at.distance(at);
                let there = &mut self.reached[next as usize];
                if there.stamp != self.stamp || !there.is_closed && cost < there.cost {
                    let stamp = self.stamp;
                    *there = Reached { stamp, is_closed: false, cost, at, from: poly, corner: corner as u32 };
                    self.open.push(cost, next);
                }
            }
        }
    }

    fn begin(&mut self, tile: &TileData, (first, start): (u32, Vec3)) {
        const NEVER: Reached =
            Reached { stamp: 0, is_closed: false, cost: 0.0, at: Vec3::ZERO, from: NONE, corner: NONE };
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.reached.fill(NEVER);
            self.stamp = 1;
        }
        if self.reached.len() < tile.polys().len() {
            self.reached.resize(tile.polys().len(), NEVER);
        }
        self.open.clear();
        self.start = start;
        if let Some(reached) = self.reached.get_mut(first as usize).filter(|_| (first as usize) < tile.polys().len()) {
            *reached = Reached { stamp: self.stamp, at: start, ..NEVER };
            self.open.push(0.0, first);
        }
    }

    /// The length of the pulled string to a place on a polygon; `None` if the flood has not reached that.
    pub(super) fn length_to(&mut self, tile: &TileData, (poly, end): (u32, Vec3)) -> Option<f32> {
        let is_reached = |poly: u32| self.reached.get(poly as usize).filter(|reached| reached.stamp == self.stamp);
        self.portals.clear();
        let mut at = *is_reached(poly)?;
        while at.from != NONE {
            let [left, right] = tile.edge(at.from, at.corner);
            self.portals.push(Portal { left, right });
            at = self.reached[at.from as usize];
        }
        let portals = &self.portals;
        let last = portals.len().wrapping_sub(1);
        string_pull_by(self.start, end, portals.len(), |i| portals[last - i], &mut self.corners);
        Some(self.corners.windows(2).map(|pair| pair[0].point.distance(pair[1].point)).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::NavMesh;
    use crate::tile::{TileCoord, test_sketch::sketch};

    #[test]
    fn lengths_are_of_pulled_strings_within_the_area() {
        let mesh = NavMesh::from_tile(sketch(TileCoord::default(), "aaa\nb.a\naaa")).unwrap();
        let tile = mesh.tiles().next().unwrap();
        let areas = TileAreas::of(tile.data(), tile.states());
        let mut flood = AreaFlood::default();
        let place = |poly: u32, x: f32, z: f32| (poly, Vec3::new(x, 0.0, z));
        flood.run(tile.data(), &areas, place(0, 0.5, 0.5));
        let around = flood.length_to(tile.data(), place(5, 0.5, 2.5)).unwrap();
        assert!((around - (1.0 + 2.0 * 2.5_f32.sqrt())).abs() < 1e-5, "{around}");
        assert_eq!(flood.length_to(tile.data(), place(3, 0.5, 1.5)), None, "of another area");
        flood.run(tile.data(), &areas, place(3, 0.5, 1.5));
        assert_eq!(flood.length_to(tile.data(), place(3, 0.5, 1.0)), Some(0.5));
        assert_eq!(flood.length_to(tile.data(), place(0, 0.5, 0.5)), None, "by an earlier flood");
    }
}
