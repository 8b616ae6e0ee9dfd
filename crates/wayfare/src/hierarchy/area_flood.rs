//! Lengths of paths within one area of a tile, from one position to many.
//!
//! The area's polygons are flooded, with nodes at the middles of the edges between them. Then each requested path is
//! straightened, so that its length is the distance that an agent walks, not the sum over the middles.
//!
//! Cost: a flood opens each polygon of the area at most once, up to the last one asked for; a length is linear in the
//! polygons on its path. Memory is reused.
//!
//! Sources: Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959; lengths of real paths instead of
//! straight lines follow Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", 2010.

use super::tile_areas::TileAreas;
use crate::context::Budget;
use crate::graph::{
    self, Course, Fringe, Known, Node, NodeStore, Order, Page, PageSize, SearchLimits, SearchObserver, SearchSpace,
};
use crate::math::OpenList;
use crate::math::funnel::{Corner, Portal, string_pull_by};
use crate::tile::TileData;
use core::ops::ControlFlow;
use glam::Vec3;

/// Floods of one tile after another.
#[derive(Clone, Debug, Default)]
pub(super) struct AreaFlood {
    /// By polygon; `via` is the corner at which the edge that was crossed begins.
    nodes: NodeStore<u32>,
    open: OpenList,
    start: Vec3,
    portals: Vec<Portal>,
    corners: Vec<Corner>,
    wanted: Vec<u32>,
}

/// An area of a tile as a search space.
struct AreaSpace<'a> {
    tile: &'a TileData,
    areas: &'a TileAreas,
    area: u32,
    page: Page,
    /// The polygons that are still to be reached, sorted.
    wanted: &'a mut Vec<u32>,
}

impl SearchSpace for AreaSpace<'_> {
    type Key = u32;

    #[inline]
    fn expand<Q: Order, O: SearchObserver<u32>>(
        &mut self,
        fringe: &mut Fringe<'_, u32, Q, O>,
        number: u32,
        node: Node<u32>,
    ) -> ControlFlow<()> {
        if let Ok(at) = self.wanted.binary_search(&node.of) {
            self.wanted.remove(at);
            if self.wanted.is_empty() {
                return ControlFlow::Break(());
            }
        }
        let corners = self.tile.corner_range(node.of);
        for (corner, neighbour) in corners.clone().zip(&self.tile.neighbours()[corners]) {
            let next = neighbour.as_poly().filter(|&next| self.areas.of_poly(next) == self.area);
            let Some(next) = next else { continue };
            let entry = self.page.entry(next, 0);
            match fringe.nodes.entries.known(entry) {
                Known::Closed => {}
                Known::Open(other) => {
                    let cost = node.cost + node.pos.distance(fringe.nodes.get(other).pos);
                    fringe.improve(other, (number, corner as u32), cost, 0.0);
                }
                Known::New => {
                    let [a, b] = self.tile.edge(node.of, corner as u32);
                    let there = Node::at(entry, next, (a + b) * 0.5).entered_by(corner as u32);
                    fringe.open_unlimited(there, number, node.cost + node.pos.distance(there.pos));
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl AreaFlood {
    /// Floods the area of a polygon from a position on it: until all of these polygons are reached, or all of the area
    /// if there are none.
    pub(super) fn run(
        &mut self,
        tile: &TileData,
        areas: &TileAreas,
        (first, start): (u32, Vec3),
        wanted: impl Iterator<Item = u32>,
    ) {
        self.wanted.clear();
        self.wanted.extend(wanted);
        self.wanted.sort_unstable();
        self.wanted.dedup();
        self.nodes.begin(1);
        self.start = start;
        let keys = tile.polys().len() as u32;
        if first >= keys {
            return;
        }
        let Self { nodes, open, wanted, .. } = self;
        let page = nodes.entries.page(0, |_| PageSize { keys, kinds: 1 });
        let mut space = AreaSpace { tile, areas, area: areas.of_poly(first), page, wanted };
        let mut course = Course::within(SearchLimits::default());
        let mut fringe = Fringe { nodes, open, observer: &mut (), course: &mut course };
        fringe.begin(Node::at(page.entry(first, 0), first, start), 0.0);
        graph::run(&mut space, &mut fringe, &mut Budget::unlimited());
    }

    /// The length of the straight path to a position on a polygon; `None` if the flood did not reach the polygon.
    pub(super) fn length_to(&mut self, tile: &TileData, (poly, end): (u32, Vec3)) -> Option<f32> {
        let page = self.nodes.entries.touched_page(0).filter(|_| (poly as usize) < tile.polys().len())?;
        let last = self.nodes.entries.find(page.entry(poly, 0))?;
        self.portals.clear();
        for node in self.nodes.trail(last) {
            let Some(before) = self.nodes.of(node.parent) else { break };
            let [left, right] = tile.edge(before, node.via);
            self.portals.push(Portal { left, right });
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
        flood.run(tile.data(), &areas, place(0, 0.5, 0.5), 0..7);
        let around = flood.length_to(tile.data(), place(5, 0.5, 2.5)).unwrap();
        assert!((around - (1.0 + 2.0 * 2.5_f32.sqrt())).abs() < 1e-5, "{around}");
        assert_eq!(flood.length_to(tile.data(), place(3, 0.5, 1.5)), None, "of another area");
        flood.run(tile.data(), &areas, place(3, 0.5, 1.5), [3].into_iter());
        assert_eq!(flood.length_to(tile.data(), place(3, 0.5, 1.0)), Some(0.5));
        assert_eq!(flood.length_to(tile.data(), place(0, 0.5, 0.5)), None, "by an earlier flood");
    }
}
