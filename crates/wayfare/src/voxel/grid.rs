//! The grid: the position of cells in the world.
//!
//! One grid covers the whole level, counted from the low corner of its bounds. A tile is a rectangle of that grid, so
//! its cells are exactly those of the untiled bake, and a world coordinate is always computed from the level's origin
//! and the cell's number in the *level*: two tiles get the same bits for a shared border.
//!
//! ```text
//!   direction:      3 (z-1)
//!                      |
//!         0 (x-1) -- cell -- 2 (x+1)      (Recast's numbering)
//!                      |
//!                   1 (z+1)
//! ```

use crate::input::VoxelSettings;
use crate::math::Aabb;
use glam::Vec3;

/// The four neighbours of a cell as (dx, dz), in the order of every `[_; 4]` of neighbours in this library.
pub const DIRECTIONS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// A rectangle of a level's cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Low corner of the *level*, from which cells and heights are counted. Metres.
    pub origin: Vec3,
    /// Side of a cell. Metres.
    pub cell_size: f32,
    /// Height of a cell. Metres.
    pub cell_height: f32,
    /// First column of this rectangle in the level's grid; negative in the border of a tile at the level's edge.
    pub x: i32,
    /// First row of this rectangle in the level's grid.
    pub z: i32,
    /// Columns of this rectangle.
    pub width: u32,
    /// Rows of this rectangle.
    pub depth: u32,
}

/// A level that does not fit its grid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// Too many cells for one heightfield.
    #[error(
        "{width} x {depth} cells are more than the {max} that one heightfield can hold: use a larger cell size, or tiles"
    )]
    TooManyCells {
        /// Columns needed.
        width: f64,
        /// Rows needed.
        depth: f64,
        /// Cells allowed.
        max: u64,
    },
    /// Too many cells for one heightfield, only because of the border of a tile, which is as wide as the agent.
    #[error(
        "a tile of {width} x {depth} cells has more than the {max} that one heightfield can hold with its border of {border} cells, which the agent's radius needs: use a larger cell size, or a smaller radius"
    )]
    WideBorder {
        /// Columns of the tile.
        width: u32,
        /// Rows of the tile.
        depth: u32,
        /// Cells of the border, on each side.
        border: u32,
        /// Cells allowed.
        max: u64,
    },
    /// A side of the level that is too long, tiles or not.
    #[error("the level is {cells} cells long, more than the {max} that coordinates can count: use a larger cell size")]
    TooLong {
        /// Cells needed along its longer side.
        cells: f64,
        /// Cells allowed.
        max: u32,
    },
    /// The level is taller than 16 bits of cell heights.
    #[error(
        "the level is {height} m tall: at {cell_height} m a cell that is {needed} cells, but heights have 16 bits (65535): use a larger cell height"
    )]
    HeightRange {
        /// Height of the level in metres.
        height: f32,
        /// The cell height asked for.
        cell_height: f32,
        /// Cells that would be needed.
        needed: f64,
    },
    /// So far from the origin that coordinates cannot distinguish the cells' borders.
    #[error(
        "{distance} m from the origin 32-bit coordinates lie {step} m apart, too far for cells of {cell} m: move the level towards the origin, or use larger cells"
    )]
    TooFar {
        /// The greatest coordinate of the level, in metres.
        distance: f32,
        /// The gap between adjacent coordinates there.
        step: f32,
        /// Side or height of a cell.
        cell: f32,
    },
}

impl Grid {
    /// Most cells of one heightfield; more would need more than a few GiB before the first triangle is rasterised.
    pub const MAX_CELLS: u64 = 1 << 28;
    /// Most cells of a whole tiled level along one axis: what f32 coordinates can distinguish.
    pub const MAX_SIDE: u32 = 1 << 24;

    /// The grid of a whole level: from the low corner of `bounds`, with its size rounded to the nearest cell, at least
    /// one.
    ///
    /// It may have more cells than one heightfield can hold, since it can be divided into tiles. Only sides above
    /// [`Grid::MAX_SIDE`] are refused here.
    ///
    /// # Errors
    /// [`GridError`].
    pub fn of_level(bounds: Aabb, settings: &VoxelSettings) -> Result<Self, GridError> {
        let size = bounds.size();
        let side = |length: f32| f64::from(length / settings.cell_size + 0.5).floor().max(1.0);
        let width = side(size.x);
        let depth = side(size.z);
        let limit = f64::from(Self::MAX_SIDE);
        if !(width <= limit && depth <= limit) {
            return Err(GridError::TooLong { cells: width.max(depth), max: Self::MAX_SIDE });
        }
        let far = bounds.min.abs().max(bounds.max.abs());
        for (distance, cell) in [(far.x.max(far.z), settings.cell_size), (far.y, settings.cell_height)] {
            let step = distance.next_up() - distance;
            if step > cell * 0.5 {
                return Err(GridError::TooFar { distance, step, cell });
            }
        }
        let needed = f64::from(size.y) / f64::from(settings.cell_height);
        if needed > f64::from(u16::MAX) - 1.0 {
            return Err(GridError::HeightRange {
                height: size.y,
                cell_height: settings.cell_height,
                needed: needed.ceil(),
            });
        }
        Ok(Self {
            origin: bounds.min,
            cell_size: settings.cell_size,
            cell_height: settings.cell_height,
            x: 0,
            z: 0,
            width: width as u32,
            depth: depth as u32,
        })
    }

    /// Whether one heightfield can hold all its cells.
    ///
    /// # Errors
    /// [`GridError::TooManyCells`].
    pub fn check_size(&self) -> Result<(), GridError> {
        if u64::from(self.width) * u64::from(self.depth) > Self::MAX_CELLS {
            let width = f64::from(self.width);
            let depth = f64::from(self.depth);
            return Err(GridError::TooManyCells { width, depth, max: Self::MAX_CELLS });
        }
        Ok(())
    }

    /// Whether two rectangles belong to the same level.
    pub(crate) fn is_of_level(&self, other: &Self) -> bool {
        (self.origin, self.cell_size, self.cell_height) == (other.origin, other.cell_size, other.cell_height)
    }

    /// The smallest rectangle around two of the same level.
    pub(crate) fn around_both(self, other: Self) -> Self {
        let x = self.x.min(other.x);
        let z = self.z.min(other.z);
        let end = |start: i32, len: u32| i64::from(start) + i64::from(len);
        let right = end(self.x, self.width).max(end(other.x, other.width));
        let low = end(self.z, self.depth).max(end(other.z, other.depth));
        Self { x, z, width: (right - i64::from(x)) as u32, depth: (low - i64::from(z)) as u32, ..self }
    }

    /// Number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.width as usize * self.depth as usize
    }

    /// The index of the cell in column `x`, row `z` of this rectangle, row by row.
    #[must_use]
    #[inline]
    pub fn index(&self, x: u32, z: u32) -> usize {
        z as usize * self.width as usize + x as usize
    }

    /// World x of the line at the low side of this rectangle's column `x`.
    #[must_use]
    #[inline]
    pub fn world_x(&self, x: i32) -> f32 {
        self.origin.x + (self.x + x) as f32 * self.cell_size
    }

    /// World z of the line at the low side of this rectangle's row `z`.
    #[must_use]
    #[inline]
    pub fn world_z(&self, z: i32) -> f32 {
        self.origin.z + (self.z + z) as f32 * self.cell_size
    }

    /// World y of height `y` in cell heights above the lowest point of the level.
    #[must_use]
    #[inline]
    pub fn world_y(&self, y: i32) -> f32 {
        self.origin.y + y as f32 * self.cell_height
    }

    /// World position of a grid corner at a height.
    #[must_use]
    #[inline]
    pub fn world(&self, x: i32, y: i32, z: i32) -> Vec3 {
        Vec3::new(self.world_x(x), self.world_y(y), self.world_z(z))
    }
}
