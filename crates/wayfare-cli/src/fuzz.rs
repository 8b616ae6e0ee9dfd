//! What the fuzz target `obj` checks, as an ordinary function: inputs that it found run through it in tests.

use crate::input::read_obj;

/// Reads `data` as an OBJ file.
///
/// # Panics
/// If it is read, but a triangle names a vertex that does not exist.
pub fn obj(data: &[u8]) {
    let Ok(soup) = read_obj(data) else { return };
    let vertices = soup.verts.len() as u64;
    for tri in &soup.tris {
        assert!(tri.iter().all(|&v| u64::from(v) < vertices), "{tri:?} of {vertices} vertices");
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn what_fuzzing_found_is_read_or_refused() {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/obj");
        let mut count = 0;
        for entry in fs::read_dir(seeds).unwrap() {
            super::obj(&fs::read(entry.unwrap().path()).unwrap());
            count += 1;
        }
        assert!(count > 0, "fuzz/seeds/obj is empty");
    }
}
