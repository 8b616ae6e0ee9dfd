//! Reads a LEVEL of the command line (files, built-in scenes, descriptions of worlds), and a MESH, which may be a
//! store.

mod level;
pub(crate) mod mesh_file;
pub(crate) mod store_file;
mod world;

pub(crate) use level::{Level, ending, is_level};
pub(crate) use world::WorldInput;
