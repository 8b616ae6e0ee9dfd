//! Compares outputs with inputs and existing files: a level is not overwritten by its own mesh, and no file by another
//! kind of file.

use super::atomic_file::{self, behind_links, folder_of, name};
use super::kind::Kind;
use crate::dash::is_dash;
use crate::failure::{Failure, Result};
use std::path::{Path, PathBuf};

/// Refuses outputs that are inputs, duplicate outputs, and outputs where another kind of file exists or nothing can be
/// written.
pub(crate) fn check<'a>(outputs: &[(&Path, Kind)], inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    let places: Vec<PathBuf> = outputs.iter().map(|(path, _)| place(path)).collect();
    for (k, (path, _)) in outputs.iter().enumerate() {
        if places[..k].contains(&places[k]) {
            return Err(Failure::about(name(path), "two things would be written here: give one of them another file"));
        }
    }
    for input in inputs {
        let read = place(input);
        if !is_dash(input) && places.contains(&read) {
            return Err(Failure::about(
                input.display(),
                "this file is read, and would be overwritten: give the output another name",
            ));
        }
    }
    outputs.iter().try_for_each(|(path, kind)| {
        atomic_file::check(path)?;
        kind.check_replaced(path)
    })
}

/// A normalised path, with links resolved as when writing; for a file that does not exist yet, its folder's path and
/// its name.
fn place(path: &Path) -> PathBuf {
    if is_dash(path) {
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
        assert!(check(&[(&link, Kind::Way), (&file, Kind::Way)], []).is_err());
    }

    #[test]
    fn inputs_are_not_overwritten_and_outputs_do_not_meet() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let detour = concat!(env!("CARGO_MANIFEST_DIR"), "/src/../Cargo.toml");
        let refused = |outputs: &[&str], inputs: &[&str]| {
            let outputs: Vec<_> = outputs.iter().map(|path| (Path::new(path), Kind::Way)).collect();
            check(&outputs, inputs.iter().map(Path::new)).is_err()
        };
        assert!(refused(&[detour], &[manifest]));
        assert!(refused(&["new.way", "./new.way"], &[manifest]) && refused(&["-", "-"], &[]));
        assert!(!refused(&["new.way", "new.json"], &[manifest, "scene:stairs"]) && !refused(&["-"], &["-"]));
    }
}
