//! The input of the rasteriser.

use super::Grid;
use crate::input::{HeightMap, TriMesh, VoxelSettings};

/// The geometry to rasterise, and the cells.
#[derive(Clone, Copy, Debug)]
pub struct RasterInput<'a> {
    /// The level's triangles.
    pub mesh: &'a TriMesh,
    /// Terrain given by heights, in addition to the triangles.
    pub terrain: Option<&'a HeightMap>,
    /// Which of the triangles, by number, each once; `None`: all. The order does not matter.
    pub triangles: Option<&'a [u32]>,
    /// The grid of the whole level. Cells outside it stay empty.
    pub level: &'a Grid,
    /// The rectangle of cells to rasterise; same origin and cell sizes as the level's. It may extend beyond the level.
    pub grid: Grid,
    /// Slope limit and climb.
    pub settings: &'a VoxelSettings,
}

impl<'a> RasterInput<'a> {
    /// All triangles, over the whole level.
    #[must_use]
    pub fn whole(mesh: &'a TriMesh, level: &'a Grid, settings: &'a VoxelSettings) -> Self {
        Self { mesh, terrain: None, triangles: None, level, grid: *level, settings }
    }
}
