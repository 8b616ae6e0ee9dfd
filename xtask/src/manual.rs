//! The manual as a site, with the lab beside it.

use crate::lab;
use crate::run::{root, run as run_line, works};
use std::fs;

/// Builds `docs` with mdBook into `target/manual`, if mdBook is installed, and puts the lab's page into its folder
/// `lab`, where the pictures of the manual lead.
pub(crate) fn run() -> Result<(), String> {
    if !works("mdbook --version") {
        return Err("the manual's site is built by mdBook: cargo install --locked mdbook".to_owned());
    }
    run_line("mdbook build docs", &[])?;
    let page = root().join("target/manual/lab");
    match lab::web() {
        Ok(()) => copy(&page).map_err(|e| format!("{}: {e}", page.display()))?,
        Err(why) => println!("\nskipped: the lab beside the manual: {why}"),
    }
    println!("\nmanual: open target/manual/index.html; the lab needs a server of files");
    Ok(())
}

fn copy(to: &std::path::Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(lab::page())? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
