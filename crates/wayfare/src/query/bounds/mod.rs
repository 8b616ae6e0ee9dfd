//! Lower bounds of costs, computed in advance, and searches that are guided by them.
//!
//! A search estimates the rest of a path by the straight distance, and so looks behind every wall that stands between a
//! polygon and the goal. Here the cheapest costs from a few reference points to every portal of the mesh are computed
//! once. By the triangle inequality they bound the cost from any portal to any goal from below, and much more closely:
//!
//! ```text
//!     R ─────────── v ── G        cost(v, G) ≥ |cost(R, G) − cost(R, v)|, and nearly equal if v is on the way to G
//! ```
//!
//! | file | |
//! |---|---|
//! | [`portal_graph`] | the mesh as a graph of portals, in flat lists |
//! | [`portal_costs`] | the cheapest costs from a portal to all others |
//! | [`cost_bounds`] | the reference points and the table |
//! | [`portal_space`] | the search space: nodes are portals |
//! | [`bounded_search`] | the search, at once or in slices |

mod bounded_search;
mod cost_bounds;
mod portal_costs;
mod portal_graph;
mod portal_space;
#[cfg(test)]
mod tests;

pub use bounded_search::{BoundedSearch, find_bounded_path, find_bounded_path_into};
pub use cost_bounds::CostBounds;
