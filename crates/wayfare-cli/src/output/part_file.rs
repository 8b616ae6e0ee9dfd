//! The temporary files that are written before they are renamed to their targets, named `.wayfare-` some letters
//! `.part`, and the removal of those left by killed programs.
//!
//! A killed program cannot remove its file. The next program that writes into the same folder does so, but never while
//! another program is still writing it: each file is locked by its writer, and the system releases the lock when a
//! program ends, however it ends. A file that can be locked has no writer.
//!
//! ```text
//!   writer      makes the file . . locks it . . is it still there? else makes another . . writes . . renames
//!   tidier                 locks it, if nobody has . . removes it . . unlocks it
//! ```
//!
//! Between being created and locked, a file looks abandoned, so its writer checks whether it is still there once it has
//! the lock. On file systems without locks, nothing is removed.

use crate::interrupt;
use std::fs::{self, OpenOptions, Permissions, TryLockError};
use std::io;
use std::path::Path;
use tempfile::NamedTempFile;

const PREFIX: &str = ".wayfare-";
const SUFFIX: &str = ".part";

/// Removes what killed programs have left in a folder, and creates a file there that others leave alone while it is
/// open.
pub(super) fn begin(folder: &Path, permissions: Option<&Permissions>) -> io::Result<NamedTempFile> {
    /// Each is only lost if another program cleans up at this very moment.
    const ATTEMPTS: u32 = 100;
    remove_left_behind(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    if let Some(permissions) = permissions {
        builder.permissions(permissions.clone());
    }
    for _ in 0..ATTEMPTS {
        let file = interrupt::begin(|| builder.tempfile_in(folder))?;
        let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if !is_taken && file.path().exists() {
            return Ok(file);
        }
        interrupt::finished(file.path());
    }
    Err(io::Error::other("other programs remove its temporary file"))
}

/// Files that cannot be read or removed are left: they may be another user's.
fn remove_left_behind(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_part = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if !is_part || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = OpenOptions::new().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            // Removed while locked: its writer, if it has only just created it, creates another.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_without_a_writer_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let written = begin(folder.path(), None).unwrap();
        for name in [".wayfare-abc123.part", ".wayfare-abc123.way", "wayfare.part", "level.part"] {
            fs::write(at(name), b"half a me").unwrap();
        }
        fs::create_dir(at(".wayfare-folder.part")).unwrap();
        let other = begin(folder.path(), None).unwrap();
        assert!(!at(".wayfare-abc123.part").exists(), "nobody writes it");
        assert!(written.path().exists() && other.path().exists(), "these are being written");
        for name in [".wayfare-abc123.way", "wayfare.part", "level.part", ".wayfare-folder.part"] {
            assert!(at(name).exists(), "{name} is none of ours");
        }
        drop((written, other));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    }
}
