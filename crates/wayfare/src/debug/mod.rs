//! Debug drawing: hands any product to a sink as shapes, without deciding on their looks.
//!
//! Each function here draws one product. It passes polygons, lines, points and labels in world coordinates to a
//! [`DebugSink`], each with a [`Role`] that says what it represents. A renderer, a picture writer or an engine's debug
//! view implements the sink and decides on colours and widths. [`ShapeList`] is the sink that only records.
//!
//! ```text
//!   TileData, NavMesh ─┐
//!   Heightfield, …    ─┼─ draw_… ──► DebugSink ──► ShapeList ──► SVG, PNG
//!   a path            ─┘                      └──► lines on a screen
//! ```

mod abstract_graph;
mod avoidance;
#[cfg(feature = "bake")]
mod bake_products;
mod blocks;
mod hull;
mod local_grid;
mod mesh;
mod overlay;
mod path;
mod polys;
mod search;
mod shape_list;
mod sight_cones;
mod sink;
mod tile;
#[cfg(feature = "bake")]
mod voxels;

pub use abstract_graph::draw_abstract_graph;
pub use avoidance::{VelocityBoard, draw_penalties, draw_sight, draw_velocity_obstacles};
#[cfg(feature = "bake")]
pub use bake_products::{draw_contours, draw_detail_mesh, draw_poly_mesh, draw_warnings};
pub use blocks::{draw_block_nav, draw_block_world};
pub use hull::draw_hull;
pub use local_grid::draw_local_grid;
pub use mesh::draw_mesh;
pub use overlay::draw_overlay;
pub use path::{draw_connection, draw_one_way_connection, draw_partial_path, draw_path, draw_stranded, draw_trail};
pub use polys::{draw_components, draw_corridor, draw_polys, draw_ray};
pub use search::{draw_search, draw_search_step};
pub use shape_list::{DrawnShape, ShapeKind, ShapeList};
pub use sight_cones::draw_sight_cones;
pub use sink::{DebugSink, Role};
pub use tile::{draw_tile, draw_tile_detail};
#[cfg(feature = "bake")]
pub use voxels::{draw_compact_heightfield, draw_distance_field, draw_explain_map, draw_heightfield, draw_regions};
