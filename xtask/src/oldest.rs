//! The oldest compiler that is promised, held to for the whole workspace.

use crate::run::{root, run as run_line, works};
use std::fs;

/// What tells users of it.
const READMES: [&str; 2] = ["README.md", "crates/wayfare/README.md"];

/// Compiles everything with it, and holds the READMEs to it; says so and succeeds where it is not installed.
pub(crate) fn run() -> Result<(), String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).map_err(|e| format!("Cargo.toml: {e}"))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let version = version.ok_or("Cargo.toml states no rust-version")?;
    for readme in READMES {
        let text = fs::read_to_string(root().join(readme)).map_err(|e| format!("{readme}: {e}"))?;
        if !text.contains(&format!("Needs Rust {version} or newer")) {
            return Err(format!("{readme} states another oldest compiler than Cargo.toml, which has {version}"));
        }
    }
    if !works(&format!("cargo +{version} --version")) {
        println!("\nskipped: the oldest compiler needs `rustup toolchain install {version} --profile minimal`");
        return Ok(());
    }
    // In a folder of its own: compilers throw away what others have compiled.
    let checked = "check --workspace --all-targets --all-features --locked --target-dir target/oldest -q";
    run_line(&format!("cargo +{version} {checked}"), &[])
}
