//! Ctrl-C and requests to end leave no half-written file: temporary files that are being written are listed here and
//! removed before the program ends. Finished files are moved into place by renaming, so they are always whole.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on Ctrl-C, a request to terminate and the end of the terminal remove unfinished files and end the program.
/// If a handler cannot be installed the system's default ends it; then a temporary file may stay.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    });
}

/// The same where the system has no numbers for requests.
#[cfg(not(unix))]
pub(crate) fn install() {
    const CTRL_C: i32 = 2;
    let _ = ctrlc::set_handler(|| end(CTRL_C));
}

/// Removes unfinished files and ends the program as shells expect it of one that a signal ended: 130 after Ctrl-C.
fn end(signal: i32) -> ! {
    // The list stays locked until the end, so that no other thread makes a file that nobody would remove.
    let mut files = unfinished();
    for path in files.drain(..) {
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(128 + signal)
}

/// Makes a temporary file and lists it for removal, in one.
pub(crate) fn begin(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut files = unfinished();
    let file = make()?;
    files.push(file.path().to_path_buf());
    Ok(file)
}

/// Takes a temporary file off the list: it was moved into place or removed.
pub(crate) fn finished(path: &Path) {
    unfinished().retain(|p| p != path);
}
