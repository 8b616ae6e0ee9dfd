//! Writes `include/wayfare.h` from the sources, or with `--check` says whether it is theirs, and whether the C++ classes call
//! all of it:
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
        return all_in_classes(&text, &fs::read_to_string(folder.join("include/wayfare.hpp"))?);
    }
    Err(format!("include/wayfare.h is not that of the sources (first difference: {differing:?}): write it by `cargo run -p wayfare-c-header`").into())
}

/// Whether C++ has a method for every function: one that is left out can be called by nobody who works with classes.
fn all_in_classes(header: &str, classes: &str) -> Result<(), Box<dyn Error>> {
    let called: Vec<&str> = names(classes).collect();
    let missing: Vec<&str> = header
        .lines()
        .filter(|line| !line.starts_with("//"))
        .flat_map(names)
        .filter(|name| !called.contains(name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("include/wayfare.hpp calls none of these functions of the header: {missing:?}").into())
}

/// The names of functions that stand in a text, each as often as it stands there.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| word.starts_with("wayfare_"))
}
