//! A `.way` file as it is made: tile by tile, with none of them kept.
//!
//! The bytes are those that [`NavMesh::to_bytes`](crate::mesh::NavMesh::to_bytes) gives for the mesh of the same tiles,
//! connections, area types and keys.
//!
//! Cost: the bytes that are written. Sources: own work.

use super::sections::{Counts, write_areas, write_connection, write_head, write_keys, write_slot, write_tail};
use super::tile_bytes::write_tile;
use crate::area::AreaTable;
use crate::math::bytes::Writer;
use crate::mesh::{OffMeshConnection, PolyRef, original_state};
use crate::tile::{TileData, TileError, TileKeys, TileLayout};
use xxhash_rust::xxh3::Xxh3;

/// Writes the bytes of a mesh piece by piece. What each call appends to `out` is to be written to the file, in order.
///
/// ```
/// use wayfare::format::{WayEnd, WayStream};
/// use wayfare::mesh::NavMesh;
/// # use wayfare::Vec3;
/// # use wayfare::area::{AreaId, PolyFlags};
/// # use wayfare::tile::{SourcePoly, TileLayout, TileSource, build_tile};
/// # let verts = [[0., 0.], [0., 1.], [1., 1.], [1., 0.]].map(|[x, z]| Vec3::new(x, 0.0, z));
/// # let polys = [SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }];
/// # let tile = build_tile(&TileSource { verts: &verts, corners: &[0, 1, 2, 3], polys: &polys, ..TileSource::default() })?;
/// # let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
/// let mut file = Vec::new();
/// let mut stream = WayStream::new(layout, 0, &mut file);
/// stream.tile(&tile, &mut file)?;
/// stream.finish(WayEnd::default(), &mut file)?;
/// assert_eq!(file, NavMesh::from_tiles(layout, vec![tile])?.to_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WayStream {
    hash: Xxh3,
    written: u64,
    tiles: u32,
    piece: Writer,
    /// What is wrong with the layout.
    senseless: Option<(&'static str, f32)>,
}

/// What follows the tiles.
#[derive(Clone, Copy, Debug)]
pub struct WayEnd<'a> {
    /// Off-mesh connections, in the order in which they would be added to a new mesh.
    pub connections: &'a [OffMeshConnection],
    /// Names and costs of area types.
    pub areas: &'a AreaTable,
    /// What the tiles were baked from.
    pub keys: &'a TileKeys,
}

impl Default for WayEnd<'_> {
    fn default() -> Self {
        Self { connections: &[], areas: &NO_AREAS, keys: &NO_KEYS }
    }
}

static NO_AREAS: AreaTable = AreaTable::EMPTY;
static NO_KEYS: TileKeys = TileKeys::EMPTY;

/// What cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A tile is unsound.
    #[error(transparent)]
    Tile(#[from] TileError),
    /// More tiles, connections or keys than a mesh can hold.
    #[error("{count} {what} are more than the {max} that a mesh can hold")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: u64,
        /// How many there may be.
        max: u64,
    },
    /// A connection has a coordinate or a radius that is NaN or infinite, or a radius below 0.
    #[error("off-mesh connection {index} has a coordinate or a radius that is NaN or infinite, or a radius below 0")]
    Connection {
        /// Which one.
        index: usize,
    },
    /// The mesh has a layout without meaning.
    #[error("the mesh's layout has {value} as {what}: places and sizes must be finite, sizes 0 or more")]
    Layout {
        /// Which number.
        what: &'static str,
        /// The number.
        value: f32,
    },
}

impl WayStream {
    /// Begins a mesh.
    #[must_use]
    pub fn new(layout: TileLayout, user_id: u64, out: &mut Vec<u8>) -> Self {
        let (hash, piece, senseless) = (Xxh3::new(), Writer::default(), layout.senseless());
        let mut stream = Self { hash, written: 0, tiles: 0, piece, senseless };
        write_head(layout, user_id, &mut stream.piece);
        stream.append(out);
        stream
    }

    /// Appends a tile: the first is in slot 0, the next in slot 1, as in
    /// [`NavMesh::from_tiles`](crate::mesh::NavMesh::from_tiles). Whether two tiles have the same place is not looked
    /// at; such a file is refused when it is read.
    ///
    /// # Errors
    /// [`WriteError`]; nothing is appended then.
    pub fn tile(&mut self, tile: &TileData, out: &mut Vec<u8>) -> Result<(), WriteError> {
        self.check_layout()?;
        tile.validate()?;
        check_count("tiles", u64::from(self.tiles) + 1, u64::from(PolyRef::TILE_SLOTS))?;
        write_slot(self.tiles, 1, &mut self.piece);
        write_tile(tile, &original_state(tile), &mut self.piece);
        self.tiles += 1;
        self.append(out);
        Ok(())
    }

    fn check_layout(&self) -> Result<(), WriteError> {
        self.senseless.map_or(Ok(()), |(what, value)| Err(WriteError::Layout { what, value }))
    }

    /// Ends the mesh and gives its [`digest`](crate::mesh::NavMesh::digest).
    ///
    /// # Errors
    /// [`WriteError`]; nothing is appended then.
    pub fn finish(mut self, end: WayEnd<'_>, out: &mut Vec<u8>) -> Result<String, WriteError> {
        self.check_layout()?;
        let WayEnd { connections, areas, keys } = end;
        check_count("connections", connections.len() as u64, u64::from(PolyRef::POLYS))?;
        check_count("keys", keys.iter().len() as u64, u64::from(u32::MAX))?;
        for (index, c) in connections.iter().enumerate() {
            let sound = c.start.is_finite() && c.end.is_finite() && c.radius.is_finite() && c.radius >= 0.0;
            if !sound {
                return Err(WriteError::Connection { index });
            }
            write_connection((index as u32, 1), c, c.state(), &mut self.piece);
        }
        write_areas(areas, &mut self.piece);
        write_keys(keys, &mut self.piece);
        let counts = Counts {
            tiles: self.tiles,
            connections: connections.len() as u32,
            areas: areas.iter().len() as u32,
            keys: keys.iter().len() as u32,
            ..Counts::default()
        };
        let before = self.written + self.piece.bytes.len() as u64;
        write_tail(counts, before, &mut self.piece);
        self.append(out);
        let checksum = self.hash.digest().to_le_bytes();
        out.extend_from_slice(&checksum);
        self.hash.update(&checksum);
        Ok(format!("{:016x}", self.hash.digest()))
    }

    /// Hands on what was written.
    fn append(&mut self, out: &mut Vec<u8>) {
        let bytes = &mut self.piece.bytes;
        self.hash.update(bytes);
        self.written += bytes.len() as u64;
        out.extend_from_slice(bytes);
        bytes.clear();
    }
}

impl core::fmt::Debug for WayStream {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("WayStream").field("tiles", &self.tiles).field("written", &self.written).finish_non_exhaustive()
    }
}

fn check_count(what: &'static str, count: u64, max: u64) -> Result<(), WriteError> {
    if count > max { Err(WriteError::TooMany { what, count, max }) } else { Ok(()) }
}
