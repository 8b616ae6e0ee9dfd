//! The manual as a site.

use crate::run::{run as run_line, works};

/// Builds `docs` with mdBook into `target/manual`, if mdBook is installed.
pub(crate) fn run() -> Result<(), String> {
    if !works("mdbook --version") {
        return Err("the manual's site is built by mdBook: cargo install --locked mdbook".to_owned());
    }
    run_line("mdbook build docs", &[])?;
    println!("\nmanual: open target/manual/index.html");
    Ok(())
}
