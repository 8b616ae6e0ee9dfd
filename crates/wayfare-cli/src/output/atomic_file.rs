//! Files that are either whole or not there.
//!
//! The bytes go to a temporary file beside the target (same folder, so the same file system), which is renamed onto the
//! target when all is written. Whoever reads the target sees the old content or the new, never half of it; an error or
//! Ctrl-C in between removes the temporary file.

use crate::failure::{Failure, Result};
use crate::interrupt;
use std::io::{self, Write};
use std::path::Path;

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
    let about = |e: io::Error| Failure::about(target.display(), format_args!("cannot be written: {}", reason(&e)));
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if target.is_dir() {
        return Err(Failure::about(target.display(), "cannot be written: it is a folder; give a file name"));
    }
    if std::fs::metadata(target).is_ok_and(|m| !m.is_file()) {
        return write_through(target, fill).map_err(about);
    }
    let temporary = tempfile::Builder::new().prefix(".wayfare-").suffix(".part").tempfile_in(folder).map_err(about)?;
    let path = temporary.path().to_path_buf();
    interrupt::begun(&path);
    let outcome = (|| {
        let mut buffered = io::BufWriter::with_capacity(1 << 16, temporary.as_file());
        fill(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        readable_by_all_who_may(temporary.as_file())?;
        temporary.persist(target).map(drop).map_err(|e| e.error)
    })();
    interrupt::finished(&path);
    outcome.map_err(about)
}

/// Devices and named pipes (`/dev/null`, `/dev/stdout`) are written to, not replaced.
fn write_through(target: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = io::BufWriter::new(std::fs::OpenOptions::new().write(true).open(target)?);
    fill(&mut out)?;
    out.flush()
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
