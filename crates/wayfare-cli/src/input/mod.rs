//! Readers: a LEVEL (triangles) or a MESH (a finished navigation mesh).

mod gltf;
mod gltf_accessor;
mod gltf_document;
mod gset;
mod heightmap;
mod level;
pub(crate) mod mesh_file;
mod obj;
mod ply;
mod soup;
mod stl;

pub(crate) use level::Level;
