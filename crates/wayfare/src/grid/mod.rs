//! A small grid that follows an agent and finds paths around moving obstacles between two points of a global path.
//!
//! The global planner (a navigation mesh, waypoints, anything) gives the next point to go to. [`LocalGrid`] marks what
//! is around the agent right now: walls, other agents, crates. [`GridSearch`] finds a path through the free cells from
//! the agent to that point. If there is none, [`blockers`] lists the obstacles on the line, so that the global planner
//! can wait, push, or plan again.
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
mod outline;
mod search;
mod shape;

#[cfg(test)]
pub(crate) use blockers::distance_to_core;
pub use blockers::{blockers, blockers_into};
pub use gather::NearbyAgent;
pub use local_grid::{LocalGrid, LocalGridError};
pub(crate) use outline::outline;
pub use search::{GridPath, GridSearch, GridSpan};
pub(crate) use shape::bounds;
pub use shape::{Obstacle, Shape};
