//! `wayfare lab` starts the lab where it is installed, and says how to get it where it is not.

use std::process::{Command, Stdio};

#[test]
fn without_the_lab_it_says_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfare"));
    // A path without the lab, wherever else it may be installed on this machine.
    let out = command.arg("lab").env("PATH", folder.path()).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{text}");
    assert!(text.contains("cargo lab") && text.contains("cargo install"), "{text}");
}

#[cfg(unix)]
#[test]
fn the_lab_on_the_path_is_started_with_its_argument() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let lab = folder.path().join("wayfare-lab");
    std::fs::write(&lab, "#!/bin/sh\necho \"opened $1\"\nexit 3\n").unwrap();
    std::fs::set_permissions(&lab, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfare"));
    command.args(["lab", "scene:dungeon"]).env("PATH", folder.path());
    let out = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "opened scene:dungeon\n");
    assert_eq!(out.status.code(), Some(3));
}
