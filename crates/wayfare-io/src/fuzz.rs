//! The checks of the fuzz targets `obj` and `formats`, as ordinary functions: inputs found by fuzzing run through them
//! in tests.

use crate::{
    NoFiles, Palette, PixelSize, ReadError, TriangleSoup, gltf, heightmap, obj, ply, read_grid_map, read_gset,
    read_polyanya_mesh, read_vox, stl,
};

/// Reads `data` as an OBJ file.
///
/// # Panics
/// If it can be read, but a triangle refers to a vertex that does not exist.
pub fn obj_file(data: &[u8]) {
    let mut soup = TriangleSoup::new();
    if obj::read(data, &mut soup, |_| {}).is_ok() {
        check(&soup);
    }
}

/// Reads all but the first byte of `data` as a file of the kind selected by that byte. Returns whether it could be
/// read.
///
/// # Panics
/// If it can be read, but is invalid.
pub fn formats(data: &[u8]) -> bool {
    let Some((kind, bytes)) = data.split_first() else { return false };
    let mut soup = TriangleSoup::new();
    let read = match kind {
        b's' => stl::read(bytes, &mut soup),
        b'p' => ply::read(bytes, &mut soup),
        // External buffers are not available.
        b'g' => gltf::read(bytes, &mut NoFiles, &mut soup),
        b'h' => heightmap::read(bytes, PixelSize { size: 1.0, height: 0.1 }, None)
            .and_then(|map| heightmap::triangulate(&map, &mut soup)),
        b'v' => read_vox(bytes, Palette { water: &[7], lava: &[9] }).map(drop),
        b'd' => core::str::from_utf8(bytes).map_err(|e| ReadError::from(e.to_string())).and_then(read_gset).map(drop),
        // The quality of its polygons is for `wayfare check` to judge.
        b'm' => read_polyanya_mesh(bytes).map(|mesh| drop(mesh.check())),
        b'a' => read_grid_map(bytes).map(|mesh| assert_eq!(mesh.check(), [])),
        _ => return false,
    };
    if read.is_ok() {
        check(&soup);
    }
    read.is_ok()
}

fn check(soup: &TriangleSoup) {
    let vertices = soup.verts.len() as u64;
    for tri in &soup.tris {
        assert!(tri.iter().all(|&v| u64::from(v) < vertices), "{tri:?} of {vertices} vertices");
    }
}
