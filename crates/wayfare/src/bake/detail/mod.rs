//! The detail mesh: a triangulation of every polygon that follows the heights of the surface.

mod delaunay_samples;
mod detail_mesh;
mod detail_mesh_build;
#[cfg(test)]
mod detail_mesh_tests;
mod frame;
mod heights;
mod in_circle;
mod incremental_delaunay;
mod sample;
mod sampling;

pub use detail_mesh::{DetailMesh, DetailPatch};
pub use detail_mesh_build::{DetailInput, DetailSampling, DetailScratch, build_detail_mesh, build_detail_mesh_into};
