//! Hierarchical search: paths over an abstract graph of tiles, refined into polygons piece by piece.
//!
//! Each tile has a [part of the graph](TileGraph): its contiguous areas, the portals between them and across the tile's
//! sides, and the lengths of the paths from portal to portal. A search over [the whole graph](AbstractGraph) opens
//! about a tenth as many nodes as one over polygons, and does not need the tiles that the path crosses. A
//! [`HierarchicalPath`] then finds one [corridor](HierarchicalPath::next_corridor) after another while the agent walks,
//! and loads the tiles of each.
//!
//! ```text
//!   tile ──> TileGraph ──> AbstractGraph ──> abstract path ──> corridor, corridor, … ──> string pulling
//! ```
//!
//! Every corridor is checked polygon by polygon before it is returned.

mod abstract_graph;
mod abstract_search;
mod abstract_space;
mod abstract_task;
#[cfg(test)]
mod area_centre_tests;
mod area_costs;
mod area_flood;
mod attach;
mod closed_parts;
mod cluster;
mod cluster_graph;
mod cone_graph;
mod entrances;
mod exits;
mod find_abstract;
mod find_hierarchical;
mod graph_lattice;
mod graph_levels;
mod graph_portal;
mod graph_tile;
mod hierarchical_path;
mod in_memory;
mod landmarks;
mod level_build;
mod level_bytes;
#[cfg(test)]
mod level_tests;
mod planner;
mod portal_runs;
mod resident;
mod resident_parts;
mod resident_world;
mod scratch;
mod spanner;
mod stored_tiles;
#[cfg(test)]
mod tests;
mod tile_access;
mod tile_areas;
mod tile_graph;
mod tile_graph_bytes;
mod tile_reader;
mod whole_clusters;
mod within;
mod world_changes;
mod world_connections;

pub use abstract_graph::{AbstractGraph, GraphSize};
pub use find_hierarchical::{Corridors, HierarchicalAnswer, find_hierarchical_path};
pub use graph_levels::{GraphLevels, LevelSize};
pub use graph_tile::GraphTile;
pub use hierarchical_path::{HierarchicalPath, NextCorridor, Refinement};
pub use in_memory::InMemory;
pub use landmarks::{LandmarkId, LandmarkLeg, LandmarkPath, Landmarks, UnknownLandmark, find_landmark_path};
pub use planner::HierarchicalPlanner;
pub use resident::{ResidentBudget, ResidentStats};
pub use resident_world::ResidentWorld;
pub use scratch::HierarchyScratch;
pub use stored_tiles::{StoredTiles, read_levels, write_default_levels, write_levels};
pub use tile_access::{NotLoaded, NotLoadedReason, TileAccess};
pub use tile_graph::{GraphArea, GraphEdge, GraphPortal, TileGraph};
pub use tile_graph_bytes::GraphBytesError;
pub use tile_reader::{MeshTiles, TileReader};
