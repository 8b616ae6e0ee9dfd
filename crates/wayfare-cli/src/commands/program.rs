//! What the program can be told to do.

use super::{
    bake, bench, blocks, check, completions, convert, crowd, demo, draw, explain, grid, info, path, query, scenes,
};
use crate::failure::{Answer, Result};
use clap::{Parser, Subcommand};

/// Navigation meshes: bake them from level geometry, ask them for paths, draw and check them.
#[derive(Debug, Parser)]
#[command(name = "wayfare", version, max_term_width = 110, after_help = "Begin with: wayfare demo")]
pub(crate) struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Demo),
    Bake(Box<bake::Bake>),
    Path(path::FindPath),
    Query(query::Query),
    Crowd(Box<crowd::WalkCrowd>),
    Explain(Box<explain::Explain>),
    Draw(draw::Draw),
    Blocks(Box<blocks::Blocks>),
    Grid(grid::Grid),
    Info(info::Info),
    Check(check::Check),
    Convert(convert::Convert),
    Scenes(scenes::Scenes),
    Scene(scenes::WriteScene),
    Bench(bench::Bench),
    Completions(completions::Completions),
}

/// Carries out what the arguments ask for.
pub(crate) fn run(program: Program) -> Result<Answer> {
    match program.command {
        Command::Demo(command) => command.run(),
        Command::Bake(command) => command.run(),
        Command::Path(command) => command.run(),
        Command::Query(command) => command.run(),
        Command::Crowd(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Draw(command) => command.run(),
        Command::Blocks(command) => command.run(),
        Command::Grid(command) => command.run(),
        Command::Info(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Convert(command) => command.run(),
        Command::Scenes(command) => command.run(),
        Command::Scene(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Completions(command) => command.run(),
    }
}
