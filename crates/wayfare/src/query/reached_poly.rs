//! A polygon found around a position.

use crate::mesh::PolyRef;

/// A polygon that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedPoly {
    /// The polygon.
    pub poly: PolyRef,
    /// The polygon from which it was entered; `None` for that of the start.
    pub parent: Option<PolyRef>,
    /// Cost of the path to it by the filter, over the middles of portals.
    pub cost: f32,
}
