//! An agent's path as a list of polygons that is updated while agent and goal move.
//!
//! An agent that follows a fixed path leaves it at the first push. A corridor is more flexible: the agent's position,
//! its goal, and the polygons between. Whatever moves the agent, its end of the corridor moves along over the mesh, and
//! the polygons it walks through are merged into the corridor; the same holds for the goal. The corners to steer
//! towards are computed from the corridor whenever they are needed.
//!
//! ```text
//!   start ●──.        .──● end         move_start, move_end: both ends slide over the mesh
//!       [ A ][ B ][ C ][ D ]           corners: the string from start to end, its first bends
//!                                      optimise_*: a better beginning;  check, repair: after the mesh has changed
//! ```
//!
//! Sources: Mikko Mononen, "Following Moving Target" and "Path Corridor Optimizations", Digesting Duck, October and
//! November 2010.

mod bridge;
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
