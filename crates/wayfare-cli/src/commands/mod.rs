//! The commands, one file or folder each, and the program that contains them.

mod bake;
mod bench;
mod blocks;
mod check;
mod completions;
mod convert;
mod crowd;
mod demo;
mod draw;
mod explain;
mod explain_record;
mod footing;
mod grid;
mod hierarchical;
mod hollow;
mod info;
mod lab;
mod obstacles;
mod path;
mod program;
mod query;
mod scenes;
mod store;

pub(crate) use program::{Program, run};
