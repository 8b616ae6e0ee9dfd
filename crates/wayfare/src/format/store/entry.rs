//! What an index says of one tile.

use crate::math::bytes::{Reader, Truncated, Writer};
use crate::tile::TileCoord;

/// A tile of a store, or a place of which it is known that it has no ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreEntry {
    /// Its place.
    pub coord: TileCoord,
    /// The first byte of its record in the file; 0 in stores that have no one file.
    pub offset: u64,
    /// Bytes of its record.
    pub length: u64,
    /// XXH3-64 of its record.
    pub digest: u64,
    /// A number for what it holds: the tile and what is kept beside it, whatever it was made from.
    pub content: u64,
    /// What it was made from. Equal keys: baking again would give the same tile.
    pub key: u64,
    /// Bytes of the tile itself; 0 for a place without ground.
    pub tile_bytes: u32,
    /// Bytes of its part of the abstract graph; 0 if it has none.
    pub graph_bytes: u32,
}

impl StoreEntry {
    /// Bytes of an entry in an index.
    pub(super) const BYTES: usize = 12 + 5 * 8 + 2 * 4 + 4;

    /// Whether there is a tile: else the place has no ground.
    #[must_use]
    pub fn has_tile(&self) -> bool {
        self.tile_bytes > 0
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.i32(self.coord.x);
        out.i32(self.coord.z);
        out.u32(self.coord.layer);
        // Fills up to a multiple of eight.
        out.u32(0);
        for value in [self.offset, self.length, self.digest, self.content, self.key] {
            out.u64(value);
        }
        out.u32(self.tile_bytes);
        out.u32(self.graph_bytes);
    }

    pub(super) fn read(record: &[u8; Self::BYTES]) -> Result<Self, Truncated> {
        let mut reader = Reader::new(record);
        let coord = TileCoord { x: reader.i32()?, z: reader.i32()?, layer: reader.u32()? };
        let _filling = reader.u32()?;
        Ok(Self {
            coord,
            offset: reader.u64()?,
            length: reader.u64()?,
            digest: reader.u64()?,
            content: reader.u64()?,
            key: reader.u64()?,
            tile_bytes: reader.u32()?,
            graph_bytes: reader.u32()?,
        })
    }
}
