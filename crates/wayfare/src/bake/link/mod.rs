//! Automatic links: drops, jumps and climbs found from the borders of the ground.

mod flight;
mod ground;
mod links;
mod rules;
mod search;
mod take_off;

pub use links::{AutoLink, find_links};
