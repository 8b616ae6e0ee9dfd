//! What a format needs to say of a mesh, and to put one together as it was: slots that are empty but not new, and the
//! states of whole tiles.

use super::slot::SlotGap;
use super::{Change, NavMesh, PolyState};
use std::sync::Arc;

impl NavMesh {
    /// The slots that had a tile and have none, in order.
    pub(crate) fn slot_gaps(&self) -> impl Iterator<Item = (u32, SlotGap)> {
        self.tiles.slots.gaps()
    }

    /// The indices that had a connection and have none, in order.
    pub(crate) fn connection_gaps(&self) -> impl Iterator<Item = (u32, SlotGap)> {
        self.connections.slots.gaps()
    }

    /// Whether a connection was at an index and is gone.
    pub(crate) fn has_connection_gap(&self, index: u32) -> bool {
        self.connections.slots.has_gap(index)
    }

    /// Makes a slot that nothing was in yet one that had a tile.
    pub(crate) fn leave_slot_gap(&mut self, slot: u32, gap: SlotGap) {
        self.tiles.slots.leave_gap(slot, gap);
    }

    /// Makes an index that nothing was at yet one that had a connection.
    pub(crate) fn leave_connection_gap(&mut self, index: u32, gap: SlotGap) {
        self.connections.slots.leave_gap(index, gap);
    }

    /// Gives all polygons of a tile their states; as many as it has polygons.
    pub(crate) fn set_states(&mut self, slot: u32, states: Arc<[PolyState]>) {
        self.note_tile(slot, Change::TileState);
        if let Some(tile) = self.tiles.slots.get_mut(slot) {
            tile.state = states;
        }
    }
}
