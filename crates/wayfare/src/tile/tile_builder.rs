//! Builds the block of a tile from lists.
//!
//! The maker of a tile fills these lists: the bake, the readers of other tools' files,
//! [`build_tile`](super::build_tile) for a caller's own polygons. Then everything is checked once, data for linking is
//! computed, and all is put into one block. A builder that is reused keeps its memory.
//!
//! Cost: a few passes over the lists, and sorting the border edges. Sources: own.

use super::border::BorderList;
use super::seam_runs::SeamRuns;
use super::tile_head::{Head, LISTS};
use super::{
    BakedFor, DetailRange, DetailTri, EdgeNeighbour, Poly, SeamCell, TileCoord, TileData, TileError, TileLists,
};
use crate::math::Aabb;
use glam::Vec3;

/// The lists of a tile, which may be filled and changed freely. [`build`](Self::build) checks them.
#[derive(Clone, Debug)]
pub struct TileBuilder {
    /// Column, row and layer in the mesh.
    pub coord: TileCoord,
    /// A number for the caller's own use.
    pub user_id: u32,
    /// The box around everything in the tile.
    pub bounds: Aabb,
    /// The agent and cell sizes for which the tile is made.
    pub baked_for: BakedFor,
    /// Vertices of the polygons.
    pub verts: Vec<Vec3>,
    /// The polygons.
    pub polys: Vec<Poly>,
    /// Vertex of each corner of each polygon. The winding makes normals point up.
    pub corners: Vec<u32>,
    /// What is on the other side of the edge from each corner to the next.
    pub neighbours: Vec<EdgeNeighbour>,
    /// The detail triangles of each polygon, not shared with others. Length: number of polygons, or empty for none.
    pub details: Vec<DetailRange>,
    /// Extra detail vertices.
    pub detail_verts: Vec<Vec3>,
    /// Detail triangles.
    pub detail_tris: Vec<DetailTri>,
    /// Steps across the border, sorted by side, cell, both heights and edge, each once; empty for tiles that were not
    /// baked, which are connected by the geometry of their border edges instead.
    pub seams: Vec<SeamCell>,
    memory: TileMemory,
}

/// Working memory of building, kept for the next tile.
#[derive(Clone, Debug, Default)]
struct TileMemory {
    border: BorderList,
    runs: SeamRuns,
    words: Vec<u64>,
}

impl Default for TileBuilder {
    fn default() -> Self {
        Self::new(TileCoord::default())
    }
}

/// Equal lists.
impl PartialEq for TileBuilder {
    fn eq(&self, other: &Self) -> bool {
        (self.coord, self.user_id, self.lists(), &self.seams)
            == (other.coord, other.user_id, other.lists(), &other.seams)
    }
}

impl TileBuilder {
    /// A tile without polygons: the agent is unspecified, the bounds are empty.
    #[must_use]
    pub fn new(coord: TileCoord) -> Self {
        Self {
            coord,
            user_id: 0,
            bounds: Aabb::EMPTY,
            baked_for: BakedFor::NOTHING,
            verts: Vec::new(),
            polys: Vec::new(),
            corners: Vec::new(),
            neighbours: Vec::new(),
            details: Vec::new(),
            detail_verts: Vec::new(),
            detail_tris: Vec::new(),
            seams: Vec::new(),
            memory: TileMemory::default(),
        }
    }

    /// Begins another tile in the memory of this one.
    pub fn clear(&mut self, coord: TileCoord) {
        (self.coord, self.user_id) = (coord, 0);
        (self.bounds, self.baked_for) = (Aabb::EMPTY, BakedFor::NOTHING);
        self.verts.clear();
        self.polys.clear();
        self.corners.clear();
        self.neighbours.clear();
        self.details.clear();
        self.detail_verts.clear();
        self.detail_tris.clear();
        self.seams.clear();
    }

    pub(super) fn lists(&self) -> TileLists<'_> {
        TileLists {
            bounds: self.bounds,
            baked_for: self.baked_for,
            polys: &self.polys,
            verts: &self.verts,
            corners: &self.corners,
            neighbours: &self.neighbours,
            details: &self.details,
            detail_verts: &self.detail_verts,
            detail_tris: &self.detail_tris,
        }
    }

    /// Builds the tile. The lists stay.
    ///
    /// # Errors
    /// The first [`TileError`] found: inconsistent counts and indices, numbers that are not finite.
    pub fn build(&mut self) -> Result<TileData, TileError> {
        let extent = self.lists().check()?;
        self.build_checked(extent)
    }

    /// Like [`build`](Self::build), with the box around all vertices as bounds.
    #[cfg(feature = "bake")]
    pub(crate) fn build_tight(&mut self) -> Result<TileData, TileError> {
        self.bounds = self.lists().check()?;
        self.build_checked(self.bounds)
    }

    /// Builds the tile from lists that have been [checked](TileLists::check) except for the seams.
    pub(super) fn build_checked(&mut self, extent: Aabb) -> Result<TileData, TileError> {
        let mut memory = core::mem::take(&mut self.memory);
        let checked = self.lists().check_seams(&self.seams);
        if checked.is_ok() {
            memory.border.find(&self.lists());
            memory.runs.join(&self.seams, &memory.border);
            self.fill(&mut memory);
        }
        let tile = checked.map(|()| TileData::of_checked(&memory.words, extent));
        self.memory = memory;
        tile
    }

    /// Puts everything into the words of a block.
    fn fill(&self, memory: &mut TileMemory) {
        let TileMemory { border, runs, words } = memory;
        let counts: [usize; LISTS] = [
            self.polys.len(),
            self.verts.len(),
            self.corners.len(),
            self.neighbours.len(),
            self.details.len(),
            self.detail_verts.len(),
            self.detail_tris.len(),
            border.edges.len(),
            runs.runs.len(),
            runs.heights.len(),
        ];
        let head = Head::new(self.coord, self.user_id, counts).with_facts(self.bounds, self.baked_for);
        let head = head.with_border(border.sides, runs.sides);
        words.clear();
        words.resize(head.words(), 0);
        let (front, mut rest) = bytemuck::cast_slice_mut::<u64, u8>(words).split_at_mut(size_of::<Head>());
        front.copy_from_slice(bytemuck::bytes_of(&head));
        let lists: [&[u8]; LISTS] = [
            bytemuck::cast_slice(&self.polys),
            bytemuck::cast_slice(&self.verts),
            bytemuck::cast_slice(&self.corners),
            bytemuck::cast_slice(&self.neighbours),
            bytemuck::cast_slice(&self.details),
            bytemuck::cast_slice(&self.detail_verts),
            bytemuck::cast_slice(&self.detail_tris),
            bytemuck::cast_slice(&border.edges),
            bytemuck::cast_slice(&runs.runs),
            bytemuck::cast_slice(&runs.heights),
        ];
        for list in lists {
            let (place, others) = rest.split_at_mut(list.len());
            place.copy_from_slice(list);
            rest = others;
        }
    }
}

impl TileData {
    /// A tile without polygons: the agent is unspecified, the bounds are empty.
    #[must_use]
    pub fn empty(coord: TileCoord) -> Self {
        let mut memory = TileMemory::default();
        TileBuilder::new(coord).fill(&mut memory);
        Self::of_checked(&memory.words, Aabb::EMPTY)
    }

    /// The lists of the tile, to be changed.
    #[must_use]
    pub fn to_builder(&self) -> TileBuilder {
        TileBuilder {
            coord: self.coord(),
            user_id: self.user_id(),
            bounds: self.bounds(),
            baked_for: self.baked_for(),
            verts: self.verts().to_vec(),
            polys: self.polys().to_vec(),
            corners: self.corners().to_vec(),
            neighbours: self.neighbours().to_vec(),
            details: self.details().to_vec(),
            detail_verts: self.detail_verts().to_vec(),
            detail_tris: self.detail_tris().to_vec(),
            seams: self.seams(),
            memory: TileMemory::default(),
        }
    }
}
