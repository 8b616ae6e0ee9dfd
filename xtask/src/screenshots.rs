//! The pictures of the documents, drawn by the program.

use crate::run::{root, run as run_line};
use std::fs;

/// The demo's picture, which README.md shows.
pub(crate) fn run() -> Result<(), String> {
    run_line("cargo run --release -q -p wayfare-cli -- demo --quiet --out target/demo", &[])?;
    let pictures = root().join("docs/pictures");
    fs::create_dir_all(&pictures).map_err(|e| format!("{}: {e}", pictures.display()))?;
    let picture = root().join("target/demo/dungeon.png");
    fs::copy(&picture, pictures.join("demo.png")).map_err(|e| format!("{}: {e}", picture.display()))?;
    Ok(())
}
