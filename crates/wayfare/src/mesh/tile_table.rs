//! The tiles of a mesh, stored in slots and found by column and row.
//!
//! ```text
//!   slots    [ tile | tile |  –  | tile ]          places   (3, 1) → 0 → 3     layers over one another, by slot
//! ```
//!
//! Invariants: each tile is in the slot, and under the salt, of its reference, and listed at its column and row;
//! nothing else is listed.
//!
//! Sources: meshes of tiles are Detour's.

use super::Tile;
use super::places::Places;
use super::slot_table::SlotTable;

/// Tiles in slots, with an index by column and row.
#[derive(Clone, Debug)]
pub(super) struct TileTable {
    pub(super) slots: SlotTable<Tile>,
    /// Slots by column and row.
    pub(super) places: Places,
    /// The farthest that any tile extends beyond its rectangle of the layout, along x and z. Never shrinks.
    overhang: f32,
}

impl TileTable {
    /// An empty table with room for this many tiles.
    pub(super) fn with_room(tiles: usize) -> Self {
        Self { slots: SlotTable::new(), places: Places::with_room(tiles), overhang: 0.0 }
    }

    /// The tile in a slot.
    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<&Tile> {
        self.slots.get(slot)
    }

    /// The tiles of all layers at a column and row, by slot.
    #[inline]
    pub(super) fn at(&self, x: i32, z: i32) -> impl Iterator<Item = &Tile> {
        self.places.at(x, z).filter_map(|slot| self.get(slot))
    }

    /// The farthest that any tile extends beyond its rectangle of the layout.
    #[inline]
    pub(super) fn overhang(&self) -> f32 {
        self.overhang
    }

    /// Puts a tile in its slot, which must be empty. `overhang` is how far it extends beyond its rectangle.
    pub(super) fn put(&mut self, tile: Tile, overhang: f32) {
        let coord = tile.coord();
        self.overhang = self.overhang.max(overhang);
        self.places.insert(coord.x, coord.z, tile.slot);
        self.slots.fill(tile.slot, tile.salt, tile);
    }

    /// Removes the tile in a slot.
    pub(super) fn take(&mut self, slot: u32) -> Option<Tile> {
        let tile = self.slots.empty(slot)?;
        let coord = tile.coord();
        self.places.remove(coord.x, coord.z, slot);
        Some(tile)
    }
}
