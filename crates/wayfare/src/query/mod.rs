//! Queries on an immutable mesh: nearest polygon, paths, rays, moves, walls, random points.
//!
//! Every query is a function of `&NavMesh`, its parameters, a [`QueryFilter`] and, if it searches, a [`SearchScratch`]
//! that the caller keeps. Any number of threads may query one mesh, each with its own scratch. Queries that return
//! lists have an `_into` form that fills an existing one; once those have grown, nothing is allocated. [`NavQuery`]
//! holds all of this in one place.
//!
//! ```text
//!   find_nearest ──> PolyPoint ──> find_path ──> PolyPath ──> string_pull ──> StraightPath
//! ```
//!
//! A reference to a polygon that no longer exists gives a typed error, [`StaleRef`](crate::mesh::StaleRef), never a
//! panic.

#[cfg(test)]
mod area_rule_tests;
mod around;
mod around_vertex;
mod astar;
mod bounds;
mod circle_ground;
#[cfg(feature = "clearance")]
mod clearance;
#[cfg(test)]
mod connection_tests;
mod cost_map;
mod crossing;
#[cfg(test)]
mod crossing_tests;
#[cfg(test)]
mod dead_end_tests;
mod downhill;
mod explain_path;
mod filter;
mod flag_components;
mod flood;
mod goal_point;
mod goal_request;
mod goals;
mod height;
mod in_box;
mod line_walk;
mod mesh_nodes;
mod move_along;
mod nav_query;
mod nearest;
mod nearest_reachable;
mod neighbourhood;
mod node_placement;
#[cfg(test)]
mod observer_tests;
mod optimal;
mod outline_place;
mod overlay;
mod path;
mod path_changes;
mod path_check;
mod point_sampler;
mod poly_space;
mod query_point;
mod random;
mod raycast;
mod reachable;
mod reached_poly;
mod scratch;
mod search;
mod search_goal;
mod sliced_search;
mod straight_path;
mod string_pull;
mod taken_polys;
#[cfg(test)]
pub(crate) mod test_maps;
mod trace_path;
mod useful_edges;
mod via;
mod wall_distance;
mod wall_segment;
mod walls;

pub use crate::graph::SearchLimits;
pub use crate::mesh::PolyPoint;
pub use around::{AroundRequest, AroundShape, polys_around, polys_around_into};
pub use astar::{find_path, find_path_into};
pub use bounds::{BoundedSearch, CostBounds, find_bounded_path, find_bounded_path_into};
#[cfg(feature = "clearance")]
pub use clearance::{ClearanceError, ClearanceMesh, extra_radius};
pub use cost_map::{CostMap, CostMapRequest};
pub use crossing::Crossing;
pub(crate) use crossing::crossings;
pub use downhill::DownhillOnly;
pub use explain_path::{NoPath, PathExplanation, PathQuestion, explain_path};
pub use filter::{AreaCostError, DefaultFilter, QueryFilter};
pub(crate) use flag_components::flag_components;
pub use goal_request::{BoxGoalRequest, NearestGoalRequest};
pub use goals::{find_path_to_box, find_path_to_box_into, find_path_to_nearest, find_path_to_nearest_into};
pub use height::{closest_point_on_boundary, closest_point_on_poly, poly_height};
pub use in_box::{polys_in_box, polys_in_box_into};
pub use move_along::{Moved, move_along_surface, move_along_surface_into};
pub use nav_query::{DEFAULT_REACH, NavQuery, PulledPath};
pub use nearest::{Nearest, find_nearest, find_nearest_in};
pub(crate) use nearest::{Rank, find_ranked};
pub use neighbourhood::{NeighbourhoodOrder, NeighbourhoodRequest, local_neighbourhood, local_neighbourhood_into};
pub use node_placement::{NodePlacement, PlaceNodes, PortalToPlace};
pub use optimal::{OptimalPath, OptimalSearch, OptimalSource, find_optimal_path, find_optimal_path_into};
pub use overlay::{CostOverlay, Overlaid, OverlayError, OverlayFull, OverlayReadError, OverlaySettings, OverlayShape};
pub use path::{CorridorError, PathRequest, PolyPath, portal_between};
pub use path_changes::PathChange;
pub(crate) use path_changes::{change_of, first_announced};
pub use path_check::{Broken, BrokenBy};
pub(crate) use path_check::{breach, first_broken, length_over_portals};
pub use point_sampler::PointSampler;
pub use query_point::QueryPoint;
pub use random::random_point_in_circle;
pub use raycast::{Raycast, raycast, raycast_into, raycast_with_cost, raycast_with_cost_into};
pub use reachable::{Reachability, is_reachable, reachable};
pub use reached_poly::ReachedPoly;
pub use scratch::SearchScratch;
pub use sliced_search::SlicedSearch;
pub use straight_path::{PointKind, StraightPath, StraightPoint};
pub use string_pull::{Crossings, add_crossings, add_crossings_into, string_pull, string_pull_into};
pub(crate) use trace_path::cut_where_stale;
pub use wall_distance::{NearestWall, find_distance_to_wall};
pub use wall_segment::WallSegment;
pub use walls::{wall_segments, wall_segments_into};
