//! What is to be written, held against what is read: a level is not overwritten by its own mesh.

use super::atomic_file::{behind_links, folder_of, is_stdout};
use crate::failure::{Failure, Result};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// By so many bytes it is told what a file is.
const HEAD_BYTES: u64 = 256;

/// Refuses outputs that are one of the inputs, or the same place twice.
pub(crate) fn check<'a>(outputs: &[&Path], inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    let places: Vec<PathBuf> = outputs.iter().map(|path| place(path)).collect();
    for (k, path) in outputs.iter().enumerate() {
        if places[..k].contains(&places[k]) {
            let name = if is_stdout(path) { "standard output".into() } else { path.display().to_string() };
            return Err(Failure::about(name, "two things would be written here: give one of them another file"));
        }
    }
    for input in inputs {
        let read = place(input);
        if !is_stdout(input) && places.contains(&read) {
            return Err(Failure::about(
                input.display(),
                "this file is read, and would be overwritten: give the output another name",
            ));
        }
    }
    Ok(())
}

/// Fails if something would be written over a file that does not begin as it should: a level whose name was mistyped as
/// that of a product would be lost. Empty files, and what cannot be read, hold nothing to be lost.
pub(crate) fn check_replaced(path: &Path, is_own: impl Fn(&[u8]) -> bool, refusal: &str) -> Result<()> {
    if is_stdout(path) || !std::fs::metadata(path).is_ok_and(|there| there.is_file()) {
        return Ok(());
    }
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    if read.is_ok_and(|length| length > 0) && !is_own(&head) {
        return Err(Failure::about(path.display(), refusal));
    }
    Ok(())
}

/// The same of an OBJ file: this program names itself in the first line of those that it writes.
pub(crate) fn check_obj(path: &Path) -> Result<()> {
    let is_own = |head: &[u8]| {
        let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(first).contains("wayfare")
    };
    let refusal =
        "the file there was not written by wayfare, and is not overwritten: give another name, or remove that file";
    check_replaced(path, is_own, refusal)
}

/// A path without detours, behind links as it is written to; of a file that does not exist yet, that of its folder and
/// its name.
fn place(path: &Path) -> PathBuf {
    if is_stdout(path) {
        return path.into();
    }
    let path = behind_links(path);
    path.canonicalize().unwrap_or_else(|_| {
        let folder = folder_of(&path);
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.into());
        path.file_name().map_or_else(|| path.clone(), |name| folder.join(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_link_and_what_it_stands_for_are_one_place() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["new.json", "new.way"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("new.json", &link).unwrap();
        assert!(check(&[&link, &file], []).is_err());
    }

    #[test]
    fn inputs_are_not_overwritten_and_outputs_do_not_meet() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let detour = concat!(env!("CARGO_MANIFEST_DIR"), "/src/../Cargo.toml");
        let refused = |outputs: &[&str], inputs: &[&str]| {
            let outputs: Vec<&Path> = outputs.iter().map(Path::new).collect();
            check(&outputs, inputs.iter().map(Path::new)).is_err()
        };
        assert!(refused(&[detour], &[manifest]));
        assert!(refused(&["new.way", "./new.way"], &[manifest]) && refused(&["-", "-"], &[]));
        assert!(!refused(&["new.way", "new.json"], &[manifest, "scene:stairs"]) && !refused(&["-"], &["-"]));
    }
}
