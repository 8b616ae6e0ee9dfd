//! `cargo xtask engines`: builds and tests the plugins for game engines, each a workspace of its own.

use crate::run::{output, run as run_line, works};

const BEVY: &str = "bindings/bevy/Cargo.toml";
/// Bevy needs a newer compiler than the library; `rust-version` of its manifest says which.
const COMPILER: &str = "1.97.1";

/// Builds and tests those whose tools are here, and says which were skipped, and how many tests ran.
pub(crate) fn run() -> Result<(), String> {
    if !works(&format!("cargo +{COMPILER} --version")) {
        println!("\nskipped: Bevy needs `rustup toolchain install {COMPILER} --profile minimal`");
        println!("0 passed, 0 failed, 1 skipped");
        return Ok(());
    }
    // Without Bevy's gizmos first: what a server takes.
    run_line(&format!("cargo +{COMPILER} check -q --locked --manifest-path {BEVY} --no-default-features"), &[])?;
    run_line(&format!("cargo +{COMPILER} test -q --locked --manifest-path {BEVY}"), &[])?;
    for example in ["doors", "server"] {
        run_line(&format!("cargo +{COMPILER} run -q --locked --manifest-path {BEVY} --example {example}"), &[])?;
    }
    let walk = format!("cargo +{COMPILER} run -q --locked --manifest-path {BEVY} --example walk target/bevy_walk.svg");
    run_line(&walk, &[])?;
    let listed = output(&format!("cargo +{COMPILER} test -q --locked --manifest-path {BEVY} -- --list"))?;
    let tests = listed.lines().filter(|line| line.ends_with(": test")).count();
    println!("\nBevy: {tests} passed, 0 failed");
    Ok(())
}
