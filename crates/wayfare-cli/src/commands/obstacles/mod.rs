//! `wayfare obstacles MESH --play FILE`

mod command;
mod digest;
mod op;
mod picture;
mod play;

pub(super) use command::PlayObstacles;
