//! Wayfare: navigation for games, simulations and robots that walk.
//!
//! A bake turns level geometry (`input::TriMesh`) into a navigation mesh ([`mesh::NavMesh`]): the walkable surface as
//! convex polygons that know their neighbours. Queries on the mesh tell where an agent can stand and how it gets from
//! one position to another. Begin with the module [`simple`], which does both in two calls.
//!
//! Below these calls, the data flows as follows. Each arrow is a plain function on plain data:
//!
//! ```text
//! TriMesh → Heightfield → CompactHeightfield → Regions → ContourSet → PolyMesh → DetailMesh → TileData → NavMesh → path
//! input     voxel         voxel                bake      bake         bake       bake         tile       mesh      query
//! ```
//!
//! | to | see |
//! |---|---|
//! | ask for positions, paths and walls | [`query`], [`plan`] for many paths at once |
//! | move one agent, or many that avoid each other | [`corridor`], [`crowd`]; without a mesh, [`avoid`] and [`grid`] |
//! | change the level at run time | [`mesh`] for tiles, `dynamic` for obstacles |
//! | save and load | [`mod@format`] |
//! | find paths in worlds larger than memory | `world`, [`hierarchy`] |
//! | find paths in worlds of blocks | [`blocks`] |
//!
//! Coordinates are right-handed with +Y up; units are metres, seconds and radians. Modules depend only on those below
//! them: a test checks the code against the table in `ARCHITECTURE.md`.

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
