//! A tile's part of the abstract graph: its areas, the portals between them and across its sides, and the lengths of
//! the paths within areas from portal to portal.
//!
//! ```text
//!   +-----p0------+        p0, p1, p2: portals, each at the middle of its run of edges
//!   | A   / \     |        edges within A have the lengths of real paths
//!   |   /    \    p1
//!   p2-~-~-~-~-B--|        p2 is a portal of A and of B, which are areas with different flags
//!   +-------------+
//! ```
//!
//! It depends on the tile alone. Edges have lengths, not costs: the filter decides what a metre costs in each area, so
//! one graph serves every filter that depends only on area types and flags.
//!
//! If an area has several portals, edges are left out that are hardly shorter than the path through another portal; if
//! it has many, only neighbours have edges.
//!
//! Cost: a flood of its areas for each portal, and a straight path for each pair of portals of an area, or for each two
//! neighbours.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010; Adi Botea,
//! Martin Müller, Jonathan Schaeffer, "Near Optimal Hierarchical Path-Finding" (HPA*), 2004.

use super::area_flood::AreaFlood;
use super::cone_graph::cone_neighbours;
use super::graph_lattice::GraphLattice;
pub use super::graph_portal::GraphPortal;
use super::portal_runs::{PortalRun, portal_runs};
use super::spanner::worth_keeping;
use super::tile_areas::TileAreas;
use crate::math::index::NONE;
use crate::mesh::{PolyState, original_state};
use crate::tile::TileData;
use glam::Vec3;

/// In areas with more portals than this only neighbours have edges.
const MANY: usize = 64;

/// A contiguous area of a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphArea {
    /// Its lowest polygon, by index in the tile.
    pub poly: u32,
    /// Area type and flags of all its polygons.
    pub state: PolyState,
}

/// A path within an area from one portal to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphEdge {
    /// The other portal.
    pub to: u32,
    /// The area.
    pub area: u32,
    /// Length of the path, metres.
    pub length: f32,
}

/// A tile's part of the abstract graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileGraph {
    /// How far apart in height two portals may be that meet at a border: less than the space between two floors.
    pub(super) reach: f32,
    /// All positions lie on it.
    pub(super) lattice: GraphLattice,
    pub(super) areas: Vec<GraphArea>,
    pub(super) portals: Vec<GraphPortal>,
    /// The first edge of each portal, and their number.
    pub(super) first: Vec<u32>,
    pub(super) edges: Vec<GraphEdge>,
}

/// How a tile's polygons are related to its part of the graph: derived from the tile when needed, never stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TileInside {
    pub(super) areas: TileAreas,
    /// The portal of each border edge.
    pub(super) portal_of_border: Vec<u32>,
    /// The polygons of the areas of each portal, at its middle.
    pub(super) polys_of_portal: Vec<[u32; 2]>,
}

impl TileInside {
    /// Derives it for a tile on which off-mesh connections start or end at these polygons.
    pub(super) fn of(tile: &TileData, states: &[PolyState], stops: impl Iterator<Item = u32>) -> Self {
        let areas = TileAreas::of(tile, states);
        let runs = portal_runs(tile, &areas);
        Self::with_runs(areas, &runs, stops)
    }

    fn with_runs(areas: TileAreas, runs: &[PortalRun], stops: impl Iterator<Item = u32>) -> Self {
        let mut portal_of_border = Vec::new();
        for (portal, run) in (0..).zip(runs) {
            for border in run.edges.iter().map(|edge| edge.border).filter(|&border| border != NONE) {
                if portal_of_border.len() <= border as usize {
                    portal_of_border.resize(border as usize + 1, NONE);
                }
                portal_of_border[border as usize] = portal;
            }
        }
        let of_run = |run: &PortalRun| {
            let (edge, _) = run.middle();
            [edge.poly, edge.beyond]
        };
        let polys_of_portal = runs.iter().map(of_run).chain(stops.map(|poly| [poly, NONE])).collect();
        Self { areas, portal_of_border, polys_of_portal }
    }

    /// The portal that a border edge belongs to; [`NONE`] if there is no such edge.
    pub(super) fn portal_of(&self, border: u32) -> u32 {
        self.portal_of_border.get(border as usize).copied().unwrap_or(NONE)
    }
}

impl TileGraph {
    /// Builds the part of a tile whose polygons have these states.
    #[must_use]
    pub fn of(tile: &TileData, states: &[PolyState]) -> Self {
        Self::with_stops(tile, states, &[]).0
    }

    /// Builds the part of a tile whose polygons have their original states.
    #[must_use]
    pub fn as_made(tile: &TileData) -> Self {
        Self::of(tile, &original_state(tile))
    }

    /// The same with nodes where off-mesh connections start or end, given as polygons and positions. Their portals come
    /// last.
    pub(super) fn with_stops(tile: &TileData, states: &[PolyState], stops: &[(u32, Vec3)]) -> (Self, TileInside) {
        let areas = TileAreas::of(tile, states);
        let runs = portal_runs(tile, &areas);
        let inside = TileInside::with_runs(areas, &runs, stops.iter().map(|(poly, _)| *poly));
        let mut portals: Vec<GraphPortal> = runs.iter().map(portal_of_run).collect();
        portals.extend(stops.iter().map(|&(poly, at)| GraphPortal {
            middle: at,
            ends: [at; 2],
            heights: [at.y; 2],
            areas: [inside.areas.of_poly(poly), NONE],
            side: None,
        }));
        let lattice = GraphLattice::of(tile.extent());
        portals.iter_mut().for_each(|portal| lattice.snap(portal));
        // The surface between the ends of an edge may be higher or lower than both, so the climb alone is not enough.
        let agent = tile.baked_for();
        let reach = agent.height.max(agent.climb);
        let mut graph = Self { reach, lattice, areas: Vec::new(), portals, first: vec![0], edges: Vec::new() };
        graph.areas.extend(inside.areas.first_polys().iter().map(|&poly| {
            let state = states[poly as usize];
            GraphArea { poly, state }
        }));
        graph.connect(tile, &inside);
        (graph, inside)
    }

    /// Adds the edges.
    fn connect(&mut self, tile: &TileData, inside: &TileInside) {
        let areas = &inside.areas;
        let mut flood = AreaFlood::default();
        // Area, both portals, length: paths are the same in both directions.
        let mut found: Vec<(u32, u32, u32, f32)> = Vec::new();
        let mut of_area: Vec<(u32, u32, u32)> = Vec::new();
        for (number, portal) in (0..).zip(&self.portals) {
            let polys = inside.polys_of_portal[number as usize];
            let sides = portal.areas.iter().zip(polys).filter(|(area, _)| **area != NONE);
            of_area.extend(sides.map(|(&area, poly)| (area, number, poly)));
        }
        of_area.sort_unstable();
        for group in of_area.chunk_by(|a, b| a.0 == b.0) {
            let from = found.len();
            for pairs in self.pairs_in(group).chunk_by(|a, b| a.0 == b.0) {
                let (area, portal, poly) = group[pairs[0].0 as usize];
                let ends = pairs.iter().map(|&(_, other)| group[other as usize].2);
                flood.run(tile, areas, (poly, self.portals[portal as usize].middle), ends);
                for &(_, other) in pairs {
                    let (_, other, there) = group[other as usize];
                    let end = self.portals[other as usize].middle;
                    let Some(length) = flood.length_to(tile, (there, end)) else { continue };
                    let straight = self.portals[portal as usize].middle.distance(end);
                    let length = self.lattice.length(straight, self.lattice.excess(straight, length));
                    found.push((area, portal, other, length));
                }
            }
            if group.len() <= MANY {
                worth_keeping(&mut found, from);
            }
        }
        let both = |&(area, a, b, length): &(u32, u32, u32, f32)| [(a, b, area, length), (b, a, area, length)];
        let mut directed: Vec<(u32, u32, u32, f32)> = found.iter().flat_map(both).collect();
        directed.sort_by_key(|&(from, to, area, _)| (from, to, area));
        self.set_edges(&directed);
    }

    /// Which portals of an area get an edge: all pairs, or neighbours where there are many. The lower one is the first.
    fn pairs_in(&self, group: &[(u32, u32, u32)]) -> Vec<(u32, u32)> {
        if group.len() > MANY {
            let middles: Vec<Vec3> = group.iter().map(|&(_, portal, _)| self.portals[portal as usize].middle).collect();
            return cone_neighbours(&middles);
        }
        let count = group.len() as u32;
        (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))).collect()
    }

    /// Sets the edges, given in the order of their first portals: from, to, area, length.
    pub(super) fn set_edges(&mut self, directed: &[(u32, u32, u32, f32)]) {
        self.first = vec![0; self.portals.len() + 1];
        for &(from, ..) in directed {
            self.first[from as usize + 1] += 1;
        }
        for at in 1..self.first.len() {
            self.first[at] += self.first[at - 1];
        }
        self.edges = directed.iter().map(|&(_, to, area, length)| GraphEdge { to, area, length }).collect();
    }

    /// Its areas.
    #[must_use]
    pub fn areas(&self) -> &[GraphArea] {
        &self.areas
    }

    /// Its portals.
    #[must_use]
    pub fn portals(&self) -> &[GraphPortal] {
        &self.portals
    }

    /// The edges of a portal; none if there is no such portal.
    #[must_use]
    #[inline]
    pub fn edges_of(&self, portal: u32) -> &[GraphEdge] {
        let at = portal as usize;
        match (self.first.get(at), self.first.get(at + 1)) {
            (Some(&from), Some(&to)) => self.edges.get(from as usize..to as usize).unwrap_or_default(),
            _ => &[],
        }
    }

    /// The number of edges; each path within an area counts twice, once for each direction.
    #[must_use]
    pub fn edge_count(&self) -> u32 {
        self.edges.len() as u32
    }

    /// Bytes in memory.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of_val(&self.areas[..])
            + size_of_val(&self.portals[..])
            + size_of_val(&self.first[..])
            + size_of_val(&self.edges[..])
    }
}

fn portal_of_run(run: &PortalRun) -> GraphPortal {
    let (_, middle) = run.middle();
    GraphPortal { middle, ends: run.ends(), heights: run.heights(), areas: run.areas, side: run.side }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::NavMesh;
    use crate::tile::{TileCoord, test_sketch::sketch};

    #[test]
    fn edges_lead_through_one_area_and_both_directions() {
        let mesh = NavMesh::from_tile(sketch(TileCoord::default(), "a.a\naba\na.a")).unwrap();
        let tile = mesh.tiles().next().unwrap();
        let graph = TileGraph::of(tile.data(), tile.states());
        assert_eq!(graph.areas().len(), 3);
        let inner: Vec<_> = (0..).zip(graph.portals()).filter(|(_, portal)| portal.side.is_none()).collect();
        assert_eq!(inner.len(), 2, "on both sides of b");
        let through = graph.edges_of(inner[0].0).iter().find(|edge| edge.to == inner[1].0).unwrap();
        assert_eq!(through.length, 1.0);
        for portal in 0..graph.portals().len() as u32 {
            for edge in graph.edges_of(portal) {
                let back = graph.edges_of(edge.to).iter().find(|back| back.to == portal).unwrap();
                assert_eq!((back.area, back.length), (edge.area, edge.length));
                let areas = graph.portals()[portal as usize].areas;
                assert!(areas.contains(&edge.area));
            }
        }
        assert!(graph.edges_of(99).is_empty());
    }

    #[test]
    fn among_many_portals_all_are_reached_over_few_edges() {
        // Two hundred puddles on a field: a portal at each of their sides.
        let picture: Vec<String> =
            (0..30).map(|z| (0..30).map(|x| if x % 2 == 1 && z % 2 == 1 { 'b' } else { 'a' }).collect()).collect();
        let mesh = NavMesh::from_tile(sketch(TileCoord::default(), &picture.join("\n"))).unwrap();
        let tile = mesh.tiles().next().unwrap();
        let graph = TileGraph::of(tile.data(), tile.states());
        let portals = graph.portals().len() as u32;
        assert!(portals > 200 && graph.edge_count() < 20 * portals, "{portals} {}", graph.edge_count());
        let mut seen = vec![false; portals as usize];
        let mut open = vec![0];
        while let Some(portal) = open.pop() {
            if !core::mem::replace(&mut seen[portal as usize], true) {
                open.extend(graph.edges_of(portal).iter().map(|edge| edge.to));
            }
        }
        assert!(seen.iter().all(|seen| *seen));
    }
}
