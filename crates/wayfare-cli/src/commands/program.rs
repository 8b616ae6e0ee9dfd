//! The commands of the program.

use super::{
    bake, bench, blocks, check, completions, convert, crowd, demo, draw, explain, grid, info, lab, obstacles, path,
    query, scenes, store,
};
use crate::failure::{Answer, Result};
use crate::options::plainly;
use crate::output::atomic_file;
use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::{IsTerminal as _, Write as _};

/// Bakes navigation meshes from level geometry, finds paths and simulates crowds on them, draws and checks them.
#[derive(Debug, Parser)]
#[command(name = "wayfare", version, max_term_width = 110, after_help = "Begin with: wayfare demo")]
#[command(arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Program {
    /// Print the licences of the libraries in this program
    #[arg(long)]
    licenses: bool,
    /// Absent only if the licences are requested.
    #[command(subcommand)]
    command: Option<Command>,
}

/// Written by `cargo xtask notices`.
const LICENSES: &str = include_str!("../../THIRD-PARTY.txt");

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Demo),
    Bake(Box<bake::Bake>),
    Path(path::FindPath),
    Query(query::Query),
    Crowd(Box<crowd::WalkCrowd>),
    Explain(Box<explain::Explain>),
    Draw(draw::Draw),
    Obstacles(obstacles::PlayObstacles),
    Blocks(Box<blocks::Blocks>),
    Grid(grid::Grid),
    Info(info::Info),
    Check(check::Check),
    Convert(convert::Convert),
    Lab(lab::Lab),
    Store(store::StoreCommand),
    Scenes(scenes::Scenes),
    Scene(scenes::WriteScene),
    Bench(bench::Bench),
    Completions(completions::Completions),
}

impl Program {
    /// Parses the command line. If it is invalid, or requests help, prints that and ends the program.
    pub(crate) fn from_command_line() -> Self {
        // A negative number is a value, to be judged by its option, and not an unknown option.
        let takes_numbers = |arg: Arg| {
            let is_plain = arg.get_action().takes_values() && !arg.is_positional() && !arg.is_allow_hyphen_values_set();
            if is_plain { arg.allow_negative_numbers(true) } else { arg }
        };
        let command = Self::command().mut_subcommands(|command| command.mut_args(takes_numbers));
        let matches = command.try_get_matches().unwrap_or_else(|error| refuse(&error));
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// Prints what is wrong with the command line, or the requested help, and ends the program.
fn refuse(error: &clap::Error) -> ! {
    if error.kind() != ErrorKind::ValueValidation {
        error.exit();
    }
    let text = error.render();
    let text = if std::io::stderr().is_terminal() { text.ansi().to_string() } else { text.to_string() };
    // If standard error is closed, there is nobody to report to.
    let _ = std::io::stderr().write_all(plainly(&text).as_bytes());
    std::process::exit(error.exit_code());
}

/// Executes the command.
pub(crate) fn run(program: Program) -> Result<Answer> {
    let Some(command) = program.command else {
        atomic_file::print(LICENSES.as_bytes())?;
        return Ok(Answer::Yes);
    };
    match command {
        Command::Demo(command) => command.run(),
        Command::Bake(command) => command.run(),
        Command::Path(command) => command.run(),
        Command::Query(command) => command.run(),
        Command::Crowd(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Draw(command) => command.run(),
        Command::Obstacles(command) => command.run(),
        Command::Blocks(command) => command.run(),
        Command::Grid(command) => command.run(),
        Command::Info(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Convert(command) => command.run(),
        Command::Lab(command) => command.run(),
        Command::Store(command) => command.run(),
        Command::Scenes(command) => command.run(),
        Command::Scene(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Completions(command) => command.run(),
    }
}
