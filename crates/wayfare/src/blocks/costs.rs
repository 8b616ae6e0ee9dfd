//! What areas cost.

use crate::area::{AREA_COUNT, AreaId};

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
    /// The same with another cost for `area`. Less than 1 counts as 1 (searches estimate by the straight line);
    /// infinite, or no number: the area is not entered.
    #[must_use]
    pub fn with(mut self, area: AreaId, cost: f32) -> Self {
        self.of[area.index()] = if cost.is_nan() { f32::INFINITY } else { cost.max(1.0) };
        self
    }

    /// The cost of an area; `None` if it is not entered.
    #[must_use]
    #[inline]
    pub fn of(&self, area: AreaId) -> Option<f32> {
        let cost = self.of[area.index()];
        cost.is_finite().then_some(cost)
    }
}
