//! The walls around an agent, on its own floor.
//!
//! ```text
//!    ____ agent __|            Polygons of another floor, reached by stairs near by, lie beside those of this one in plan,
//!   |=============|=======     and their walls across its doors. A wall of this floor is no higher above or below than
//!                 |_______     the surface can rise from the agent to it.
//! ```
//!
//! Cost: the polygons within the range.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010.

use crate::math::{plane, segment};
use crate::mesh::{NavMesh, PolyRef, PolyState};
use crate::query::{
    Crossing, NeighbourhoodRequest, PolyPoint, QueryFilter, SearchScratch, WallSegment, local_neighbourhood_into,
    wall_segments_into,
};

/// A surface is assumed to rise no steeper than this on the path to a wall, metres per metre.
const STEEPEST: f32 = 1.0;

/// Which walls are looked for.
pub(super) struct FloorWalls<'a, F: ?Sized> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a F,
    /// Where the agent is.
    pub(super) place: PolyPoint,
    /// How far they may be.
    pub(super) range: f32,
    /// How far the agent may move until they are looked for again.
    pub(super) moves: f32,
    /// Of the agent.
    pub(super) height: f32,
}

/// The filter of an agent that stands on a polygon which its own filter blocks, because a door has closed on it: the
/// agent may move there and leave, so the polygon's edges are not walls.
struct Leaving<'a, F: ?Sized> {
    filter: &'a F,
    from: PolyRef,
}

impl<F: QueryFilter + ?Sized> QueryFilter for Leaving<'_, F> {
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        poly == self.from || self.filter.passes(poly, state)
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        self.filter.cost(crossing)
    }
}

impl<F: QueryFilter + ?Sized> FloorWalls<'_, F> {
    /// Calls `found` with each wall and its distance in plan. False if there is no surface at the place.
    pub(super) fn each(
        &self,
        memory: &mut SearchScratch,
        (polys, walls): (&mut Vec<PolyRef>, &mut Vec<WallSegment>),
        mut found: impl FnMut(&WallSegment, f32),
    ) -> bool {
        let Self { mesh, filter, place, range, moves, height } = *self;
        if local_neighbourhood_into(mesh, &NeighbourhoodRequest::new(place, range), filter, memory, polys).is_err() {
            return false;
        }
        let own = Leaving { filter, from: place.poly };
        for &poly in polys.iter() {
            if wall_segments_into(mesh, poly, &own, walls).is_err() {
                continue;
            }
            for wall in walls.iter() {
                let nearest = segment::closest_point(place.point, wall.start, wall.end);
                let distance = plane::distance(place.point, nearest);
                let rise = height * 0.5 + (distance - moves).max(0.0) * STEEPEST;
                if distance <= range && (nearest.y - place.point.y).abs() <= rise {
                    found(wall, distance);
                }
            }
        }
        true
    }
}
