//! A small grid that follows an agent and finds its way around whatever moves between two points of a global path.
//!
//! The global planner (a navigation mesh, way-points, anything) says where to go next. [`LocalGrid`] marks what stands
//! around the agent right now: walls, other agents, crates. [`GridSearch`] finds a way from the agent to the next
//! global point through the free cells. What cannot be got around is reported back: [`blockers`] names the obstacles in
//! the way, so that the global planner can wait, push, or plan anew.
//!
//! ```
//! use wayfare::area::PathStatus;
//! use wayfare::grid::{GridSearch, LocalGrid, Obstacle, Shape};
//! use wayfare::Vec3;
//!
//! let mut grid = LocalGrid::new(40, 0.25)?;
//! grid.recenter(Vec3::ZERO);
//! let crate_ahead = Shape::Box { center: Vec3::new(2.0, 0.0, 0.0), half: [0.5, 1.0], yaw: 0.0 };
//! grid.block(&Obstacle { shape: crate_ahead, id: 7 }, 0.4);
//!
//! let mut search = GridSearch::default();
//! let path = search.find_path(&grid, Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0));
//! assert_eq!(path.status, PathStatus::Complete);
//! assert!(path.points.len() > 2, "round the crate");
//! # Ok::<(), wayfare::grid::LocalGridError>(())
//! ```
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010.

mod blockers;
mod gather;
mod local_grid;
#[cfg(test)]
mod oracle_tests;
mod search;
mod shape;

pub use blockers::{blockers, blockers_into};
pub use gather::Neighbour;
pub use local_grid::{LocalGrid, LocalGridError};
pub use search::{GridPath, GridSearch, GridSpan};
pub use shape::{Obstacle, Shape};
