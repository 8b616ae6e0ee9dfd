//! The walls around a polygon: the stretches of its edges over which nobody may go.
//!
//! An edge leads nowhere, to one polygon of the same tile, or over links to any number of polygons of other tiles, each
//! along a stretch of its own. What no polygon that passes the filter lies beyond is wall:
//!
//! ```text
//!   a ======|-------|====|------- b      one border edge: wall, link, wall, link
//! ```
//!
//! Cost: linear in the polygon's edges; a border edge costs the square of its few links.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010 — what agents steer
//! along.

use super::QueryFilter;
use super::flood::{self, Visit, Way};
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use glam::Vec3;

/// A stretch of wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallSegment {
    /// Its ends, in the order of the polygon's corners: the polygon is to the right of `start` → `end`.
    pub start: Vec3,
    /// See `start`.
    pub end: Vec3,
}

/// The walls of a polygon, in the order of its corners: edges without neighbours, with neighbours that do not pass the
/// filter, and the stretches of tile borders where no tile goes on.
///
/// # Errors
/// [`StaleRef`].
pub fn wall_segments<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    poly: PolyRef,
    filter: &F,
) -> Result<Vec<WallSegment>, StaleRef> {
    let mut walls = Vec::new();
    wall_segments_into(mesh, poly, filter, &mut walls)?;
    Ok(walls)
}

/// [`wall_segments`] into a list that keeps its memory.
///
/// # Errors
/// [`StaleRef`]; the list is then empty.
pub fn wall_segments_into<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    poly: PolyRef,
    filter: &F,
    walls: &mut Vec<WallSegment>,
) -> Result<(), StaleRef> {
    walls.clear();
    let (tile, poly) = mesh.locate(poly)?;
    flood::for_each_edge(mesh, (tile, poly), filter, walls);
    Ok(())
}

impl<'a> Visit<'a> for Vec<WallSegment> {
    fn wall(&mut self, wall: WallSegment) {
        self.push(wall);
    }

    fn way(&mut self, _: &Way<'a>) {}
}

/// The parts of an edge that none of the `open` stretches covers.
pub(super) fn gaps(
    edge: WallSegment,
    open: &(impl Iterator<Item = [Vec3; 2]> + Clone),
    visit: &mut impl FnMut(WallSegment),
) {
    let (dx, dz) = (edge.end.x - edge.start.x, edge.end.z - edge.start.z);
    let length_squared = dx * dx + dz * dz;
    if length_squared <= 0.0 {
        return;
    }
    let along = |p: Vec3| ((p.x - edge.start.x) * dx + (p.z - edge.start.z) * dz) / length_squared;
    // Gaps shorter than a tenth of a millimetre are rounding.
    let least = 1e-4 / length_squared.sqrt();
    let (mut at, mut from) = (0.0, edge.start);
    while at < 1.0 - least {
        // The stretch that goes on from here the farthest, or begins next.
        let mut next: Option<(f32, Vec3, f32, Vec3)> = None;
        for [a, b] in open.clone() {
            let (start, end) = (along(a), along(b));
            if end <= at + least {
                continue;
            }
            let better = next.is_none_or(
                |(s, _, e, _)| {
                    if s <= at + least { start <= at + least && end > e } else { start < s }
                },
            );
            if better {
                next = Some((start, a, end, b));
            }
        }
        match next {
            None => {
                visit(WallSegment { start: from, end: edge.end });
                return;
            }
            Some((start, a, end, b)) => {
                if start > at + least {
                    visit(WallSegment { start: from, end: a });
                }
                (at, from) = (end, b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PolyFlags;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};

    fn walls(mesh: &NavMesh, place: (f32, f32)) -> Vec<[(f32, f32); 2]> {
        let poly = at(mesh, place).unwrap().poly;
        let found = wall_segments(mesh, poly, &DefaultFilter::default()).unwrap();
        found.iter().map(|w| [w.start, w.end].map(|p| (p.x, p.z))).collect()
    }

    #[test]
    fn edges_without_neighbours_and_with_closed_ones() {
        let mut mesh = mesh(&[((0, 0), "aa\na."), ((1, 0), "a.\na.")]);
        assert_eq!(walls(&mesh, (0.5, 0.5)), [[(0., 0.), (0., 1.)], [(1., 1.), (1., 0.)], [(1., 0.), (0., 0.)]]);
        assert_eq!(walls(&mesh, (1.5, 1.5)), [[(1., 2.), (2., 2.)], [(2., 1.), (1., 1.)]]);
        let beyond = at(&mesh, (2.5, 1.5)).unwrap().poly;
        mesh.set_flags(beyond, PolyFlags::NONE).unwrap();
        assert_eq!(walls(&mesh, (1.5, 1.5)).len(), 3);
    }

    #[test]
    fn stretches_between_links_are_walls() {
        let edge = WallSegment { start: Vec3::ZERO, end: Vec3::new(10.0, 0.0, 0.0) };
        let ask = |open: &[[f32; 2]]| {
            let mut found = Vec::new();
            let open = open.iter().map(|ends| ends.map(|x| Vec3::new(x, 0.0, 0.0)));
            gaps(edge, &open, &mut |w| found.push([w.start.x, w.end.x]));
            found
        };
        assert_eq!(ask(&[]), [[0., 10.]]);
        assert_eq!(ask(&[[0., 10.]]), [[0.0; 2]; 0]);
        assert_eq!(ask(&[[7., 9.], [1., 3.], [2., 4.]]), [[0., 1.], [4., 7.], [9., 10.]]);
        assert_eq!(ask(&[[0., 2.], [2., 10.]]), [[0.0; 2]; 0]);
        assert_eq!(ask(&[[1., 9.], [2., 3.]]), [[0., 1.], [9., 10.]]);
    }
}
