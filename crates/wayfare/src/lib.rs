//! Wayfare: navigation for games, simulations and robots that walk.
//!
//! Raw level geometry goes in as an `input::TriMesh`; a navigation mesh comes out; every spatial question
//! about where an agent can stand and how it gets there is asked of that mesh.
//!
//! The flow of data, each arrow one plain function on plain data:
//!
//! ```text
//! TriMesh → Heightfield → CompactHeightfield → Regions → ContourSet → PolyMesh → DetailMesh → TileData → NavMesh → path
//! input     voxel         voxel                bake      bake         bake       bake         tile       mesh      query
//! ```
//!
//! Right-handed, +Y up, metres, seconds, radians. Modules depend only downwards; the table stands in `ARCHITECTURE.md`
//! and a test holds the code to it.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

pub mod area;
pub mod context;
pub mod math;

pub mod tile;

pub mod avoid;
pub mod blocks;
pub mod components;
pub mod corridor;
pub mod crowd;
pub mod format;
pub mod graph;
pub mod grid;
pub mod hierarchy;
pub mod mesh;
pub mod plan;
pub mod query;
pub mod simple;

#[cfg(feature = "bake")]
pub mod bake;
#[cfg(feature = "bake")]
pub mod dynamic;
#[cfg(feature = "bake")]
pub mod input;
#[cfg(feature = "bake")]
pub mod voxel;
#[cfg(feature = "bake")]
pub mod world;

pub mod debug;

pub use glam::{Vec2, Vec3};
