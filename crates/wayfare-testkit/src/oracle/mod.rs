//! Slow and obvious answers.

mod disc_path;
mod flood;
mod hull;
mod mesh_flood;
mod plane_path;
mod raster;

pub use flood::Flood;
pub use hull::{check_hull2, check_hull3, check_solid};
pub use mesh_flood::MeshFlood;
pub use plane_path::{PlaneMap, on_plane};
pub use raster::raster_columns;
