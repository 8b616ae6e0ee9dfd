//! Joins the pieces of polygons into the arrays of a tile.
//!
//! Every polygon is cut separately. Where a cut meets the edge between two polygons, each side computes the
//! intersection on its own, rounded to whole parts of units; and a corner of one piece may lie in the middle of an edge
//! of another. So corners that coincide on a shared edge become one vertex, as do corners with the same position in the
//! mesh, and every edge is split at the vertices that lie on it:
//!
//! ```text
//!     p   |   q              p   |   q
//!   ------a------          ------a------
//!         b'b       ==>          b           a–b and b–c are edges of both sides
//!   ------c------          ------c------
//! ```
//!
//! Cost: corners of a polygon's pieces × their edges, which are few.
//!
//! Sources: merging vertices is union-find (Tarjan, 1975), always to the lower index, so that the result does not
//! depend on the order of polygons.

use super::dents::cut_at_dents;
use super::plan_grid::{Outline, PlanGrid, PlanPoint, offset};
use super::thin_pieces::{self, Border, CornerPlace, Corners};
use crate::math::disjoint_sets::{root_of, unite};
use crate::tile::{TileData, has_sound_outline};
use core::ops::Range;

/// Two corners on one edge within this distance, in parts of units, are merged; a corner within this distance of an
/// edge counts as on it.
const SLACK: i64 = 4;

/// A convex piece of a polygon, with the winding of the mesh.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) poly: u32,
    pub(super) outline: Outline,
}

/// Vertices and corner lists, ready for [`build_tile`](crate::tile::build_tile).
#[derive(Debug, Default)]
pub(super) struct Sewn {
    /// Position of each vertex, in whole units, and the polygon it was found on.
    pub(super) verts: Vec<([i32; 2], u32)>,
    pub(super) corners: Vec<u32>,
    /// Number of corners of each piece, and the polygon it was cut from.
    pub(super) pieces: Vec<(u16, u32)>,
}

/// Joins the pieces of a tile, given in the order of their polygons. `plan` are the positions of the tile's vertices,
/// `border` is that of the tile.
pub(super) fn sew(tile: &TileData, (plan, grid): (&[PlanPoint], PlanGrid), pieces: &[Piece], border: Border) -> Sewn {
    let mut seam = Seam::of(tile.polys().len(), pieces, grid);
    for poly in 0..tile.polys().len() as u32 {
        for (edge, next) in edges(tile, plan, poly) {
            if next > poly {
                seam.merge_along(edge, [poly, next]);
            }
        }
    }
    (0..seam.vertex.len() as u32).for_each(|corner| seam.vertex[corner as usize] = root_of(&mut seam.vertex, corner));
    let mut outlines = Vec::with_capacity(pieces.len());
    let mut shared = Vec::new();
    let mut of_poly = u32::MAX;
    for piece in pieces {
        if core::mem::replace(&mut of_poly, piece.poly) != piece.poly {
            shared.clear();
            shared.extend(edges(tile, plan, piece.poly));
        }
        let mut outline = Vec::new();
        seam.outline_of(piece, &shared, &mut outline);
        if outline.len() >= 3 {
            outlines.push((piece.poly, outline));
        }
    }
    let mut places: Vec<CornerPlace> = seam.points.iter().map(|&point| grid.rounded(point).map(i64::from)).collect();
    // Added corners can be dents, and removing dents can make pieces thin; but each round removes a corner.
    let mut short = Vec::new();
    loop {
        thin_pieces::take_out(&mut outlines, &short, &mut places, border);
        (outlines, short) = cut_at_dents(outlines, &places, |ends| border.can_join(ends));
        if short.is_empty() {
            break;
        }
    }
    drop_unsound(&mut outlines, &places, grid);
    let mut sewn = Sewn::default();
    let mut number = vec![u32::MAX; seam.points.len()];
    for (poly, outline) in outlines {
        let Ok(count) = u16::try_from(outline.len()) else { continue };
        sewn.pieces.push((count, poly));
        for vertex in outline {
            let number = &mut number[vertex as usize];
            if *number == u32::MAX {
                *number = sewn.verts.len() as u32;
                sewn.verts.push((places[vertex as usize].map(|units| units as i32), poly));
            }
            sewn.corners.push(*number);
        }
    }
    sewn
}

/// Drops pieces that would not be valid polygons, which leaves a small gap. All are valid unless corners that can
/// neither be cut off nor merged lie nearly in a line.
fn drop_unsound(outlines: &mut Vec<Corners>, places: &[CornerPlace], grid: PlanGrid) {
    let mut points = Vec::new();
    outlines.retain(|(_, corners)| {
        points.clear();
        let units = corners.iter().map(|&corner| places[corner as usize].map(|units| units as i32));
        points.extend(units.map(|units| grid.place(units, 0.0)));
        has_sound_outline(&points)
    });
}

/// The edges of a polygon with a neighbour in the tile.
fn edges<'a>(tile: &'a TileData, plan: &'a [PlanPoint], poly: u32) -> impl Iterator<Item = ([PlanPoint; 2], u32)> + 'a {
    let corners = tile.corners_of(poly);
    let ends = corners.iter().zip(corners.iter().cycle().skip(1));
    let ends = ends.map(|(&a, &b)| [plan[a as usize], plan[b as usize]]);
    ends.zip(tile.neighbours_of(poly)).filter_map(|(edge, next)| Some((edge, next.as_poly()?)))
}

/// The corners of all pieces, grouped by polygon, and which of them are one vertex.
struct Seam {
    grid: PlanGrid,
    points: Vec<PlanPoint>,
    /// Range of each polygon in `points`, sorted there.
    of_poly: Vec<Range<usize>>,
    /// The vertex of each corner; until merging is finished, another corner of the same vertex.
    vertex: Vec<u32>,
}

impl Seam {
    fn of(polys: usize, pieces: &[Piece], grid: PlanGrid) -> Self {
        let mut seam = Self { grid, points: Vec::new(), of_poly: vec![0..0; polys], vertex: Vec::new() };
        for pieces in pieces.chunk_by(|a, b| a.poly == b.poly) {
            let mut own: Vec<PlanPoint> = pieces.iter().flat_map(|piece| piece.outline.iter().copied()).collect();
            own.sort_unstable_by_key(|p| (p.x, p.y));
            own.dedup();
            let first = seam.points.len();
            seam.points.append(&mut own);
            if let Some(range) = pieces.first().and_then(|piece| seam.of_poly.get_mut(piece.poly as usize)) {
                *range = first..seam.points.len();
            }
        }
        seam.vertex = (0..seam.points.len() as u32).collect();
        for range in seam.of_poly.clone() {
            seam.merge_rounded(range);
        }
        seam
    }

    /// Merges corners of a polygon that have the same position once rounded.
    fn merge_rounded(&mut self, range: Range<usize>) {
        let mut places: Vec<([i32; 2], u32)> = range.map(|i| (self.grid.rounded(self.points[i]), i as u32)).collect();
        places.sort_unstable();
        for pair in places.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            unite(&mut self.vertex, pair[0].1, pair[1].1);
        }
    }

    /// Merges corners of two polygons that coincide on the edge they share.
    fn merge_along(&mut self, edge: [PlanPoint; 2], polys: [u32; 2]) {
        let ranges = polys.map(|poly| self.of_poly[poly as usize].clone());
        let all = ranges.into_iter().flatten();
        let mut on: Vec<(i64, u32)> = all.filter_map(|i| Some((along(edge, self.points[i])?, i as u32))).collect();
        on.sort_unstable();
        for pair in on.windows(2) {
            let [(s, a), (t, b)] = [pair[0], pair[1]];
            let place = |corner: u32| self.grid.rounded(self.points[corner as usize]);
            if t - s <= SLACK || place(a) == place(b) {
                unite(&mut self.vertex, a, b);
            }
        }
    }

    /// Whether all corners lie on one edge, in the sense of [`along`]. Such a piece is dropped: its neighbours on both
    /// sides of the edge take over its corners and so touch each other.
    fn is_sliver(&self, corners: &[u32]) -> bool {
        let point = |v: u32| self.points[v as usize];
        let ends = corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&a, &b)| [point(a), point(b)]);
        let longest = ends.max_by_key(|&[a, b]| {
            let [dx, dz] = offset(a, b);
            dx * dx + dz * dz
        });
        longest.is_none_or(|edge| corners.iter().all(|&v| along(edge, point(v)).is_some()))
    }

    /// The vertices around a piece, including those on its edges; none for slivers. `shared` are the edges of its
    /// polygon that have a neighbour.
    fn outline_of(&self, piece: &Piece, shared: &[([PlanPoint; 2], u32)], outline: &mut Vec<u32>) {
        outline.clear();
        let range = self.of_poly[piece.poly as usize].clone();
        let own = &self.points[range.clone()];
        let vertex = |p: &PlanPoint| {
            let at = own.binary_search_by_key(&(p.x, p.y), |q| (q.x, q.y)).unwrap_or(0);
            self.vertex[range.start + at]
        };
        let corners: Vec<u32> = piece.outline.iter().map(vertex).collect();
        if self.is_sliver(&corners) {
            return;
        }
        let mut between = Vec::new();
        for (k, (&a, &b)) in piece.outline.iter().zip(piece.outline.iter().cycle().skip(1)).enumerate() {
            outline.push(corners[k]);
            between.clear();
            // Pieces of one polygon fit together exactly.
            let within = own.iter().filter(|&&p| lies_within([a, b], p));
            between.extend(within.filter_map(|p| Some((along([a, b], *p)?, vertex(p)))));
            // It may lie along several consecutive edges of the polygon: the cut drops corners on a straight line
            // unless a neighbour has them.
            for &(edge, next) in shared.iter().filter(|(edge, _)| are_in_line([a, b], *edge)) {
                for i in self.of_poly[next as usize].clone() {
                    let point = self.points[i];
                    if let Some(at) = along(edge, point).and(along([a, b], point))
                        && at > 0
                        && along([b, a], point).is_some_and(|back| back > 0)
                    {
                        between.push((at, self.vertex[i]));
                    }
                }
            }
            between.sort_unstable();
            outline.extend(between.iter().map(|(_, v)| *v).filter(|v| !corners.contains(v)));
        }
        outline.dedup();
        while outline.len() > 1 && outline.first() == outline.last() {
            outline.pop();
        }
    }
}

/// Whether two ends of two edges lie on the other edge, so that the edges share more than a point.
fn are_in_line(a: [PlanPoint; 2], b: [PlanPoint; 2]) -> bool {
    let on =
        |edge: [PlanPoint; 2], other: [PlanPoint; 2]| other.iter().filter(|&&end| along(edge, end).is_some()).count();
    on(a, b) + on(b, a) >= 2
}

/// Whether a point lies exactly on an edge, between its ends.
fn lies_within([a, b]: [PlanPoint; 2], p: PlanPoint) -> bool {
    let [dx, dz] = offset(a, b);
    let [px, pz] = offset(a, p);
    let at = dx * px + dz * pz;
    dx * pz == dz * px && at > 0 && at < dx * dx + dz * dz
}

/// The distance from an edge's start, in units, at which a point lies on the edge, if it does.
fn along([a, b]: [PlanPoint; 2], p: PlanPoint) -> Option<i64> {
    let [dx, dz] = offset(a, b);
    let [px, pz] = offset(a, p);
    let length_squared = dx * dx + dz * dz;
    let length = length_squared.isqrt();
    if length == 0 {
        return None;
    }
    let off = (dx * pz - dz * px) / length;
    let at = (dx * px + dz * pz) / length;
    (off.abs() <= SLACK && at >= -SLACK && at <= length + SLACK).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Aabb;
    use crate::tile::{TileCoord, test_sketch::sketch};

    fn p(x: i32, z: i32) -> PlanPoint {
        PlanPoint::new(x, z)
    }

    #[test]
    fn cuts_that_meet_on_an_edge_become_one_vertex_and_both_sides_share_all_vertices() {
        let tile = sketch(TileCoord::default(), "aa");
        let plan: Vec<PlanPoint> = tile.verts().iter().map(|v| p(v.x as i32 * 1000, v.z as i32 * 1000)).collect();
        let piece =
            |poly, points: &[(i32, i32)]| Piece { poly, outline: points.iter().rev().map(|&(x, z)| p(x, z)).collect() };
        let pieces = [
            // The left square cut in two at half its height, the right one at a little more than that and at 700.
            piece(0, &[(0, 0), (1000, 0), (1000, 500), (0, 500)]),
            piece(0, &[(0, 500), (1000, 500), (1000, 1000), (0, 1000)]),
            piece(1, &[(1000, 0), (2000, 0), (2000, 1000), (1000, 502)]),
            piece(1, &[(1000, 502), (2000, 1000), (1000, 700)]),
            piece(1, &[(1000, 700), (2000, 1000), (1000, 1000)]),
        ];
        let sewn = sew(&tile, (&plan, PlanGrid::covering(&Aabb::EMPTY, 1.0)), &pieces, Border::default());
        let counts: Vec<u16> = sewn.pieces.iter().map(|(count, _)| *count).collect();
        assert_eq!(counts, [4, 5, 4, 3, 3], "the upper left piece takes up the corner at 700");
        let mut on_the_edge: Vec<i32> = sewn.verts.iter().filter(|(v, _)| v[0] == 1000).map(|(v, _)| v[1]).collect();
        on_the_edge.sort_unstable();
        assert_eq!(on_the_edge, [0, 500, 700, 1000]);
    }
}
