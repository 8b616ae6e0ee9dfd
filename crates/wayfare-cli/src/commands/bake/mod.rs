//! `wayfare bake LEVEL… -o MESH`

mod command;
mod mesh_baker;
mod stages;
mod store_baker;
mod warnings;

pub(super) use command::Bake;
pub(super) use mesh_baker::MeshBaker;
