//! The entry of one tile in an index.

use crate::math::bytes::{Reader, Truncated, Writer};
use crate::tile::TileCoord;

/// A tile of a store, or a place that is known to have no walkable surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreEntry {
    /// Its column, row and layer.
    pub coord: TileCoord,
    /// Offset of its record in the file; 0 in stores that are not a single file.
    pub offset: u64,
    /// Length of its record in bytes.
    pub length: u64,
    /// XXH3-64 of its record.
    pub digest: u64,
    /// A hash of its content: the tile and the data kept beside it, whatever it was baked from.
    pub content: u64,
    /// A hash of what it was baked from. With equal keys, baking again would give the same tile.
    pub key: u64,
    /// Length of the tile itself in bytes; 0 for a place without a surface.
    pub tile_bytes: u32,
    /// Length of its part of the abstract graph in bytes; 0 if it has none.
    pub graph_bytes: u32,
}

impl StoreEntry {
    /// Bytes of an entry in an index.
    pub(super) const BYTES: usize = 12 + 5 * 8 + 2 * 4 + 4;

    /// Whether there is a tile: otherwise the place has no walkable surface.
    #[must_use]
    pub fn has_tile(&self) -> bool {
        self.tile_bytes > 0
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.i32(self.coord.x);
        out.i32(self.coord.z);
        out.u32(self.coord.layer);
        // Pads to a multiple of eight.
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
