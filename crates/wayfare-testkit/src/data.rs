//! The data of `../shared/data`: levels, meshes and answers of other toolkits. Where a file is missing, `skipped` is
//! printed and nothing is given: a test that needs it passes without having looked.

use serde_json::Value;
use std::path::PathBuf;
use wayfare::Vec3;
use wayfare::input::TriMesh;
use wayfare::mesh::NavMesh;

/// Where a file or folder of the data is: below the folder that `WAYFARE_DATA` names, else below `shared/data` beside
/// the checkout.
#[must_use]
pub fn path(name: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let path = std::env::var_os("WAYFARE_DATA").map_or_else(beside, PathBuf::from).join(name);
    let is_there = path.exists();
    if !is_there {
        println!("skipped: {} is missing", path.display());
    }
    is_there.then_some(path)
}

/// The bytes of a file.
///
/// # Panics
/// If it is there and cannot be read.
#[must_use]
pub fn bytes(name: &str) -> Option<Vec<u8>> {
    path(name).map(|path| std::fs::read(&path).unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// What a JSON file says.
///
/// # Panics
/// If it is no JSON.
#[must_use]
pub fn json(name: &str) -> Option<Value> {
    bytes(name).map(|bytes| serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// A mesh in a file of Detour's.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn detour_mesh(name: &str) -> Option<NavMesh> {
    bytes(name).map(|bytes| NavMesh::from_detour(&bytes).unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// The level in an OBJ file, made `scale` times as large. Faces are cut into fans; materials and objects are not looked
/// at (the program's reader is another package's, above this one).
///
/// # Panics
/// If the file is no OBJ file or holds no level.
#[must_use]
pub fn level(name: &str, scale: f32) -> Option<TriMesh> {
    let text = String::from_utf8(bytes(name)?).unwrap_or_else(|e| panic!("{name}: {e}"));
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let wrong = || -> ! { panic!("{name}: {line}") };
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f32> = words.take(3).map(|w| w.parse().unwrap_or_else(|_| wrong())).collect();
                verts.push(Vec3::new(numbers[0], numbers[1], numbers[2]) * scale);
            }
            Some("f") => {
                let number = |w: &str| w.split('/').next().and_then(|w| w.parse().ok()).unwrap_or_else(|| wrong());
                // Numbers below 0 count from the last vertex.
                let index = |i: i64| (if i < 0 { verts.len() as i64 + i } else { i - 1 }) as u32;
                let face: Vec<u32> = words.map(|w| index(number(w))).collect();
                tris.extend((2..face.len()).map(|k| [face[0], face[k - 1], face[k]]));
            }
            _ => {}
        }
    }
    Some(TriMesh::new(verts, tris).unwrap_or_else(|e| panic!("{name}: {e}")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_missing_is_nothing() {
        assert_eq!(super::path("no such file"), None);
        assert!(super::level("no such file", 1.0).is_none());
    }
}
