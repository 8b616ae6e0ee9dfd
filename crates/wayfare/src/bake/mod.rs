//! Turns walkable surfaces into polygons: regions, contours, a polygon mesh, and a detail mesh that follows the
//! heights.

mod cell_point;
mod contour;
mod corner_grid;
mod detail;
mod empty_bake;
mod explain;
mod ground_islands;
#[cfg(test)]
mod growth_tests;
mod inside_bodies;
mod level;
mod link;
mod memory;
mod poly;
mod recipe;
mod region;
mod report;
mod seams;
#[cfg(test)]
mod test_ground;
mod tile_parts;

pub use contour::{
    Contour, ContourScratch, ContourSet, ContourSettings, ContourVert, build_contours, build_contours_into,
};
pub use detail::{
    DetailInput, DetailMesh, DetailPatch, DetailSampling, DetailScratch, build_detail_mesh, build_detail_mesh_into,
};
pub use empty_bake::EmptyBake;
pub use explain::{ExplainBytesError, ExplainMap, Explanation, Reason, explain_around, explain_level};
pub use inside_bodies::inside_bodies;
pub use level::{
    BakeJob, BakedTiles, TILES_AT_ONCE, TilePlan, TileSink, bake_agents, bake_agents_planned, bake_planned, bake_tiles,
    tile_key, tile_keys,
};
pub(crate) use level::{BlockBaker, TileInputs, count_known};
pub use link::{AutoLink, find_links};
pub(crate) use link::{Candidate as LinkCandidate, TileSearcher as LinkTileSearcher, settle as settle_links};
pub use memory::{BYTES_A_CELL, BYTES_A_SPAN, BYTES_A_TRIANGLE, TooMuchMemory};
pub use poly::{MeshPoly, PolyMesh, PolyMeshScratch, build_poly_mesh, build_poly_mesh_into};
pub use recipe::{BakeError, BakeObserver, BakeStep, Door, Products, TileBaker, TileInput, TileRect};
pub use region::{
    BORDER_REGION, DistanceField, DistanceScratch, RegionLimits, RegionScratch, Regions, distance_field,
    distance_field_into, layer_regions, layer_regions_into, monotone_regions, monotone_regions_into, watershed_regions,
    watershed_regions_into,
};
pub use report::{BakeReport, BakeStats, Stage, StageTimes, Warning, WarningKind};
pub use seams::build_seams_into;
pub use tile_parts::TileParts;
