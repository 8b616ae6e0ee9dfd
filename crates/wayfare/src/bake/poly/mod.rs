//! The polygon mesh: contours triangulated, and the triangles merged into convex polygons.

mod flat_triangles;
mod poly_mesh;
mod poly_mesh_build;
mod slits;
mod triangulate;

pub use poly_mesh::{MeshPoly, PolyMesh};
pub use poly_mesh_build::{PolyMeshScratch, build_poly_mesh, build_poly_mesh_into};
