//! `cargo xtask lab`: builds and tests the lab; `--web` makes its page, `--install` what it needs on Debian.
//!
//! The lab is a workspace of its own and brings hundreds of packages, so the newcomer's commands leave it alone.

use crate::run::{output, root, run as run_line, works};
use std::fs;

const MANIFEST: &str = "crates/wayfare-lab/Cargo.toml";
const WASM: &str = "crates/wayfare-lab/target/wasm32-unknown-unknown/release-web/wayfare-lab.wasm";
const PAGE: &str = "target/lab";

/// What a display without a screen, software rendering and a browser are called in Debian.
const PACKAGES: &str = "xvfb mesa-vulkan-drivers libgl1-mesa-dri chromium xdotool imagemagick libxkbcommon-x11-0 \
    libxcursor1 libxi6 libxrandr2";

/// Builds and tests: the prototypes without a window first, then the window, the page, and the page in a browser.
pub(crate) fn run() -> Result<(), String> {
    run_line(&format!("cargo test --manifest-path {MANIFEST} --no-default-features"), &[])?;
    run_line(&format!("cargo test --manifest-path {MANIFEST} --features ui-tests"), &[])?;
    if works("Xvfb -help") {
        run_line("crates/wayfare-lab/tests/window.sh", &[])?;
    } else {
        println!("\nskipped: the window under a display without a screen needs Xvfb (`cargo xtask lab --install`)");
    }
    if let Some(why) = missing_for_web() {
        println!("\nskipped: {why}");
        return Ok(());
    }
    web()?;
    if works("chromium --version") && works("node --version") {
        return run_line("node crates/wayfare-lab/tests/browser.mjs", &[]);
    }
    println!("\nskipped: the page in a browser needs chromium and node (`cargo xtask lab --install`)");
    Ok(())
}

/// Makes the page in `target/lab`: any server of files can serve it.
pub(crate) fn web() -> Result<(), String> {
    if let Some(why) = missing_for_web() {
        return Err(why);
    }
    let build = format!("cargo build --manifest-path {MANIFEST} --profile release-web --target wasm32-unknown-unknown");
    run_line(&build, &[])?;
    run_line(&format!("wasm-bindgen --target web --no-typescript --out-name wayfare_lab --out-dir {PAGE} {WASM}"), &[])?;
    let page = root().join(PAGE);
    fs::copy(root().join("crates/wayfare-lab/web/index.html"), page.join("index.html")).map_err(|e| e.to_string())?;
    let bytes = fs::metadata(page.join("wayfare_lab_bg.wasm")).map_err(|e| e.to_string())?.len();
    println!("\nthe page is in {PAGE} ({:.1} MB before compression); to see it:", bytes as f64 / 1e6);
    println!("  python3 -m http.server --directory {PAGE}");
    Ok(())
}

/// Installs what a window without a screen, software rendering and the browser test need, on Debian.
pub(crate) fn install() -> Result<(), String> {
    run_line("rustup target add wasm32-unknown-unknown", &[])?;
    if let Some(version) = locked_wasm_bindgen() {
        run_line(&format!("cargo install wasm-bindgen-cli --version {version}"), &[])?;
    }
    run_line("apt-get update", &[])?;
    run_line(&format!("apt-get install -y --no-install-recommends {PACKAGES}"), &[])
}

/// The version of `wasm-bindgen` in the lab's lock file: the program of that name must be the same.
fn locked_wasm_bindgen() -> Option<String> {
    let lock = fs::read_to_string(root().join("crates/wayfare-lab/Cargo.lock")).ok()?;
    let mut lines = lock.lines().skip_while(|line| *line != "name = \"wasm-bindgen\"");
    let version = lines.nth(1)?.strip_prefix("version = \"")?;
    Some(version.trim_end_matches('"').to_owned())
}

/// What this machine lacks for the page.
fn missing_for_web() -> Option<String> {
    let sysroot = output("rustc --print sysroot").ok()?;
    let library = std::path::Path::new(sysroot.trim()).join("lib/rustlib/wasm32-unknown-unknown");
    if !library.exists() {
        return Some("the page needs `rustup target add wasm32-unknown-unknown`".to_owned());
    }
    let version = locked_wasm_bindgen()?;
    let found = if works("wasm-bindgen --version") { output("wasm-bindgen --version").ok()? } else { String::new() };
    (!found.contains(&version)).then(|| format!("the page needs `cargo install wasm-bindgen-cli --version {version}`"))
}
