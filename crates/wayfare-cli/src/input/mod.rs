//! Readers: a LEVEL (triangles), a MESH (a finished navigation mesh), or a world of blocks.

mod gltf;
mod gltf_accessor;
mod gltf_document;
mod grid_map;
mod gset;
mod heightmap;
mod level;
pub(crate) mod mesh_file;
mod obj;
mod ply;
mod polyanya_mesh;
mod soup;
mod stl;
pub(crate) mod vox;

pub(crate) use level::{Level, is_level};

/// Reads an OBJ file that is in memory.
pub(crate) fn read_obj(bytes: &[u8]) -> Result<soup::Soup, obj::ObjError> {
    let mut soup = soup::Soup::new();
    obj::read(bytes, &mut soup, |_| {})?;
    Ok(soup)
}
