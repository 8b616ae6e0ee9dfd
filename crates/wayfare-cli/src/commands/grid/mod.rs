//! `wayfare grid --play FILE`

mod command;
mod picture;
mod play;

pub(super) use command::Grid;
