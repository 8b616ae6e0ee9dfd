//! `cargo xtask engines`: builds and tests the plugins for game engines, each a workspace of its own.

use crate::run::{output, root, run as run_line, works};
use std::process::Command;

const BEVY: &str = "bindings/bevy/Cargo.toml";
const GODOT: &str = "bindings/godot/Cargo.toml";
/// Bevy needs a newer compiler than the library; `rust-version` of its manifest says which.
const COMPILER: &str = "1.97.1";
/// The exit status of `bindings/godot/godot` where there is no Godot.
const NO_GODOT: i32 = 77;

/// What was done, for the last lines.
#[derive(Default)]
struct Tally {
    passed: usize,
    skipped: Vec<String>,
}

impl Tally {
    fn skip(&mut self, what: String) {
        println!("\nskipped: {what}");
        self.skipped.push(what);
    }

    /// Runs the tests of a workspace, and counts them.
    fn tests(&mut self, cargo: &str, manifest: &str) -> Result<(), String> {
        run_line(&format!("{cargo} test -q --locked --manifest-path {manifest}"), &[])?;
        let listed = output(&format!("{cargo} test -q --locked --manifest-path {manifest} -- --list"))?;
        self.passed += listed.lines().filter(|line| line.ends_with(": test")).count();
        Ok(())
    }
}

/// Builds and tests one engine's plugin, or all; says which were skipped, and how many tests ran.
pub(crate) fn run(only: Option<&str>) -> Result<(), String> {
    let mut tally = Tally::default();
    if only.is_none_or(|only| only == "bevy") {
        bevy(&mut tally)?;
    }
    if only.is_none_or(|only| only == "godot") {
        godot(&mut tally)?;
    }
    tally.skipped.iter().for_each(|what| println!("skipped: {what}"));
    println!("\n{} passed, 0 failed, {} skipped", tally.passed, tally.skipped.len());
    Ok(())
}

fn bevy(tally: &mut Tally) -> Result<(), String> {
    let cargo = format!("cargo +{COMPILER}");
    if !works(&format!("{cargo} --version")) {
        tally.skip(format!("Bevy: it needs `rustup toolchain install {COMPILER} --profile minimal`"));
        return Ok(());
    }
    // Without Bevy's gizmos first: what a server takes.
    run_line(&format!("{cargo} check -q --locked --manifest-path {BEVY} --no-default-features"), &[])?;
    tally.tests(&cargo, BEVY)?;
    for example in ["doors", "server", "stream", "walk target/bevy_walk.svg"] {
        let example = example.replacen(' ', " -- ", 1);
        run_line(&format!("{cargo} run -q --locked --manifest-path {BEVY} --example {example}"), &[])?;
    }
    Ok(())
}

fn godot(tally: &mut Tally) -> Result<(), String> {
    run_line(&format!("cargo build -q --locked --manifest-path {GODOT}"), &[])?;
    tally.tests("cargo", GODOT)?;
    let Some(last) = in_godot("--headless --fixed-fps 60 --script res://test.gd")? else {
        tally.skip("Godot: its tests, the demo and the editor's part: see above where a Godot is to be had".into());
        return Ok(());
    };
    let passed = last.strip_suffix(" passed, 0 failed").and_then(|count| count.parse::<usize>().ok());
    tally.passed += passed.ok_or_else(|| format!("bindings/godot: {last}"))?;
    in_godot("--headless --fixed-fps 60 --script res://record.gd -- FOLDER").map(drop)
}

/// Runs Godot on the project, and gives the last line that says something; `None` if there is no Godot.
fn in_godot(arguments: &str) -> Result<Option<String>, String> {
    println!("\n$ bindings/godot/godot {arguments}");
    let program = root().join("bindings/godot/godot");
    let done =
        Command::new(program).args(arguments.split(' ')).output().map_err(|e| format!("bindings/godot/godot: {e}"))?;
    let text = String::from_utf8_lossy(&done.stdout);
    print!("{text}");
    if done.status.code() == Some(NO_GODOT) {
        return Ok(None);
    }
    if !done.status.success() {
        return Err(format!("failed: godot {arguments}\n{}", String::from_utf8_lossy(&done.stderr)));
    }
    Ok(text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned))
}
