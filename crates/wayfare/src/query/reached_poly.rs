//! What is found of a polygon around a place.

use crate::mesh::PolyRef;

/// A polygon that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedPoly {
    /// The polygon.
    pub poly: PolyRef,
    /// The one it was entered from; `None` for that of the start.
    pub parent: Option<PolyRef>,
    /// Cost of the way there by the filter, over the middles of portals.
    pub cost: f32,
}
