//! The packages that users get, made as they would be published, compiled and tested away from this repository.

use crate::run::{root, run as run_line};
use std::fs;
use std::path::{Path, PathBuf};

/// In the order in which they are published.
pub(crate) const PACKAGES: [&str; 6] =
    ["wayfare", "wayfare-scenes", "wayfare-io", "wayfare-store", "wayfare-draw", "wayfare-cli"];
/// Where they are unpacked: a folder from which no file of this repository is found by accident.
const UNPACKED: &str = "target/packaged";
/// Each carries the licences' texts itself.
pub(crate) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Makes the packages, compiles each from nothing but what is in it, and runs the tests that are in them.
pub(crate) fn run() -> Result<(), String> {
    forget_earlier()?;
    make(true)?;
    unpack()?;
    run_line(&format!("cargo test -q --workspace --manifest-path {UNPACKED}/Cargo.toml"), &[])?;
    println!("\npackages: {} made, compiled and tested", PACKAGES.join(", "));
    Ok(())
}

/// Removes what cargo has kept of packages of the same version made here before: it verifies the dependents of a
/// package against that, and not against the package just made.
fn forget_earlier() -> Result<(), String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let Some(home) = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))) else { return Ok(()) };
    // Nothing to remove on a machine where nothing was packaged, or no registry was ever asked.
    let Ok(registries) = fs::read_dir(home.join("registry/src")) else { return Ok(()) };
    for registry in registries.filter_map(Result::ok) {
        for name in PACKAGES {
            let kept = registry.path().join(format!("{name}-{}", env!("CARGO_PKG_VERSION")));
            if kept.exists() {
                fs::remove_dir_all(&kept).map_err(|e| format!("{}: {e}", kept.display()))?;
            }
        }
    }
    Ok(())
}

/// Makes the packages, and compiles them if they are to be verified: without it, it finds files that are missing and
/// dependencies without a version.
pub(crate) fn make(verify: bool) -> Result<(), String> {
    check_licences()?;
    let names: String = PACKAGES.iter().map(|name| format!(" -p {name}")).collect();
    let unverified = if verify { "" } else { " --no-verify" };
    run_line(&format!("cargo package --locked --allow-dirty --target-dir target{unverified}{names}"), &[])
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
        "[workspace]\nresolver = \"3\"\nmembers = [\"wayfare*\"]\n\n[profile.dev]\nopt-level = 1\n\n".to_owned();
    manifest += "[patch.crates-io]\n";
    let away = root().join(UNPACKED);
    for name in PACKAGES {
        let folder = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let to = away.join(&folder);
        if to.exists() {
            fs::remove_dir_all(&to).map_err(|e| format!("{}: {e}", to.display()))?;
        }
        copy(&root().join("target/package").join(&folder), &to)?;
        manifest += &format!("{name} = {{ path = \"{folder}\" }}\n");
    }
    fs::write(away.join("Cargo.toml"), manifest).map_err(|e| format!("{UNPACKED}/Cargo.toml: {e}"))
}

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
