//! Ctrl-C and requests to end leave no half-written file: temporary files that are being written are listed here and
//! removed before the program ends. Finished files are moved into place by renaming, so they are always whole.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Exit status of a program that was ended, as shells expect it of Ctrl-C.
const INTERRUPTED: i32 = 130;

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on Ctrl-C, a request to terminate and the end of the terminal remove unfinished files and end the program.
pub(crate) fn install() {
    // If a handler cannot be installed the system's default ends the program; then a temporary file may stay.
    let _ = ctrlc::set_handler(|| {
        for path in unfinished().drain(..) {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    });
}

/// Lists a temporary file for removal.
pub(crate) fn begun(path: &Path) {
    unfinished().push(path.to_path_buf());
}

/// Takes a temporary file off the list: it was moved into place or removed.
pub(crate) fn finished(path: &Path) {
    unfinished().retain(|p| p != path);
}
