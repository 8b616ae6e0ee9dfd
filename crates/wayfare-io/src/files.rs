//! Files that a level refers to: buffers of a glTF document, the geometry of a `.gset`.

use crate::ReadError;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Maximum size of a file that is read as a whole.
const MAX_WHOLE: u64 = 1 << 31;

/// Provides the files that a level refers to.
pub trait Files {
    /// The bytes of a file, by its name relative to the level's own folder. If one file is requested twice, under the
    /// same or different names, return the same `Arc`: it then counts once.
    ///
    /// # Errors
    /// [`ReadError`], with a message that begins with what is wrong with the name.
    fn read(&mut self, name: &str) -> Result<Arc<[u8]>, ReadError>;
}

/// There are no other files: everything is in the level itself, as in a `.glb`.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, name: &str) -> Result<Arc<[u8]>, ReadError> {
        Err(missing(name))
    }
}

/// Files in memory by their names, such as those that were dropped onto a page together. Folders are separated by `/`.
impl Files for BTreeMap<String, Arc<[u8]>> {
    fn read(&mut self, name: &str) -> Result<Arc<[u8]>, ReadError> {
        self.get(name.strip_prefix("./").unwrap_or(name)).cloned().ok_or_else(|| missing(name))
    }
}

/// The folder of a level on disk.
///
/// A level may come from anyone, so it must not refer to other folders, nor to something that can be read without end:
/// only regular files are opened, in the folder or below it. Links are followed, since the owner of the folder has put
/// them there. No file above 2 GiB is read.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    read: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl Folder {
    /// The files in a folder or below it. Files that were read are kept in case they are requested again.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), read: BTreeMap::new() }
    }

    /// The folder in which a level lies.
    #[must_use]
    pub fn of(level: &Path) -> Self {
        Self::new(level.parent().unwrap_or(Path::new("")))
    }
}

impl Files for Folder {
    fn read(&mut self, name: &str) -> Result<Arc<[u8]>, ReadError> {
        let path = find(&self.path, name)?;
        let unreadable = |e: std::io::Error| ReadError::named_file(format!("\"{name}\" cannot be read: {e}"));
        let own = path.canonicalize().map_err(unreadable)?;
        if let Some(known) = self.read.get(&own) {
            return Ok(known.clone());
        }
        let (file, size) = open(&path).map_err(unreadable)?;
        if size > MAX_WHOLE {
            let message = format!("\"{name}\" has {size} bytes, more than the 2 GiB that are read: split it");
            return Err(ReadError::too_large(message));
        }
        let mut bytes = Vec::new();
        // A file may grow while it is read.
        file.take(size).read_to_end(&mut bytes).map_err(unreadable)?;
        let bytes: Arc<[u8]> = bytes.into();
        self.read.insert(own, bytes.clone());
        Ok(bytes)
    }
}

fn missing(name: &str) -> ReadError {
    ReadError::named_file(format!("\"{name}\" is missing: it must lie beside the file that names it"))
}

/// A file that a level in `folder` refers to.
fn find(folder: &Path, name: &str) -> Result<PathBuf, ReadError> {
    let within = below(folder, Path::new(name)).ok_or_else(|| {
        ReadError::named_file(format!(
            "\"{name}\" does not lie beside the file that names it or in a folder there, and nothing else is opened: move \
             it there"
        ))
    })?;
    let path = folder.join(within);
    // It is not opened before it is known to be a file: opening a pipe would wait for its writer.
    let about = fs::metadata(&path).map_err(|e| match e.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => missing(name),
        _ => ReadError::named_file(format!("\"{name}\" cannot be read: {e}")),
    })?;
    if about.is_file() {
        return Ok(path);
    }
    let kind = if about.is_dir() { "a folder" } else { "a pipe or a device" };
    Err(ReadError::named_file(format!("\"{name}\" is {kind}: only files are read")))
}

/// Opens a file that was [found](find), if it still is a file.
fn open(path: &Path) -> std::io::Result<(File, u64)> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(std::io::Error::other("it is no file any more"));
    }
    Ok((file, about.len()))
}

/// A name relative to a folder, without `..`; `None` if it leads out of the folder.
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
    fn only_files_are_read_and_links_are_followed() {
        let temporary = tempfile::tempdir().unwrap();
        let at = |name: &str| temporary.path().join(name);
        fs::write(at("floor.bin"), b"floor").unwrap();
        fs::create_dir(at("within")).unwrap();
        for (to, link) in [("floor.bin", "link.bin"), ("/dev/zero", "zero.bin"), ("nothing", "dangling.bin")] {
            std::os::unix::fs::symlink(to, at(link)).unwrap();
        }
        let mut folder = Folder::new(temporary.path());
        let linked = folder.read("link.bin").unwrap();
        assert_eq!(*linked, *b"floor");
        assert!(Arc::ptr_eq(&linked, &folder.read("within/../floor.bin").unwrap()), "one file, read once");
        let mut refused = |name: &str| folder.read(name).unwrap_err().to_string();
        assert!(refused("zero.bin").contains("a pipe or a device"));
        assert!(refused("within").contains("a folder"));
        assert!(refused("dangling.bin").contains("missing"));
        assert!(refused("floor.bin/x").contains("missing"));
        assert!(refused("../x").contains("nothing else is opened"));
    }
}
