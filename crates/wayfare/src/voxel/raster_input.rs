//! What is rasterised, and where.

use super::Grid;
use crate::input::{HeightMap, TriMesh, VoxelSettings};

/// What to rasterise where.
#[derive(Clone, Copy, Debug)]
pub struct RasterInput<'a> {
    /// The level's triangles.
    pub mesh: &'a TriMesh,
    /// Ground given by heights, besides the triangles.
    pub terrain: Option<&'a HeightMap>,
    /// Which of the triangles, by number, each once; `None`: all. The order does not matter.
    pub triangles: Option<&'a [u32]>,
    /// The grid of the whole level. Cells outside it stay empty.
    pub level: &'a Grid,
    /// The rectangle of cells wanted; same origin and cell sizes as the level's. It may stick out of the level.
    pub grid: Grid,
    /// Slope limit and climb.
    pub settings: &'a VoxelSettings,
}

impl<'a> RasterInput<'a> {
    /// All triangles over the whole level.
    #[must_use]
    pub fn whole(mesh: &'a TriMesh, level: &'a Grid, settings: &'a VoxelSettings) -> Self {
        Self { mesh, terrain: None, triangles: None, level, grid: *level, settings }
    }
}
