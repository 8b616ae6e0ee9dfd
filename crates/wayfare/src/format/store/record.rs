//! The record of one tile: a `.way` file of its own, which every tool that reads a mesh can open.

use super::{StoreEntry, StoreHead};
use crate::format::{
    FilePart, ReadError, SectionEntry, Sections, TileSections, WayDirectory, WayEnd, WayStream, WriteError,
};
use crate::mesh::PreparedTile;
use crate::tile::{TileCoord, TileData, TileKeys, TileLayout};
use core::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The bytes of one tile with the data kept beside it, ready to be written into a store.
#[derive(Clone, Debug, PartialEq)]
pub struct StoreRecord {
    entry: StoreEntry,
    layout: TileLayout,
    bytes: Vec<u8>,
}

/// The content of a store at one place.
#[derive(Debug)]
pub struct StoredTile {
    /// The key of what it was baked from.
    pub key: u64,
    /// The tile; none if there is no walkable surface.
    pub tile: Option<PreparedTile>,
    /// The data kept beside it, including its part of the abstract graph.
    pub sections: Sections,
}

impl StoreRecord {
    /// The section that holds a tile's part of the abstract graph.
    pub const GRAPH_SECTION: &str = "hierarchy.graph";

    /// A tile of a store with this head; none for a place that is known to have no walkable surface. `key` identifies
    /// everything that it was baked from.
    ///
    /// # Errors
    /// [`WriteError`] if the tile is unsound.
    pub fn new(
        head: &StoreHead,
        coord: TileCoord,
        key: u64,
        tile: Option<&TileData>,
        sections: &Sections,
    ) -> Result<Self, WriteError> {
        let mut bytes = Vec::new();
        let mut stream = WayStream::new(head.layout(), 0, &mut bytes);
        let mut alone = TileSections::EMPTY;
        match tile {
            Some(tile) => stream.tile_with(tile, sections, &mut bytes)?,
            None => alone.get_mut(coord).clone_from(sections),
        }
        let keys: TileKeys = [(coord, key)].into_iter().collect();
        stream.finish(WayEnd { keys: &keys, tile_sections: &alone, ..WayEnd::default() }, &mut bytes)?;
        let directory = directory_of(&bytes).ok();
        let entry = entry_of(&bytes, (coord, key), directory.as_ref());
        Ok(Self { entry, layout: head.layout(), bytes })
    }

    /// Reads the bytes of a record for rebuilding an index: all of them are checked.
    ///
    /// # Errors
    /// [`ReadError`] for anything but the record of one place.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ReadError> {
        let directory = directory_of(&bytes)?;
        let (coord, key) = place(&bytes, &directory)?;
        read(&bytes, &directory, coord)?;
        let entry = entry_of(&bytes, (coord, key), Some(&directory));
        Ok(Self { entry, layout: directory.layout(), bytes })
    }

    /// Its index entry, without the offset.
    #[must_use]
    pub fn entry(&self) -> StoreEntry {
        self.entry
    }

    /// The layout of the tiles of its store.
    #[must_use]
    pub fn layout(&self) -> TileLayout {
        self.layout
    }

    /// The record itself if its tile has this layout.
    ///
    /// # Errors
    /// [`ReadError::Section`] if it has another: it belongs to another store.
    pub fn check_layout(self, layout: TileLayout) -> Result<Self, ReadError> {
        check_layout(self.layout, layout).map(|()| self)
    }

    /// Its bytes: a `.way` file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl StoredTile {
    /// Reads a record of a store with this head; it must match its index entry.
    ///
    /// # Errors
    /// [`ReadError`] if it does not, or is not a valid tile.
    pub fn read(bytes: &[u8], entry: &StoreEntry, head: &StoreHead) -> Result<Self, ReadError> {
        let part = FilePart::Tile { coord: entry.coord };
        let have = bytes.len() as u64;
        if have != entry.length {
            return Err(ReadError::PartLength { part, have, want: entry.length });
        }
        let have = xxh3_64(bytes);
        if have != entry.digest {
            return Err(ReadError::Checksum { part, have, want: entry.digest });
        }
        let directory = directory_of(bytes)?;
        check_layout(directory.layout(), head.layout())?;
        read(bytes, &directory, entry.coord)
    }
}

fn check_layout(have: TileLayout, want: TileLayout) -> Result<(), ReadError> {
    if have == want { Ok(()) } else { Err(ReadError::Section { section: "layout of a tile" }) }
}

/// The directory at the end of a record.
pub(super) fn directory_of(bytes: &[u8]) -> Result<WayDirectory, ReadError> {
    let range = WayDirectory::range(bytes)?;
    let have = bytes.len() as u64;
    if range.end != have {
        return Err(ReadError::Length { have, want: range.end });
    }
    WayDirectory::read(part_of(bytes, &range))
}

/// A part of a record; empty if it has none.
fn part_of<'a>(bytes: &'a [u8], range: &Range<u64>) -> &'a [u8] {
    let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
    bytes.get(at(range.start)..at(range.end)).unwrap_or(&[])
}

fn section_bytes<'a>(bytes: &'a [u8], entry: &SectionEntry) -> &'a [u8] {
    part_of(bytes, &(entry.range.offset..entry.range.offset.saturating_add(entry.range.length)))
}

/// The place of a record, and its key.
fn place(bytes: &[u8], directory: &WayDirectory) -> Result<(TileCoord, u64), ReadError> {
    let unsound = ReadError::Section { section: "list of keys" };
    let section = directory.sections().iter().find(|section| section.name == TileKeys::SECTION);
    let section = section.ok_or(unsound.clone())?;
    let section = directory.read_section(section, section_bytes(bytes, section))?;
    let keys = TileKeys::from_section(&section.bytes).ok_or(unsound.clone())?;
    let mut all = keys.iter();
    match (all.next(), all.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(unsound),
    }
}

/// What an index says of a record.
fn entry_of(bytes: &[u8], (coord, key): (TileCoord, u64), directory: Option<&WayDirectory>) -> StoreEntry {
    let length = bytes.len() as u64;
    let digest = xxh3_64(bytes);
    let mut entry = StoreEntry { coord, offset: 0, length, digest, content: 0, key, tile_bytes: 0, graph_bytes: 0 };
    let Some(directory) = directory else { return entry };
    let mut content = Xxh3::new();
    if let Some(tile) = directory.tile_at(entry.coord) {
        entry.tile_bytes = u32::try_from(tile.range.length).unwrap_or(u32::MAX);
        content.update(&tile.range.digest.to_le_bytes());
    }
    for section in directory.tile_sections(entry.coord) {
        content.update(section.name.as_bytes());
        content.update(&section.version.to_le_bytes());
        content.update(&section.range.digest.to_le_bytes());
        if section.name == StoreRecord::GRAPH_SECTION {
            entry.graph_bytes = u32::try_from(section.range.length).unwrap_or(u32::MAX);
        }
    }
    entry.content = content.digest();
    entry
}

fn read(bytes: &[u8], directory: &WayDirectory, coord: TileCoord) -> Result<StoredTile, ReadError> {
    let (at, key) = place(bytes, directory)?;
    if at != coord || directory.tiles().iter().any(|tile| tile.coord != coord) {
        return Err(ReadError::Place { coord: at });
    }
    let mut sections = Sections::EMPTY;
    for entry in directory.tile_sections(coord) {
        let section = directory.read_section(entry, section_bytes(bytes, entry))?;
        sections.set(&entry.name, section.version, section.bytes);
    }
    let tile = directory.tile_at(coord).map(|entry| {
        let range = entry.range.offset..entry.range.offset.saturating_add(entry.range.length);
        directory.read_tile(entry, part_of(bytes, &range))
    });
    Ok(StoredTile { key, tile: tile.transpose()?, sections })
}
