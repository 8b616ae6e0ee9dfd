//! `wayfare crowd MESH`: runs a crowd and prints metrics.

mod cast;
mod command;
mod figures;
mod pedestrians;
mod play;
mod preset;
mod run;
mod trails;
mod trials;

pub(super) use cast::{Cast, Errand};
pub(super) use command::{Method, WalkCrowd};
pub(super) use figures::Figures;
pub(super) use preset::Preset;
pub(super) use run::{Plan, Watch, walk};
pub(super) use trails::draw_trails;
