//! `wayfare bake LEVEL… -o MESH`

mod command;
mod maker;
mod stages;
mod store_maker;
mod warnings;

pub(super) use command::Bake;
pub(super) use maker::Maker;
