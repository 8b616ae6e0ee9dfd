//! The directory of a `.way` file: where each tile and each section is, so that one can be read without the others.
//!
//! ```text
//!   | head | tile | its sections | tile | … | sections | mesh part | directory | trailer |
//!                                  ^^^^                              ^^^^^^^^^^^^^^^^^^^^^
//!                                  then what is wanted               read first, from the end
//! ```
//!
//! Cost: time and memory are proportional to the bytes of the directory, plus n log n once to sort places.
//!
//! Sources: own work; ZIP files also have their directory at the end.

use super::file_part::FilePart;
use super::read_error::{ReadError, Unsound};
use super::tile_bytes::read_tile;
use super::{CHECKSUM_BYTES, HEAD_BYTES, MARK, Section, TRAILER_BYTES};
use crate::math::bytes::{Reader, Truncated};
use crate::mesh::{AddTileError, PreparedTile, TileRef};
use crate::tile::{TileCoord, TileLayout};
use core::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// A range of bytes in a file, and their digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileRange {
    /// Offset of the first byte.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// Their XXH3-64.
    pub digest: u64,
}

/// The entry of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileEntry {
    /// Its slot and salt in the mesh.
    pub tile: TileRef,
    /// Its column, row and layer.
    pub coord: TileCoord,
    /// Its location.
    pub range: FileRange,
    sections: Range<usize>,
}

/// The entry of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionEntry {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// The place that it belongs to; `None` for sections of the mesh.
    pub coord: Option<TileCoord>,
    /// Its location.
    pub range: FileRange,
}

/// The content of a `.way` file. Once the directory is read, a tile is loaded from a file of any size with a single
/// read:
///
/// ```
/// use wayfare::format::WayDirectory;
/// use wayfare::mesh::NavMesh;
/// # use wayfare::Vec3;
/// # use wayfare::area::{AreaId, PolyFlags};
/// # use wayfare::tile::{SourcePoly, TileCoord, TileLayout, TileSource, build_tile};
/// # let verts = [[0., 0.], [0., 1.], [1., 1.], [1., 0.]].map(|[x, z]| Vec3::new(x, 0.0, z));
/// # let polys = [SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }];
/// # let tile = build_tile(&TileSource { verts: &verts, corners: &[0, 1, 2, 3], polys: &polys, ..TileSource::default() })?;
/// # let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
/// # let file = NavMesh::from_tiles(layout, vec![tile])?.to_bytes();
/// # let read = |range: std::ops::Range<u64>| &file[range.start as usize..range.end as usize];
/// # let length = file.len() as u64;
/// // `read` reads a range of a file of `length` bytes.
/// let range = WayDirectory::range(read(length - WayDirectory::TRAILER_BYTES..length))?;
/// let directory = WayDirectory::read(read(range))?;
/// let entry = directory.tile_at(TileCoord::default()).ok_or("no such tile")?;
/// let tile = directory.read_tile(entry, read(entry.range.offset..entry.range.offset + entry.range.length))?;
///
/// let mut mesh = NavMesh::new(directory.layout());
/// mesh.add_prepared_at(entry.tile, tile)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WayDirectory {
    user_id: u64,
    layout: TileLayout,
    tiles: Vec<TileEntry>,
    /// Places without a tile, with their sections.
    places: Vec<(TileCoord, Range<usize>)>,
    sections: Vec<SectionEntry>,
    /// The range of the mesh's own sections among them.
    of_mesh: Range<usize>,
    mesh_part: FileRange,
    /// The tiles, sorted by place.
    by_place: Vec<u32>,
}

impl WayDirectory {
    /// Number of bytes at the end of a file that say where its directory is.
    pub const TRAILER_BYTES: u64 = TRAILER_BYTES as u64;

    /// The range of the directory in the file, including the trailer, given the last
    /// [`TRAILER_BYTES`](Self::TRAILER_BYTES) of the file (or more).
    ///
    /// # Errors
    /// [`ReadError`] if this is not the end of a `.way` file.
    pub fn range(trailer: &[u8]) -> Result<Range<u64>, ReadError> {
        let have = trailer.len() as u64;
        let no_end = ReadError::End { have };
        let trailer = trailer.last_chunk::<TRAILER_BYTES>().ok_or(no_end.clone())?;
        let mut reader = Reader::new(trailer);
        let mut fields = || Ok((reader.u64()?, reader.u64()?, reader.u32()?, reader.take(MARK.len())? == MARK));
        let Ok((directory, file, version, true)) = fields().map_err(|Truncated| ()) else { return Err(no_end) };
        ReadError::check_version(version)?;
        let start = file.checked_sub(TRAILER_BYTES as u64).and_then(|end| end.checked_sub(directory));
        let start = start.filter(|&start| start >= HEAD_BYTES as u64);
        Ok(start.ok_or(ReadError::Section { section: "directory" })?..file)
    }

    /// Reads a directory: the bytes of the file in its [`range`](Self::range).
    ///
    /// # Errors
    /// [`ReadError`] for anything but a directory written by this library. Tiles and sections are only checked when
    /// they are read.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let directory = Self::parse(bytes)?;
        let at = |&place: &u32| &directory.tiles[place as usize];
        for (a, b) in directory.by_place.iter().map(at).zip(directory.by_place.iter().map(at).skip(1)) {
            if a.coord == b.coord {
                let error = AddTileError::PlaceTaken { coord: a.coord, tile: a.tile };
                return Err(ReadError::Tile { slot: b.tile.slot().get(), error });
            }
        }
        Ok(directory)
    }

    /// The number that the user gave to the mesh.
    #[must_use]
    pub fn user_id(&self) -> u64 {
        self.user_id
    }

    /// The layout of the tiles.
    #[must_use]
    pub fn layout(&self) -> TileLayout {
        self.layout
    }

    /// The tiles, by slot.
    #[must_use]
    pub fn tiles(&self) -> &[TileEntry] {
        &self.tiles
    }

    /// The tile at a place.
    #[must_use]
    pub fn tile_at(&self, coord: TileCoord) -> Option<&TileEntry> {
        let at = |&place: &u32| self.tiles[place as usize].coord;
        let found = self.by_place.binary_search_by_key(&coord, at).ok()?;
        self.tiles.get(self.by_place[found] as usize)
    }

    /// The sections of the mesh, by name.
    #[must_use]
    pub fn sections(&self) -> &[SectionEntry] {
        &self.sections[self.of_mesh.clone()]
    }

    /// The sections of a place, by name, whether or not there is a tile.
    #[must_use]
    pub fn tile_sections(&self, coord: TileCoord) -> &[SectionEntry] {
        let of_place = || self.places.binary_search_by_key(&coord, |place| place.0).ok().map(|k| &self.places[k].1);
        let range = self.tile_at(coord).map(|entry| &entry.sections).or_else(of_place);
        range.map_or(&[], |range| &self.sections[range.clone()])
    }

    /// Reads a tile, with the state of its polygons: `bytes` are those in the entry's range, and nothing else is
    /// needed.
    ///
    /// # Errors
    /// [`ReadError`], which names the tile, if they are not as they were written or are not a valid tile.
    pub fn read_tile(&self, entry: &TileEntry, bytes: &[u8]) -> Result<PreparedTile, ReadError> {
        let slot = entry.tile.slot().get();
        entry.range.check(bytes, || FilePart::Tile { coord: entry.coord })?;
        let (data, state) = read_tile(bytes, slot)?;
        if data.coord() != entry.coord {
            return Err(ReadError::Section { section: "tile" });
        }
        Ok(PreparedTile::with_state(data, state))
    }

    /// Reads a section: `bytes` are those in the entry's range.
    ///
    /// # Errors
    /// [`ReadError`], which names the section, if they are not as they were written.
    pub fn read_section(&self, entry: &SectionEntry, bytes: &[u8]) -> Result<Section, ReadError> {
        entry.check(bytes)?;
        Ok(Section { version: entry.version, bytes: bytes.to_vec() })
    }
}

impl SectionEntry {
    pub(super) fn check(&self, bytes: &[u8]) -> Result<(), ReadError> {
        self.range.check(bytes, || FilePart::Section { name: self.name.clone(), coord: self.coord })
    }
}

impl FileRange {
    /// The bytes of the range in a whole file; `None` if the range is not in it.
    pub(super) fn of<'a>(&self, file: &'a [u8]) -> &'a [u8] {
        let place = |at: u64| usize::try_from(at).ok();
        let range = place(self.offset).zip(self.offset.checked_add(self.length).and_then(place));
        range.and_then(|(start, end)| file.get(start..end)).unwrap_or(&[])
    }

    /// Whether these are the bytes that were written.
    pub(super) fn check(&self, bytes: &[u8], part: impl Fn() -> FilePart) -> Result<(), ReadError> {
        let have = bytes.len() as u64;
        let want = self.length;
        if have != want {
            return Err(ReadError::PartLength { part: part(), have, want });
        }
        let have = xxh3_64(bytes);
        let want = self.digest;
        if have == want { Ok(()) } else { Err(ReadError::Checksum { part: part(), have, want }) }
    }
}

impl WayDirectory {
    pub(super) fn mesh_part(&self) -> FileRange {
        self.mesh_part
    }

    /// All sections: those of tiles, of places and of the mesh.
    pub(super) fn all_sections(&self) -> &[SectionEntry] {
        &self.sections
    }

    /// Two tiles may claim the same place.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let range = Self::range(bytes)?;
        let have = bytes.len() as u64;
        let want = range.end - range.start;
        if have != want {
            return Err(ReadError::PartLength { part: FilePart::Directory, have, want });
        }
        let no_end = ReadError::End { have };
        let (before, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(no_end.clone())?;
        let have = xxh3_64(before);
        let want = u64::from_le_bytes(*checksum);
        if have != want {
            return Err(ReadError::Checksum { part: FilePart::Directory, have, want });
        }
        let body = bytes.len().checked_sub(TRAILER_BYTES).and_then(|length| bytes.get(..length)).ok_or(no_end)?;
        let mut parser = Parser { reader: Reader::new(body), offset: HEAD_BYTES as u64, sections: Vec::new() };
        let directory = parser.directory()?;
        // The directory follows the parts, and nothing follows the last section.
        if parser.offset != range.start || !parser.reader.is_empty() {
            return Err(ReadError::Ranges { have: range.start, want: parser.offset });
        }
        Ok(directory)
    }
}

/// Reads the lists of a directory, and adds up the lengths of the parts.
struct Parser<'a> {
    reader: Reader<'a>,
    /// Where the next part begins.
    offset: u64,
    sections: Vec<SectionEntry>,
}

impl Parser<'_> {
    fn directory(&mut self) -> Result<WayDirectory, ReadError> {
        let (user_id, layout, counts) = self.head().map_err(within)?;
        let [tile_count, place_count, mesh_sections] = counts;
        let (mesh_length, mesh_digest) = self.length_and_digest().map_err(within)?;
        let records = self.reader.records::<TILE_BYTES>(tile_count as usize).map_err(short)?;
        let place_records = self.reader.records::<PLACE_BYTES>(place_count as usize).map_err(short)?;
        let mut tiles: Vec<TileEntry> = Vec::with_capacity(records.len());
        for record in records {
            let entry = self.tile(&mut Reader::new(record))?;
            let before = tiles.last().map(|last| last.tile.slot().get());
            let value = entry.tile.slot().get();
            if let Some(before) = before.filter(|&before| before >= value) {
                return Err(ReadError::Order { what: "tile slot", value, before });
            }
            tiles.push(entry);
        }
        let mut by_place: Vec<u32> = (0..tile_count).collect();
        by_place.sort_by_key(|&k| tiles[k as usize].coord);
        let mut places: Vec<(TileCoord, Range<usize>)> = Vec::with_capacity(place_records.len());
        for record in place_records {
            let mut record = Reader::new(record);
            let (coord, count) = coord_and_count(&mut record).map_err(short)?;
            let has_tile = by_place.binary_search_by_key(&coord, |&k| tiles[k as usize].coord).is_ok();
            // Written in order, each once, and only if not empty.
            if has_tile || count == 0 || places.last().is_some_and(|last| last.0 >= coord) {
                return Err(ReadError::Place { coord });
            }
            places.push((coord, self.sections(count, Some(coord))?));
        }
        let of_mesh = self.sections(mesh_sections, None)?;
        let mesh_part = self.range(mesh_length, mesh_digest)?;
        let sections = core::mem::take(&mut self.sections);
        Ok(WayDirectory { user_id, layout, tiles, places, sections, of_mesh, mesh_part, by_place })
    }

    fn head(&mut self) -> Result<(u64, TileLayout, [u32; 3]), Unsound> {
        let reader = &mut self.reader;
        let user_id = reader.u64()?;
        let layout = TileLayout { origin: reader.vec3()?, tile_width: reader.f32()?, tile_depth: reader.f32()? };
        if let Some((what, value)) = layout.senseless() {
            return Err(Unsound::Layout { what, value });
        }
        Ok((user_id, layout, [reader.u32()?, reader.u32()?, reader.u32()?]))
    }

    fn length_and_digest(&mut self) -> Result<(u64, u64), Unsound> {
        Ok((self.reader.u64()?, self.reader.u64()?))
    }

    /// A tile and its sections, which follow it.
    fn tile(&mut self, record: &mut Reader<'_>) -> Result<TileEntry, ReadError> {
        let (slot, salt, reserved) = slot_and_salt(record).map_err(short)?;
        if reserved != 0 {
            return Err(ReadError::Value { what: "reserved bytes of a tile", value: u32::from(reserved) });
        }
        let error = AddTileError::SlotRange { slot, salt };
        let tile = TileRef::new(salt, slot).ok_or(ReadError::Tile { slot, error })?;
        let (coord, count) = coord_and_count(record).map_err(short)?;
        let length = record.u64().map_err(short)?;
        let digest = record.u64().map_err(short)?;
        let range = self.range(length, digest)?;
        Ok(TileEntry { tile, coord, range, sections: self.sections(count, Some(coord))? })
    }

    /// A number of sections, by name.
    fn sections(&mut self, count: u32, coord: Option<TileCoord>) -> Result<Range<usize>, ReadError> {
        let first = self.sections.len();
        for _ in 0..count {
            let entry = self.section(coord)?;
            let before = self.sections[first..].last();
            if before.is_some_and(|before| before.name >= entry.name) {
                return Err(ReadError::SectionOrder { part: FilePart::Section { name: entry.name, coord } });
            }
            self.sections.push(entry);
        }
        Ok(first..self.sections.len())
    }

    fn section(&mut self, coord: Option<TileCoord>) -> Result<SectionEntry, ReadError> {
        let version = self.reader.u32().map_err(short)?;
        let name = self.reader.u64().map_err(short)?;
        let (length, digest) = self.length_and_digest().map_err(within)?;
        let name = usize::try_from(name).map_err(|_| short(Truncated))?;
        let name = core::str::from_utf8(self.reader.take(name).map_err(short)?).map_err(|_| short(Truncated))?;
        let name = name.to_owned();
        Ok(SectionEntry { name, version, coord, range: self.range(length, digest)? })
    }

    /// The next `length` bytes of the file.
    fn range(&mut self, length: u64, digest: u64) -> Result<FileRange, ReadError> {
        let offset = self.offset;
        let want = u64::MAX;
        self.offset = offset.checked_add(length).ok_or(ReadError::Ranges { have: offset, want })?;
        Ok(FileRange { offset, length, digest })
    }
}

/// Slot, salt, reserved, place, number of sections, length, digest.
const TILE_BYTES: usize = 4 + 2 + 2 + 12 + 4 + 8 + 8;
/// Place, number of sections.
const PLACE_BYTES: usize = 12 + 4;

fn slot_and_salt(record: &mut Reader<'_>) -> Result<(u32, u16, u16), Truncated> {
    Ok((record.u32()?, record.u16()?, record.u16()?))
}

fn coord_and_count(record: &mut Reader<'_>) -> Result<(TileCoord, u32), Truncated> {
    Ok((TileCoord { x: record.i32()?, z: record.i32()?, layer: record.u32()? }, record.u32()?))
}

fn short(_: Truncated) -> ReadError {
    ReadError::Section { section: "directory" }
}

fn within(unsound: Unsound) -> ReadError {
    unsound.within("directory")
}
