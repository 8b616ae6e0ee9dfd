//! Requests for searches whose goal is not a single point.

use super::{NodePlacement, PolyPoint, SearchLimits};
use crate::math::Aabb;

/// A path to the cheapest of several goals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestGoalRequest<'a, P = NodePlacement> {
    /// Where the path begins. There is none from a point that is not finite.
    pub start: PolyPoint,
    /// The goals. Goals that are not finite are ignored.
    pub goals: &'a [PolyPoint],
    /// Limits of the search.
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
    /// The same request with another rule for placing nodes.
    #[must_use]
    pub fn placed_by<Q>(self, placement: Q) -> NearestGoalRequest<'a, Q> {
        NearestGoalRequest { start: self.start, goals: self.goals, limits: self.limits, placement }
    }
}

/// A path into a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxGoalRequest<P = NodePlacement> {
    /// Where the path begins. There is none from a point that is not finite.
    pub start: PolyPoint,
    /// The box. There is no path into an empty one. Only the corners of polygons decide what lies in the box: on hilly
    /// terrain, make it some metres high.
    pub bounds: Aabb,
    /// Limits of the search.
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
    /// The same request with another rule for placing nodes.
    #[must_use]
    pub fn placed_by<Q>(self, placement: Q) -> BoxGoalRequest<Q> {
        BoxGoalRequest { start: self.start, bounds: self.bounds, limits: self.limits, placement }
    }
}
