//! All that users download, in one folder with checksums, as a release would upload it.
//!
//! ```text
//!   crates        cargo package        wayfare-0.1.0.crate …           tested away from this repository: `package`
//!   program       cargo build          wayfare-0.1.0-TARGET.tar.gz
//!   C, C++        cmake --install      wayfare-c-0.1.0-TARGET.tar.gz   headers, libraries, CMake package, pkg-config
//!   C#            nupkg                Wayfare.0.1.0.nupkg             classes, and native libraries by platform
//!   Python        pip wheel            wayfare-0.1.0-….whl
//!   JavaScript    npm pack             wayfare-0.1.0.tgz
//! ```
//!
//! The version stands in the root manifest alone; that of every binding is held to it. What a tool is missing for is
//! skipped in words.

use crate::package::{LICENCES, PACKAGES};
use crate::run::{has_target, output, root, works};
use crate::tally::Tally;
use crate::{nupkg, package};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Where all of it is put.
pub(crate) const FOLDER: &str = "target/packages";
/// Where archives are gathered before they are packed.
const STAGING: &str = "target/packaging";
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Manifests of bindings, and the line of each that gives its version.
const VERSIONS: [(&str, &str, &str); 7] = [
    ("bindings/c/Cargo.toml", "version = \"", "\""),
    ("bindings/python/Cargo.toml", "version = \"", "\""),
    ("bindings/js/Cargo.toml", "version = \"", "\""),
    ("bindings/bevy/Cargo.toml", "version = \"", "\""),
    ("bindings/godot/Cargo.toml", "version = \"", "\""),
    ("bindings/js/package/package.json", "\"version\": \"", "\""),
    ("bindings/csharp/Wayfare.csproj", "<Version>", "<"),
];

/// Makes everything that can be made here. `native`: a folder of native libraries of other platforms for the C#
/// package, as `RUNTIME/FILE`; `tested`: whether the crates are compiled and tested away from here too.
pub(crate) fn run(native: Option<&Path>, tested: bool) -> Result<(), String> {
    check_versions()?;
    if tested {
        package::run()?;
    } else {
        package::make()?;
    }
    for folder in [FOLDER, STAGING] {
        if root().join(folder).exists() {
            fs::remove_dir_all(root().join(folder)).map_err(|e| format!("{folder}: {e}"))?;
        }
        fs::create_dir_all(root().join(folder)).map_err(|e| format!("{folder}: {e}"))?;
    }
    let target = host()?;
    let mut tally = Tally::default();
    for name in PACKAGES {
        take(&format!("target/package/{name}-{VERSION}.crate"))?;
    }
    program(&mut tally, &target)?;
    c(&mut tally, &target)?;
    nupkg::run(&mut tally, &target, native)?;
    python(&mut tally);
    javascript(&mut tally)?;
    checksums()?;
    println!("\npackages are in {FOLDER}");
    tally.close("packages")
}

/// Holds the versions of all bindings to that of the root manifest.
pub(crate) fn check_versions() -> Result<(), String> {
    for (file, before, after) in VERSIONS {
        let text = fs::read_to_string(root().join(file)).map_err(|e| format!("{file}: {e}"))?;
        let line = text.lines().find_map(|line| line.trim_start().strip_prefix(before));
        let version = line.and_then(|rest| rest.split(after).next()).unwrap_or_default();
        if version != VERSION {
            return Err(format!("{file}: the version is {version}, but that of the workspace {VERSION}"));
        }
    }
    Ok(())
}

/// The target that this machine compiles for.
fn host() -> Result<String, String> {
    let told = output("rustc -vV")?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV does not say for which target it compiles".to_owned())
}

/// Puts a file that was made into the folder.
fn take(file: &str) -> Result<(), String> {
    let from = root().join(file);
    let to = root().join(FOLDER).join(from.file_name().unwrap_or_default());
    fs::copy(&from, &to).map_err(|e| format!("{file}: {e}")).map(|_| ())
}

/// Starts the folder of an archive, with the licences in it.
fn stage(name: &str) -> Result<PathBuf, String> {
    let folder = root().join(STAGING).join(name);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for licence in LICENCES {
        fs::copy(root().join(licence), folder.join(licence)).map_err(|e| format!("{licence}: {e}"))?;
    }
    Ok(folder)
}

fn program(tally: &mut Tally, target: &str) -> Result<(), String> {
    if !tally.line("cargo build --release --locked -p wayfare-cli", &[], 0) {
        return Ok(());
    }
    let name = format!("wayfare-{VERSION}-{target}");
    let folder = stage(&name)?;
    let file = format!("wayfare{}", std::env::consts::EXE_SUFFIX);
    let built = root().join("target/release").join(&file);
    fs::copy(&built, folder.join(&file)).map_err(|e| format!("{}: {e}", built.display()))?;
    fs::copy(root().join("README.md"), folder.join("README.md")).map_err(|e| format!("README.md: {e}"))?;
    archive(&name)?;
    tally.passed(1);
    Ok(())
}

fn c(tally: &mut Tally, target: &str) -> Result<(), String> {
    if !tally.line("cargo build --release --manifest-path bindings/c/Cargo.toml", &[], 0) {
        return Ok(());
    }
    if !works("cmake --version") || !works("c++ --version") {
        tally.skip("the archive for C and C++: it needs cmake and a compiler (cargo xtask bindings --install)");
        return Ok(());
    }
    let name = format!("wayfare-c-{VERSION}-{target}");
    let folder = stage(&name)?;
    let build = "bindings/c/build/package";
    let is_made = tally.line(&format!("cmake -S bindings/c -B {build} -DCMAKE_INSTALL_LIBDIR=lib"), &[], 0)
        && tally.line(&format!("cmake --install {build} --prefix {}", folder.display()), &[], 0);
    if is_made {
        archive(&name)?;
        tally.passed(1);
    }
    Ok(())
}

fn python(tally: &mut Tally) {
    if !works("python3 -m pip --version") {
        return tally.skip("the Python package: there is no Python with pip");
    }
    // In an environment of its own, since the system's may not be changed.
    let venv = format!("{STAGING}/venv");
    if !works(&format!("python3 -m venv {venv}")) {
        return tally.skip("the Python package: there is no module venv (python3-venv)");
    }
    let python = ["bin/python", "Scripts/python.exe"].map(|name| root().join(&venv).join(name));
    let Some(python) = python.iter().find(|path| path.exists()) else {
        return tally.skip("the Python package: its environment could not be made");
    };
    tally.line(&format!("{} -m pip wheel -q --no-deps -w {FOLDER} bindings/python", python.display()), &[], 1);
}

fn javascript(tally: &mut Tally) -> Result<(), String> {
    if !works("npm --version") || !has_target("wasm32-unknown-unknown") {
        tally.skip("the npm package: it needs Node, npm and Rust's target wasm32-unknown-unknown");
        return Ok(());
    }
    let build = tally.line("cargo run -q --manifest-path bindings/js/Cargo.toml -p pack", &[], 0)
        && tally.line("npm --prefix bindings/js/package install --no-audit --no-fund --loglevel=error", &[], 0)
        && tally.line("npm --prefix bindings/js/package run -s build:js", &[], 0);
    if !build {
        return Ok(());
    }
    let to = fs::canonicalize(root().join(FOLDER)).map_err(|e| format!("{FOLDER}: {e}"))?;
    tally.line(&format!("npm pack ./bindings/js/package --ignore-scripts --pack-destination {}", to.display()), &[], 1);
    Ok(())
}

/// Packs a staged folder, always to the same bytes: names in order, no times, no owners.
fn archive(name: &str) -> Result<(), String> {
    let path = root().join(FOLDER).join(format!("{name}.tar.gz"));
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let file = fs::File::create(&path).map_err(failed)?;
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::default()));
    archive.mode(tar::HeaderMode::Deterministic);
    archive.follow_symlinks(false);
    let folder = root().join(STAGING).join(name);
    for file in files(&folder)? {
        let inner = Path::new(name).join(file.strip_prefix(&folder).unwrap_or(&file));
        archive.append_path_with_name(&file, inner).map_err(failed)?;
    }
    archive.into_inner().and_then(GzEncoder::finish).map_err(failed)?;
    println!("\nmade {}", path.file_name().unwrap_or_default().to_string_lossy());
    Ok(())
}

/// All files below a folder, in order.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
            let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

/// Writes what `sha256sum --check SHA256SUMS` reads.
fn checksums() -> Result<(), String> {
    let folder = root().join(FOLDER);
    let mut text = String::new();
    for file in files(&folder)? {
        let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!("{sum}  {}\n", file.file_name().unwrap_or_default().to_string_lossy());
    }
    print!("\n{text}");
    fs::write(folder.join("SHA256SUMS"), text).map_err(|e| format!("SHA256SUMS: {e}"))
}
