//! The input of a bake into a store: a level in memory, a generated scene, or the description of a world.

mod description;
mod parts;
mod spill;
mod world_input;

pub(crate) use world_input::WorldInput;
