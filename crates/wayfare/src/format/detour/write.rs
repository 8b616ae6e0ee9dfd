//! Writes a set of tiles.

use super::refs::MIN_SALT_BITS;
use super::write_error::DetourWriteError;
use super::write_tile::write_tile;
use super::{DetourRefs, RefBits, SET_MAGIC, SET_VERSION};
use crate::math::bytes::Writer;
use crate::mesh::{Connection, NavMesh, Tile, TileRef, slot_limit};

/// A tile, and the connections that start in it.
type Filled<'a> = (&'a Tile, Vec<&'a Connection>);

/// Polygons of the largest tile, including its connections.
fn most_polys(tiles: &[Filled<'_>]) -> u32 {
    tiles.iter().map(|(tile, connections)| tile.poly_count() + connections.len() as u32).max().unwrap_or(0)
}

fn greatest_salt(tiles: &[Filled<'_>]) -> u16 {
    tiles.iter().map(|(tile, _)| tile.salt()).max().unwrap_or(1)
}

/// Whether all slots, polygons and salts fit in such references, and Detour accepts the field widths.
fn check_refs(refs: DetourRefs, tiles: &[Filled<'_>]) -> Result<(), DetourWriteError> {
    let check = |what, value, max| {
        if value <= max { Ok(()) } else { Err(DetourWriteError::Capacity { what, value, max }) }
    };
    let [salt_bits, _, poly_bits] = refs.widths();
    let salt = greatest_salt(tiles);
    if salt_bits < MIN_SALT_BITS || u64::from(salt) >> salt_bits != 0 {
        return Err(DetourWriteError::Reference { tiles: refs.max_tiles(), polys: refs.max_polys(), salt });
    }
    let slots = tiles.last().map_or(0, |(tile, _)| tile.slot().get() + 1);
    check("the number of slots", slots, refs.max_tiles())?;
    check("the number of polygons in a tile", most_polys(tiles), 1 << poly_bits)
}

impl NavMesh {
    /// Writes the mesh as a set of tiles for Detour, with current area types and flags. Off-mesh connections are stored
    /// in the tile at their start; Detour will link those that end in the same or a neighbouring tile
    /// ([`is_linked_in_detour`](Self::is_linked_in_detour)).
    ///
    /// The capacities leave room: for at least 128 tiles and, with 32 bits, as many polygons as the bits not needed by
    /// tiles and salts allow. [`detour_refs`](Self::detour_refs) returns them.
    ///
    /// # Errors
    /// [`DetourWriteError`] names the limit of the format that the mesh exceeds.
    pub fn to_detour(&self, bits: RefBits) -> Result<Vec<u8>, DetourWriteError> {
        let tiles = self.with_connections()?;
        self.write_set(self.roomy_refs(bits, &tiles), &tiles)
    }

    /// The references that [`to_detour`](Self::to_detour) chooses for this mesh.
    ///
    /// # Errors
    /// [`DetourWriteError::NoTile`] for connections without any tile.
    pub fn detour_refs(&self, bits: RefBits) -> Result<DetourRefs, DetourWriteError> {
        Ok(self.roomy_refs(bits, &self.with_connections()?))
    }

    /// Like [`to_detour`](Self::to_detour), with given references: with [those of the file](DetourRefs::of_file) from
    /// which the mesh was read, references stored elsewhere stay valid.
    ///
    /// # Errors
    /// [`DetourWriteError`] names the limit of the format, or of these references, that the mesh exceeds.
    pub fn to_detour_with(&self, refs: DetourRefs) -> Result<Vec<u8>, DetourWriteError> {
        self.write_set(refs, &self.with_connections()?)
    }

    fn roomy_refs(&self, bits: RefBits, tiles: &[Filled<'_>]) -> DetourRefs {
        DetourRefs::roomy(bits, self.slot_count(), most_polys(tiles), greatest_salt(tiles))
    }

    fn write_set(&self, refs: DetourRefs, tiles: &[Filled<'_>]) -> Result<Vec<u8>, DetourWriteError> {
        let bits = refs.bits();
        // A set does not record which slots were used earlier, so its limit may be lower than the mesh's.
        let limit = slot_limit(tiles.len());
        if let Some((far, _)) = tiles.last().filter(|(tile, _)| tile.slot().get() >= limit) {
            return Err(DetourWriteError::SlotFar { slot: far.slot().get(), tiles: tiles.len() as u32, limit });
        }
        check_refs(refs, tiles)?;
        let mut out = Writer::default();
        out.u32(SET_MAGIC);
        out.u32(SET_VERSION);
        out.u32(tiles.len() as u32);
        let layout = self.layout();
        out.vec3(layout.origin);
        out.f32(layout.tile_width);
        out.f32(layout.tile_depth);
        out.u32(refs.max_tiles());
        out.u32(refs.max_polys());
        for (tile, connections) in tiles {
            let reference = refs.encode(tile.reference(0)).unwrap_or_default();
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

    /// Writes one tile, in the form that Detour's `addTile` takes, with current area types and flags and the off-mesh
    /// connections that start in it. [`from_detour`](Self::from_detour) reads it as well.
    ///
    /// # Errors
    /// [`DetourWriteError`] names the limit of the format that the tile exceeds;
    /// [`Stale`](DetourWriteError::Stale) if it is not there (any more).
    pub fn tile_to_detour(&self, tile: TileRef, bits: RefBits) -> Result<Vec<u8>, DetourWriteError> {
        let tile = self.tile(tile)?;
        let mut connections = Vec::new();
        for connection in self.connections() {
            if self.home_of(connection)? == tile.slot() {
                connections.push(connection);
            }
        }
        let mut out = Writer::default();
        write_tile(self, tile, &connections, bits, &mut out)?;
        Ok(out.bytes)
    }

    /// All tiles by slot, each with the connections that start in it.
    fn with_connections(&self) -> Result<Vec<Filled<'_>>, DetourWriteError> {
        let mut tiles: Vec<Filled<'_>> = self.tiles().map(|tile| (tile, Vec::new())).collect();
        for connection in self.connections() {
            let home = self.home_of(connection)?;
            if let Ok(at) = tiles.binary_search_by_key(&home, |(tile, _)| tile.slot()) {
                tiles[at].1.push(connection);
            }
        }
        Ok(tiles)
    }
}
