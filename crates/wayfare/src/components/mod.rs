//! The connected components of a mesh, kept up to date as it changes.
//!
//! [`Components`] are computed from a mesh and [updated](Components::update) to later versions of it with its [feed of
//! changes](NavMesh::changes_since). Searches need them for unreachable goals, so the components of all polygons are
//! stored [with each mesh](NavMesh::components), shared by its snapshots, once something has asked for them; and so are
//! those of the polygons that some flags leave open, [on request](NavMesh::keep_components_for).

#[cfg(doc)]
use crate::mesh::NavMesh;

mod connected_components;
mod kept_components;
mod near_tree;
mod square;

pub use connected_components::Components;
