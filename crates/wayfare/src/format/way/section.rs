//! Sections: bytes with a name and a version that a file keeps beside a mesh or beside one of its tiles.
//!
//! Who writes a section encodes it and names it; the file knows nothing of what it holds. A program that does not
//! know a section hands it on as it is.
//!
//! Sources: none needed.

use crate::tile::TileCoord;
use std::collections::BTreeMap;

/// The bytes of a section, and the version of what they hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The version of the encoding: a number of whoever wrote it.
    pub version: u32,
    /// What it holds. May be empty.
    pub bytes: Vec<u8>,
}

/// Sections by name. Any text is a name; a dot parts the module from what it stores, as in `layers.plan`.
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

    /// Adds a section, in place of the one of that name if there is one.
    pub fn set(&mut self, name: &str, version: u32, bytes: Vec<u8>) {
        self.0.insert(name.to_owned(), Section { version, bytes });
    }

    /// Takes a section out.
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

/// Sections beside tiles, by the tile's place: also of places where there is no tile, such as one that is all covered
/// by obstacles for now.
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

    /// The sections of a place, to be changed.
    pub fn get_mut(&mut self, coord: TileCoord) -> &mut Sections {
        self.0.entry(coord).or_default()
    }

    /// Takes out all sections of a place.
    pub fn remove(&mut self, coord: TileCoord) -> Sections {
        self.0.remove(&coord).unwrap_or_default()
    }

    /// The places that have sections, by column, row and layer.
    pub fn iter(&self) -> impl Iterator<Item = (TileCoord, &Sections)> {
        self.0.iter().filter(|(_, sections)| !sections.is_empty()).map(|(&coord, sections)| (coord, sections))
    }
}
