//! `wayfare lab [LEVEL|MESH]`: starts the lab, which is a program of its own.
//!
//! The lab brings a window and hundreds of packages, so it is not part of this program: where it is installed beside
//! it, or on the path, it is started; else the message says how to get it.

use crate::failure::{Answer, Failure, Result};
use clap::Args;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

/// Open the lab: levels, bakes, tools and prototypes to play with
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wayfare lab\n  wayfare lab scene:dungeon\n  wayfare lab level.glb")]
pub(crate) struct Lab {
    /// A level file, a built-in scene (`scene:NAME?key=value`), or a mesh
    #[arg(value_name = "LEVEL|MESH")]
    input: Option<OsString>,
}

impl Lab {
    pub(crate) fn run(self) -> Result<Answer> {
        let program = beside_this_one().unwrap_or_else(|| PathBuf::from(name()));
        match Command::new(&program).args(&self.input).status() {
            Ok(status) if status.success() => Ok(Answer::Yes),
            // It has said itself what is wrong.
            Ok(status) => std::process::exit(status.code().unwrap_or(2)),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(Failure::new(not_installed())),
            Err(error) => Err(Failure::io(program.display(), &error)),
        }
    }
}

fn name() -> String {
    format!("wayfare-lab{EXE_SUFFIX}")
}

/// The lab in this program's own folder.
fn beside_this_one() -> Option<PathBuf> {
    let lab = std::env::current_exe().ok()?.with_file_name(name());
    lab.is_file().then_some(lab)
}

fn not_installed() -> String {
    format!(
        "the lab is not installed: there is no {} beside this program or on the path. In a checkout, run `cargo lab`, or \
         install it with `cargo install --path crates/wayfare-lab`",
        name()
    )
}
