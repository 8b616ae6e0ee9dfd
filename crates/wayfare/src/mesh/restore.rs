//! What file formats need to save a mesh and restore it exactly: slots that are empty but were used, and the states of
//! whole tiles.

use super::slot::SlotGap;
use super::{Change, NavMesh, PolyState};
use std::sync::Arc;

impl NavMesh {
    /// The slots that had a tile and are empty now, in order.
    pub(crate) fn slot_gaps(&self) -> impl Iterator<Item = (u32, SlotGap)> {
        self.tiles.slots.gaps()
    }

    /// The indices that had a connection and are empty now, in order.
    pub(crate) fn connection_gaps(&self) -> impl Iterator<Item = (u32, SlotGap)> {
        self.connections.slots.gaps()
    }

    /// Whether there was a connection at an index and it was removed.
    pub(crate) fn has_connection_gap(&self, index: u32) -> bool {
        self.connections.slots.has_gap(index)
    }

    /// Marks an unused slot as one that had a tile.
    pub(crate) fn leave_slot_gap(&mut self, slot: u32, gap: SlotGap) {
        self.tiles.slots.leave_gap(slot, gap);
    }

    /// Makes an empty slot one that never had a tile: for a world in which another list gives slots and salts.
    pub(crate) fn forget_slot_gap(&mut self, slot: u32) {
        self.tiles.slots.forget_gap(slot);
    }

    /// Marks an unused index as one that had a connection.
    pub(crate) fn leave_connection_gap(&mut self, index: u32, gap: SlotGap) {
        self.connections.slots.leave_gap(index, gap);
    }

    /// Sets the states of all polygons of a tile; there must be as many states as polygons.
    pub(crate) fn set_states(&mut self, slot: u32, states: Arc<[PolyState]>) {
        self.note_tile(slot, Change::TileState);
        if let Some(tile) = self.tiles.slots.get_mut(slot) {
            tile.state = states;
        }
    }
}
