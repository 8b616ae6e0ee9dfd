//! Slow and obvious answers.

mod flood;
mod plane_path;
mod raster;

pub use flood::Flood;
pub use plane_path::PlaneMap;
pub use raster::raster_columns;
