//! Convex polygons over the ground, still in voxel units.

use crate::area::{AreaId, PolyFlags};
use crate::tile::EdgeNeighbour;
use crate::voxel::Grid;

/// One convex polygon: a range of the mesh's index list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshPoly {
    /// First corner in [`PolyMesh::corners`] and [`PolyMesh::neighbours`].
    pub first: u32,
    /// Number of corners, 3 or more.
    pub count: u32,
    /// Region it was cut from.
    pub region: u32,
    /// Area type.
    pub area: AreaId,
    /// Abilities needed to cross it.
    pub flags: PolyFlags,
}

/// Convex polygons that share vertices and edges. Wound so that their normal points up.
#[derive(Clone, Debug)]
pub struct PolyMesh {
    /// The tile proper: vertex coordinates count from its low corner.
    pub grid: Grid,
    /// Vertices in voxel units: column line, height, row line.
    pub verts: Vec<[i32; 3]>,
    /// The polygons.
    pub polys: Vec<MeshPoly>,
    /// Vertex of each corner of each polygon.
    pub corners: Vec<u32>,
    /// What lies beyond the edge from each corner to the next.
    pub neighbours: Vec<EdgeNeighbour>,
}

impl PolyMesh {
    /// The vertices of polygon `i`, in order.
    #[must_use]
    pub fn corners_of(&self, i: usize) -> &[u32] {
        let poly = self.polys[i];
        &self.corners[poly.first as usize..(poly.first + poly.count) as usize]
    }

    /// What lies beyond each edge of polygon `i`, in order.
    #[must_use]
    pub fn neighbours_of(&self, i: usize) -> &[EdgeNeighbour] {
        let poly = self.polys[i];
        &self.neighbours[poly.first as usize..(poly.first + poly.count) as usize]
    }
}
