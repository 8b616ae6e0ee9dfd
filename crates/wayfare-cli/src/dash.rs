//! `-` in place of a file: standard input where it is read, standard output where it is written.

use crate::failure::{Failure, Result};
use std::io::Read as _;
use std::path::Path;

/// Whether a name on the command line is `-`.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file, or standard input for `-`, to its end.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = if is_dash(path) {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    read.map_err(|e| Failure::io(path.display(), &e))
}
