//! An agent's way as a row of polygons that is kept up while agent and goal move.
//!
//! A path that is followed to the letter is left at the first push. A corridor is the looser thing: where the agent is,
//! where it wants to go, and the polygons between. Whatever moves the agent, its end of the corridor moves along over
//! the mesh and the polygons it walks through are fused to the row; the same holds for the goal. The corners to steer
//! by are pulled from it anew whenever they are wanted.
//!
//! ```text
//!   start ●──.        .──● end         move_start, move_end: both ends slide over the mesh
//!       [ A ][ B ][ C ][ D ]           corners: the string from start to end, its first bends
//!                                      optimise_*: a better beginning;  check, repair: after the mesh has changed
//! ```
//!
//! Sources: Mikko Mononen, "Following Moving Target" and "Path Corridor Optimizations", Digesting Duck, October and
//! November 2010.

mod check;
mod corners;
#[cfg(test)]
mod corridor_tests;
mod cost;
mod fuse;
mod off_mesh;
mod optimise;
mod path_corridor;
#[cfg(test)]
mod property_tests;
mod scratch;
#[cfg(test)]
pub(crate) mod test_ground;

pub use check::Repair;
pub use corners::{CornerAt, CorridorCorner};
pub use fuse::{Fused, fuse_end, fuse_shortcut, fuse_start};
pub use off_mesh::ConnectionCrossing;
pub(crate) use path_corridor::Found;
pub use path_corridor::{NotOnPath, PathCorridor};
pub use scratch::CorridorScratch;
