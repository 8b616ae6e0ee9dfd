//! `wayfare completions SHELL`

use super::Program;
use crate::failure::{Answer, Result};
use crate::output::atomic_file;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print a shell's completion script
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wayfare completions bash > ~/.local/share/bash-completion/completions/wayfare")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> Result<Answer> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Program::command(), "wayfare", &mut script);
        atomic_file::print(&script)?;
        Ok(Answer::Yes)
    }
}
