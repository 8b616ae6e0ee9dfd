//! What searches are asked whose goal is not one point.

use super::{NodePlacement, PolyPoint, SearchLimits};
use crate::math::Aabb;

/// A path to the cheapest of several goals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestGoalRequest<'a, P = NodePlacement> {
    /// Where the path begins. From a point that is not finite there is none.
    pub start: PolyPoint,
    /// The goals. Those that are not finite are left out.
    pub goals: &'a [PolyPoint],
    /// How far the search may go.
    pub limits: SearchLimits,
    /// Where the search places its nodes on the portals. Default: [`NodePlacement::Middle`].
    pub placement: P,
}

impl<'a> NearestGoalRequest<'a> {
    /// From `start` to the cheapest of `goals`, without limits.
    #[must_use]
    pub fn new(start: PolyPoint, goals: &'a [PolyPoint]) -> Self {
        Self { start, goals, limits: SearchLimits::default(), placement: NodePlacement::default() }
    }
}

impl<'a, P> NearestGoalRequest<'a, P> {
    /// The same with another rule that places nodes.
    #[must_use]
    pub fn placed_by<Q>(self, placement: Q) -> NearestGoalRequest<'a, Q> {
        NearestGoalRequest { start: self.start, goals: self.goals, limits: self.limits, placement }
    }
}

/// A path into a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxGoalRequest<P = NodePlacement> {
    /// Where the path begins. From a point that is not finite there is none.
    pub start: PolyPoint,
    /// The box. Into an empty one there is no path. What lies in it is told by the corners of polygons: on hilly
    /// ground, make it some metres high.
    pub bounds: Aabb,
    /// How far the search may go.
    pub limits: SearchLimits,
    /// Where the search places its nodes on the portals. Default: [`NodePlacement::Middle`].
    pub placement: P,
}

impl BoxGoalRequest {
    /// From `start` into a box, without limits.
    #[must_use]
    pub fn new(start: PolyPoint, bounds: Aabb) -> Self {
        Self { start, bounds, limits: SearchLimits::default(), placement: NodePlacement::default() }
    }
}

impl<P> BoxGoalRequest<P> {
    /// The same with another rule that places nodes.
    #[must_use]
    pub fn placed_by<Q>(self, placement: Q) -> BoxGoalRequest<Q> {
        BoxGoalRequest { start: self.start, bounds: self.bounds, limits: self.limits, placement }
    }
}
