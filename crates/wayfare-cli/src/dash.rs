//! `-` in place of a file: standard input for reading, standard output for writing.

use crate::failure::{Failure, Result};
use std::io::Read as _;
use std::path::Path;

/// Whether a name on the command line is `-`.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses standard input for a level: its format would be unknown.
pub(crate) fn check_level(level: &str) -> Result<()> {
    if level != "-" {
        return Ok(());
    }
    Err(Failure::new(
        "a level cannot be read from standard input, since the ending of a file's name tells its format: write it to a file \
         first, such as level.obj, and give that",
    ))
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
