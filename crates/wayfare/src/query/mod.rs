//! Questions to an immutable mesh.
//!
//! Every question is a function of `&NavMesh`, what is asked, a [`QueryFilter`] and, where it searches, a
//! [`SearchScratch`] that the caller keeps. Any number of threads may ask one mesh, each with its own scratch. Answers that
//! are lists have an `_into` form that fills the caller's; nothing is allocated once those have grown.
//!
//! ```text
//!   find_nearest ──> PolyPoint ──> find_path ──> PolyPath ──> string_pull ──> StraightPath
//! ```
//!
//! A reference to a polygon that is no longer there is a typed answer, [`StaleRef`](crate::mesh::StaleRef), never a panic.

#[cfg(test)]
mod agreement;
mod astar;
mod filter;
mod height;
mod nearest;
mod path;
#[cfg(test)]
mod reference_data;
mod scratch;
mod search;
mod straight_path;
#[cfg(test)]
mod test_maps;

pub use astar::{find_path, find_path_into, is_reachable};
pub use filter::{AreaCostError, DefaultFilter, QueryFilter};
pub use height::{closest_point_on_boundary, closest_point_on_poly, poly_height};
pub use nearest::{Nearest, PolyPoint, find_nearest, find_nearest_in};
pub use path::{CorridorError, PathRequest, PolyPath, SearchLimits, portal_between};
pub use scratch::SearchScratch;
pub use straight_path::{StraightPath, StraightPoint, string_pull, string_pull_into};
