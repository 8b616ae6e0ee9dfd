//! Everything that a change must pass, in the order in which it fails fastest.

use crate::run::{root, run as run_with, works};
use crate::{audit, csharp, notices, oldest, package, packages, structure, tidy, wasm};
use std::fs;
use std::path::PathBuf;

/// The two commands that README.md gives to a newcomer. They are run as they stand there.
const TEST: &str = "cargo test --workspace";
const DEMO: &str = "cargo run --profile quick -p wayfare-cli -- demo";

pub(crate) fn run(slow: bool) -> Result<(), String> {
    let readme = fs::read_to_string(root().join("README.md")).map_err(|e| format!("README.md: {e}"))?;
    for command in [TEST, DEMO] {
        if !readme.lines().any(|line| line.trim() == command) {
            return Err(format!("README.md no longer gives the command `{command}`"));
        }
    }
    run_all(&[
        "cargo fmt --all --check",
        "cargo clippy --workspace --all-targets -- -D warnings",
        "cargo clippy -p wayfare --no-default-features --lib --examples -- -D warnings",
        // Who draws or streams meshes does not compile baking.
        "cargo check -p wayfare-draw -p wayfare-store --lib",
        "cargo clippy -p wayfare --all-targets --features rayon -- -D warnings",
    ])?;
    tidy::run()?;
    structure::run()?;
    csharp::run(true)?;
    packages::check_versions()?;
    notices::check()?;
    audit::run()?;
    package::make()?;
    oldest::run()?;
    run_all(&["cargo test -q -p wayfare --test layers", TEST])?;
    let strict = [("RUSTDOCFLAGS", "-D warnings")];
    for scope in ["--workspace", "-p wayfare --all-features", "-p wayfare --no-default-features"] {
        run_with(&format!("cargo doc --no-deps -q {scope}"), &strict)?;
    }
    run_all(&["cargo test --release -q -p wayfare-testkit", DEMO])?;
    wasm::run()?;
    if slow {
        run_line("cargo test --release -q -p wayfare-testkit --test large -- --ignored")?;
        run_line("cargo test --release -q -p wayfare --lib blocks -- --ignored")?;
        fuzz()?;
    }
    // A test that passes does not show what it prints.
    let data = std::env::var_os("WAYFARE_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    if !data.exists() {
        println!("\nskipped: what is held to other toolkits' levels, meshes and answers: no {}", data.display());
    }
    println!("\nall green");
    Ok(())
}

fn run_all(lines: &[&str]) -> Result<(), String> {
    lines.iter().try_for_each(|line| run_line(line))
}

fn run_line(line: &str) -> Result<(), String> {
    run_with(line, &[])
}

/// Rewrites the goldens.
pub(crate) fn bless() -> Result<(), String> {
    run_with("cargo test --release -q -p wayfare-testkit", &[("WAYFARE_BLESS", "1")])?;
    run_with("git --no-pager diff --stat -- testdata docs", &[])
}

/// Each fuzz target for a minute.
fn fuzz() -> Result<(), String> {
    if !works("cargo +nightly fuzz --version") {
        println!("\nskipped: fuzzing needs a nightly compiler and `cargo install cargo-fuzz`");
        return Ok(());
    }
    let dir = root().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let names = entries.filter_map(|e| e.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter_map(|n| n.strip_suffix(".rs").map(str::to_owned)).collect();
    names.sort();
    for name in names {
        let seeds = format!("fuzz/corpus/{name} fuzz/seeds/{name}");
        fs::create_dir_all(root().join("fuzz/corpus").join(&name)).map_err(|e| e.to_string())?;
        run_line(&format!(
            "cargo +nightly fuzz run {name} {seeds} -- -max_total_time=60 -timeout=20 -rss_limit_mb=4096"
        ))?;
    }
    Ok(())
}
