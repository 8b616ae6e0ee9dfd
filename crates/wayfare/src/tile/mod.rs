//! One tile of a navigation mesh as plain data.
//!
//! A tile is built from polygons of any source: the bake, another tool's file, or the caller's own. It knows its polygons,
//! their neighbours within the tile, which of its edges lie on the tile's border, the detail triangles, and a bounding
//! tree. It does not know other tiles: links across tiles belong to [`mesh`](crate::mesh).

mod tile_data;

pub use tile_data::{DetailRange, DetailTri, EdgeNeighbour, Poly, SeamCell, Side, TileCoord, TileData, TileLayout};
