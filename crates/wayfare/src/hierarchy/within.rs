//! A filter that leaves only some tiles open.
//!
//! Sources: none needed.

use crate::mesh::{PolyRef, PolyState};
use crate::query::{Crossing, QueryFilter};

/// Passes what another filter passes, within these tiles and on off-mesh connections between them.
pub(super) struct Within<'a, F: ?Sized> {
    pub(super) filter: &'a F,
    /// Slots, in order.
    pub(super) slots: &'a [u32],
}

impl<F: QueryFilter + ?Sized> QueryFilter for Within<'_, F> {
    #[inline]
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        (poly.is_off_mesh() || self.slots.binary_search(&poly.slot().get()).is_ok()) && self.filter.passes(poly, state)
    }

    #[inline]
    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        self.filter.cost(crossing)
    }

    fn least_cost(&self) -> f32 {
        self.filter.least_cost()
    }

    fn most_cost(&self) -> f32 {
        self.filter.most_cost()
    }
}
