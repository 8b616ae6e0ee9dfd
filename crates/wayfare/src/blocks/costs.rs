//! What areas cost.

use crate::area::{AREA_COUNT, AreaId};

/// Costs above this would add up to more than f32 can tell from infinity.
const DEAREST: f32 = 1e20;

/// How dear each area is: a metre in it counts as so many. The default is 1 everywhere.
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
    /// The same with another cost for `area`. Less than 1 counts as 1 (searches estimate by the straight line), more
    /// than 10²⁰ as that; infinite, or no number: the area is not entered. Who stands in it already walks on in it, as
    /// if it cost 1, until he is out of it.
    #[must_use]
    pub fn with(mut self, area: AreaId, cost: f32) -> Self {
        let is_entered = !cost.is_nan() && cost != f32::INFINITY;
        self.of[area.index()] = if is_entered { cost.clamp(1.0, DEAREST) } else { f32::INFINITY };
        self
    }

    /// The cost of an area; `None` if it is not entered.
    #[must_use]
    #[inline]
    pub fn of(&self, area: AreaId) -> Option<f32> {
        let cost = self.of[area.index()];
        cost.is_finite().then_some(cost)
    }

    /// Whether somebody who began in the area `start` may have come from one area to another.
    #[inline]
    pub(super) fn leads_back(&self, to: AreaId, from: AreaId, start: AreaId) -> bool {
        (self.of(from).is_some() || from == start) && self.across(from, to).is_some()
    }

    /// What a metre costs on either side of a step from one area to another; `None` if the other is not entered.
    #[inline]
    pub(super) fn across(&self, from: AreaId, to: AreaId) -> Option<[f32; 2]> {
        let here = self.of(from);
        let there = self.of(to).or((from == to).then_some(1.0))?;
        Some([here.unwrap_or(1.0), there])
    }
}
