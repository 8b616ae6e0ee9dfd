//! Triangles over each polygon that follow the heights of the surface.

use crate::tile::DetailTri;
use glam::Vec3;

/// The triangles over one polygon. Vertex indices within it count the polygon's own corners first, then its extra
/// vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DetailPatch {
    /// First extra vertex in [`DetailMesh::verts`].
    pub first_vert: u32,
    /// Number of extra vertices.
    pub vert_count: u32,
    /// First triangle in [`DetailMesh::tris`].
    pub first_tri: u32,
    /// Number of triangles.
    pub tri_count: u32,
}

/// A triangle mesh for every polygon of a polygon mesh, in its order.
#[derive(Clone, Debug, Default)]
pub struct DetailMesh {
    /// One patch a polygon.
    pub patches: Vec<DetailPatch>,
    /// Extra vertices of all patches, in world coordinates.
    pub verts: Vec<Vec3>,
    /// Triangles of all patches.
    pub tris: Vec<DetailTri>,
}
