//! What a format needs to say of a mesh, and to put one together as it was: slots that are empty but not new, and the
//! states of whole tiles.

use super::NavMesh;
use super::PolyState;
use super::slot::{Slot, SlotGap};
use std::sync::Arc;

fn gap_of<T>(slot: &Slot<T>) -> Option<SlotGap> {
    slot.is_gap().then_some(SlotGap { salt: slot.salt, retired: slot.retired })
}

impl NavMesh {
    /// The slots that had a tile and have none, in order.
    pub(crate) fn slot_gaps(&self) -> impl Iterator<Item = (u32, SlotGap)> {
        self.slots.iter_written().filter_map(|(slot, entry)| Some((slot, gap_of(entry)?)))
    }

    /// The indices that had a connection and have none, in order.
    pub(crate) fn connection_gaps(&self) -> impl Iterator<Item = (u32, SlotGap)> {
        self.connections.iter_written().filter_map(|(index, entry)| Some((index, gap_of(entry)?)))
    }

    /// Whether a connection was at an index and is gone.
    pub(crate) fn has_connection_gap(&self, index: u32) -> bool {
        self.connections.get(index).is_some_and(Slot::is_gap)
    }

    /// Makes a slot that nothing was in yet one that had a tile.
    pub(crate) fn leave_slot_gap(&mut self, slot: u32, gap: SlotGap) {
        self.used_slots += 1;
        self.slots.write(slot).continue_from(gap);
    }

    /// Makes an index that nothing was at yet one that had a connection.
    pub(crate) fn leave_connection_gap(&mut self, index: u32, gap: SlotGap) {
        self.used_connections += 1;
        self.connections.write(index).continue_from(gap);
    }

    /// Gives all polygons of a tile their states; as many as it has polygons.
    pub(crate) fn set_states(&mut self, slot: u32, states: Arc<[PolyState]>) {
        self.touch_state(slot);
        if let Some(tile) = &mut self.slots.write(slot).content {
            tile.state = states;
        }
    }
}
