//! Running other programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The repository's folder.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a line of words in the repository's folder, with variables set; its output goes where ours goes.
pub(crate) fn run(line: &str, vars: &[(&str, &str)]) -> Result<(), String> {
    println!("\n$ {line}");
    let status = command(line, vars).status().map_err(|e| format!("{line}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("failed: {line}")) }
}

/// What a line of words prints on standard output.
pub(crate) fn output(line: &str) -> Result<String, String> {
    let output = command(line, &[]).stderr(Stdio::inherit()).output().map_err(|e| format!("{line}: {e}"))?;
    if !output.status.success() {
        return Err(format!("failed: {line}"));
    }
    String::from_utf8(output.stdout).map_err(|e| format!("{line}: {e}"))
}

/// Whether a line of words runs and succeeds, in silence.
pub(crate) fn works(line: &str) -> bool {
    let quiet = command(line, &[]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// Whether the library of a target of Rust is installed.
pub(crate) fn has_target(target: &str) -> bool {
    let library = output(&format!("rustc --print target-libdir --target {target}"));
    library.is_ok_and(|folder| Path::new(folder.trim()).exists())
}

/// Installs packages on Debian and its kin.
pub(crate) fn apt_install(packages: &str) -> Result<(), String> {
    if !works("apt-get --version") {
        return Err(format!("only apt-get is known here; install what matches: {packages}"));
    }
    let is_root = output("id -u").is_ok_and(|user| user.trim() == "0");
    let sudo = if is_root { "" } else { "sudo " };
    run(&format!("{sudo}apt-get update"), &[])?;
    run(&format!("{sudo}apt-get install -y --no-install-recommends {packages}"), &[])
}

fn command(line: &str, vars: &[(&str, &str)]) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).current_dir(root()).envs(vars.iter().copied());
    // Cargo tells the programs it starts about itself; what we start is to find out by itself.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("RUSTUP_TOOLCHAIN");
    command
}
