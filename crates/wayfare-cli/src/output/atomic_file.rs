//! Files that are either whole or not there.
//!
//! The bytes go to a temporary file beside the target (same folder, so the same file system), which is renamed onto the
//! target when all is written. Whoever reads the target sees the old content or the new, never half of it; an error or
//! Ctrl-C in between removes the temporary file.

use crate::failure::{Failure, Result};
use crate::interrupt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Whether a target given on the command line means standard output.
pub(crate) fn is_stdout(target: &Path) -> bool {
    target.as_os_str() == "-"
}

/// Writes `bytes` to `target`, or to standard output if it is `-`.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> Result<()> {
    if is_stdout(target) {
        return print(bytes);
    }
    write_with(target, |file| file.write_all(bytes))
}

/// Writes bytes to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|e| Failure::io("standard output", &e))
}

/// Writes a file through `fill`, which may write as much as it likes; nothing is at `target` until it has succeeded.
pub(crate) fn write_with(target: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut file = Unfinished::begin(target)?;
    fill(&mut file).map_err(|e| about(target, &e))?;
    file.finish()
}

fn about(target: &Path, e: &io::Error) -> Failure {
    Failure::about(target.display(), format_args!("cannot be written: {}", reason(e)))
}

/// A file that is being written. Nothing is at its target until it is [finished](Self::finish); dropped before, it leaves nothing.
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
        let about = |e: io::Error| about(target, &e);
        let through = |to: Box<dyn Write + Send>| To::Through(io::BufWriter::with_capacity(BUFFER, to));
        if target.is_dir() {
            return Err(Failure::about(target.display(), "cannot be written: it is a folder; give a file name"));
        }
        let to = if is_stdout(target) {
            through(Box::new(io::stdout()))
        } else if std::fs::metadata(target).is_ok_and(|m| !m.is_file()) {
            through(Box::new(std::fs::OpenOptions::new().write(true).open(target).map_err(about)?))
        } else {
            let folder = match target.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            let temporary =
                tempfile::Builder::new().prefix(".wayfare-").suffix(".part").tempfile_in(folder).map_err(about)?;
            interrupt::begun(temporary.path());
            To::Beside(io::BufWriter::with_capacity(BUFFER, temporary))
        };
        Ok(Self { target: target.to_path_buf(), to })
    }

    /// Puts the file in its place.
    pub(crate) fn finish(self) -> Result<()> {
        let target = self.target.clone();
        self.put().map_err(|e| about(&target, &e))
    }

    fn put(mut self) -> io::Result<()> {
        self.flush()?;
        let Self { target, to: To::Beside(buffered) } = self else { return Ok(()) };
        let temporary = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
        let path = temporary.path().to_path_buf();
        readable_by_all_who_may(temporary.as_file())?;
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

/// Makes a folder and those above it.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|e| Failure::about(folder.display(), format_args!("the folder cannot be made: {}", reason(&e))))
}

fn reason(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "its folder does not exist".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull => "the disk is full".into(),
        _ => e.to_string(),
    }
}

/// Temporary files are made private to the user; a product gets the permissions of any other new file.
#[cfg(unix)]
fn readable_by_all_who_may(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all_who_may(_: &std::fs::File) -> io::Result<()> {
    Ok(())
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
}
