//! Finds the distance to the nearest wall.
//!
//! Searches outwards from the polygon of the position, nearest portals first: the walls of each polygon shrink the
//! radius, and portals outside the radius are not crossed. When the nearest open portal is farther away than the
//! nearest wall, that wall is the answer.
//!
//! ```text
//!   |     .--.           only walls that can be seen by walking towards them count:
//!   |    ( p  )   |      those of other floors do not
//! ```
//!
//! Cost: the polygons within the distance to the wall.
//!
//! Sources: the query is Detour's `findDistanceToWall`; searching nearest first is ours.

use super::flood::{Adjacent, PolyFlood};
use super::scratch::SearchMemory;
use super::wall_segment::WallSegment;
use super::{PolyPoint, QueryFilter, SearchScratch, flood};
use crate::graph::{Fringe, Node, Order, SearchObserver, SearchSpace};
use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::tile::OutlineBlock;
use core::ops::ControlFlow;
use glam::Vec3;

/// The nearest wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestWall {
    /// Horizontal distance, metres.
    pub distance: f32,
    /// The nearest point of the wall.
    pub point: Vec3,
    /// The horizontal unit vector from that point to the given position; if the position is on the wall, the direction
    /// away from the wall.
    pub normal: Vec3,
    /// The wall segment.
    pub wall: WallSegment,
}

/// The nearest wall that can be reached over polygons that pass the filter; `None` if there is none within `max_radius`
/// metres.
///
/// # Errors
/// [`StaleRef`].
pub fn find_distance_to_wall<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    place: PolyPoint,
    max_radius: f32,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<Option<NearestWall>, StaleRef> {
    let center = place.point;
    let SearchScratch { memory: SearchMemory { nodes, open, .. }, observer } = scratch;
    let radius_squared = if max_radius > 0.0 { max_radius * max_radius } else { 0.0 };
    let mut space = WallSpace { mesh, filter, walls: NearWalls { center, radius_squared, nearest: None } };
    flood::run((mesh, place), &mut space, (nodes, &mut open.list, observer))?;
    let NearWalls { radius_squared, nearest, .. } = space.walls;
    Ok(nearest.map(|wall| {
        let point = segment::closest_point(center, wall.start, wall.end);
        let away = Vec3::new(center.x - point.x, 0.0, center.z - point.z);
        let normal = away.try_normalize().unwrap_or_else(|| segment::inward_normal(wall.start, wall.end));
        NearestWall { distance: radius_squared.sqrt(), point, normal, wall }
    }))
}

/// The polygons around a position, those over the nearest portals first.
struct WallSpace<'a, F: ?Sized> {
    mesh: &'a NavMesh,
    filter: &'a F,
    walls: NearWalls,
}

/// The nearest wall so far.
struct NearWalls {
    center: Vec3,
    /// Squared distance of the nearest wall so far.
    radius_squared: f32,
    nearest: Option<WallSegment>,
}

impl<F: QueryFilter + ?Sized> SearchSpace for WallSpace<'_, F> {
    type Key = PolyRef;
    const IMPROVES: bool = false;

    #[inline]
    fn expand<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        number: u32,
        node: Node<PolyRef>,
    ) -> ControlFlow<()> {
        flood::expand((self.mesh, self.filter), &mut self.walls, fringe, (number, node));
        ControlFlow::Continue(())
    }

    /// Portals may be found before a wall that shrinks the radius: they are checked again when they are expanded.
    #[inline]
    fn is_enough<Q: Order, O: SearchObserver<PolyRef>>(
        &self,
        _: &Fringe<'_, PolyRef, Q, O>,
        distance_squared: f32,
    ) -> bool {
        distance_squared > self.walls.radius_squared
    }
}

impl NearWalls {
    /// Whether a wall at a distance is nearer than all before.
    #[inline]
    fn is_nearest(&self, distance_squared: f32) -> bool {
        distance_squared < self.radius_squared || (self.nearest.is_none() && distance_squared <= self.radius_squared)
    }
}

impl<'a> PolyFlood<'a> for NearWalls {
    #[inline]
    fn is_near(&self, a: Vec3, b: Vec3) -> bool {
        segment::is_within(self.center, a, b, self.radius_squared)
    }

    /// The walls of a block are tested all at once, and then only the portals within the nearest of them one by one.
    #[inline]
    fn near_edges(&mut self, block: &OutlineBlock) -> u32 {
        let distances = block.distances_to(self.center);
        let ways = block.ways();
        let walls = block.edges() & !ways;
        if let Some((k, distance_squared)) = distances.least_of(walls)
            && self.is_nearest(distance_squared)
        {
            let edge = block.edge(k);
            self.radius_squared = distance_squared;
            self.nearest = Some(WallSegment { start: edge.start, end: edge.end });
        }
        distances.within(self.radius_squared) & ways
    }

    #[inline]
    fn wall(&mut self, _: u32, wall: WallSegment) {
        let distance_squared = segment::point_distance_squared(self.center, wall.start, wall.end);
        if self.is_nearest(distance_squared) {
            (self.radius_squared, self.nearest) = (distance_squared, Some(wall));
        }
    }

    /// The squared distance of the portal.
    #[inline]
    fn cost(&self, adjacent: &Adjacent<'a>, _: f32) -> f32 {
        segment::point_distance_squared(self.center, adjacent.a, adjacent.b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};

    fn ask(mesh: &NavMesh, place: (f32, f32), radius: f32) -> Option<NearestWall> {
        let place = at(mesh, place).unwrap();
        find_distance_to_wall(mesh, place, radius, &DefaultFilter::default(), &mut SearchScratch::new()).unwrap()
    }

    #[test]
    fn the_nearest_wall_may_be_some_polygons_away() {
        let mesh = mesh(&[((0, 0), "aaaaa\naaaaa\naaaaa\naaaaa"), ((1, 0), "a....\na....\na....\na....")]);
        let wall = ask(&mesh, (4.5, 2.25), 9.0).unwrap();
        assert_eq!((wall.distance, wall.point, wall.normal), (1.5, Vec3::new(6.0, 0.0, 2.25), Vec3::NEG_X));
        assert_eq!(ask(&mesh, (4.5, 2.25), 1.4), None);
        let on_it = ask(&mesh, (0.0, 1.25), 9.0).unwrap();
        assert_eq!((on_it.distance, on_it.normal), (0.0, Vec3::X));
    }

    #[test]
    fn walls_behind_walls_do_not_count() {
        let mesh = mesh(&[((0, 0), "aaaaaaa\naaa.aaa\naaaaaaa")]);
        let wall = ask(&mesh, (2.75, 0.5), 9.0).unwrap();
        assert_eq!(wall.distance, 0.5);
    }
}
