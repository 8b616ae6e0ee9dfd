//! Rules on structure: what holds for functions, statements and files, read from the parsed sources.
//!
//! Each rule has a list of the places that break it today, in `xtask/structure`. A place that is not on the list fails,
//! and so does a line of the list that nothing breaks any more: the lists only shrink.

mod cycles;
mod exceptions;
mod folder_files;
mod long_functions;
mod names;
mod paired_lets;
mod parameters;
mod public_api;
mod resolve;
mod rules;
mod source_tree;

pub(crate) use rules::{bless, run};
