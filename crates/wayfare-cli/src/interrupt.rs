//! Leaves no half-written file after Ctrl-C or a termination request: temporary files being written are listed here and
//! removed before the program ends. Finished files are moved into place by renaming, so they are always complete.
//! Stores keep what was committed, and their writers list the rest themselves.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on Ctrl-C, a termination request and the end of the terminal remove unfinished files and end the program.
/// If a handler cannot be installed, the system's default applies; then a temporary file may remain.
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

/// The same on systems without signal numbers.
#[cfg(not(unix))]
pub(crate) fn install() {
    const CTRL_C: i32 = 2;
    let _ = ctrlc::set_handler(|| end(CTRL_C));
}

/// Removes unfinished files and ends the program with the exit status for a signal: 130 after Ctrl-C.
fn end(signal: i32) -> ! {
    // The list stays locked until the end, so that no other thread creates a file that would not be removed.
    let mut files = unfinished();
    for path in files.drain(..) {
        let _ = std::fs::remove_file(path);
    }
    wayfare_store::abandon_writers();
    std::process::exit(128 + signal)
}

/// Creates a temporary file and lists it for removal, in one step.
pub(crate) fn begin(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut files = unfinished();
    let file = make()?;
    files.push(file.path().to_path_buf());
    Ok(file)
}

/// A path of a temporary file, which is removed when this is dropped, or when the program is interrupted.
pub(crate) struct Temporary(pub(crate) PathBuf);

impl Temporary {
    /// Lists a path, and removes what a killed program has left there: no other program may be writing it.
    pub(crate) fn new(path: PathBuf) -> Self {
        let mut files = unfinished();
        let _ = std::fs::remove_file(&path);
        files.push(path.clone());
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        finished(&self.0);
    }
}

/// Removes a temporary file from the list: it was moved into place or deleted.
pub(crate) fn finished(path: &Path) {
    unfinished().retain(|p| p != path);
}
