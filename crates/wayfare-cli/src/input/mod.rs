//! Readers: a LEVEL (triangles), a MESH (a finished navigation mesh), or a world of blocks.

mod concave;
mod facing;
mod gltf;
mod gltf_accessor;
mod gltf_document;
mod grid_map;
mod gset;
mod heightmap;
mod level;
pub(crate) mod mesh_file;
mod obj;
mod origin;
mod ply;
mod polyanya_mesh;
mod soup;
mod stl;
pub(crate) mod vox;

pub(crate) use level::{Level, ending, is_level};
pub(crate) use obj::read_obj;
