//! The reference's levels, for the tests that hold our stages to its figures.

use std::path::{Path, PathBuf};
use wayfare::Vec3;
use wayfare::input::TriMesh;

/// The folder of shared test data: beside the checkout, or where `WAYFARE_DATA` says.
pub(crate) fn data() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let path = std::env::var_os("WAYFARE_DATA").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let found = path.is_dir();
    if !found {
        println!("skipped: no data at {}", path.display());
    }
    found.then_some(path)
}

/// The level in an OBJ file: faces as fans, coordinates times `scale`.
pub(crate) fn load(path: &Path, scale: f32) -> TriMesh {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let c: Vec<f32> = words.take(3).map(|w| w.parse().unwrap()).collect();
                verts.push(Vec3::new(c[0], c[1], c[2]) * scale);
            }
            Some("f") => {
                let corner = |w: &str| w.split('/').next().unwrap().parse::<i64>().unwrap();
                let index = |i: i64| (if i < 0 { verts.len() as i64 + i } else { i - 1 }) as u32;
                let face: Vec<u32> = words.map(|w| index(corner(w))).collect();
                tris.extend((2..face.len()).map(|k| [face[0], face[k - 1], face[k]]));
            }
            _ => {}
        }
    }
    TriMesh::new(verts, tris).unwrap().0
}
