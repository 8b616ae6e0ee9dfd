//! Shortest paths in any direction, not only through the best row of polygons: Polyanya on tiles and floors.
//!
//! A corridor search compares routes by points on portals and pulls the string afterwards: the path is the shortest in
//! its corridor, but the corridor may be the wrong one. Here a node is what is visible from the last bend of a path
//! through one portal. Its estimate is the exact length of the shortest path through it if no further walls are in
//! between, so the first path to arrive is the shortest of all.
//!
//! ```text
//!   corridor search                    optimal search
//!   S──.  ┌──────┐                     S .    ┌──────┐
//!       `·│·.  ##│                       |`-._│    ##│      a node: the root S and the part of a portal
//!         │  `·. │                       |   [│=]  ##│      that is seen from it
//!         └──────┘                            └──────┘
//! ```
//!
//! | file | |
//! |---|---|
//! | [`cone`] | what is visible from a root through a portal, decided exactly |
//! | [`estimate`] | the length of the shortest path from a root through an interval to the goal |
//! | [`memory`] | nodes, roots, what is known about each corner |
//! | [`search_tile`] | what is read of the mesh: tiles touched, places where a path may bend |
//! | [`exits`] | the exits of a polygon |
//! | [`bends`] | where a path may bend, and the roots there |
//! | [`expand`] | expanding a node |
//! | [`sight_line`] | the straight line to the goal, if it is free |
//! | [`search`] | both searches, in slices |
//! | [`shown`] | what an observer sees |
//! | [`path`] | the answer, and how good it is |

mod bends;
mod cone;
mod estimate;
mod exits;
mod expand;
mod memory;
mod path;
mod search;
mod search_tile;
mod shown;
mod sight_line;
#[cfg(test)]
mod tests;

pub(super) use memory::OptimalMemory;
pub use path::{OptimalPath, OptimalSource};
pub use search::{OptimalSearch, find_optimal_path, find_optimal_path_into};
