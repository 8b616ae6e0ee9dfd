//! A continent of any size, generated on demand.

mod bridges;
mod hills;
mod land;
mod nodes;
mod towns;
mod woods;
mod world;

pub use world::Continent;
