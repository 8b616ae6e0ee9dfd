//! Builds the package's WebAssembly: `cargo run -p pack [-- BUILD...]`.
//!
//! Each build is compiled twice, with SIMD and without; the JavaScript around both must come out the same, so one is
//! shipped. The writer of that JavaScript is a dependency here, so that its version is the crate's own by the lock file,
//! and nobody has to install it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use wasm_bindgen_cli_support::Bindgen;

/// A build: its name, and the features that it has.
const BUILDS: [(&str, &str); 3] = [("core", "mesh"), ("full", "extra"), ("blocks", "blocks")];
const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> Result<(), Box<dyn Error>> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let asked: Vec<String> = env::args().skip(1).collect();
    for (name, features) in BUILDS {
        if !asked.is_empty() && !asked.iter().any(|asked| asked == name) {
            continue;
        }
        let scripts = [true, false].map(|has_simd| build(&home, name, features, has_simd));
        let [with_simd, without] = scripts;
        if with_simd? != without? {
            return Err(format!("{name}: the JavaScript around the builds with and without SIMD differs").into());
        }
    }
    Ok(())
}

/// Compiles one variant, writes it into the package, and returns the JavaScript around it.
fn build(home: &Path, name: &str, features: &str, has_simd: bool) -> Result<String, Box<dyn Error>> {
    let variant = if has_simd { "simd" } else { "plain" };
    let target_dir = home.join("target").join(variant);
    let flags = if has_simd { "-C target-feature=+simd128" } else { "" };
    println!("{name}, {variant}");
    let status = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .current_dir(home)
        .args(["build", "--release", "--locked", "-p", "wayfare-js", "--target", TARGET, "--no-default-features"])
        .args(["--features", features, "--target-dir"])
        .arg(&target_dir)
        .env("RUSTFLAGS", flags)
        .status()?;
    if !status.success() {
        return Err(format!("{name}, {variant}: cargo build failed").into());
    }
    let compiled = target_dir.join(TARGET).join("release/wayfare_js.wasm");
    let mut made = Bindgen::new()
        .input_path(compiled)
        .web(true)?
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .typescript(true)
        .generate_output()?;
    let out: PathBuf = home.join("package/src/wasm");
    fs::create_dir_all(&out)?;
    let suffix = if has_simd { ".simd" } else { "" };
    let bytes = made.wasm_mut().emit_wasm();
    println!("  {} bytes", bytes.len());
    fs::write(out.join(format!("{name}{suffix}.wasm")), bytes)?;
    fs::write(out.join(format!("{name}.js")), made.js())?;
    fs::write(out.join(format!("{name}.d.ts")), made.ts().unwrap_or_default())?;
    Ok(made.js().to_owned())
}
