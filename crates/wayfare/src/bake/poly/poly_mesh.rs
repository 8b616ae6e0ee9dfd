//! Convex polygons of the walkable surface, still in voxel units.

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
    /// The region it is part of.
    pub region: u32,
    /// Area type.
    pub area: AreaId,
    /// Abilities that an agent needs to cross it.
    pub flags: PolyFlags,
}

/// Convex polygons that share vertices and edges. The winding makes their normal point up.
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
    /// What is on the other side of the edge from each corner to the next.
    pub neighbours: Vec<EdgeNeighbour>,
}

impl PolyMesh {
    /// A mesh without polygons.
    #[must_use]
    pub fn empty(grid: Grid) -> Self {
        Self { grid, verts: Vec::new(), polys: Vec::new(), corners: Vec::new(), neighbours: Vec::new() }
    }

    /// Removes all polygons, keeping the memory.
    pub fn clear(&mut self, grid: Grid) {
        self.grid = grid;
        self.verts.clear();
        self.polys.clear();
        self.corners.clear();
        self.neighbours.clear();
    }

    /// Twice the area of polygon `i` in plan, in cells.
    #[must_use]
    pub fn area2_of(&self, i: usize) -> i64 {
        let [first, rest @ ..] = self.corners_of(i) else { return 0 };
        let at = |v: u32| [self.verts[v as usize][0], self.verts[v as usize][2]];
        rest.windows(2).map(|w| crate::bake::cell_point::turn(at(*first), at(w[0]), at(w[1]))).sum()
    }

    /// Area of all polygons in plan, in square metres.
    #[must_use]
    pub fn area(&self) -> f64 {
        let area2: i64 = (0..self.polys.len()).map(|i| self.area2_of(i)).sum();
        area2 as f64 * 0.5 * f64::from(self.grid.cell_size) * f64::from(self.grid.cell_size)
    }

    /// The vertices of polygon `i`, in order.
    #[must_use]
    pub fn corners_of(&self, i: usize) -> &[u32] {
        let poly = self.polys[i];
        &self.corners[poly.first as usize..(poly.first + poly.count) as usize]
    }

    /// What is on the other side of each edge of polygon `i`, in order.
    #[must_use]
    pub fn neighbours_of(&self, i: usize) -> &[EdgeNeighbour] {
        let poly = self.polys[i];
        &self.neighbours[poly.first as usize..(poly.first + poly.count) as usize]
    }
}
