//! The tiles of a whole level, collected in memory.

use crate::bake::TileSink;
use crate::context::Cancelled;
use crate::tile::{TileCoord, TileData, TileLayout};

/// The tiles of a baked level, and their layout.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedTiles {
    /// How the level is divided into tiles.
    pub layout: TileLayout,
    /// The tiles with at least one polygon, row by row.
    pub tiles: Vec<TileData>,
}

impl TileSink for BakedTiles {
    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        self.tiles.extend(tile);
        Ok(())
    }
}
