//! Writes `include/wayfare.h` from the sources, or with `--check` says whether it is theirs:
//!
//! ```sh
//! cargo run -p wayfare-c-header [-- --check]
//! ```
//!
//! A package of its own, so that the library is not compiled for it, nor it for the library.

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut text = Vec::new();
    cbindgen::generate(&folder)?.write(&mut text);
    let text = String::from_utf8(text)?;
    let path = folder.join("include/wayfare.h");
    if !std::env::args().any(|arg| arg == "--check") {
        return Ok(fs::write(path, text)?);
    }
    let known = fs::read_to_string(path)?.replace("\r\n", "\n");
    let differing = known.lines().zip(text.lines()).find(|(known, now)| known != now);
    if known == text {
        return Ok(());
    }
    Err(format!("include/wayfare.h is not that of the sources (first difference: {differing:?}): write it by `cargo run -p wayfare-c-header`").into())
}
