//! `wayfare obstacles MESH --play FILE`

mod command;
mod digest;
mod film;
mod op;
mod picture;
mod play;

pub(super) use command::PlayObstacles;
