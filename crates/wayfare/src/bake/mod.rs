//! Walkable ground becomes polygons: regions, contours, a polygon mesh, and a detail mesh that follows the heights.

mod agents;
mod boundary;
mod contour_set;
#[cfg(test)]
mod contour_tests;
mod contours;
mod convex_merge;
mod corner_grid;
mod crossings;
mod detail_frame;
mod detail_heights;
mod detail_mesh;
mod detail_mesh_build;
mod detail_sampling;
mod distance_field;
mod explain;
mod explain_bytes;
mod explain_cause;
mod explain_tile;
mod ground_islands;
mod holes;
mod incremental_delaunay;
mod layers;
mod link_edges;
mod link_flight;
mod link_ground;
mod link_search;
mod links;
mod monotone;
mod pipeline;
mod poly_mesh;
mod poly_mesh_build;
mod region_merge;
#[cfg(test)]
mod region_tests;
mod regions;
mod report;
mod rings;
mod seams;
mod simplify;
#[cfg(test)]
mod test_field;
#[cfg(test)]
mod test_ground;
mod tile_blocks;
mod tile_build;
mod tile_key;
mod tile_work;
mod tiled;
mod triangulate;
mod watershed;

pub use contour_set::{Contour, ContourSet, ContourVert};
pub use contours::{ContourScratch, build_contours, build_contours_into};
pub use detail_mesh::{DetailMesh, DetailPatch};
pub use detail_mesh_build::{DetailInput, DetailSampling, DetailScratch, build_detail_mesh, build_detail_mesh_into};
pub use distance_field::{DistanceField, DistanceScratch, distance_field, distance_field_into};
pub use explain::{ExplainMap, Explanation, Reason};
pub use explain_bytes::ExplainBytesError;
pub use explain_tile::{explain_around, explain_level};
pub use layers::{layer_regions, layer_regions_into};
pub use links::{AutoLink, find_links};
pub use monotone::{monotone_regions, monotone_regions_into};
pub use pipeline::{BakeError, Products, TileBaker, TileRect};
pub use poly_mesh::{MeshPoly, PolyMesh};
pub use poly_mesh_build::{PolyMeshScratch, build_poly_mesh, build_poly_mesh_into};
pub use regions::{BORDER_REGION, RegionLimits, RegionScratch, Regions};
pub use report::{BakeReport, BakeStats, Stage, StageTimes, Warning, WarningKind};
pub use seams::build_seams_into;
pub use simplify::ContourSettings;
pub use tile_build::{TileParts, build_tile};
pub use tile_key::{tile_key, tile_keys};
pub use tile_work::{TILES_AT_ONCE, TileStore, bake_agents_planned};
pub use tiled::{BakedTiles, TilePlan, bake_agents, bake_planned, bake_tiles};
pub use watershed::{watershed_regions, watershed_regions_into};
