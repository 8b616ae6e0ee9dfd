//! Sections: named, versioned bytes that a file keeps beside a mesh or one of its tiles.
//!
//! A module that writes a section names and encodes it; the file format does not know what it contains. A program that
//! does not know a section passes it on unchanged.
//!
//! Sources: none needed.

use crate::tile::TileCoord;
use std::collections::BTreeMap;

/// The bytes of a section, and the version of their encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The version of the encoding, chosen by the module that wrote it.
    pub version: u32,
    /// The content. May be empty.
    pub bytes: Vec<u8>,
}

/// Sections by name. Any text can be a name; a dot separates the module from what it stores, as in `layers.plan`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections(BTreeMap<String, Section>);

impl Sections {
    /// No sections.
    pub const EMPTY: Self = Self(BTreeMap::new());

    /// The section of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Section> {
        self.0.get(name)
    }

    /// Adds a section, replacing one of the same name.
    pub fn set(&mut self, name: &str, version: u32, bytes: Vec<u8>) {
        self.0.insert(name.to_owned(), Section { version, bytes });
    }

    /// Removes a section.
    pub fn remove(&mut self, name: &str) -> Option<Section> {
        self.0.remove(name)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Section)> {
        self.0.iter().map(|(name, section)| (name.as_str(), section))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Sections of tiles, by the tile's place. Places without a tile can have sections too, such as one that obstacles
/// currently cover entirely.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileSections(BTreeMap<TileCoord, Sections>);

pub(super) static NO_SECTIONS: Sections = Sections::EMPTY;

impl TileSections {
    /// No sections.
    pub const EMPTY: Self = Self(BTreeMap::new());

    /// The sections of a place; empty if it has none.
    #[must_use]
    pub fn get(&self, coord: TileCoord) -> &Sections {
        self.0.get(&coord).unwrap_or(&NO_SECTIONS)
    }

    /// The sections of a place, mutable.
    pub fn get_mut(&mut self, coord: TileCoord) -> &mut Sections {
        self.0.entry(coord).or_default()
    }

    /// Removes all sections of a place.
    pub fn remove(&mut self, coord: TileCoord) -> Sections {
        self.0.remove(&coord).unwrap_or_default()
    }

    /// The places that have sections, by column, row and layer.
    pub fn iter(&self) -> impl Iterator<Item = (TileCoord, &Sections)> {
        self.0.iter().filter(|(_, sections)| !sections.is_empty()).map(|(&coord, sections)| (coord, sections))
    }
}
