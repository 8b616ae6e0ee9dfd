//! Running other programs.

use std::path::PathBuf;
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

fn command(line: &str, vars: &[(&str, &str)]) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).current_dir(root()).envs(vars.iter().copied());
    // Cargo tells the programs it starts about itself; what we start is to find out by itself.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("RUSTUP_TOOLCHAIN");
    command
}
