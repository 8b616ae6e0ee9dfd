//! Writing a set of tiles.

use super::write_tile::write_tile;
use super::{MAX_CORNERS, RefBits, RefWidths, SET_MAGIC, SET_VERSION};
use crate::math::index::TileSlot;
use crate::mesh::bytes::Writer;
use crate::mesh::edit::slot_limit;
use crate::mesh::{Connection, NavMesh, Tile};

/// A mesh that Detour's format cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetourWriteError {
    /// A polygon with too many corners.
    #[error(
        "polygon {poly} of slot {slot} has {count} corners, but Detour's polygons have at most {MAX_CORNERS}: cut it, or bake with `verts_per_poly` 6"
    )]
    Corners {
        /// The tile's slot.
        slot: u32,
        /// The polygon.
        poly: u32,
        /// Its corners.
        count: u16,
    },
    /// Too many of something in one tile.
    #[error("slot {slot} has {count} {what}, but a Detour tile holds at most {max}: use smaller tiles")]
    TooMany {
        /// The tile's slot.
        slot: u32,
        /// Of what.
        what: &'static str,
        /// How many.
        count: u64,
        /// The most.
        max: u64,
    },
    /// Slots, polygons and salts do not fit in a reference together.
    #[error(
        "{tiles} slots, {polys} polygons a tile and salt {salt} do not fit in a reference of 32 bits together: use 64 bits"
    )]
    Reference {
        /// Slots.
        tiles: u32,
        /// Most polygons of a tile.
        polys: u32,
        /// The greatest salt.
        salt: u16,
    },
    /// A slot that would not be read back.
    #[error(
        "the tile in slot {slot} is too far out for a set of {tiles} tiles: slots must be below {limit}; move the tile to a lower slot"
    )]
    SlotFar {
        /// The slot.
        slot: u32,
        /// Tiles of the mesh.
        tiles: u32,
        /// Slots must be below this one.
        limit: u32,
    },
    /// The mesh cannot hold its connections anywhere.
    #[error("the mesh has {count} off-mesh connections but no tile, and Detour keeps connections in tiles")]
    NoTile {
        /// How many connections.
        count: u32,
    },
}

/// Fewest bits for the salt that Detour accepts.
const MIN_SALT_BITS: u32 = 10;

impl NavMesh {
    /// Writes the mesh as a set of tiles for Detour. Area types and flags are those of now. Off-mesh connections are
    /// put into the tile at their start; Detour will link those that end in the same or a neighbouring tile.
    ///
    /// # Errors
    /// [`DetourWriteError`] names the limit of the format that the mesh exceeds.
    pub fn to_detour(&self, bits: RefBits) -> Result<Vec<u8>, DetourWriteError> {
        let tiles: Vec<(&Tile, Vec<&Connection>)> = self.with_connections()?;
        // A set does not say which slots had tiles once, so that its limit may be lower than the mesh's.
        let limit = slot_limit(tiles.len());
        if let Some((far, _)) = tiles.last().filter(|(tile, _)| tile.slot().get() >= limit) {
            return Err(DetourWriteError::SlotFar { slot: far.slot().get(), tiles: tiles.len() as u32, limit });
        }
        let polys = |(tile, connections): &(&Tile, Vec<&Connection>)| tile.poly_count() + connections.len() as u32;
        let max_tiles = self.slot_count().max(1).next_power_of_two();
        let max_polys = tiles.iter().map(polys).max().unwrap_or(1).max(1).next_power_of_two();
        let widths = RefWidths::of(bits, max_tiles, max_polys);
        let salt = tiles.iter().map(|(tile, _)| tile.salt()).max().unwrap_or(1);
        if widths.salt < MIN_SALT_BITS || u64::from(salt) >> widths.salt != 0 {
            return Err(DetourWriteError::Reference { tiles: max_tiles, polys: max_polys, salt });
        }
        let mut out = Writer::default();
        out.u32(SET_MAGIC);
        out.u32(SET_VERSION);
        out.u32(tiles.len() as u32);
        let layout = self.layout();
        out.vec3(layout.origin);
        out.f32(layout.tile_width);
        out.f32(layout.tile_depth);
        out.u32(max_tiles);
        out.u32(max_polys);
        for (tile, connections) in &tiles {
            let reference = widths.encode(tile.salt(), tile.slot().get());
            match bits {
                RefBits::Bits32 => out.u32(reference as u32),
                RefBits::Bits64 => out.u64(reference),
            }
            let size_at = out.bytes.len();
            out.u32(0);
            if bits == RefBits::Bits64 {
                out.u32(0);
            }
            let start = out.bytes.len();
            write_tile(self, tile, connections, bits, &mut out)?;
            let size = (out.bytes.len() - start) as u32;
            out.bytes[size_at..size_at + 4].copy_from_slice(&size.to_le_bytes());
        }
        Ok(out.bytes)
    }

    /// Writes one tile, as Detour's `addTile` takes it; `None` if the slot is empty. Area types and flags are those of
    /// now; off-mesh connections that start in it are written with it. It can be read as
    /// [`from_detour`](Self::from_detour) reads sets.
    ///
    /// # Errors
    /// [`DetourWriteError`] names the limit of the format that the tile exceeds.
    pub fn tile_to_detour(&self, slot: TileSlot, bits: RefBits) -> Result<Option<Vec<u8>>, DetourWriteError> {
        let Some(tile) = self.tile(slot) else { return Ok(None) };
        let mut connections = Vec::new();
        for connection in self.connections() {
            if self.home_of(connection)? == slot {
                connections.push(connection);
            }
        }
        let mut out = Writer::default();
        write_tile(self, tile, &connections, bits, &mut out)?;
        Ok(Some(out.bytes))
    }

    /// All tiles by slot, each with the connections that start in it.
    fn with_connections(&self) -> Result<Vec<(&Tile, Vec<&Connection>)>, DetourWriteError> {
        let mut tiles: Vec<(&Tile, Vec<&Connection>)> = self.tiles().map(|tile| (tile, Vec::new())).collect();
        for connection in self.connections() {
            let home = self.home_of(connection)?;
            if let Ok(at) = tiles.binary_search_by_key(&home, |(tile, _)| tile.slot()) {
                tiles[at].1.push(connection);
            }
        }
        Ok(tiles)
    }
}
