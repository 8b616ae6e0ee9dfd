//! The program as a whole: run as a user runs it, judged by exit status, output and files.

mod agent_sizes;
mod bake_features;
mod commands;
mod files;
mod hostile;
mod lab;
mod obstacles;
mod people;
mod pictures;
mod plays;
mod plays_crowd;
mod slips;
mod store_bakes;
mod stores;
mod told;

use serde_json::Value;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn wayfare(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wayfare")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn error_of(args: &[&str]) -> String {
    let out = wayfare(args);
    let text = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{args:?}: {text}");
    assert_eq!(text.matches("error:").count(), 1, "said once: {text}");
    text
}

fn good(args: &[&str]) -> String {
    let out = wayfare(args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&good(args)).unwrap()
}

/// A folder with a baked mesh of the scene of stairs.
struct Baked {
    folder: TempDir,
    mesh: String,
}

fn baked(options: &[&str]) -> Baked {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "stairs.way");
    good(&[&["bake", "scene:stairs", "-o", &mesh, "--quiet"], options].concat());
    Baked { folder, mesh }
}

fn path_in(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

fn write_in(folder: &TempDir, name: &str, text: &str) -> String {
    let path = path_in(folder, name);
    std::fs::write(&path, text).unwrap();
    path
}
