//! A LEVEL of the command line (files and built-in scenes), and a MESH.

mod level;
pub(crate) mod mesh_file;

pub(crate) use level::{Level, ending, is_level};
