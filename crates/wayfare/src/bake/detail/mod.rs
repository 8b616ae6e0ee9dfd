//! The detail mesh: every polygon triangulated once more, so that it follows the heights of the ground.

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
