//! A MESH of the command line, told apart by its first bytes.

use super::{grid_map, polyanya_mesh};
use crate::failure::{Failure, Result};
use std::path::Path;
use wayfare::mesh::{NavMesh, is_detour_file, is_way_file};

/// Reads a mesh file.
pub(crate) fn read(path: &Path) -> Result<NavMesh> {
    let bytes = std::fs::read(path).map_err(|e| Failure::io(path.display(), &e))?;
    from_bytes(&bytes).map_err(|message| Failure::about(path.display(), message))
}

fn from_bytes(bytes: &[u8]) -> std::result::Result<NavMesh, String> {
    if is_way_file(bytes) {
        return NavMesh::from_bytes(bytes).map_err(|e| e.to_string());
    }
    if is_detour_file(bytes) {
        return NavMesh::from_detour(bytes).map_err(|e| e.to_string());
    }
    if polyanya_mesh::is_polyanya(bytes) {
        return polyanya_mesh::read(bytes);
    }
    if grid_map::is_grid_map(bytes) {
        return grid_map::read(bytes);
    }
    Err("is no navigation mesh known here: give a .way file, as `wayfare bake LEVEL -o FILE.way` writes it, a Detour file, a Polyanya mesh or a grid map".into())
}
