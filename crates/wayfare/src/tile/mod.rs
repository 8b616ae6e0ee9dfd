//! One tile of a navigation mesh as plain data.
//!
//! A tile is built from polygons of any source: the bake, another tool's file, or the caller's own. It stores its
//! polygons, their neighbours within the tile, the edges on the tile's border, and the detail triangles. Lookup
//! structures (a bounding tree, a grid, islands, dead ends) are derived on first use. A tile does not know other tiles:
//! links between tiles belong to [`mesh`](crate::mesh).

mod beyond;
mod border;
mod bounding_tree;
mod box_lanes;
mod build;
mod byte_order;
mod dead_ends;
mod defects;
mod edge_table;
mod effort;
mod eight;
mod few;
mod islands;
mod islands_under;
mod keys;
mod large_polys;
mod nearest_boxes;
#[cfg(feature = "outlines")]
mod outline_tile;
mod overlaps;
mod poly_grid;
mod poly_order;
mod poly_outline;
mod seam_runs;
mod sight_graph;
mod surface;
#[cfg(test)]
pub(crate) mod test_sketch;
mod tile_block;
#[cfg(test)]
mod tile_block_tests;
mod tile_builder;
mod tile_data;
mod tile_head;
mod tile_layout;
mod tile_lookup;
mod validate;
mod walls;

pub(crate) use beyond::Beyond;
pub use bounding_tree::BoundingTree;
pub use build::{SourcePoly, TileSource, build_tile};
pub(crate) use dead_ends::{DeadEnds, Numbers};
pub use defects::Defect;
#[cfg(feature = "clearance")]
pub(crate) use defects::has_sound_outline;
pub(crate) use edge_table::EdgeTable;
pub(crate) use effort::{Effort, Exhausted};
pub use islands::Islands;
pub(crate) use islands_under::{IslandsUnder, MIXED};
pub use keys::TileKeys;
pub(crate) use nearest_boxes::{Around, distance_to_box};
#[cfg(feature = "outlines")]
pub use outline_tile::{OutlineError, build_outline_tile};
pub(crate) use poly_grid::{Boxed, PolyGrid};
pub(crate) use poly_outline::{Outline, OutlineBlock, Place, bits};
pub(crate) use sight_graph::{SightCorner, SightGraph};
pub use surface::SurfacePoint;
pub use tile_block::TileData;
pub use tile_builder::TileBuilder;
pub use tile_data::{BakedFor, BorderEdge, DetailRange, DetailTri, EdgeNeighbour, Poly, SeamCell, Side};
pub(crate) use tile_data::{SeamHeights, SeamRun};
pub(crate) use tile_layout::PlaceRange;
pub use tile_layout::{TileCoord, TileLayout};
pub(crate) use validate::TileLists;
pub use validate::{MAX_POLYS, TileError};
