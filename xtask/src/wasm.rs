//! The digests of all scenes on WebAssembly, compared with the goldens of the native build.

use crate::run::{output, root, run as run_line, works};
use std::fs;

const TARGET: &str = "wasm32-wasip1";
/// The digests that the native tests are held to.
const GOLDEN: &str = "testdata/goldens/scenes.txt";

/// Builds, runs, compares; says so and succeeds where the target or node is missing.
pub(crate) fn run() -> Result<(), String> {
    if let Some(why) = missing() {
        println!("\nskipped: {why}");
        return Ok(());
    }
    run_line(&format!("cargo build -q -p wayfare-testkit --bin digests --target {TARGET}"), &[])?;
    compare(&output(&format!("node --no-warnings xtask/wasi.mjs target/{TARGET}/debug/digests.wasm"))?)
}

fn compare(digests: &str) -> Result<(), String> {
    let golden = fs::read_to_string(root().join(GOLDEN)).map_err(|e| format!("{GOLDEN}: {e}"))?;
    let differing: Vec<String> = golden
        .lines()
        .zip(digests.lines())
        .filter(|(native, wasm)| native != wasm)
        .map(|(native, wasm)| format!("  native {native}\n  wasm   {wasm}"))
        .collect();
    if !differing.is_empty() || golden.lines().count() != digests.lines().count() {
        return Err(format!("the digests on {TARGET} differ from {GOLDEN}:\n{}", differing.join("\n")));
    }
    println!("{} lines of digests are the same on {TARGET}", digests.lines().count());
    Ok(())
}

/// What this machine lacks.
fn missing() -> Option<String> {
    if !works("node --version") {
        return Some("the WebAssembly digests need node".to_owned());
    }
    let installed = output("rustc --print sysroot").ok()?;
    let library = std::path::Path::new(installed.trim()).join("lib/rustlib").join(TARGET);
    (!library.exists()).then(|| format!("the WebAssembly digests need `rustup target add {TARGET}`"))
}
