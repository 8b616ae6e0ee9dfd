//! What connects with what: the connected components of a mesh, kept up as it changes.
//!
//! [`Components`] are computed of a mesh and [brought up to date](Components::update) with later versions of it, by its
//! [feed of changes](NavMesh::changes_since). Searches need them for goals that cannot be reached, so those of all
//! ground stand [beside each mesh](NavMesh::components), shared by its snapshots, once somebody has asked; and so do
//! those of the ground that some flags leave open, if [that is wanted](NavMesh::keep_components_for).

#[cfg(doc)]
use crate::mesh::NavMesh;

mod connected_components;
mod kept_components;
mod near_tree;
mod square;

pub use connected_components::Components;
