//! Turns triangles into voxels: solid spans, then the open space above them.
//!
//! [`Grid`] defines the cells; [`Heightfield`] holds solid spans; [`CompactHeightfield`] holds the surface on which an
//! agent can stand, with its neighbours resolved. The steps, in order: [`rasterize`], [`filter`], [`compact`],
//! [`erode`].

mod active_triangles;
mod cell_triangle;
mod checkpoint;
mod checkpoint_ceilings;
mod checkpoint_streams;
mod checkpoint_unpack;
mod compact;
mod compact_heightfield;
mod compressor;
mod erode;
mod erode_euclidean;
mod extent;
mod filter;
mod filter_ledges;
mod filter_low_hanging;
mod filter_low_height;
mod grid;
mod grid_lines;
mod height_range;
mod heightfield;
mod mark;
mod median_filter;
mod merge_row;
mod raster_input;
mod rasterize;
mod row_lanes;
mod row_ranges;
mod row_tops;
mod slope;
mod sweep;
mod terrain_rows;
mod triangle_bins;
mod triangle_rows;

#[cfg(test)]
mod step_tests;
#[cfg(test)]
mod test_columns;

pub use checkpoint::{CheckpointError, Checkpoints};
pub(crate) use compact::{Window, are_single, link_rows, take_ground_in_place, take_ground_into};
pub use compact::{compact, compact_in_place, compact_into};
pub use compact_heightfield::CompactHeightfield;
pub use compressor::{Compressor, DamagedBytes, Deflate};
pub(crate) use erode::erode_around_into;
pub use erode::{ErodeScratch, erode, erode_into};
pub use erode_euclidean::{erode_euclidean, erode_euclidean_into};
pub(crate) use filter::filter_rows;
pub use filter::{FilterScratch, filter, filter_into};
pub use filter_ledges::filter_ledges;
pub use filter_low_hanging::filter_low_hanging_obstacles;
pub use filter_low_height::filter_low_height;
pub use grid::{DIRECTIONS, Grid, GridError};
pub use heightfield::Heightfield;
pub use mark::mark_volume;
pub(crate) use mark::{MarkedCells, mark_cells};
pub use median_filter::median_filter;
pub use raster_input::RasterInput;
pub use rasterize::{
    MAX_SPANS, RasterLimit, RasterLimitError, RasterScratch, rasterize, rasterize_into, rasterize_within,
};
pub(crate) use rasterize::{begin_rasterize, rasterize_bands};
pub use slope::slope_area;
pub use triangle_bins::TriangleBins;
