//! What one tile is baked from.

use crate::input::Level;
use crate::tile::TileCoord;
use crate::voxel::Grid;

/// Which cells a tile has, and where it stands among the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileRect {
    /// Place in the mesh.
    pub coord: TileCoord,
    /// The cells of the tile proper.
    pub grid: Grid,
    /// Cells around it that are baked with it; 0 for the one tile of an untiled bake.
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

/// What a tile is baked from.
#[derive(Clone, Copy, Debug)]
pub struct TileInput<'a> {
    /// The level.
    pub level: Level<'a>,
    /// Those of its triangles that touch the tile or its border, by number; `None`: all.
    pub triangles: Option<&'a [u32]>,
    /// The tile.
    pub tile: TileRect,
}
