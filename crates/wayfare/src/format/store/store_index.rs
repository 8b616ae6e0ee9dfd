//! The list of a store's tiles.
//!
//! ```text
//!   column 0   | entry | entry | entry |      a list by row for each column: a bake goes row by row, so it appends;
//!   column 1   | entry | entry |              a tree of single entries would take twice the memory
//! ```
//!
//! Cost: 64 bytes a tile, and an eighth in reserve. Adding an entry anywhere but at the end of its column moves those
//! behind it.
//!
//! Sources: none needed.

use super::StoreEntry;
use crate::tile::TileCoord;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::Xxh3;

/// The entries of a store, by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreIndex {
    /// By row and layer; there are no empty columns.
    columns: BTreeMap<i32, Vec<StoreEntry>>,
    count: usize,
}

/// The entries of an index.
struct IndexEntries<I> {
    inner: I,
    left: usize,
}

impl StoreIndex {
    /// An index without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The entry of a place.
    #[must_use]
    pub fn get(&self, coord: TileCoord) -> Option<&StoreEntry> {
        let column = self.columns.get(&coord.x)?;
        column.get(find(column, coord).ok()?)
    }

    /// All entries, by column, row and layer, including places without a walkable surface.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &StoreEntry> {
        IndexEntries { inner: self.columns.values().flatten(), left: self.count }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many of them have a tile.
    #[must_use]
    pub fn tile_count(&self) -> usize {
        self.iter().filter(|entry| entry.has_tile()).count()
    }

    /// Adds an entry, replacing that of the same place. An entry of length 0 removes it.
    pub fn set(&mut self, entry: StoreEntry) {
        if entry.length == 0 {
            self.remove(entry.coord);
            return;
        }
        let column = self.columns.entry(entry.coord.x).or_default();
        match find(column, entry.coord) {
            Ok(at) => column[at] = entry,
            Err(at) => {
                if column.len() == column.capacity() {
                    // Less in reserve than by doubling.
                    column.reserve_exact(column.len() / 8 + 4);
                }
                column.insert(at, entry);
                self.count += 1;
            }
        }
    }

    /// Removes an entry.
    pub fn remove(&mut self, coord: TileCoord) -> Option<StoreEntry> {
        let column = self.columns.get_mut(&coord.x)?;
        let removed = column.remove(find(column, coord).ok()?);
        if column.is_empty() {
            self.columns.remove(&coord.x);
        }
        self.count -= 1;
        Some(removed)
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

/// The index of an entry in its column, or where it belongs.
fn find(column: &[StoreEntry], coord: TileCoord) -> Result<usize, usize> {
    column.binary_search_by_key(&coord, |entry| entry.coord)
}

impl<'a, I: Iterator<Item = &'a StoreEntry>> Iterator for IndexEntries<I> {
    type Item = &'a StoreEntry;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.inner.next()?;
        self.left -= 1;
        Some(next)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<'a, I: Iterator<Item = &'a StoreEntry>> ExactSizeIterator for IndexEntries<I> {}

impl FromIterator<StoreEntry> for StoreIndex {
    /// Of several entries for one place the last counts. Cost: linear if they are in order, else that of a sort.
    fn from_iter<T: IntoIterator<Item = StoreEntry>>(entries: T) -> Self {
        let mut index = Self::default();
        let mut entries: Vec<StoreEntry> = entries.into_iter().collect();
        // Each is then appended to its column. A stable sort keeps the order of those of one place.
        if !entries.is_sorted_by_key(|entry| entry.coord) {
            entries.sort_by_key(|entry| entry.coord);
        }
        entries.into_iter().for_each(|entry| index.set(entry));
        index
    }
}
