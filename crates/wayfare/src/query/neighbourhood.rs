//! The polygons around a place that do not lie over each other.
//!
//! On stairs and ramps the polygons within a radius may lie above one another. For steering, and for stamping things on
//! the plane, only one layer is wanted: outwards from the place, a polygon is taken unless it overlaps one that was
//! taken before. Polygons that share an edge do not overlap.
//!
//! Cost: the square of the polygons found, which are few.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010.

use super::flood::Beyond;
use super::{PolyPoint, QueryFilter, SearchScratch, flood};
use crate::math::{polygon, segment};
use crate::mesh::{NavMesh, PolyRef, StaleRef};

/// Overlaps thinner than this do not count, metres.
const SLACK: f32 = 1e-4;

/// The polygons reached from a place over portals within `radius` metres of it that do not overlap each other on the
/// plane, nearest by number of portals first; the place's own is the first.
///
/// # Errors
/// [`StaleRef`].
pub fn local_neighbourhood<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    place: PolyPoint,
    radius: f32,
    filter: &F,
    scratch: &mut SearchScratch,
) -> Result<Vec<PolyRef>, StaleRef> {
    let mut found = Vec::new();
    local_neighbourhood_into(mesh, place, radius, filter, scratch, &mut found)?;
    Ok(found)
}

/// [`local_neighbourhood`] into a list that keeps its memory.
///
/// # Errors
/// [`StaleRef`]; the list is then empty.
pub fn local_neighbourhood_into<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    place: PolyPoint,
    radius: f32,
    filter: &F,
    scratch: &mut SearchScratch,
    found: &mut Vec<PolyRef>,
) -> Result<(), StaleRef> {
    found.clear();
    let first = flood::begin(mesh, place.poly, place.point, scratch)?;
    let radius_squared = if radius > 0.0 { radius * radius } else { 0.0 };
    let SearchScratch { nodes, verts, ends, queue, .. } = scratch;
    verts.clear();
    ends.clear();
    queue.clear();
    queue.push(first);
    found.push(place.poly);
    if let Some(tile) = flood::tile_of(mesh, nodes, first) {
        verts.extend(tile.data().points_of(nodes.get(first).poly()));
        ends.push(verts.len() as u32);
    }
    let mut next = 0;
    while let Some(&index) = queue.get(next) {
        next += 1;
        let Some(tile) = flood::tile_of(mesh, nodes, index) else { continue };
        flood::for_each_way(mesh, (tile, nodes.get(index).poly()), |way| {
            let beyond = Beyond::of(&way, nodes);
            let is_near = || segment::is_within(place.point, way.a, way.b, radius_squared);
            if beyond.known.is_some() || !is_near() || !way.passes(filter) {
                return;
            }
            // Visited now, so that a polygon that overlaps is not tried again from elsewhere.
            let new = flood::add(nodes, &beyond, index, place.point, 0.0);
            let start = verts.len();
            verts.extend(way.tile.data().points_of(way.poly));
            let (taken, candidate) = verts.split_at(start);
            let mut from = 0;
            let overlaps = found.iter().zip(ends.iter()).any(|(&other, &end)| {
                let range = core::mem::replace(&mut from, end as usize)..end as usize;
                polygon::overlap(candidate, &taken[range], SLACK) && !way.tile.portals(way.poly).any(|p| p.to == other)
            });
            if overlaps {
                verts.truncate(start);
            } else {
                found.push(way.to);
                ends.push(verts.len() as u32);
                queue.push(new);
            }
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};
    use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
    use glam::Vec3;

    #[test]
    fn flat_ground_is_found_as_far_as_the_radius() {
        let mesh = mesh(&[((0, 0), "aaaaa\naaaaa\naaaaa"), ((1, 0), "aaaaa\naaaaa\naaaaa")]);
        let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
        let place = at(&mesh, (4.5, 1.5)).unwrap();
        let found = local_neighbourhood(&mesh, place, 0.6, &filter, &mut scratch).unwrap();
        assert_eq!((found.len(), found[0]), (5, place.poly));
        assert_eq!(local_neighbourhood(&mesh, place, 100.0, &filter, &mut scratch).unwrap().len(), 30);
    }

    #[test]
    fn of_two_layers_one_is_taken() {
        // Layer 1 lies over the first, and both are linked to the next tile, which lies between them.
        let tile = |x, layer, map| sketch(TileCoord { x, z: 0, layer }, map);
        let mut upper = tile(0, 1, "0");
        upper.verts.iter_mut().for_each(|v| v.y = 0.4);
        upper.bounds.max.y = 0.4;
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
        let mesh = NavMesh::from_tiles(layout, vec![tile(0, 0, "0"), upper, tile(1, 0, "0")]).unwrap();
        let place = at(&mesh, (1.5, 0.5)).unwrap();
        assert_eq!(mesh.poly(place.poly).unwrap().portals().count(), 2);
        let found =
            local_neighbourhood(&mesh, place, 9.0, &DefaultFilter::default(), &mut SearchScratch::new()).unwrap();
        assert_eq!(found.len(), 2);
    }
}
