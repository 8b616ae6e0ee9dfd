//! Shortest paths in any direction, without the detour over a graph: Polyanya over tiles and floors.
//!
//! A search over polygons decides between ways by the middles of portals, and pulls the string afterwards: the path is
//! the shortest in its corridor, but the corridor may be the wrong one. Here a node is what can be seen from the last
//! bend of a path through one portal, so that its estimate is the exact length of the shortest path that leads through
//! it on free ground, and the first to arrive is the shortest of all.
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
//! | [`cone`] | what a root sees through a portal, decided exactly |
//! | [`estimate`] | the shortest way from a root through an interval to the goal |
//! | [`memory`] | nodes, roots, what is known about each corner |
//! | [`ground`] | the tiles touched, and the places where a path may bend |
//! | [`exits`] | the ways out of a polygon |
//! | [`bends`] | the roots at corners |
//! | [`expand`] | from one node to the next |
//! | [`sight_line`] | the straight way, where there is one |
//! | [`search`] | both searches, in slices |
//! | [`shown`] | what an observer sees |
//! | [`path`] | the answer, and how good it is |

mod bends;
mod cone;
mod estimate;
mod exits;
mod expand;
mod ground;
mod memory;
mod path;
mod search;
mod shown;
mod sight_line;
#[cfg(test)]
mod tests;

pub(super) use memory::OptimalMemory;
pub use path::{OptimalPath, OptimalSource};
pub use search::{OptimalSearch, find_optimal_path, find_optimal_path_into};
