//! Readers: a LEVEL (triangles), a MESH (a finished navigation mesh), or a world of blocks.

mod allowance;
mod beside;
mod concave;
mod facing;
pub(crate) mod gltf;
mod gltf_accessor;
mod gltf_buffers;
mod gltf_document;
pub(crate) mod grid_map;
#[cfg(test)]
mod growth_tests;
pub(crate) mod gset;
pub(crate) mod heightmap;
mod level;
pub(crate) mod mesh_file;
mod obj;
mod origin;
pub(crate) mod ply;
pub(crate) mod polyanya_mesh;
pub(crate) mod soup;
pub(crate) mod stl;
pub(crate) mod vox;
mod vox_scene;

pub(crate) use level::{Level, ending, is_level};
pub(crate) use obj::read_obj;
