//! Walkable ground becomes polygons: regions, contours, a polygon mesh, and a detail mesh that follows the heights.

mod contour_set;
mod convex_merge;
mod detail_mesh;
mod distance_field;
mod poly_mesh;
mod poly_mesh_build;
mod regions;
mod report;
mod triangulate;

pub use contour_set::{Contour, ContourSet, ContourVert};
pub use detail_mesh::{DetailMesh, DetailPatch};
pub use distance_field::DistanceField;
pub use poly_mesh::{MeshPoly, PolyMesh};
pub use poly_mesh_build::{PolyMeshScratch, build_poly_mesh, build_poly_mesh_into};
pub use regions::{BORDER_REGION, Regions};
pub use report::{BakeReport, BakeStats, Stage, StageTimes, Warning, WarningKind};
