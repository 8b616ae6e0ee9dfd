//! `cargo xtask engines`: builds and tests the plugins for game engines, each a workspace of its own.

use crate::run::{output, works};
use crate::tally::Tally;

const BEVY: &str = "bindings/bevy/Cargo.toml";
/// Bevy needs a newer compiler than the library; `rust-version` of its manifest says which.
const COMPILER: &str = "1.97.1";

/// Builds and tests those whose tools are here, and says which were skipped, and how many tests ran.
pub(crate) fn run() -> Result<(), String> {
    let mut tally = Tally::default();
    if works(&format!("cargo +{COMPILER} --version")) {
        bevy(&mut tally)?;
    } else {
        tally.skip(format!("Bevy needs `rustup toolchain install {COMPILER} --profile minimal`"));
    }
    tally.close("engines")
}

fn bevy(tally: &mut Tally) -> Result<(), String> {
    let bevy = format!("--locked --manifest-path {BEVY}");
    // Without Bevy's gizmos first: what a server takes.
    tally.line(&format!("cargo +{COMPILER} check -q {bevy} --no-default-features"), &[], 0);
    let listed = output(&format!("cargo +{COMPILER} test -q {bevy} -- --list"))?;
    let tests = listed.lines().filter(|line| line.ends_with(": test")).count();
    tally.line(&format!("cargo +{COMPILER} test -q {bevy}"), &[], u32::try_from(tests).unwrap_or(u32::MAX));
    for example in ["doors", "server", "walk target/bevy_walk.svg"] {
        tally.line(&format!("cargo +{COMPILER} run -q {bevy} --example {example}"), &[], 1);
    }
    Ok(())
}
