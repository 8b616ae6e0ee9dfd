//! The list of a store's tiles.

use super::StoreEntry;
use crate::tile::TileCoord;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::Xxh3;

/// The entries of a store, by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreIndex(BTreeMap<TileCoord, StoreEntry>);

impl StoreIndex {
    /// An index without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The entry of a place.
    #[must_use]
    pub fn get(&self, coord: TileCoord) -> Option<&StoreEntry> {
        self.0.get(&coord)
    }

    /// All entries, by column, row and layer, including places without a walkable surface.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &StoreEntry> {
        self.0.values()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many of them have a tile.
    #[must_use]
    pub fn tile_count(&self) -> usize {
        self.iter().filter(|entry| entry.has_tile()).count()
    }

    /// Adds an entry, replacing that of the same place. An entry of length 0 removes it.
    pub fn set(&mut self, entry: StoreEntry) {
        if entry.length == 0 {
            self.0.remove(&entry.coord);
        } else {
            self.0.insert(entry.coord, entry);
        }
    }

    /// Removes an entry.
    pub fn remove(&mut self, coord: TileCoord) -> Option<StoreEntry> {
        self.0.remove(&coord)
    }

    /// A hexadecimal digest of the tiles and their parts of the graph, independent of their order in a file and of the
    /// number of bakes it took to make them.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hash = Xxh3::new();
        for StoreEntry { coord, content, .. } in self.iter() {
            hash.update(&coord.x.to_le_bytes());
            hash.update(&coord.z.to_le_bytes());
            hash.update(&coord.layer.to_le_bytes());
            hash.update(&content.to_le_bytes());
        }
        format!("{:016x}", hash.digest())
    }
}

impl FromIterator<StoreEntry> for StoreIndex {
    fn from_iter<T: IntoIterator<Item = StoreEntry>>(entries: T) -> Self {
        Self(entries.into_iter().filter(|entry| entry.length > 0).map(|entry| (entry.coord, entry)).collect())
    }
}
