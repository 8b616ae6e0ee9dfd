//! Builds the package's WebAssembly: `cargo run -p pack -- [--quick] [--names] [BUILD...]`.
//!
//! Each build is compiled twice, with SIMD and without; the JavaScript around both must come out the same, so one is
//! shipped. The writer of that JavaScript is a dependency here, so that its version is the crate's own by the lock file,
//! and nobody has to install it.
//!
//! `--quick` compiles for size, piece by piece, and once for both: for working on the package. `--names` keeps the names of
//! functions, for profiles and to see what takes how much.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use wasm_bindgen_cli_support::Bindgen;

/// A build: its name, and the features that it has.
const BUILDS: [(&str, &str); 3] = [("core", "mesh"), ("full", "extra"), ("blocks", "blocks")];
const TARGET: &str = "wasm32-unknown-unknown";

/// Files of a build: for machines with SIMD, and without.
const SUFFIXES: [&str; 2] = [".simd", ""];

fn main() -> Result<(), Box<dyn Error>> {
    let (options, asked): (Vec<String>, Vec<String>) = env::args().skip(1).partition(|word| word.starts_with("--"));
    let has = |option: &str| options.iter().any(|given| given == option);
    let is_quick = has("--quick");
    for (name, features) in BUILDS {
        if !asked.is_empty() && !asked.iter().any(|asked| asked == name) {
            continue;
        }
        let compiled = match is_quick {
            true => vec![compile(features, "quick", "")?; 2],
            false => {
                vec![compile(features, "release", "-C target-feature=+simd128")?, compile(features, "release", "")?]
            }
        };
        let mut scripts = Vec::new();
        for (suffix, compiled) in SUFFIXES.iter().zip(compiled) {
            scripts.push(write(name, suffix, compiled, has("--names"))?);
        }
        if scripts.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(format!("{name}: the JavaScript around the builds with and without SIMD differs").into());
        }
    }
    Ok(())
}

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Compiles the exports with some features, and returns the bytes.
fn compile(features: &str, profile: &str, flags: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    println!("{features} {profile} {flags}");
    let status = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .current_dir(home())
        .args([
            "build",
            "--locked",
            "-p",
            "wayfare-js",
            "--target",
            TARGET,
            "--no-default-features",
            "--features",
            features,
            "--profile",
            profile,
        ])
        .env("RUSTFLAGS", flags)
        .status()?;
    if !status.success() {
        return Err(format!("{features}: cargo build failed").into());
    }
    Ok(fs::read(home().join("target").join(TARGET).join(profile).join("wayfare_js.wasm"))?)
}

/// Writes a build into the package, and returns the JavaScript around it.
fn write(name: &str, suffix: &str, compiled: Vec<u8>, keeps_names: bool) -> Result<String, Box<dyn Error>> {
    let mut made = Bindgen::new()
        .input_bytes("wayfare_js", compiled)
        .web(true)?
        .omit_default_module_path(true)
        .remove_name_section(!keeps_names)
        .remove_producers_section(true)
        .typescript(true)
        .generate_output()?;
    let out = home().join("package/src/wasm");
    fs::create_dir_all(&out)?;
    let bytes = made.wasm_mut().emit_wasm();
    println!("  {name}{suffix}.wasm: {} bytes", bytes.len());
    fs::write(out.join(format!("{name}{suffix}.wasm")), bytes)?;
    let script = without_comments(made.js());
    fs::write(out.join(format!("{name}.js")), &script)?;
    fs::write(out.join(format!("{name}.d.ts")), made.ts().unwrap_or_default())?;
    Ok(script)
}

/// The script without its comments on functions, which stand in the types as well: a third of what is downloaded.
fn without_comments(script: &str) -> String {
    let mut is_comment = false;
    let mut kept = String::new();
    for line in script.lines() {
        is_comment |= line.trim_start().starts_with("/**");
        if !is_comment {
            kept.push_str(line.trim_start());
            kept.push('\n');
        }
        is_comment &= !line.trim_end().ends_with("*/");
    }
    kept
}
