//! The walls near an agent.
//!
//! The polygons within its range that do not lie over each other, and of their walls the nearest, on whichever side.
//! They are looked up anew only when the agent has moved a part of that range, since walls do not move.
//!
//! ```text
//!    ____ agent __|            Polygons of another floor, reached by stairs near by, lie beside those of this one in plan,
//!   |=============|=======     and their walls across its doors. A wall of this floor is no higher above or below than
//!                 |_______     ground can rise from the agent to it.
//! ```
//!
//! Cost: the polygons within the range, every so many ticks.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010; Detour's
//! `dtLocalBoundary`.

use super::AgentParams;
use super::scratch::PhaseScratch;
use crate::avoid::Wall;
use crate::math::{plane, segment};
use crate::mesh::NavMesh;
use crate::query::{PolyPoint, QueryFilter, local_neighbourhood_into, wall_segments_into};
use glam::{Vec2, Vec3};

/// Ground rises no steeper than this on the way to a wall, metres a metre.
const STEEPEST: f32 = 1.0;

/// The nearest walls around a place.
#[derive(Clone, Debug)]
pub(super) struct Boundary {
    /// Where they were looked up; not finite if they are to be.
    center: Vec3,
    pub(super) walls: Vec<Wall>,
}

impl Default for Boundary {
    fn default() -> Self {
        Self { center: Vec3::NAN, walls: Vec::new() }
    }
}

impl Boundary {
    /// Looks the walls up anew next time.
    pub(super) fn forget(&mut self) {
        self.center = Vec3::NAN;
    }

    /// Looks up what walls the agent sees, if it has moved a quarter of its range away from where that was last done.
    pub(super) fn update<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        place: PolyPoint,
        params: &AgentParams,
        filter: &F,
        scratch: &mut PhaseScratch,
    ) {
        let (range, count) = (params.neighbour_range, params.max_walls as usize);
        let stale = range * 0.25;
        // Not a number of metres: never looked up.
        if plane::distance(place.point, self.center) <= stale {
            return;
        }
        self.center = place.point;
        self.walls.clear();
        let PhaseScratch { corridor, polys, walls, near, .. } = scratch;
        near.clear();
        if local_neighbourhood_into(mesh, place, range, filter, &mut corridor.search, polys).is_err() {
            return;
        }
        for &poly in polys.iter() {
            if wall_segments_into(mesh, poly, filter, walls).is_err() {
                continue;
            }
            for wall in walls.iter() {
                let nearest = segment::closest_point(place.point, wall.start, wall.end);
                let distance = plane::distance(place.point, nearest);
                // The agent comes nearer before it looks again.
                let rise = params.height * 0.5 + (distance - stale).max(0.0) * STEEPEST;
                if distance > range || (nearest.y - place.point.y).abs() > rise {
                    continue;
                }
                let wall = Wall { a: plane::xz(wall.start), b: plane::xz(wall.end) };
                let at = near.partition_point(|(other, _)| *other <= distance);
                if at < count {
                    near.insert(at, (distance, wall));
                    near.truncate(count);
                }
            }
        }
        self.walls.extend(near.iter().map(|(_, wall)| *wall));
    }

    /// Whether any wall is within `reach` of a place.
    pub(super) fn is_near(&self, at: Vec2, reach: f32) -> bool {
        self.walls.iter().any(|wall| wall.nearest(at).distance_squared(at) <= reach * reach)
    }
}
