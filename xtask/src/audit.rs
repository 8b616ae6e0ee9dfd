//! Dependencies held to `deny.toml`.

use crate::run::{run as run_line, works};

/// Checks licences, sources, bans and known faults; says so and succeeds where a tool or the list of faults is missing.
pub(crate) fn run() -> Result<(), String> {
    if !works("cargo deny --version") {
        println!("\nskipped: the audit of dependencies needs `cargo install --locked cargo-deny`");
        return Ok(());
    }
    run_line("cargo deny --locked --all-features check bans licenses sources", &[])?;
    if !works("cargo deny --locked fetch db") {
        println!("\nskipped: known faults of dependencies: their list cannot be fetched");
        return Ok(());
    }
    run_line("cargo deny --locked --all-features check --disable-fetch advisories", &[])
}
