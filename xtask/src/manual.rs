//! The manual as a site, with the lab beside it.

use crate::run::{root, run as run_line, works};
use crate::{lab, package};

/// Builds `docs` with mdBook into `target/manual`, if mdBook is installed, and puts the lab's page into its folder
/// `lab`, where the pictures of the manual lead.
pub(crate) fn run() -> Result<(), String> {
    if !works("mdbook --version") {
        return Err("the manual's site is built by mdBook: cargo install --locked mdbook".to_owned());
    }
    run_line("mdbook build docs", &[])?;
    let page = root().join("target/manual/lab");
    match lab::web() {
        Ok(()) => package::copy(&lab::page(), &page)?,
        Err(why) => println!("\nskipped: the lab beside the manual: {why}"),
    }
    println!("\nmanual: open target/manual/index.html; the lab needs a server of files");
    Ok(())
}
