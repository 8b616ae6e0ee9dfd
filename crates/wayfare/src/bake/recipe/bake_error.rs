//! Why a bake failed.

use super::step::Door;
use crate::bake::TooMuchMemory;
use crate::context::Cancelled;
use crate::input::SettingsError;
use crate::tile::{MAX_POLYS, TileError};
use crate::voxel::GridError;

/// Why a bake failed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The level does not fit the grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// There is no geometry to take bounds from, and the settings have none.
    #[error("without geometry there is nothing to take bounds from: set the bounds of the settings")]
    NoBounds,
    /// The tiles of the level do not lie where those of a mesh do that they are to be put into.
    #[error(
        "the level's tiles lie elsewhere than those of the mesh: use the settings of its first bake, and bounds that \
         hold whatever may be added to the level"
    )]
    OtherLayout,
    /// The caller requested a stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Agents that are baked together differ in settings that must be equal.
    #[error("{name} differs between agents that are baked together: give them one, or bake them one by one")]
    AgentsDiffer {
        /// What differs: a field of the settings, or a description.
        name: &'static str,
    },
    /// A triangle to be baked does not exist in the level.
    #[error("there is no triangle {index}: the level has {count}, counted from 0")]
    NoSuchTriangle {
        /// The number that was given.
        index: u32,
        /// How many triangles the level has.
        count: usize,
    },
    /// The recipe was entered at a door, but its product is missing.
    #[error(
        "the recipe cannot be entered at {door:?}: the products of the baker hold none for this tile, with its border"
    )]
    NoProduct {
        /// The door where it was entered.
        door: Door,
    },
    /// More memory is needed than the caller allows.
    #[error(transparent)]
    TooMuchMemory(#[from] TooMuchMemory),
    /// A tile has more polygons than a polygon reference can number.
    #[error(
        "tile ({x}, {z}) has {count} polygons, more than the {MAX_POLYS} that one tile can hold: use smaller tiles"
    )]
    TooManyPolygons {
        /// Column of the tile.
        x: i32,
        /// Row of the tile.
        z: i32,
        /// Polygons it would have.
        count: usize,
    },
    /// The products of a tile do not form a valid tile.
    #[error("tile ({x}, {z}): {error}")]
    Tile {
        /// Column of the tile.
        x: i32,
        /// Row of the tile.
        z: i32,
        /// What is wrong.
        error: TileError,
    },
}
