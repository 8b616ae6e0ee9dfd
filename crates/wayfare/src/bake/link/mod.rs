//! Automatic links: finds drops, jumps and climbs along the borders of the walkable surface.

mod blocks;
mod flight;
mod ground;
mod links;
mod rules;
mod search;
mod take_off;

pub use links::{AutoLink, find_links};
pub(crate) use links::{Candidate, TileSearcher, settle};
