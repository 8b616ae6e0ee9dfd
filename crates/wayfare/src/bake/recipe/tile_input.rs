//! The input of one tile.

use crate::input::Level;
use crate::math::Aabb;
use crate::tile::TileCoord;
use crate::voxel::{Grid, GridError};
use glam::Vec3;

/// The cells of a tile, and its place among the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileRect {
    /// Column, row and layer in the mesh.
    pub coord: TileCoord,
    /// The cells of the tile itself.
    pub grid: Grid,
    /// Width of the border that is baked with it, in cells; 0 for the single tile of an untiled bake.
    pub border: u32,
}

impl TileRect {
    /// The cells that are baked: the tile and its border.
    #[must_use]
    pub fn baked_grid(&self) -> Grid {
        let border = self.border as i32;
        Grid {
            x: self.grid.x - border,
            z: self.grid.z - border,
            width: self.grid.width + 2 * self.border,
            depth: self.grid.depth + 2 * self.border,
            ..self.grid
        }
    }

    /// Whether one heightfield can hold the cells that are baked.
    ///
    /// # Errors
    /// [`GridError::TooManyCells`] and [`GridError::WideBorder`].
    pub(crate) fn check_size(&self) -> Result<(), GridError> {
        let Grid { width, depth, .. } = self.grid;
        self.grid.check_size()?;
        let wide_border = GridError::WideBorder { width, depth, border: self.border, max: Grid::MAX_CELLS };
        self.baked_grid().check_size().map_err(|_| wide_border)
    }

    /// The box around the tile and its border, without end up and down.
    pub(crate) fn bounds_with_border(&self) -> Aabb {
        let grid = self.baked_grid();
        // A cell more: what rounding does to places must not matter.
        let low = Vec3::new(grid.world_x(-1), f32::MIN, grid.world_z(-1));
        let x = grid.width as i32 + 1;
        let z = grid.depth as i32 + 1;
        Aabb { min: low, max: Vec3::new(grid.world_x(x), f32::MAX, grid.world_z(z)) }
    }
}

/// The input of a tile.
#[derive(Clone, Copy, Debug)]
pub struct TileInput<'a> {
    /// The level.
    pub level: Level<'a>,
    /// The level's triangles that touch the tile or its border, by number; `None`: all.
    pub triangles: Option<&'a [u32]>,
    /// The tile.
    pub tile: TileRect,
}
