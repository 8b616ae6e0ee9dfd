//! The input of one tile.

use crate::input::Level;
use crate::tile::TileCoord;
use crate::voxel::Grid;

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
