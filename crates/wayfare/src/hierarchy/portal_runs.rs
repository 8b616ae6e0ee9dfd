//! The portals of a tile: runs of successive edges between one area and a side of the tile, or between two areas.
//!
//! ```text
//!    .---.---.---.           e1, e2: a run along the upper side, which is one portal
//!    | e1  e2|   |           e3: another portal, since a wall separates them
//!    |   .---'   |
//! ```
//!
//! Two edges are successive if one ends at the vertex at which the other begins. A run that surrounds a whole area
//! starts at its lowest edge.
//!
//! Cost: a sort of the edges that are portals.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010.

use super::tile_areas::TileAreas;
use crate::math::index::NONE;
use crate::math::segment;
use crate::tile::{Side, TileData};
use glam::Vec3;

/// An edge over which an area can be left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PortalEdge {
    /// The polygon that it belongs to.
    pub(super) poly: u32,
    /// The polygon beyond, if it is in the same tile.
    pub(super) beyond: u32,
    /// The number of the border edge, if it is on a side of the tile.
    pub(super) border: u32,
    /// The vertices at its ends.
    verts: [u32; 2],
    /// Their positions; the first is on the left when the edge is crossed.
    pub(super) ends: [Vec3; 2],
}

/// A run of edges.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PortalRun {
    /// The area that it leads out of, and the one that it leads into; [`NONE`] on a side of the tile.
    pub(super) areas: [u32; 2],
    pub(super) side: Option<Side>,
    /// Never empty; from left to right.
    pub(super) edges: Vec<PortalEdge>,
}

/// What the edges of a run have in common: the number of the side, or one for the inside of the tile; and both areas.
type RunKey = (u32, u32, u32);

/// All runs of a tile: those on its sides, then those between areas.
pub(super) fn portal_runs(tile: &TileData, areas: &TileAreas) -> Vec<PortalRun> {
    let mut edges = portal_edges(tile, areas);
    edges.sort_by_key(|(key, edge)| (*key, edge.verts[0], edge.poly));
    let mut runs = Vec::new();
    for group in edges.chunk_by(|a, b| a.0 == b.0) {
        let (side, from, to) = group[0].0;
        let group: Vec<PortalEdge> = group.iter().map(|(_, edge)| *edge).collect();
        let side = Side::ALL.get(side as usize).copied();
        let of_edges = |edges| PortalRun { areas: [from, to], side, edges };
        runs.extend(chains(&group).into_iter().map(of_edges));
    }
    runs
}

fn portal_edges(tile: &TileData, areas: &TileAreas) -> Vec<(RunKey, PortalEdge)> {
    let mut found = Vec::new();
    let mut borders = 0;
    for poly in 0..tile.polys().len() as u32 {
        let own = areas.of_poly(poly);
        let corners = tile.corners_of(poly);
        for (k, neighbour) in tile.neighbours_of(poly).iter().enumerate() {
            let after = if k + 1 == corners.len() { 0 } else { k + 1 };
            let verts = [corners[k], corners[after]];
            let ends = verts.map(|vert| tile.verts()[vert as usize]);
            let mut edge = PortalEdge { poly, beyond: NONE, border: NONE, verts, ends };
            if let Some(side) = neighbour.as_border() {
                edge.border = borders;
                borders += 1;
                found.push(((side as u32, own, NONE), edge));
            } else if let Some(next) = neighbour.as_poly() {
                // From the lower of the two areas: each edge once.
                let other = areas.of_poly(next);
                edge.beyond = next;
                if own < other {
                    found.push(((Side::ALL.len() as u32, own, other), edge));
                }
            }
        }
    }
    found
}

/// Chains edges, which are sorted by their first vertices, so that each begins where the previous one ends.
fn chains(edges: &[PortalEdge]) -> Vec<Vec<PortalEdge>> {
    let starts_at = |vert: u32| edges.partition_point(|edge| edge.verts[0] < vert);
    let mut is_second = vec![false; edges.len()];
    for edge in edges {
        let next = starts_at(edge.verts[1]);
        if edges.get(next).is_some_and(|next| next.verts[0] == edge.verts[1]) {
            is_second[next] = true;
        }
    }
    let mut is_used = vec![false; edges.len()];
    let mut rows = Vec::new();
    // An edge without a predecessor begins a chain; all that remain after that are rings.
    let firsts = (0..edges.len()).filter(|&at| !is_second[at]).chain(0..edges.len());
    for first in firsts {
        let mut row = Vec::new();
        let mut at = first;
        while let Some(edge) = edges.get(at).filter(|_| !is_used[at]) {
            is_used[at] = true;
            row.push(*edge);
            at = starts_at(edge.verts[1]);
            if edges.get(at).is_some_and(|next| next.verts[0] != edge.verts[1]) {
                break;
            }
        }
        if !row.is_empty() {
            rows.push(row);
        }
    }
    rows
}

impl PortalRun {
    /// The edge at the middle of the run, and the position of the middle.
    pub(super) fn middle(&self) -> (PortalEdge, Vec3) {
        let length = |edge: &PortalEdge| edge.ends[0].distance(edge.ends[1]);
        let mut left = self.edges.iter().map(length).sum::<f32>() * 0.5;
        for edge in &self.edges {
            let here = length(edge);
            if left <= here {
                let share = if here > 0.0 { left / here } else { 0.5 };
                return (*edge, segment::at(edge.ends[0], edge.ends[1], share));
            }
            left -= here;
        }
        // Rounding may leave a small rest.
        let last = self.edges[self.edges.len() - 1];
        (last, last.ends[1])
    }

    /// Its ends. A run on a side of the tile is straight; for others, those of its middle edge.
    pub(super) fn ends(&self) -> [Vec3; 2] {
        match self.side {
            Some(_) => [self.edges[0].ends[0], self.edges[self.edges.len() - 1].ends[1]],
            None => self.middle().0.ends,
        }
    }

    /// The lowest and the highest point.
    pub(super) fn heights(&self) -> [f32; 2] {
        let heights = self.edges.iter().flat_map(|edge| edge.ends).map(|end| end.y);
        heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], y| [low.min(y), high.max(y)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::NavMesh;
    use crate::tile::{TileCoord, test_sketch::sketch};

    #[test]
    fn runs_end_at_walls_and_where_areas_change() {
        let mesh = NavMesh::from_tile(sketch(TileCoord::default(), "aabb.a\naaaaaa\n.aaa..")).unwrap();
        let tile = mesh.tiles().next().unwrap();
        let areas = TileAreas::of(tile.data(), tile.states());
        let runs = portal_runs(tile.data(), &areas);
        let told: Vec<_> =
            runs.iter().map(|run| (run.side, run.edges.len(), run.middle().1.x, run.middle().1.z)).collect();
        let sides = [
            (Some(Side::XMin), 2, 0.0, 2.0),
            (Some(Side::ZMax), 2, 1.0, 3.0),
            (Some(Side::ZMax), 1, 5.5, 3.0),
            (Some(Side::ZMax), 2, 3.0, 3.0),
            (Some(Side::XMax), 2, 6.0, 2.0),
            (Some(Side::ZMin), 3, 2.5, 0.0),
        ];
        assert_eq!(told[..6], sides);
        assert_eq!((told[6].0, told[6].1), (None, 3), "around the two squares of b");
        assert_eq!(runs.len(), 7);
    }

    #[test]
    fn a_ring_is_one_run() {
        let mesh = NavMesh::from_tile(sketch(TileCoord::default(), "aaa\naba\naaa")).unwrap();
        let tile = mesh.tiles().next().unwrap();
        let runs = portal_runs(tile.data(), &TileAreas::of(tile.data(), tile.states()));
        assert_eq!(runs.iter().filter(|run| run.side.is_none()).map(|run| run.edges.len()).collect::<Vec<_>>(), [4]);
    }
}
