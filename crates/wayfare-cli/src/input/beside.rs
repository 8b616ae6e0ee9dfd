//! Files that a level names: buffers of a glTF document, the geometry of a `.gset`.
//!
//! A level may come from anyone, so what it names must not reach into other folders of its reader, nor be a thing that
//! is read without end: only regular files are opened, at or below the level's own folder. Links are followed, for they
//! were put there by whoever owns the folder.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// A file that a level in `folder` names.
pub(super) fn find(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let within = below(folder, Path::new(name)).ok_or_else(|| {
        format!(
            "\"{name}\" does not lie beside the file that names it or in a folder there, and nothing else is opened: move \
             it there"
        )
    })?;
    let path = folder.join(within);
    // Not opened before it is known to be a file: opening a pipe waits for whoever writes to it.
    let about = fs::metadata(&path).map_err(|e| match e.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            format!("\"{name}\" is missing: it must lie beside the file that names it")
        }
        _ => format!("\"{name}\" cannot be read: {e}"),
    })?;
    if about.is_file() {
        return Ok(path);
    }
    let kind = if about.is_dir() { "a folder" } else { "a pipe or a device" };
    Err(format!("\"{name}\" is {kind}: only files are read"))
}

/// Opens a file that was [found](find), if it is still one.
pub(super) fn open(path: &Path) -> std::io::Result<(File, u64)> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(std::io::Error::other("it is no file any more"));
    }
    Ok((file, about.len()))
}

/// A name as it leads down from a folder, without `..`; `None` if it leads out of it.
fn below(folder: &Path, name: &Path) -> Option<PathBuf> {
    let whole = || Some((std::path::absolute(folder).ok()?, name));
    let name = if name.is_absolute() { whole().and_then(|(own, name)| name.strip_prefix(own).ok())? } else { name };
    let mut within = PathBuf::new();
    for part in name.components() {
        match part {
            Component::Normal(part) => within.push(part),
            Component::CurDir => {}
            Component::ParentDir => {
                if !within.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_down_or_nowhere() {
        let below = |name: &str| below(Path::new("/levels/a"), Path::new(name));
        assert_eq!(below("./b/../c/d.bin"), Some(PathBuf::from("c/d.bin")));
        assert_eq!(below("/levels/a/d.bin"), Some(PathBuf::from("d.bin")));
        for out in ["../d.bin", "b/../../d.bin", "/levels/d.bin", "/levels/a/../d.bin", "/levels/ab/d.bin"] {
            assert_eq!(below(out), None, "{out}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn only_files_are_found_and_links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("floor.bin"), b"floor").unwrap();
        fs::create_dir(at("within")).unwrap();
        for (to, link) in [("floor.bin", "link.bin"), ("/dev/zero", "zero.bin"), ("nothing", "dangling.bin")] {
            std::os::unix::fs::symlink(to, at(link)).unwrap();
        }
        let found = |name: &str| find(folder.path(), name);
        assert_eq!(open(&found("link.bin").unwrap()).unwrap().1, 5);
        assert!(found("zero.bin").unwrap_err().contains("a pipe or a device"));
        assert!(found("within").unwrap_err().contains("a folder"));
        assert!(found("dangling.bin").unwrap_err().contains("missing"));
        assert!(found("floor.bin/x").unwrap_err().contains("missing"));
        assert!(found("../x").unwrap_err().contains("nothing else is opened"));
    }
}
