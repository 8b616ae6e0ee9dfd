//! Finds the polygons around a position that do not lie above each other.
//!
//! On stairs and ramps the polygons within a radius may lie above one another. For steering, and for drawing decals on
//! the surface, only one layer is wanted: outwards from the position, a polygon is taken unless it overlaps one that
//! was taken before. Polygons that share an edge do not overlap.
//!
//! Cost: quadratic in the polygons found, which are few.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010.

use super::scratch::SearchMemory;
use super::taken_polys::TakenPolys;
use super::{PolyPoint, QueryFilter, SearchScratch, flood};
use crate::graph::{Fringe, Known, Node, Order, SearchObserver, SearchSpace};
use crate::math::index::NONE;
use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use core::ops::ControlFlow;
use glam::Vec3;

/// The order in which a neighbourhood grows: of two polygons that overlap, the earlier one is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NeighbourhoodOrder {
    /// By the number of portals in between. The cheaper order.
    #[default]
    Portals,
    /// By distance: the distance from the position of the farthest portal on the path. If polygons differ much in size,
    /// such as small ones on a bridge over one large floor, this keeps the nearer ones.
    Distance,
}

/// Parameters for [`local_neighbourhood`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighbourhoodRequest {
    /// The position in the centre.
    pub place: PolyPoint,
    /// How far away portals may be, metres. Negative values and NaN count as zero.
    pub radius: f32,
    /// The order in which it grows and is listed. Default: [`NeighbourhoodOrder::Portals`].
    pub order: NeighbourhoodOrder,
}

impl NeighbourhoodRequest {
    /// Within `radius` metres of a position, in the order of portals.
    #[must_use]
    pub fn new(place: PolyPoint, radius: f32) -> Self {
        Self { place, radius, order: NeighbourhoodOrder::default() }
    }

    fn radius_squared(&self) -> f32 {
        if self.radius > 0.0 { self.radius * self.radius } else { 0.0 }
    }

    /// The same request in the order of distance.
    #[must_use]
    pub fn by_distance(self) -> Self {
        Self { order: NeighbourhoodOrder::Distance, ..self }
    }
}

/// The polygons that can be reached from a position over portals within a radius and that do not overlap each other in
/// the plane, in the requested order; the first is the polygon of the position itself.
///
/// # Errors
/// [`StaleRef`] if the position's polygon is not in the mesh.
pub fn local_neighbourhood<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &NeighbourhoodRequest,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<Vec<PolyRef>, StaleRef> {
    let mut found = Vec::new();
    local_neighbourhood_into(mesh, request, filter, scratch, &mut found)?;
    Ok(found)
}

/// Like [`local_neighbourhood`], but fills an existing list.
///
/// # Errors
/// [`StaleRef`] if the position's polygon is not in the mesh; the list is then empty.
pub fn local_neighbourhood_into<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &NeighbourhoodRequest,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    found: &mut Vec<PolyRef>,
) -> Result<(), StaleRef> {
    found.clear();
    let NeighbourhoodRequest { place, order, .. } = *request;
    let SearchScratch { memory: SearchMemory { nodes, open, queue, verts, outlines, .. }, observer } = scratch;
    let taken = TakenPolys::new(found, verts, outlines);
    let around = (place.point, request.radius_squared());
    match order {
        NeighbourhoodOrder::Portals => {
            let mut space = NeighbourSpace::<_, false> { mesh, filter, around, taken };
            flood::run((mesh, place), &mut space, (nodes, queue, observer))
        }
        NeighbourhoodOrder::Distance => {
            let mut space = NeighbourSpace::<_, true> { mesh, filter, around, taken };
            flood::run((mesh, place), &mut space, (nodes, &mut open.list, observer))
        }
    }
}

/// The polygons over portals near a position. With `BY_DISTANCE` this is Dijkstra's algorithm, where the length of a
/// path is the distance of its farthest portal; otherwise polygons are visited in the order they are found.
struct NeighbourSpace<'a, F: ?Sized, const BY_DISTANCE: bool> {
    mesh: &'a NavMesh,
    filter: &'a F,
    /// The position, and the squared distance within which portals must be.
    around: (Vec3, f32),
    taken: TakenPolys<'a>,
}

impl<F: QueryFilter + ?Sized, const BY_DISTANCE: bool> SearchSpace for NeighbourSpace<'_, F, BY_DISTANCE> {
    type Key = PolyRef;
    const IMPROVES: bool = BY_DISTANCE;

    #[inline]
    fn expand<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        number: u32,
        node: Node<PolyRef>,
    ) -> ControlFlow<()> {
        let (place, radius_squared) = self.around;
        let Some(tile) = node.tile(self.mesh) else { return ControlFlow::Continue(()) };
        if !self.taken.take(tile, node.poly()) {
            return ControlFlow::Continue(());
        }
        flood::for_each_adjacent(self.mesh, (tile, node.poly()), |adjacent| {
            let entry = adjacent.entry(fringe.nodes);
            let known = fringe.nodes.entries.known(entry);
            let may_be_nearer = BY_DISTANCE && matches!(known, Known::Open(_));
            if known != Known::New && !may_be_nearer {
                return;
            }
            if !segment::is_within(place, adjacent.a, adjacent.b, radius_squared) || !adjacent.passes(self.filter) {
                return;
            }
            let away = || segment::closest_point(place, adjacent.a, adjacent.b).distance(place).max(node.cost);
            let cost = if BY_DISTANCE { away() } else { node.cost + 1.0 };
            match known {
                Known::Open(other) => fringe.improve(other, (number, NONE), cost, 0.0),
                _ => fringe.open_unlimited(adjacent.node(entry, fringe.observer), number, cost),
            }
        });
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};
    use crate::tile::test_sketch::Drawing;
    use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};

    #[test]
    fn flat_ground_is_found_as_far_as_the_radius() {
        let mesh = mesh(&[((0, 0), "aaaaa\naaaaa\naaaaa"), ((1, 0), "aaaaa\naaaaa\naaaaa")]);
        let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
        let place = at(&mesh, (4.5, 1.5)).unwrap();
        let found = local_neighbourhood(&mesh, &NeighbourhoodRequest::new(place, 0.6), &filter, &mut scratch).unwrap();
        assert_eq!((found.len(), found[0]), (5, place.poly));
        assert_eq!(
            local_neighbourhood(&mesh, &NeighbourhoodRequest::new(place, 100.0), &filter, &mut scratch).unwrap().len(),
            30
        );
    }

    #[test]
    fn of_two_layers_one_is_taken() {
        // Layer 1 lies over the first, and both are linked to the next tile, which lies between them.
        let tile = |x, layer, map| sketch(TileCoord { x, z: 0, layer }, map);
        let upper = tile(0, 1, "0").edited(|upper| {
            upper.verts.iter_mut().for_each(|v| v.y = 0.4);
            upper.fit_bounds();
        });
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
        let mesh = NavMesh::from_tiles(layout, vec![tile(0, 0, "0"), upper, tile(1, 0, "0")]).unwrap();
        let place = at(&mesh, (1.5, 0.5)).unwrap();
        assert_eq!(mesh.poly(place.poly).unwrap().portals().count(), 2);
        let found = local_neighbourhood(
            &mesh,
            &NeighbourhoodRequest::new(place, 9.0),
            &DefaultFilter::default(),
            &mut SearchScratch::new(),
        )
        .unwrap();
        assert_eq!(found.len(), 2);
    }

    /// A long strip to the left of a square, and two small squares to its right: the strip is one portal away but
    /// farther than the first of the small ones, which are two portals apart.
    #[test]
    fn by_distance_the_nearer_comes_first() {
        let room = |low: f32, high: f32| [[low, 0.0], [low, 1.0], [high, 1.0], [high, 0.0]];
        let rooms = [room(0.0, 4.0), room(4.0, 6.0), room(6.0, 6.25), room(6.25, 6.5), room(6.5, 7.0)];
        let mesh = NavMesh::from_tile(Drawing::of_polygons(&rooms).alone()).unwrap();
        let place = at(&mesh, (5.75, 0.5)).unwrap();
        let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
        let mut ask = |request: NeighbourhoodRequest| -> Vec<u32> {
            let found = local_neighbourhood(&mesh, &request, &filter, &mut scratch).unwrap();
            found.iter().map(|poly| poly.poly().get()).collect()
        };
        let request = NeighbourhoodRequest::new(place, 9.0);
        assert_eq!(ask(request.by_distance()), [1, 2, 3, 4, 0]);
        assert!([[1, 0, 2, 3, 4], [1, 2, 0, 3, 4]].contains(&ask(request).try_into().unwrap()));
        assert_eq!(ask(NeighbourhoodRequest::new(place, 0.6).by_distance()), [1, 2, 3]);
    }
}
