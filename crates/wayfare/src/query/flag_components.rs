//! Looks up what can be reached by the current flags, where the mesh keeps components for them.
//!
//! Sources: none needed.

use super::QueryFilter;
use crate::components::Components;
use crate::mesh::{NavMesh, PolyRef};

/// The components that the mesh keeps for the filter's mask, and the component of a polygon. `None` if the mesh keeps
/// none, and for a polygon that is itself closed: an agent standing on it may still leave it.
pub(crate) fn flag_components<'a, F: QueryFilter + ?Sized>(
    mesh: &'a NavMesh,
    filter: &F,
    from: PolyRef,
) -> Option<(&'a Components, u32)> {
    let kept = mesh.components_for(filter.mask()?)?;
    Some((kept, kept.component(from)?))
}
