//! The goals that a search can have, and the most common one, a single point.
//!
//! ```text
//!   aim      the estimate of the rest of the path is the distance to it: the point of the goal nearest to a node
//!   wanted   what a search that ends elsewhere comes as near to as it can
//! ```
//!
//! If a goal cannot be reached, [the nearest reachable position](super::nearest_reachable) takes its place.
//!
//! Cost: a few instructions per call, except for goals of many points.
//!
//! Sources: none needed.

use super::nearest_reachable::nearest_reachable;
use super::scratch::SearchMemory;
use super::{PathRequest, PolyPoint, QueryFilter};
use crate::math::index::NONE;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use glam::Vec3;

/// The goal of a search.
pub(super) trait Goal {
    /// The point of the goal nearest to `p`: its distance is the estimate of the rest of the path.
    fn aim(&self, p: Vec3) -> Vec3;

    /// The point of the original goal nearest to `p`, to which a search that cannot reach it comes as near as possible.
    fn wanted(&self, p: Vec3) -> Vec3 {
        self.aim(p)
    }

    /// Whether this only replaces the original goal: reaching it is a partial success.
    fn is_substitute(&self) -> bool {
        false
    }

    /// Whether it may lie in several polygons. A path to its part in one of them may then be longer than a path through
    /// that polygon to another.
    const IS_SPREAD: bool = false;

    /// The polygon that contains it, with the tile's slot, if there is exactly one.
    fn only_poly(&self) -> Option<(u32, u32)> {
        None
    }

    /// The position of the goal in polygon `poly` of the tile in `slot`, for a path from `from`; `None` if it is not
    /// there.
    fn place_in(&self, mesh: &NavMesh, slot: u32, poly: u32, from: Vec3) -> Option<Vec3>;

    /// The position number `nth` of a goal that has several in one polygon. The filter may close the nearest, or charge
    /// more for it.
    fn nth_place_in(&self, _slot: u32, _poly: u32, _nth: usize) -> Option<Vec3> {
        None
    }

    /// Whether the search runs against the direction of travel, from where paths end to where they begin: connections
    /// are then entered where agents leave them.
    fn is_backwards(&self) -> bool {
        false
    }

    /// In a search against the direction of travel: connection number `nth` of those that can be used one way only and
    /// end in a polygon. The tiles list connections where agents enter them.
    fn nth_arrival(&self, _poly: PolyRef, _nth: usize) -> Option<PolyRef> {
        None
    }
}

/// One point on the mesh, or the nearest to it that can be reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointGoal {
    slot: u32,
    poly: u32,
    point: Vec3,
    wanted: Vec3,
    is_substitute: bool,
}

impl PointGoal {
    /// The goal of a request.
    pub(super) fn of<F: QueryFilter + ?Sized, P>(
        mesh: &NavMesh,
        request: &PathRequest<P>,
        filter: &F,
        memory: &mut SearchMemory,
    ) -> Result<Self, StaleRef> {
        let (tile, poly) = mesh.locate(request.goal.poly)?;
        let wanted = request.goal.point;
        if !wanted.is_finite() {
            return Ok(Self { slot: NONE, poly, point: wanted, wanted, is_substitute: false }); // Invalid.
        }
        Ok(match nearest_reachable(mesh, (request.start, request.goal), filter, &mut memory.components) {
            None => Self { slot: tile.slot().get(), poly, point: wanted, wanted, is_substitute: false },
            Some(PolyPoint { poly, point }) => {
                let slot = poly.slot().get();
                let poly = poly.poly().get();
                Self { slot, poly, point, wanted, is_substitute: true }
            }
        })
    }
}

impl PointGoal {
    /// Whether the requested goal cannot be reached, so that another place is searched instead, or is no place at all.
    pub(super) fn is_replaced(&self) -> bool {
        self.is_substitute || self.slot == NONE
    }
}

impl Goal for PointGoal {
    #[inline]
    fn aim(&self, _: Vec3) -> Vec3 {
        self.point
    }

    fn wanted(&self, _: Vec3) -> Vec3 {
        self.wanted
    }

    fn is_substitute(&self) -> bool {
        self.is_substitute
    }

    #[inline]
    fn only_poly(&self) -> Option<(u32, u32)> {
        Some((self.slot, self.poly))
    }

    #[inline]
    fn place_in(&self, _: &NavMesh, slot: u32, poly: u32, _: Vec3) -> Option<Vec3> {
        ((slot, poly) == (self.slot, self.poly)).then_some(self.point)
    }
}
