//! The `wayfare` program: bakes levels into navigation meshes, asks them for paths, draws and checks them.
//!
//! One file per command under `commands/`, readers under `input/`, writers under `output/`, the options that several
//! commands share under `options/`. Everything that knows about navigation lives in the library; this program turns
//! files and arguments into its calls, and its answers into files, tables and JSON.

mod baking;
mod commands;
mod dash;
mod failure;
mod input;
mod interrupt;
mod linking;
mod loose_ends;
mod memory;
mod options;
mod output;
mod progress;
mod streaming;
mod terminal;
mod threads;

use failure::{Answer, Failure};
use std::process::ExitCode;

/// Parses the command line, executes the command, and reports the result.
fn main() -> ExitCode {
    let arguments = commands::Program::from_command_line();
    interrupt::install();
    match commands::run(arguments) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            terminal::error(&message);
            ExitCode::from(2)
        }
    }
}
