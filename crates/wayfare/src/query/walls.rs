//! Finds the walls around a polygon: the parts of its edges that cannot be crossed.
//!
//! An edge leads nowhere, to one polygon of the same tile, or over links to any number of polygons of other tiles, each
//! over an interval of the edge. The parts without a neighbour that passes the filter are walls:
//!
//! ```text
//!   a ======|-------|====|------- b      one border edge: wall, link, wall, link
//! ```
//!
//! Cost: linear in the polygon's edges; a border edge costs the square of its few links.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010 — what agents steer
//! along.

use super::flood::{self, Adjacent, Visit};
use super::{QueryFilter, WallSegment};
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::tile::OutlineBlock;
use glam::Vec3;

/// The walls of a polygon, in the order of its corners: edges without neighbours, edges whose neighbours do not pass
/// the filter, and the parts of tile borders without a neighbouring tile.
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

/// Like [`wall_segments`], but fills an existing list.
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
    fn is_near(&self, _: Vec3, _: Vec3) -> bool {
        true
    }

    fn near_edges(&mut self, block: &OutlineBlock) -> u32 {
        block.edges()
    }

    fn wall(&mut self, wall: WallSegment) {
        self.push(wall);
    }

    fn adjacent(&mut self, _: &Adjacent<'a>) {}
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
}
