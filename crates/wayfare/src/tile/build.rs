//! Builds a tile from polygons of any source: finds their neighbours, and the edges on the tile's border.
//!
//! Polygons are lists of vertex indices. Two polygons are neighbours if one runs along an edge from `a` to `b` and the
//! other from `b` to `a`. To pair them, every edge with `a < b` is added to a chain at vertex `a`; every edge with `a >
//! b` then looks for its partner in the chain at `b`:
//!
//! ```text
//!   vertex 4:  (4→9 of poly 2) → (4→7 of poly 0) → end       poly 5 comes along 7→4: partner is poly 0
//! ```
//!
//! If more than two polygons share an edge, they are paired in order, and a remaining one gets a wall. Edges without a
//! partner that lie on the tile's rectangle lead to the neighbouring tile; all others are walls.
//!
//! Cost: linear in the corners; at vertices with many edges, where chains are long, edges are sorted instead.
//!
//! Sources: Eric Lengyel, "Building an Edge List for an Arbitrary Mesh", 2005.

use super::few::each_of_few;
use super::{BakedFor, DetailRange, DetailTri, EdgeNeighbour, Poly, Side, TileBuilder, TileCoord, TileData, TileError};
use crate::area::{AreaId, PolyFlags};
use crate::math::index::NONE;
use crate::math::rounding::slack;
use crate::math::steps::count;
use glam::{Vec2, Vec3};
use std::collections::VecDeque;

/// One polygon of a [`TileSource`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcePoly {
    /// Number of its corners in [`TileSource::corners`], 3 or more.
    pub count: u16,
    /// Abilities that an agent needs to cross it.
    pub flags: PolyFlags,
    /// Area type.
    pub area: AreaId,
}

/// Convex polygons for building a tile. By default there are none, the agent has no size, and the tile stands alone at
/// place (0, 0).
#[derive(Clone, Copy, Debug, Default)]
pub struct TileSource<'a> {
    /// Column, row and layer in the mesh.
    pub coord: TileCoord,
    /// A number for the caller's own use.
    pub user_id: u32,
    /// Height of the agent, metres; 0 or above.
    pub agent_height: f32,
    /// Radius of the agent, metres; 0 or above.
    pub agent_radius: f32,
    /// Highest step of the agent, metres: the largest height difference over which tile borders are connected. 0 or
    /// above.
    pub agent_climb: f32,
    /// Vertices. Polygons that share an edge must share its vertices by index.
    pub verts: &'a [Vec3],
    /// The corners of all polygons, one polygon after the other, as indices of vertices.
    pub corners: &'a [u32],
    /// The polygons.
    pub polys: &'a [SourcePoly],
    /// What lies on the other side of the edge from each corner to the next, if known; if empty, it is computed.
    pub neighbours: &'a [EdgeNeighbour],
    /// The detail triangles of each polygon; or empty for none.
    pub details: &'a [DetailRange],
    /// Extra detail vertices.
    pub detail_verts: &'a [Vec3],
    /// Detail triangles.
    pub detail_tris: &'a [DetailTri],
    /// Low and high corner (x, z) of the tile's rectangle. Edges on it that no other polygon shares lead to the
    /// neighbouring tiles. `None`: the tile stands alone, except for borders given in `neighbours`.
    pub frame: Option<[Vec2; 2]>,
}

/// Makes a tile from convex polygons. A polygon with the wrong winding is reversed: its corners are then in the
/// opposite order.
///
/// ```
/// use wayfare::area::{AreaId, PolyFlags};
/// use wayfare::tile::{SourcePoly, TileSource, build_tile};
/// use wayfare::Vec3;
///
/// // Two squares side by side.
/// let verts = [[0., 0.], [1., 0.], [2., 0.], [0., 1.], [1., 1.], [2., 1.]].map(|[x, z]| Vec3::new(x, 0.0, z));
/// let poly = SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
/// let tile = build_tile(&TileSource {
///     agent_height: 2.0,
///     agent_radius: 0.5,
///     agent_climb: 0.4,
///     verts: &verts,
///     corners: &[0, 3, 4, 1, 1, 4, 5, 2],
///     polys: &[poly; 2],
///     ..TileSource::default()
/// })?;
/// assert_eq!(tile.neighbours_of(0)[2].as_poly(), Some(1));
/// # Ok::<(), wayfare::tile::TileError>(())
/// ```
///
/// # Errors
/// [`TileError`] for inconsistent counts and indices, and for vertices that are not finite.
pub fn build_tile(source: &TileSource<'_>) -> Result<TileData, TileError> {
    TileBuilder::default().build_source(source)
}

impl TileBuilder {
    /// Like [`build_tile`], in the memory of a builder, whose lists are replaced.
    ///
    /// # Errors
    /// Like [`build_tile`].
    pub fn build_source(&mut self, source: &TileSource<'_>) -> Result<TileData, TileError> {
        self.clear(source.coord);
        self.user_id = source.user_id;
        self.baked_for = BakedFor {
            height: source.agent_height,
            radius: source.agent_radius,
            climb: source.agent_climb,
            ..BakedFor::NOTHING
        };
        self.take_polys(source.polys)?;
        self.verts.extend_from_slice(source.verts);
        self.corners.extend_from_slice(source.corners);
        match source.neighbours {
            [] => self.neighbours.resize(source.corners.len(), EdgeNeighbour::WALL),
            known => self.neighbours.extend_from_slice(known),
        }
        self.details.extend_from_slice(source.details);
        self.detail_verts.extend_from_slice(source.detail_verts);
        self.detail_tris.extend_from_slice(source.detail_tris);
        // From here on everything can be indexed without checks.
        let extent = self.lists().check()?;
        self.bounds = extent;
        wind(self);
        if source.neighbours.is_empty() {
            pair_edges(self);
        }
        if let Some(frame) = source.frame {
            mark_border(self, frame);
        }
        self.build_checked(extent)
    }

    fn take_polys(&mut self, source: &[SourcePoly]) -> Result<(), TileError> {
        if source.len() > super::MAX_POLYS {
            return Err(TileError::TooManyPolys { count: source.len() });
        }
        let mut first = 0;
        self.polys.extend(source.iter().map(|p| {
            let poly = Poly::new(first, p.count, p.flags, p.area);
            // 2^20 polygons of 2^16 corners overflow; the check then finds too few corners.
            first = first.saturating_add(u32::from(p.count));
            poly
        }));
        Ok(())
    }
}

/// Reverses polygons whose normal points down.
fn wind(tile: &mut TileBuilder) {
    for poly in 0..tile.polys.len() {
        let range = tile.polys[poly].range();
        let corners = &tile.corners[range.clone()];
        let start = tile.verts[corners[0] as usize];
        // Both ends of the edge from the start, each computed once. Between a corner and itself there is nothing.
        let mut last = (0.0, 0.0);
        let mut area2 = 0.0;
        each_of_few(corners, |corner| {
            let v = tile.verts[corner as usize];
            let next = (v.x - start.x, v.z - start.z);
            area2 += last.0 * next.1 - last.1 * next.0;
            last = next;
        });
        if area2 > 0.0 {
            tile.corners[range.clone()].reverse();
            // The edge from a corner to the next is now that from the next: all but the last move.
            let edges = range.len() - 1;
            tile.neighbours[range][..edges].reverse();
            turn_details(tile, poly as u32);
        }
    }
}

/// Reverses the detail triangles of a polygon whose corners were just reversed.
fn turn_details(tile: &mut TileBuilder, poly: u32) {
    let count = tile.polys[poly as usize].count;
    let range = tile.details.get(poly as usize).copied().unwrap_or_default();
    for tri in &mut tile.detail_tris[range.first_tri as usize..][..range.tri_count as usize] {
        let [a, b, c] = tri.verts.map(|v| if v < count { count - 1 - v } else { v });
        tri.verts = [c, b, a];
        // The first two edges were exchanged.
        tri.outline = tri.outline & !3 | (tri.outline & 1) << 1 | (tri.outline >> 1 & 1);
    }
}

/// Finds for each edge the polygon that has it in the opposite direction.
pub(crate) fn pair_edges(tile: &mut TileBuilder) {
    let mut chain_at = vec![NONE; tile.verts.len()];
    let mut edges = vec![SourceEdge { poly: 0, end: 0, next: NONE }; tile.corners.len()];
    // From the last edge to the first, so that chains are in the order of the edges.
    for_each_edge_reversed(tile, |edge, poly, a, b| {
        let next = if a < b { core::mem::replace(&mut chain_at[a as usize], edge as u32) } else { NONE };
        edges[edge] = SourceEdge { poly, end: b, next };
    });
    let mut unpaired = Vec::new();
    for edge in 0..tile.corners.len() {
        let a = tile.corners[edge];
        let own = edges[edge];
        if a <= own.end {
            continue;
        }
        let mut at = chain_at[own.end as usize];
        for _ in 0..FEW {
            let Some(partner) = edges.get(at as usize) else { break };
            count(1);
            if partner.end == a && partner.poly != own.poly && tile.neighbours[at as usize].is_wall() {
                pair(tile, [edge, at as usize], [own.poly, partner.poly]);
                at = NONE;
                break;
            }
            at = partner.next;
        }
        if at != NONE {
            unpaired.push(([own.end, a], edge as u32));
        }
    }
    if !unpaired.is_empty() {
        pair_sorted(tile, &chain_at, &edges, unpaired);
    }
}

/// Steps along a chain after which an edge is paired by sorting instead.
const FEW: usize = 32;

/// Two edges that lead to each other's polygons.
fn pair(tile: &mut TileBuilder, [one, two]: [usize; 2], [first, second]: [u32; 2]) {
    (tile.neighbours[one], tile.neighbours[two]) = (EdgeNeighbour::poly(second), EdgeNeighbour::poly(first));
}

/// Pairs edges at vertices with long chains: given by their vertices, the lower first.
fn pair_sorted(tile: &mut TileBuilder, chain_at: &[u32], edges: &[SourceEdge], mut falling: Vec<([u32; 2], u32)>) {
    falling.sort_unstable();
    let mut rising: Vec<([u32; 2], u32)> = Vec::new();
    for at_vertex in falling.chunk_by(|a, b| a.0[0] == b.0[0]) {
        let low = at_vertex[0].0[0];
        let mut at = chain_at[low as usize];
        while let Some(edge) = edges.get(at as usize) {
            count(1);
            rising.extend(tile.neighbours[at as usize].is_wall().then_some(([low, edge.end], at)));
            at = edge.next;
        }
    }
    rising.sort_unstable();
    let mut from = 0;
    for group in falling.chunk_by(|a, b| a.0 == b.0) {
        let ends = group[0].0;
        from += rising[from..].partition_point(|(verts, _)| *verts < ends);
        let partners = rising[from..].partition_point(|(verts, _)| *verts == ends);
        let poly = |edge: u32| edges[edge as usize].poly;
        let mut partners = rising[from..from + partners].iter().map(|(_, edge)| *edge).peekable();
        // A polygon is not paired with itself: its edges, which follow each other, are skipped and wait.
        let mut waiting = VecDeque::new();
        for &(_, edge) in group {
            let own = poly(edge);
            let partner = if waiting.front().is_some_and(|&next| poly(next) != own) {
                waiting.pop_front()
            } else {
                waiting.extend(core::iter::from_fn(|| partners.next_if(|&next| poly(next) == own)));
                partners.next()
            };
            if let Some(partner) = partner {
                pair(tile, [edge as usize, partner as usize], [own, poly(partner)]);
            }
        }
    }
}

/// An edge that waits for its partner.
#[derive(Clone, Copy)]
struct SourceEdge {
    poly: u32,
    /// The vertex at which it ends.
    end: u32,
    /// The next edge in the chain of the vertex it begins at.
    next: u32,
}

/// Calls `visit(edge, polygon, first vertex, second vertex)` for each edge, the last first.
fn for_each_edge_reversed(tile: &TileBuilder, mut visit: impl FnMut(usize, u32, u32, u32)) {
    for poly in (0..tile.polys.len() as u32).rev() {
        let range = tile.polys[poly as usize].range();
        let mut to = tile.corners[range.start];
        for edge in range.rev() {
            let from = tile.corners[edge];
            visit(edge, poly, from, to);
            to = from;
        }
    }
}

/// Marks edges without a neighbour that lie on the rectangle and run along it, with their polygon inside: all edges of
/// a polygon that is hardly wider than the rounding lie on it, including the one that faces inwards and the short ones.
fn mark_border(tile: &mut TileBuilder, [low, high]: [Vec2; 2]) {
    let on = |line: f32, v: f32| (v - line).abs() <= slack(line, 4.0);
    let mut found = Vec::new();
    for_each_edge_reversed(tile, |edge, _, a, b| {
        if !tile.neighbours[edge].is_wall() {
            return;
        }
        let p = tile.verts[a as usize];
        let q = tile.verts[b as usize];
        let lies_on = |side: Side| match side {
            Side::XMin => on(low.x, p.x) && on(low.x, q.x),
            Side::ZMax => on(high.y, p.z) && on(high.y, q.z),
            Side::XMax => on(high.x, p.x) && on(high.x, q.x),
            Side::ZMin => on(low.y, p.z) && on(low.y, q.z),
        };
        let runs_along = |side: Side| {
            let [along, across] = side.run(p, q);
            along > across.abs() && across.abs() <= slack(p.x.abs().max(p.z.abs()), 4.0)
        };
        let side = Side::ALL.into_iter().find(|&side| lies_on(side) && runs_along(side));
        if let Some(side) = side {
            found.push((edge, side));
        }
    });
    for (edge, side) in found {
        tile.neighbours[edge] = EdgeNeighbour::border(side);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::test_sketch::sketch;

    #[test]
    fn neighbours_are_found_both_ways_and_borders_marked() {
        let tile = sketch(
            TileCoord::default(),
            "ab
             a.",
        );
        assert_eq!(tile.polys().len(), 3);
        let all: Vec<_> = tile.neighbours().iter().map(|n| format!("{n:?}")).collect();
        // Cells by rows from z = 0; each begins at its low corner and runs along its low x side first.
        let cells = [["XMin", "p1", "wall", "ZMin"], ["XMin", "ZMax", "p2", "p0"], ["p1", "ZMax", "XMax", "wall"]];
        assert_eq!(all, cells.concat());
    }

    #[test]
    fn a_polygon_wound_the_wrong_way_is_turned() {
        let verts = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
        let poly = SourcePoly { count: 3, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
        let source = TileSource { verts: &verts, corners: &[0, 1, 2], polys: &[poly], ..TileSource::default() };
        let tile = build_tile(&source).unwrap();
        assert_eq!(tile.corners(), [2, 1, 0]);
        let right = build_tile(&TileSource { corners: &[2, 1, 0], ..source }).unwrap();
        assert_eq!(right.corners(), [2, 1, 0]);
        let bad = TileSource { corners: &[0, 1, 3], ..source };
        assert!(matches!(build_tile(&bad), Err(TileError::Index { index: 3, .. })));
        // What is known of its edges and its detail turns with it.
        let beyond = [Side::XMin, Side::ZMax, Side::XMax].map(EdgeNeighbour::border);
        let details = DetailRange { first_vert: 0, first_tri: 0, vert_count: 1, tri_count: 1 };
        let detail = [Vec3::ONE];
        let tris = [DetailTri { verts: [0, 1, 3], outline: 0b001 }];
        let known = TileSource {
            neighbours: &beyond,
            details: &[details],
            detail_verts: &detail,
            detail_tris: &tris,
            ..source
        };
        let turned = build_tile(&known).unwrap();
        let edge_of = |tile: &TileData, side| {
            let corner = tile.neighbours().iter().position(|n| n.as_border() == Some(side)).unwrap();
            let mut ends = [tile.corners()[corner], tile.corners()[(corner + 1) % 3]];
            ends.sort_unstable();
            ends
        };
        for (side, ends) in [(Side::XMin, [0, 1]), (Side::ZMax, [1, 2]), (Side::XMax, [0, 2])] {
            assert_eq!(edge_of(&turned, side), ends);
        }
        assert_eq!(
            turned.detail_tris(),
            [DetailTri { verts: [3, 1, 2], outline: 0b010 }],
            "the edge from vertex 1 to 0"
        );
        let wrong = TileSource { neighbours: &beyond[..2], ..source };
        assert!(matches!(build_tile(&wrong), Err(TileError::Count { have: 2, want: 3, .. })));
        let short = TileSource { corners: &[0, 1], ..source };
        assert!(matches!(build_tile(&short), Err(TileError::Count { have: 2, want: 3, .. })));
    }

    /// More polygons around a vertex and on an edge than are looked at one by one, some with an edge there and back.
    #[test]
    fn many_edges_at_a_vertex_are_paired_in_their_order() {
        let mut rng = crate::math::Rng::new(11);
        for _ in 0..20 {
            let verts: Vec<Vec3> = (0..200).map(|k| Vec3::new(k as f32, 0.0, (k * k) as f32)).collect();
            let corner = |rng: &mut crate::math::Rng| if rng.below(2) == 0 { rng.below(2) } else { rng.below(200) };
            let corners: Vec<u32> = (0..4 * 300).map(|_| corner(&mut rng)).collect();
            let polys = vec![SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }; 300];
            let tile =
                build_tile(&TileSource { verts: &verts, corners: &corners, polys: &polys, ..TileSource::default() });
            let tile = tile.unwrap();
            let ends =
                |edge: usize| [tile.corners()[edge], tile.corners()[if edge % 4 == 3 { edge - 3 } else { edge + 1 }]];
            let all = || 0..tile.corners().len();
            for edge in all() {
                let [a, b] = ends(edge);
                match tile.neighbours()[edge].as_poly() {
                    Some(other) => assert!((0..4).any(|k| ends(4 * other as usize + k) == [b, a])),
                    None if a != b => {
                        let left = |&other: &usize| ends(other) == [b, a] && other / 4 != edge / 4;
                        assert!(all().filter(left).all(|other| !tile.neighbours()[other].is_wall()), "{edge}");
                    }
                    None => {}
                }
            }
        }
    }

    #[test]
    fn of_three_polygons_on_one_edge_two_are_paired() {
        let verts = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.5], [-1.0, 0.5], [2.0, 0.5]].map(|[x, z]| Vec3::new(x, 0.0, z));
        let poly = SourcePoly { count: 3, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
        let tile = build_tile(&TileSource {
            verts: &verts,
            corners: &[0, 1, 2, 1, 0, 3, 0, 1, 4],
            polys: &[poly; 3],
            ..TileSource::default()
        })
        .unwrap();
        let pairs: Vec<_> = tile.neighbours().iter().filter_map(|n| n.as_poly()).collect();
        assert_eq!(pairs, [1, 0]);
    }
}
