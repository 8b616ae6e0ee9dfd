//! What can be reached by the flags of now, where the mesh keeps that up.
//!
//! Sources: none needed.

use super::QueryFilter;
use crate::components::Components;
use crate::mesh::{NavMesh, PolyRef};

/// The components that the mesh keeps for the filter's mask, and which of them a polygon is in. `None` if the mesh
/// keeps none, and for a polygon that is closed itself: an agent that stands on it may still leave it.
pub(crate) fn kept_from<'a, F: QueryFilter + ?Sized>(
    mesh: &'a NavMesh,
    filter: &F,
    from: PolyRef,
) -> Option<(&'a Components, u32)> {
    let kept = mesh.components_for(filter.mask()?)?;
    Some((kept, kept.component(from)?))
}
