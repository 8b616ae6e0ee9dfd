//! The interface of tile stores, wherever their bytes are.

use super::{StoreEntry, StoreError, StoreHead, StoreIndex, StoreRecord, StoredTile, WorldDifference};
use crate::format::{FilePart, ReadError, Section, WayDirectory};
use crate::tile::TileCoord;
use core::ops::Range;

/// Number of bytes at the end of a record in which its directory is searched: more are read only if many sections are
/// kept beside a tile.
const TAIL: u64 = 512;

/// A tile store: memory, a file, a folder, or a user's own implementation. The index is in memory, the tiles are not.
///
/// Several threads may read at once.
pub trait WorldStore: Send + Sync {
    /// The data that concerns the whole mesh.
    fn head(&self) -> &StoreHead;

    /// The list of its tiles.
    fn index(&self) -> &StoreIndex;

    /// The faults of what is stored but not in the index, since it could not be read when the store was opened: tiles
    /// of a folder whose index is lost. Default: none.
    fn unlisted(&self) -> &[StoreError] {
        &[]
    }

    /// Reads bytes of a tile's record. They may be altered: callers check what they read.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Broken`] if there are not enough bytes, or [`StoreError::Failed`].
    fn read_bytes(&self, coord: TileCoord, range: Range<u64>) -> Result<Vec<u8>, StoreError>;

    /// Writes a tile, replacing the one that is there. It is durable after the next [commit](Self::commit).
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] or [`StoreError::Failed`].
    fn write(&mut self, record: &StoreRecord) -> Result<(), StoreError>;

    /// Removes a tile; does nothing if there is none.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    fn remove(&mut self, coord: TileCoord) -> Result<(), StoreError>;

    /// Replaces the head. If the layout changes, all tiles are removed.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    fn set_head(&mut self, head: StoreHead) -> Result<(), StoreError>;

    /// Makes everything written so far durable, even if the program is killed.
    ///
    /// # Errors
    /// [`StoreError::Failed`].
    fn commit(&mut self) -> Result<(), StoreError>;

    /// Removes all tiles at places of which this is true.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    fn remove_where(&mut self, is_gone: &dyn Fn(TileCoord) -> bool) -> Result<(), StoreError> {
        let gone: Vec<TileCoord> =
            self.index().iter().map(|entry| entry.coord).filter(|&coord| is_gone(coord)).collect();
        gone.into_iter().try_for_each(|coord| self.remove(coord))
    }

    /// Replaces the head by one whose tiles will be written. Tiles for other agents are removed first: they must not
    /// stay among the new ones if the work is interrupted.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    fn set_world(&mut self, head: &StoreHead) -> Result<(), StoreError> {
        if matches!(self.head().difference(head), Some(WorldDifference::BakedFor { .. })) {
            self.remove_where(&|_| true)?;
        }
        self.set_head(head.clone())
    }

    /// The error for a tile whose bytes are not those that the index lists: [`StoreError::Broken`], unless the store
    /// finds that the tile was [replaced](StoreError::Replaced).
    fn broken(&self, coord: TileCoord, why: ReadError) -> StoreError {
        StoreError::Broken { coord, why }
    }

    /// Reads a tile and the data kept beside it, and checks both.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Broken`], [`StoreError::Replaced`] or [`StoreError::Failed`].
    fn read_tile(&self, coord: TileCoord) -> Result<StoredTile, StoreError> {
        let entry = entry_of(self.index(), coord)?;
        let bytes = self.read_bytes(coord, 0..entry.length)?;
        StoredTile::read(&bytes, &entry, self.head()).map_err(|why| self.broken(coord, why))
    }

    /// Reads one named section beside a tile, without the tile or other sections; `None` if there is none. It is
    /// checked by its own digest, without that of the record.
    ///
    /// # Errors
    /// As [`read_tile`](Self::read_tile).
    fn read_section(&self, coord: TileCoord, name: &str) -> Result<Option<Section>, StoreError> {
        let entry = entry_of(self.index(), coord)?;
        let broken = |why| self.broken(coord, why);
        let start = entry.length.saturating_sub(TAIL);
        let mut tail = self.read_bytes(coord, start..entry.length)?;
        let range = WayDirectory::range(&tail).map_err(broken)?;
        if range.end != entry.length {
            return Err(broken(ReadError::Length { have: entry.length, want: range.end }));
        }
        let skip = usize::try_from(range.start.saturating_sub(start)).unwrap_or(usize::MAX);
        if range.start < start {
            tail = self.read_bytes(coord, range)?;
        } else {
            tail.drain(..skip.min(tail.len()));
        }
        let directory = WayDirectory::read(&tail).map_err(broken)?;
        let Some(section) = directory.tile_sections(coord).iter().find(|section| section.name == name) else {
            return Ok(None);
        };
        let range = section.range.offset..section.range.offset.saturating_add(section.range.length);
        let bytes = self.read_bytes(coord, range)?;
        directory.read_section(section, &bytes).map(Some).map_err(broken)
    }
}

/// The entry of a place that must have one.
pub(super) fn entry_of(index: &StoreIndex, coord: TileCoord) -> Result<StoreEntry, StoreError> {
    index.get(coord).copied().ok_or(StoreError::Missing { coord })
}

impl StoreEntry {
    /// The error for a record with fewer bytes than its entry says.
    #[must_use]
    pub fn too_short(&self, have: u64) -> StoreError {
        let part = FilePart::Tile { coord: self.coord };
        StoreError::Broken { coord: self.coord, why: ReadError::PartLength { part, have, want: self.length } }
    }
}
