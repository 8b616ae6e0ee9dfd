//! Writes files that are either complete or absent.
//!
//! The bytes go to a temporary file beside the target (in the same folder, so on the same file system), which is
//! renamed to the target when everything is written. Readers of the target see the old content or the new, never part
//! of it; an error or Ctrl-C in between removes the temporary file, and the next program that writes there removes what
//! a killed one has left ([`part_file`]). Otherwise the target stays unchanged: a link keeps pointing to its file, and
//! a file keeps its permissions. A file without write permission is not replaced either.

use super::part_file;
use crate::dash::is_dash;
use crate::failure::{Failure, Result, is_disk_full};
use crate::interrupt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The name of a target in messages.
pub(crate) fn name(target: &Path) -> String {
    if is_dash(target) { "standard output".to_owned() } else { target.display().to_string() }
}

/// Writes `bytes` to `target`, or to standard output if it is `-`.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> Result<()> {
    if is_dash(target) {
        return print(bytes);
    }
    write_with(target, |file| file.write_all(bytes))
}

/// Writes bytes to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|e| Failure::io("standard output", &e))
}

/// Writes a file with `fill`, which may write any amount; there is nothing at `target` until it has succeeded.
pub(crate) fn write_with(target: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut file = Unfinished::begin(target)?;
    fill(&mut file).map_err(|e| about(target, &e))?;
    file.finish()
}

/// Fails if it is already clear that `target` cannot be written, so that this is reported before the work, not after
/// it.
pub(super) fn check(target: &Path) -> Result<()> {
    if is_dash(target) {
        return Ok(());
    }
    if target.is_dir() {
        return Err(Failure::about(target.display(), "cannot be written: it is a folder; give a file name"));
    }
    let behind = behind_links(target);
    if std::fs::metadata(&behind).is_ok_and(|there| there.permissions().readonly()) {
        return Err(Failure::about(target.display(), "cannot be written: the file there is read-only"));
    }
    std::fs::metadata(folder_of(&behind)).map(drop).map_err(|e| about(target, &e))
}

fn about(target: &Path, e: &io::Error) -> Failure {
    if is_disk_full(e) || e.kind() == io::ErrorKind::BrokenPipe {
        return Failure::io(name(target), e);
    }
    Failure::about(name(target), format_args!("cannot be written: {}", reason(e)))
}

/// A file being written. There is nothing at its target until it is [finished](Self::finish); if dropped before, it
/// leaves nothing.
pub(crate) struct Unfinished {
    target: PathBuf,
    to: To,
}

enum To {
    /// A temporary file beside the target.
    Beside(io::BufWriter<tempfile::NamedTempFile>),
    /// Devices and named pipes (`/dev/null`, `/dev/stdout`) are written to, not replaced; so is standard output.
    Through(io::BufWriter<Box<dyn Write + Send>>),
}

const BUFFER: usize = 1 << 16;

impl Unfinished {
    /// Begins to write a file, or to standard output if the target is `-`.
    pub(crate) fn begin(target: &Path) -> Result<Self> {
        check(target)?;
        let about = |e: io::Error| about(target, &e);
        let through = |to: Box<dyn Write + Send>| To::Through(io::BufWriter::with_capacity(BUFFER, to));
        if is_dash(target) {
            return Ok(Self { target: target.to_path_buf(), to: through(Box::new(io::stdout())) });
        }
        let target = behind_links(target);
        let there = std::fs::metadata(&target).ok();
        let writable = || std::fs::OpenOptions::new().write(true).open(&target).map_err(about);
        let to = match there {
            Some(there) if !there.is_file() => through(Box::new(writable()?)),
            there => {
                let permissions = match there {
                    Some(there) => {
                        writable()?;
                        Some(there.permissions())
                    }
                    None => new_file(),
                };
                let temporary = part_file::begin(folder_of(&target), permissions.as_ref()).map_err(about)?;
                To::Beside(io::BufWriter::with_capacity(BUFFER, temporary))
            }
        };
        Ok(Self { target, to })
    }

    /// The failure for a write error.
    pub(crate) fn failure(&self, e: &io::Error) -> Failure {
        about(&self.target, e)
    }

    /// Moves the file into place.
    pub(crate) fn finish(self) -> Result<()> {
        let target = self.target.clone();
        self.put().map_err(|e| about(&target, &e))
    }

    fn put(mut self) -> io::Result<()> {
        self.flush()?;
        let Self { target, to: To::Beside(buffered) } = self else { return Ok(()) };
        let temporary = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
        let path = temporary.path().to_path_buf();
        let outcome = temporary.persist(target).map(drop).map_err(|e| e.error);
        interrupt::finished(&path);
        outcome
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Beside(file) => file.write(bytes),
            To::Through(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Beside(file) => file.flush(),
            To::Through(out) => out.flush(),
        }
    }
}

/// Creates a folder and its parents.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|e| match e {
        e if is_disk_full(&e) => Failure::io(folder.display(), &e),
        e => Failure::about(folder.display(), format_args!("the folder cannot be made: {}", reason(&e))),
    })
}

fn reason(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "its folder does not exist".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::AlreadyExists => "a file of that name is there".into(),
        _ => e.to_string(),
    }
}

/// Temporary files are private to the user; a product gets the permissions of any other new file.
#[cfg(unix)]
fn new_file() -> Option<std::fs::Permissions> {
    // The user's umask is applied.
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file() -> Option<std::fs::Permissions> {
    None
}

/// The file to which a link, or a chain of links, points, whether or not it exists.
pub(super) fn behind_links(path: &Path) -> PathBuf {
    /// As many as operating systems follow.
    const LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(to) = std::fs::read_link(&path) else { break };
        path = folder_of(&path).join(to);
    }
    path
}

/// The folder that a file lies in.
pub(super) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("mesh.way");
        write(&target, b"old").unwrap();
        let failed = write_with(&target, |out| {
            out.write_all(b"new, but only half of i")?;
            Err(io::Error::other("the cable was pulled"))
        });
        assert!(matches!(failed, Err(Failure::Message(m)) if m.contains("the cable was pulled")));
        assert_eq!(std::fs::read(&target).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["mesh.way"]);
    }

    #[test]
    fn while_it_is_written_the_target_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("mesh.way");
        write_with(&target, |out| {
            out.write_all(b"all")?;
            out.flush()?;
            assert!(!target.exists());
            Ok(())
        })
        .unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"all");
        assert_eq!(names(folder.path()), ["mesh.way"]);
    }

    #[test]
    fn a_missing_folder_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let failed = write(&folder.path().join("no").join("mesh.way"), b"x");
        assert!(matches!(failed, Err(Failure::Message(m)) if m.contains("its folder does not exist")));
    }

    #[test]
    fn a_read_only_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("mesh.way");
        write(&target, b"old").unwrap();
        let mut permissions = std::fs::metadata(&target).unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&target, permissions).unwrap();
        assert!(matches!(write(&target, b"new"), Err(Failure::Message(m)) if m.contains("read-only")));
        assert_eq!(std::fs::read(&target).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link, chain] = ["mesh.way", "link.way", "chain.way"].map(|name| folder.path().join(name));
        symlink("mesh.way", &link).unwrap();
        symlink(&link, &chain).unwrap();
        // The link may be there before its file.
        write(&chain, b"one").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"one");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        write(&link, b"two").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
        assert!(link.is_symlink() && chain.is_symlink());
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
