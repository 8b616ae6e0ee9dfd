//! The tiles of a whole level, gathered in memory.

use crate::bake::TileStore;
use crate::context::Cancelled;
use crate::tile::{TileCoord, TileData, TileLayout};

/// The tiles of a baked level, and how they are laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedTiles {
    /// How the level is cut.
    pub layout: TileLayout,
    /// The tiles that hold at least one polygon, row by row.
    pub tiles: Vec<TileData>,
}

impl TileStore for BakedTiles {
    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        self.tiles.extend(tile);
        Ok(())
    }
}
