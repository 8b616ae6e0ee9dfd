//! A tile store in memory.

use super::world_store::entry_of;
use super::{StoreError, StoreHead, StoreIndex, StoreRecord, WorldStore};
use crate::tile::TileCoord;
use core::ops::Range;
use std::collections::BTreeMap;

/// A store whose records are in memory: for tests, and for worlds that fit.
///
/// ```
/// use wayfare::format::{MemoryStore, Sections, StoreHead, StoreRecord, WayEnd, WorldStore};
/// # use wayfare::Vec3;
/// # use wayfare::tile::{TileCoord, TileLayout};
/// # let layout = TileLayout { origin: Vec3::ZERO, tile_width: 8.0, tile_depth: 8.0 };
/// let mut store = MemoryStore::new(StoreHead::new(layout, WayEnd::default())?);
/// let coord = TileCoord { x: 3, z: 4, layer: 0 };
/// // A place without a tile, with data kept beside it.
/// let mut beside = Sections::EMPTY;
/// beside.set("quests", 1, vec![1, 2, 3]);
/// let record = StoreRecord::new(store.head(), coord, 7, None, &beside)?;
/// store.write(&record)?;
/// assert!(store.read_tile(coord)?.tile.is_none());
/// assert_eq!(store.read_section(coord, "quests")?.map(|section| section.bytes), Some(vec![1, 2, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MemoryStore {
    head: StoreHead,
    index: StoreIndex,
    records: BTreeMap<TileCoord, Vec<u8>>,
}

impl MemoryStore {
    /// A store without tiles.
    #[must_use]
    pub fn new(head: StoreHead) -> Self {
        Self { head, index: StoreIndex::new(), records: BTreeMap::new() }
    }
}

impl WorldStore for MemoryStore {
    fn head(&self) -> &StoreHead {
        &self.head
    }

    fn index(&self) -> &StoreIndex {
        &self.index
    }

    fn read_bytes(&self, coord: TileCoord, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
        let entry = entry_of(&self.index, coord)?;
        let record = self.records.get(&coord).ok_or(StoreError::Missing { coord })?;
        let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
        let bytes = record.get(at(range.start)..at(range.end));
        bytes.map(<[u8]>::to_vec).ok_or_else(|| entry.too_short(record.len() as u64))
    }

    fn write(&mut self, record: &StoreRecord) -> Result<(), StoreError> {
        let entry = record.entry();
        self.index.set(entry);
        self.records.insert(entry.coord, record.bytes().to_vec());
        Ok(())
    }

    fn remove(&mut self, coord: TileCoord) -> Result<(), StoreError> {
        self.index.remove(coord);
        self.records.remove(&coord);
        Ok(())
    }

    fn set_head(&mut self, head: StoreHead) -> Result<(), StoreError> {
        if head.layout() != self.head.layout() {
            self.index = StoreIndex::new();
            self.records.clear();
        }
        self.head = head;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}
