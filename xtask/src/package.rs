//! The packages that users get, made as they would be published, compiled and tested away from this repository.

use crate::run::{root, run as run_line};
use std::fs;
use std::path::Path;

/// In the order in which they are published.
pub(crate) const PACKAGES: [&str; 6] =
    ["wayfare", "wayfare-scenes", "wayfare-io", "wayfare-store", "wayfare-draw", "wayfare-cli"];
/// Where they are unpacked: a folder from which no file of this repository is found by accident.
const UNPACKED: &str = "target/packaged";
/// Each carries the licences' texts itself.
pub(crate) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Makes the packages, compiles each from nothing but what is in it, and runs the tests that are in them.
pub(crate) fn run() -> Result<(), String> {
    make()?;
    unpack()?;
    run_line(&format!("cargo test -q --workspace --manifest-path {UNPACKED}/Cargo.toml"), &[])?;
    println!("\npackages: {} made, compiled and tested", PACKAGES.join(", "));
    Ok(())
}

/// Makes the packages: finds files that are missing and dependencies without a version. Cargo does not verify them,
/// which would compile the library once more for each of its dependents; the tests in the unpacked packages show as
/// much.
pub(crate) fn make() -> Result<(), String> {
    check_licences()?;
    let names: String = PACKAGES.iter().map(|name| format!(" -p {name}")).collect();
    run_line(&format!("cargo package --locked --allow-dirty --target-dir target --no-verify{names}"), &[])
}

fn check_licences() -> Result<(), String> {
    for (package, licence) in PACKAGES.iter().flat_map(|package| LICENCES.map(|licence| (package, licence))) {
        let copy = format!("crates/{package}/{licence}");
        let read = |name: &str| fs::read(root().join(name)).map_err(|e| format!("{name}: {e}"));
        if read(&copy)? != read(licence)? {
            return Err(format!("{copy} differs from {licence}"));
        }
    }
    Ok(())
}

/// Puts the packages into a workspace of their own; they find each other by path, as they are in no registry yet.
fn unpack() -> Result<(), String> {
    let mut manifest =
        "[workspace]\nresolver = \"3\"\nmembers = [\"wayfare*\"]\n\n[profile.dev]\nopt-level = 1\ndebug = false\n\n"
            .to_owned();
    manifest += "[patch.crates-io]\n";
    let away = root().join(UNPACKED);
    fs::create_dir_all(&away).map_err(|e| format!("{UNPACKED}: {e}"))?;
    for name in PACKAGES {
        let folder = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let to = away.join(&folder);
        if to.exists() {
            fs::remove_dir_all(&to).map_err(|e| format!("{}: {e}", to.display()))?;
        }
        run_line(&format!("tar -xzf target/package/{folder}.crate -C {UNPACKED}"), &[])?;
        manifest += &format!("{name} = {{ path = \"{folder}\" }}\n");
    }
    fs::write(away.join("Cargo.toml"), manifest).map_err(|e| format!("{UNPACKED}/Cargo.toml: {e}"))
}

/// Copies a folder with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    fs::create_dir_all(to).map_err(|e| failed(to, e))?;
    for entry in fs::read_dir(from).map_err(|e| failed(from, e))? {
        let path = entry.map_err(|e| failed(from, e))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(|e| failed(&path, e))?;
        }
    }
    Ok(())
}
