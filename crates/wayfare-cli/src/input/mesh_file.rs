//! A MESH of the command line, recognised by its first bytes.

use super::level::{ending, is_level, is_scene};
use super::store_file::{StoreRead, is_store_path};
use crate::dash;
use crate::failure::{Failure, Result};
use std::path::Path;
use wayfare::format::{DetourRefs, WayFile, is_detour_file};
use wayfare::mesh::NavMesh;
use wayfare_io::{ReadErrorKind, read_mesh_file};

const BAKE_FIRST: &str = "is a level, not a mesh: bake it first, with `wayfare bake LEVEL -o FILE.way`";
const UNKNOWN: &str = "is no navigation mesh known here: give a .way file or a .wayworld store, as `wayfare bake LEVEL -o FILE` writes it, a Detour file, a Polyanya mesh or a grid map";

/// Extensions of files that may be mistaken for a mesh.
const OTHER_ENDINGS: [&str; 7] = ["obj", "glb", "gltf", "bin", "png", "svg", "json"];

/// A mesh as it was read, and its source.
pub(crate) struct MeshRead {
    pub(crate) file: WayFile,
    /// Size on disk in bytes.
    pub(crate) size: u64,
    /// The bytes of the file, unless it is a store.
    bytes: Vec<u8>,
    /// The store from which it was read, if it was one.
    pub(crate) store: Option<StoreRead>,
}

/// Reads a mesh file.
pub(crate) fn read(path: &Path) -> Result<NavMesh> {
    read_file(path).map(|file| file.mesh)
}

/// Reads a mesh file, and the data kept beside the mesh. Broken tiles of a store are reported and left out.
pub(crate) fn read_file(path: &Path) -> Result<WayFile> {
    read_whole(path).map(told)
}

/// Reads a mesh file and, for a Detour file, the layout of references stored elsewhere.
pub(crate) fn read_with_refs(path: &Path) -> Result<(WayFile, Option<DetourRefs>)> {
    let read = read_whole(path)?;
    let refs = is_detour_file(&read.bytes).then(|| DetourRefs::of_file(&read.bytes).ok()).flatten();
    Ok((told(read), refs))
}

/// Reports broken tiles.
fn told(read: MeshRead) -> WayFile {
    let MeshRead { file, store, .. } = read;
    store.iter().for_each(StoreRead::warn);
    file
}

/// Reads a mesh file, standard input for `-`, or a store.
pub(crate) fn read_whole(path: &Path) -> Result<MeshRead> {
    let source = path.to_string_lossy();
    if is_scene(&source) {
        return Err(Failure::about(path.display(), BAKE_FIRST));
    }
    if is_store_path(path) {
        let (file, size, store) = StoreRead::load(path)?;
        return Ok(MeshRead { file, size, bytes: Vec::new(), store: Some(store) });
    }
    let bytes = dash::read(path)?;
    let unknown = if is_level(&source) { BAKE_FIRST } else { UNKNOWN };
    let file = read_mesh_file(&bytes).map_err(|error| match error.kind() {
        ReadErrorKind::UnknownFormat => Failure::about(path.display(), unknown),
        _ => Failure::about(path.display(), error),
    })?;
    Ok(MeshRead { file, size: bytes.len() as u64, bytes, store: None })
}

/// Fails if a mesh would be written under a name for another kind of file.
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
