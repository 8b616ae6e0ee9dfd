//! The goldens on WebAssembly: scenes, crowds, avoidance and worlds of blocks, compared with those of the native build.

use crate::run::{has_target, output, root, run as run_line, works};
use std::fs;

const TARGET: &str = "wasm32-wasip1";
/// The digests that the native tests are held to, a file each.
const GOLDENS: &str = "testdata/goldens";

/// Builds, runs, compares; says so and succeeds where the target or node is missing.
pub(crate) fn run() -> Result<(), String> {
    if let Some(why) = missing() {
        println!("\nskipped: {why}");
        return Ok(());
    }
    run_line(&format!("cargo build -q -p wayfare-testkit --bin digests --target {TARGET}"), &[])?;
    for name in names()? {
        let program = format!("node --no-warnings xtask/wasi.mjs target/{TARGET}/debug/digests.wasm");
        compare(&name, &output(&format!("{program} {name}"))?)?;
    }
    Ok(())
}

/// The files of goldens: whatever there is, so that none is forgotten.
fn names() -> Result<Vec<String>, String> {
    let entries = fs::read_dir(root().join(GOLDENS)).map_err(|e| format!("{GOLDENS}: {e}"))?;
    let mut names: Vec<String> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

fn compare(name: &str, digests: &str) -> Result<(), String> {
    let golden = fs::read_to_string(root().join(GOLDENS).join(name)).map_err(|e| format!("{name}: {e}"))?;
    let differing: Vec<String> = golden
        .lines()
        .zip(digests.lines())
        .filter(|(native, wasm)| native != wasm)
        .map(|(native, wasm)| format!("  native {native}\n  wasm   {wasm}"))
        .collect();
    let (native, wasm) = (golden.lines().count(), digests.lines().count());
    if !differing.is_empty() || native != wasm {
        let differing = differing.join("\n");
        return Err(format!("{name} differs on {TARGET}: {wasm} lines, {native} in {GOLDENS}\n{differing}"));
    }
    println!("{name}: {wasm} lines of digests are the same on {TARGET}");
    Ok(())
}

/// What this machine lacks.
fn missing() -> Option<String> {
    if !works("node --version") {
        return Some("the WebAssembly digests need node".to_owned());
    }
    (!has_target(TARGET)).then(|| format!("the WebAssembly digests need `rustup target add {TARGET}`"))
}
