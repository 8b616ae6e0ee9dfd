//! Writes a `.way` file tile by tile without keeping the tiles. Only the directory is kept, 40 bytes a tile and some
//! for each section.
//!
//! The bytes are the same as those of [`NavMesh::to_bytes`](crate::mesh::NavMesh::to_bytes) or
//! [`WayFile::to_bytes`](super::WayFile::to_bytes) for a mesh with the same tiles, connections, area types, keys and
//! sections.
//!
//! Cost: the bytes that are written. Sources: own work.

use super::directory_writer::DirectoryWriter;
use super::mesh_part::{Counts, write_areas, write_connection};
use super::section::NO_SECTIONS;
use super::section::{Sections, TileSections};
use super::tile_bytes::write_tile;
use super::write::{NO_KEYS, NO_TILE_SECTIONS, hex, key_section, mesh_sections};
use crate::area::AreaTable;
use crate::math::bytes::Writer;
use crate::mesh::{OffMeshConnection, PolyRef, original_state};
use crate::tile::{TileCoord, TileData, TileKeys, TileLayout};
use xxhash_rust::xxh3::Xxh3;

/// Writes the bytes of a mesh piece by piece. What each call appends to `out` must be written to the file, in order.
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
    /// The places of the tiles so far.
    tiles: Vec<TileCoord>,
    directory: DirectoryWriter,
    piece: Writer,
    /// The invalid number of the layout, if there is one.
    senseless: Option<(&'static str, f32)>,
}

/// What follows the tiles.
#[derive(Clone, Copy, Debug)]
pub struct WayEnd<'a> {
    /// Off-mesh connections, in the order in which they would be added to a new mesh.
    pub connections: &'a [OffMeshConnection],
    /// Names and costs of area types.
    pub areas: &'a AreaTable,
    /// The keys of what the tiles were baked from.
    pub keys: &'a TileKeys,
    /// Sections of the mesh.
    pub sections: &'a Sections,
    /// Sections of places that have no tile. Those of tiles were written [with them](WayStream::tile_with).
    pub tile_sections: &'a TileSections,
}

impl Default for WayEnd<'_> {
    fn default() -> Self {
        Self {
            connections: &[],
            areas: &NO_AREAS,
            keys: &NO_KEYS,
            sections: &NO_SECTIONS,
            tile_sections: &NO_TILE_SECTIONS,
        }
    }
}

static NO_AREAS: AreaTable = AreaTable::EMPTY;

/// Why something cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// More tiles, connections or keys than a mesh can hold.
    #[error("{count} {what} are more than the {max} that a mesh can hold")]
    TooMany {
        /// What there is too much of.
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
    /// Sections were given for a place without a tile, but it has a tile.
    #[error(
        "the tile at column {}, row {}, layer {} was written already: write its sections with it",
        coord.x, coord.z, coord.layer
    )]
    TileWritten {
        /// The place.
        coord: TileCoord,
    },
    /// The mesh has an invalid layout.
    #[error("the mesh's layout has {value} as {what}: places and sizes must be finite, sizes 0 or more")]
    Layout {
        /// Name of the invalid number.
        what: &'static str,
        /// Its value.
        value: f32,
    },
}

impl WayStream {
    /// Begins a mesh.
    #[must_use]
    pub fn new(layout: TileLayout, user_id: u64, out: &mut Vec<u8>) -> Self {
        let mut piece = Writer::default();
        let directory = DirectoryWriter::begin(layout, user_id, &mut piece);
        let mut stream = Self { hash: Xxh3::new(), tiles: Vec::new(), directory, piece, senseless: layout.senseless() };
        stream.append(out);
        stream
    }

    /// Appends a tile: the first is in slot 0, the next in slot 1, as in
    /// [`NavMesh::from_tiles`](crate::mesh::NavMesh::from_tiles). Whether two tiles have the same place is not checked;
    /// such a file is refused when it is read.
    ///
    /// # Errors
    /// [`WriteError`]; nothing is appended then.
    pub fn tile(&mut self, tile: &TileData, out: &mut Vec<u8>) -> Result<(), WriteError> {
        self.tile_with(tile, &NO_SECTIONS, out)
    }

    /// Appends a [tile](Self::tile) with the data kept beside it.
    ///
    /// # Errors
    /// [`WriteError`]; nothing is appended then.
    pub fn tile_with(&mut self, tile: &TileData, sections: &Sections, out: &mut Vec<u8>) -> Result<(), WriteError> {
        self.check_layout()?;
        check_count("tiles", self.tiles.len() as u64 + 1, u64::from(PolyRef::TILE_SLOTS))?;
        write_tile(tile, &original_state(tile), &mut self.piece);
        let slot = self.tiles.len() as u32;
        let length = self.piece.bytes.len();
        self.directory.tile((slot, 1), length, (tile.coord(), sections), &mut self.piece);
        self.tiles.push(tile.coord());
        self.append(out);
        Ok(())
    }

    fn check_layout(&self) -> Result<(), WriteError> {
        self.senseless.map_or(Ok(()), |(what, value)| Err(WriteError::Layout { what, value }))
    }

    /// Ends the mesh and returns its [`digest`](crate::mesh::NavMesh::digest).
    ///
    /// # Errors
    /// [`WriteError`]; nothing is appended then.
    pub fn finish(mut self, end: WayEnd<'_>, out: &mut Vec<u8>) -> Result<String, WriteError> {
        self.check_layout()?;
        let WayEnd { connections, areas, keys, sections, tile_sections } = end;
        check_count("connections", connections.len() as u64, u64::from(PolyRef::POLYS))?;
        check_count("keys", keys.iter().len() as u64, u64::from(u32::MAX))?;
        self.tiles.sort_unstable();
        if let Some((coord, _)) = tile_sections.iter().find(|(coord, _)| self.tiles.binary_search(coord).is_ok()) {
            return Err(WriteError::TileWritten { coord });
        }
        let mesh_part = mesh_part(connections, areas)?;
        for (coord, sections) in tile_sections.iter() {
            self.directory.place(coord, sections, &mut self.piece);
            Self::hand_on(&mut self.hash, &mut self.piece, out);
        }
        let keys = key_section(keys);
        self.directory.finish(&mesh_sections(sections, &keys), &mesh_part, &mut self.piece);
        Self::hand_on(&mut self.hash, &mut self.piece, out);
        Ok(hex(self.hash.digest()))
    }

    /// Passes on what was written.
    fn append(&mut self, out: &mut Vec<u8>) {
        Self::hand_on(&mut self.hash, &mut self.piece, out);
    }

    fn hand_on(hash: &mut Xxh3, piece: &mut Writer, out: &mut Vec<u8>) {
        hash.update(&piece.bytes);
        out.extend_from_slice(&piece.bytes);
        piece.bytes.clear();
    }
}

impl core::fmt::Debug for WayStream {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("WayStream").field("tiles", &self.tiles.len()).finish_non_exhaustive()
    }
}

/// The mesh part for new connections.
fn mesh_part(connections: &[OffMeshConnection], areas: &AreaTable) -> Result<Vec<u8>, WriteError> {
    let mut out = Writer::default();
    let count = connections.len() as u32;
    let area_count = areas.iter().len() as u32;
    Counts { connections: count, areas: area_count, ..Counts::default() }.write(&mut out);
    for (index, c) in connections.iter().enumerate() {
        let sound = c.start.is_finite() && c.end.is_finite() && c.radius.is_finite() && c.radius >= 0.0;
        if !sound {
            return Err(WriteError::Connection { index });
        }
        write_connection((index as u32, 1), c, c.state(), &mut out);
    }
    write_areas(areas, &mut out);
    Ok(out.bytes)
}

fn check_count(what: &'static str, count: u64, max: u64) -> Result<(), WriteError> {
    if count > max { Err(WriteError::TooMany { what, count, max }) } else { Ok(()) }
}
