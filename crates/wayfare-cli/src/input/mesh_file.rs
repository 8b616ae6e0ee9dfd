//! A MESH of the command line, told apart by its first bytes.

use super::level::{ending, is_level, is_scene};
use crate::dash;
use crate::failure::{Failure, Result};
use std::path::Path;
use wayfare::mesh::{DetourRefs, NavMesh, is_detour_file};
use wayfare_io::{ReadErrorKind, read_mesh};

const BAKE_FIRST: &str = "is a level, not a mesh: bake it first, with `wayfare bake LEVEL -o FILE.way`";
const UNKNOWN: &str = "is no navigation mesh known here: give a .way file, as `wayfare bake LEVEL -o FILE.way` writes it, a Detour file, a Polyanya mesh or a grid map";

/// Endings of files that a mesh might be mistaken for.
const OTHER_ENDINGS: [&str; 7] = ["obj", "glb", "gltf", "bin", "png", "svg", "json"];

/// Reads a mesh file.
pub(crate) fn read(path: &Path) -> Result<NavMesh> {
    read_sized(path).map(|(mesh, _)| mesh)
}

/// Reads a mesh file, or standard input for `-`, and tells how many bytes it has.
pub(crate) fn read_sized(path: &Path) -> Result<(NavMesh, u64)> {
    read_bytes(path).map(|(mesh, bytes)| (mesh, bytes.len() as u64))
}

/// Reads a mesh file, and what references to it mean that were stored elsewhere, if it is Detour's.
pub(crate) fn read_with_refs(path: &Path) -> Result<(NavMesh, Option<DetourRefs>)> {
    let (mesh, bytes) = read_bytes(path)?;
    Ok((mesh, is_detour_file(&bytes).then(|| DetourRefs::of_file(&bytes).ok()).flatten()))
}

fn read_bytes(path: &Path) -> Result<(NavMesh, Vec<u8>)> {
    let source = path.to_string_lossy();
    if is_scene(&source) {
        return Err(Failure::about(path.display(), BAKE_FIRST));
    }
    let bytes = dash::read(path)?;
    let unknown = if is_level(&source) { BAKE_FIRST } else { UNKNOWN };
    let mesh = read_mesh(&bytes).map_err(|error| match error.kind() {
        ReadErrorKind::UnknownFormat => Failure::about(path.display(), unknown),
        _ => Failure::about(path.display(), error),
    })?;
    Ok((mesh, bytes))
}

/// Fails if a mesh is to be written under a name that says something else.
pub(crate) fn check_name(path: &Path) -> Result<()> {
    if OTHER_ENDINGS.contains(&ending(path).as_str()) {
        return Err(Failure::about(
            path.display(),
            "a mesh is written as .way: give it that ending; `wayfare convert` makes other formats of it, `wayfare draw` \
             a picture",
        ));
    }
    Ok(())
}
