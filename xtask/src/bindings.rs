//! Builds and tests the bindings whose tools are there, and says in words what was skipped and why.
//!
//! C and C++ are built here; a binding with tools of its own has a script that does it, and says `skipped: …` itself.

use crate::run::{root, run as run_line, works};
use std::fs;
use std::process::Command;

/// The packages of Debian that the bindings' tests use beside a Rust toolchain.
const PACKAGES: &str = "cmake g++ nlohmann-json3-dev pkg-config valgrind python3-venv nodejs npm chromium";

/// Bindings with a script of their own: folder, script.
const SCRIPTS: [(&str, &str); 2] = [("python", "check"), ("js", "run")];

/// What was done, for the last lines.
#[derive(Default)]
struct Tally {
    tests: u32,
    skipped: Vec<String>,
    failed: Vec<String>,
}

impl Tally {
    fn skip(&mut self, what: impl Into<String>) {
        let what = what.into();
        println!("\nskipped: {what}");
        self.skipped.push(what);
    }

    /// Runs a line; whether it succeeded, which is a test if it `counts`.
    fn line(&mut self, line: &str, vars: &[(&str, &str)], counts: u32) -> bool {
        match run_line(line, vars) {
            Ok(()) => self.tests += counts,
            Err(why) => {
                self.failed.push(why);
                return false;
            }
        }
        true
    }
}

/// Builds and tests all bindings.
pub(crate) fn run() -> Result<(), String> {
    let mut tally = Tally::default();
    tally.line("cargo test -q -p wayfare-testkit --test binding_capabilities --test binding_cases", &[], 2);
    c(&mut tally);
    for (name, script) in SCRIPTS {
        let path = format!("bindings/{name}/{script}");
        if root().join(&path).exists() {
            tally.line(&path, &[], 1);
        } else {
            tally.skip(format!("{name}: there is no {path}"));
        }
    }
    let Tally { tests, skipped, failed } = tally;
    for what in &skipped {
        println!("skipped: {what}");
    }
    if !failed.is_empty() {
        return Err(format!("bindings: {}", failed.join("\n")));
    }
    println!("\nbindings: {tests} tests passed, {} skipped", skipped.len());
    Ok(())
}

/// The library, its header, and its programs: plain, under the address sanitizer, under valgrind, installed.
fn c(tally: &mut Tally) {
    let cargo = "--release --manifest-path bindings/c/Cargo.toml";
    if !tally.line(&format!("cargo build {cargo}"), &[], 0) || !tally.line(&format!("cargo test -q {cargo}"), &[], 1) {
        return;
    }
    if !works("cmake --version") || !works("c++ --version") {
        return tally
            .skip("the programs in C and C++: they need cmake and a compiler (cargo xtask bindings --install)");
    }
    if programs(tally, "build/plain", "") && works("valgrind --version") {
        for program in ["first_c", "game", "misuse", "every_part"] {
            // The kept thread's own block is reachable, which valgrind takes for possibly lost.
            let leaks = "--leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite";
            let check = format!("valgrind -q --error-exitcode=9 {leaks}");
            tally.line(&format!("{check} bindings/c/build/plain/{program}"), &[], 1);
        }
    } else {
        tally.skip("valgrind on the programs in C and C++: it is not installed");
    }
    programs(tally, "build/sanitized", "-DWAYFARE_SANITIZE=ON");
    tally.line("cmake --install bindings/c/build/plain --prefix bindings/c/build/installed", &[], 1);
    fs::remove_dir_all(root().join("every_part_store")).ok();
}

/// Configures, builds and runs the programs in a folder.
fn programs(tally: &mut Tally, folder: &str, option: &str) -> bool {
    let build = format!("bindings/c/{folder}");
    if !tally.line(&format!("cmake -S bindings/c -B {build} {option}"), &[], 0)
        || !tally.line(&format!("cmake --build {build}"), &[], 0)
    {
        return false;
    }
    let list = Command::new("ctest").args(["--test-dir", &build, "-N"]).current_dir(root()).output();
    let count = list.ok().and_then(|list| {
        let text = String::from_utf8_lossy(&list.stdout).into_owned();
        text.lines().find_map(|line| line.strip_prefix("Total Tests:")?.trim().parse().ok())
    });
    tally.line(&format!("ctest --test-dir {build} --output-on-failure"), &[], count.unwrap_or_default())
}

/// Installs the tools that the tests of the bindings use, on Debian and its kin.
pub(crate) fn install() -> Result<(), String> {
    if !works("apt-get --version") {
        return Err(format!("only apt-get is known here; install what matches: {PACKAGES}"));
    }
    run_line("apt-get update", &[])?;
    run_line(&format!("apt-get install -y --no-install-recommends {PACKAGES}"), &[])?;
    run_line("rustup target add wasm32-unknown-unknown", &[])
}
