//! Costs of areas.

use crate::area::{AREA_COUNT, AreaId};

/// Sums of greater costs could overflow f32.
const DEAREST: f32 = 1e20;

/// The cost of each area, per metre. The default is 1 everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockCosts {
    of: [f32; AREA_COUNT],
}

impl Default for BlockCosts {
    fn default() -> Self {
        Self { of: [1.0; AREA_COUNT] }
    }
}

impl BlockCosts {
    /// The same costs, with another one for `area`. Costs below 1 count as 1 (searches estimate by straight-line
    /// distance), costs above 10²⁰ as 10²⁰. Infinity or NaN closes the area: it is not entered. An agent that starts in
    /// it may walk in it at cost 1 until it has left.
    #[must_use]
    pub fn with(mut self, area: AreaId, cost: f32) -> Self {
        let is_entered = !cost.is_nan() && cost != f32::INFINITY;
        self.of[area.index()] = if is_entered { cost.clamp(1.0, DEAREST) } else { f32::INFINITY };
        self
    }

    /// The cost of an area; `None` if it is closed.
    #[must_use]
    #[inline]
    pub fn of(&self, area: AreaId) -> Option<f32> {
        let cost = self.of[area.index()];
        cost.is_finite().then_some(cost)
    }

    /// Whether an agent that started in area `start` may have stepped from area `from` into area `to`.
    #[inline]
    pub(super) fn leads_back(&self, to: AreaId, from: AreaId, start: AreaId) -> bool {
        (self.of(from).is_some() || from == start) && self.across(from, to).is_some()
    }

    /// The cost of a metre on either side of a step from one area to another; `None` if the other is closed.
    #[inline]
    pub(super) fn across(&self, from: AreaId, to: AreaId) -> Option<[f32; 2]> {
        let here = self.of(from);
        let there = self.of(to).or((from == to).then_some(1.0))?;
        Some([here.unwrap_or(1.0), there])
    }
}
