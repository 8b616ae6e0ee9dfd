//! `cargo xtask engines`: builds and tests the plugins for game engines, each a workspace of its own. `engines physics`
//! compiles and runs the manual's listings for physics crates of Bevy, which takes longest and is no part of the rest.

use crate::run::{output, root, run as run_line, works};
use crate::tally::Tally;
use std::process::Command;

const BEVY: &str = "bindings/bevy/Cargo.toml";
const PHYSICS: &str = "bindings/bevy/physics/Cargo.toml";
const GODOT: &str = "bindings/godot/Cargo.toml";
/// Bevy needs a newer compiler than the library; `rust-version` of its manifest says which.
const COMPILER: &str = "1.97.1";
/// The exit status of `bindings/godot/godot` where there is no Godot.
const NO_GODOT: i32 = 77;

/// Builds and tests one engine's plugin, or all; says which were skipped, and how many tests ran.
pub(crate) fn run(only: Option<&str>) -> Result<(), String> {
    let mut tally = Tally::default();
    if only.is_none_or(|only| only == "bevy") {
        bevy(&mut tally);
    }
    if only.is_none_or(|only| only == "godot") {
        godot(&mut tally).unwrap_or_else(|why| tally.fail(why));
    }
    if only == Some("physics") && has_compiler(&mut tally) {
        tally.line(&format!("cargo +{COMPILER} run -q --locked --manifest-path {PHYSICS}"), &[], 2);
    }
    tally.close("engines")
}

/// Whether there is a compiler for Bevy; else that it is skipped.
fn has_compiler(tally: &mut Tally) -> bool {
    let is_there = works(&format!("cargo +{COMPILER} --version"));
    if !is_there {
        tally.skip(format!("Bevy needs `rustup toolchain install {COMPILER} --profile minimal`"));
    }
    is_there
}

fn bevy(tally: &mut Tally) {
    if !has_compiler(tally) {
        return;
    }
    let bevy = format!("--locked --manifest-path {BEVY}");
    // Without Bevy's gizmos first: what a server takes.
    tally.line(&format!("cargo +{COMPILER} check -q {bevy} --no-default-features"), &[], 0);
    tests(tally, &format!("cargo +{COMPILER} test -q {bevy}"));
    for example in ["doors", "server", "stream", "walk -- target/bevy_walk.svg"] {
        tally.line(&format!("cargo +{COMPILER} run -q {bevy} --example {example}"), &[], 1);
    }
}

/// Runs tests, and counts them.
fn tests(tally: &mut Tally, line: &str) {
    match output(&format!("{line} -- --list")) {
        Ok(listed) => {
            let count = listed.lines().filter(|line| line.ends_with(": test")).count();
            tally.line(line, &[], u32::try_from(count).unwrap_or(u32::MAX));
        }
        Err(why) => tally.fail(why),
    }
}

fn godot(tally: &mut Tally) -> Result<(), String> {
    run_line(&format!("cargo build -q --locked --manifest-path {GODOT}"), &[])?;
    tests(tally, &format!("cargo test -q --locked --manifest-path {GODOT}"));
    let Some(last) = in_godot("--headless --fixed-fps 60 --script res://test.gd")? else {
        tally.skip(
            "Godot: its tests, the ten lines of the manual and the demo have not run: see above how to get a Godot",
        );
        return Ok(());
    };
    let passed = last.strip_suffix(" passed, 0 failed").and_then(|count| count.parse().ok());
    tally.passed(passed.ok_or_else(|| format!("bindings/godot: {last}"))?);
    // The ten lines of the manual, and the demo.
    in_godot("--headless --fixed-fps 60 --script res://record.gd -- FOLDER ten_lines 7 6")?;
    in_godot("--headless --fixed-fps 60 --script res://record.gd -- FOLDER main 4 -12").map(drop)
}

/// Runs Godot on the project, and gives the last line that says something; `None` if there is no Godot.
fn in_godot(arguments: &str) -> Result<Option<String>, String> {
    println!("\n$ bindings/godot/godot {arguments}");
    let program = root().join("bindings/godot/godot");
    let done =
        Command::new(program).args(arguments.split(' ')).output().map_err(|e| format!("bindings/godot/godot: {e}"))?;
    let text = String::from_utf8_lossy(&done.stdout);
    print!("{text}");
    let said = String::from_utf8_lossy(&done.stderr);
    if said.contains("leaked at exit") {
        return Err(format!("godot {arguments}: something is not freed at exit; --verbose names it"));
    }
    if done.status.code() == Some(NO_GODOT) {
        return Ok(None);
    }
    if !done.status.success() {
        return Err(format!("failed: godot {arguments}\n{}", String::from_utf8_lossy(&done.stderr)));
    }
    Ok(text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned))
}
