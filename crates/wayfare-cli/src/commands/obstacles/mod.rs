//! `wayfare obstacles MESH --play FILE`

mod command;
mod costs;
mod digest;
mod film;
mod level;
mod op;
mod picture;
mod play;
mod things;

pub(super) use command::PlayObstacles;
pub(super) use level::LevelOptions;
pub(super) use play::Stage;
