//! A filter that reads overlays.
//!
//! Each crossing costs what the inner filter says plus the overlays' costs along it. These are never negative, so a
//! metre never costs less than before: the estimate of a search stays a lower bound, and A\* is as exact as with the
//! inner filter.
//!
//! Cost: for each step of a search, the cells along it in each overlay.
//!
//! Sources: none needed.

use super::cost_overlay::CostOverlay;
use super::overlay_error::OverlayError;
use crate::area::FlagMask;
use crate::mesh::{PolyRef, PolyState};
use crate::query::{Crossing, QueryFilter};

/// A filter with overlays on top, each with a weight. The inner filter decides which polygons may be entered.
///
/// It holds overlays as they were when they were [added](Self::with). When they have changed, make a new one, which is
/// cheap.
///
/// Overlays count along the straight lines of a search, from the middle of one edge between polygons to the next. So
/// paint inside a large polygon affects only paths whose line crosses it, and no cost bends a path within a polygon.
/// The optimal search finds the shortest path by length, and takes that of A\* if it is cheaper; its bound holds, since
/// it is computed from the least cost of a metre. An off-mesh connection costs what is painted under the straight line
/// between its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlaid<F> {
    filter: F,
    overlays: Vec<(CostOverlay, f32)>,
}

impl<F: QueryFilter> Overlaid<F> {
    /// A filter that has no overlays yet.
    #[must_use]
    pub fn new(filter: F) -> Self {
        Self { filter, overlays: Vec::new() }
    }

    /// Adds an overlay as it is now. Its costs are multiplied by `weight`, 0 or above.
    ///
    /// # Errors
    /// [`OverlayError::Cost`] if the weight is below zero or not finite.
    pub fn with(mut self, overlay: &CostOverlay, weight: f32) -> Result<Self, OverlayError> {
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(OverlayError::Cost { cost: weight });
        }
        if weight > 0.0 && !overlay.is_clear() {
            self.overlays.push((overlay.clone(), weight));
        }
        Ok(self)
    }

    /// The inner filter.
    #[must_use]
    pub fn inner(&self) -> &F {
        &self.filter
    }
}

impl<F: QueryFilter> QueryFilter for Overlaid<F> {
    #[inline]
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        self.filter.passes(poly, state)
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        let costs =
            self.overlays.iter().map(|(overlay, weight)| weight * overlay.cost_along(crossing.from, crossing.to));
        costs.fold(self.filter.cost(crossing), |sum, cost| sum + cost)
    }

    #[inline]
    fn least_cost(&self) -> f32 {
        self.filter.least_cost()
    }

    fn most_cost(&self) -> f32 {
        self.overlays.iter().fold(self.filter.most_cost(), |sum, (overlay, weight)| sum + weight * overlay.most_cost())
    }

    #[inline]
    fn mask(&self) -> Option<FlagMask> {
        self.filter.mask()
    }
}
