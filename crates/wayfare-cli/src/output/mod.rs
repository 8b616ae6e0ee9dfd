//! Writers: files that are complete or absent, pictures, statistics, tables.

pub(crate) mod atomic_file;
mod kind;
pub(crate) mod numbers;
mod part_file;
mod picture_file;
pub(crate) mod stats;
pub(crate) mod targets;

pub(crate) use kind::Kind;
pub(crate) use picture_file::{caption_of, draw_picture, write_picture};
