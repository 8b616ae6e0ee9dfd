//! Rules for the flags of an area type's polygons, whatever tile they are in.

use super::{AREA_COUNT, AreaId, PolyFlags};

/// Flags by area type: a rule applies to all polygons of a type, including those of tiles added later. Polygons of
/// types without a rule keep the flags that they were baked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AreaRules([Option<PolyFlags>; AREA_COUNT]);

impl Default for AreaRules {
    fn default() -> Self {
        Self::NONE
    }
}

impl AreaRules {
    /// No rule.
    pub const NONE: Self = Self([None; AREA_COUNT]);

    /// The flags of polygons of a type, if there is a rule.
    #[must_use]
    pub fn flags(&self, area: AreaId) -> Option<PolyFlags> {
        self.0[area.index()]
    }

    /// Sets a rule, or removes it.
    pub fn set(&mut self, area: AreaId, flags: Option<PolyFlags>) {
        self.0[area.index()] = flags;
    }

    /// Whether there is no rule at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}
