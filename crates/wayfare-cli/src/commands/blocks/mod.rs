//! `wayfare blocks WORLD --from P --to P`

mod command;
mod picture;
mod report;
mod world;

pub(super) use command::Blocks;
