//! What the fuzz targets `obj` and `formats` check, as ordinary functions: inputs that they found run through them in
//! tests.

use crate::input::soup::Soup;
use crate::input::vox::{self, Palette};
use crate::input::{gltf, grid_map, gset, heightmap, ply, polyanya_mesh, read_obj, stl};
use std::path::Path;

/// Reads `data` as an OBJ file.
///
/// # Panics
/// If it is read, but a triangle names a vertex that does not exist.
pub fn obj(data: &[u8]) {
    if let Ok(soup) = read_obj(data) {
        check(&soup);
    }
}

/// Reads all but the first byte of `data` as a file of the kind that this byte names. Whether it could be read.
///
/// # Panics
/// If it is read, but is not sound.
pub fn formats(data: &[u8]) -> bool {
    let Some((kind, bytes)) = data.split_first() else { return false };
    let mut soup = Soup::new();
    let read = match kind {
        b's' => stl::read(bytes, &mut soup),
        b'p' => ply::read(bytes, &mut soup),
        // Buffers that lie beside the document are not there.
        b'g' => gltf::read(bytes, Path::new("/nowhere"), None, &mut soup),
        b'h' => heightmap::read(bytes, heightmap::Pixel { size: 1.0, height: 0.1 }, None)
            .and_then(|map| heightmap::triangulate(&map, &mut soup)),
        b'v' => vox::read(bytes, Palette { water: &[7], lava: &[9] }).map(drop),
        b'd' => core::str::from_utf8(bytes).map_err(|e| e.to_string()).and_then(gset::parse).map(drop),
        // What its polygons look like is for `wayfare check` to say.
        b'm' => polyanya_mesh::read(bytes).map(|mesh| drop(mesh.check())),
        b'a' => grid_map::read(bytes).map(|mesh| assert_eq!(mesh.check(), [])),
        _ => return false,
    };
    if read.is_ok() {
        check(&soup);
    }
    read.is_ok()
}

fn check(soup: &Soup) {
    let vertices = soup.verts.len() as u64;
    for tri in &soup.tris {
        assert!(tri.iter().all(|&v| u64::from(v) < vertices), "{tri:?} of {vertices} vertices");
    }
}
