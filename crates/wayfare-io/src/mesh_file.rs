//! Reads navigation meshes of any supported format, recognised by their first bytes.

use crate::ReadError;
use crate::grid_map::{is_grid_map, read_grid_map};
use crate::polyanya_mesh::{is_polyanya_mesh, read_polyanya_mesh};
use wayfare::format::{WayFile, is_detour_file, is_way_file};
use wayfare::mesh::NavMesh;

/// Reads a navigation mesh: a `.way` file, one of Detour's, a Polyanya mesh, or a grid map of the MovingAI benchmarks.
///
/// # Errors
/// [`ReadError`] if it is none of these, or broken.
pub fn read_mesh(bytes: &[u8]) -> Result<NavMesh, ReadError> {
    read_mesh_file(bytes).map(|file| file.mesh)
}

/// Like [`read_mesh`], with the data that a `.way` file keeps beside its mesh.
///
/// # Errors
/// [`ReadError`].
pub fn read_mesh_file(bytes: &[u8]) -> Result<WayFile, ReadError> {
    if bytes.is_empty() {
        return Err("the file is empty".into());
    }
    if is_way_file(bytes) {
        return WayFile::from_bytes(bytes).map_err(|e| e.to_string().into());
    }
    if is_detour_file(bytes) {
        return NavMesh::from_detour(bytes).map(WayFile::from).map_err(|e| e.to_string().into());
    }
    if is_polyanya_mesh(bytes) {
        return read_polyanya_mesh(bytes).map(WayFile::from);
    }
    if is_grid_map(bytes) {
        return read_grid_map(bytes).map(WayFile::from);
    }
    if bytes.starts_with(b"TSET") || bytes.starts_with(b"TEST") {
        return Err("these bytes are a tile cache of Detour, which holds layers from which a mesh is still to be built: give the set of tiles that was built from it".into());
    }
    Err(ReadError::unknown(
        "these bytes are no navigation mesh known here: give a .way file, a Detour file, a Polyanya mesh or a grid map",
    ))
}
