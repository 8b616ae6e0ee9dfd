//! The off-mesh connections of a mesh, stored in slots and found by the column and row of their ends.
//!
//! Invariants: each connection is at the index, and under the salt, of its reference; both of its ends are listed at
//! the columns and rows of the positions in its definition; nothing else is listed.
//!
//! Sources: own.

use super::Connection;
use super::places::Places;
use super::slot_table::SlotTable;
use crate::tile::{PlaceRange, TileLayout};

/// Connections in slots, with an index by column and row.
#[derive(Clone, Debug)]
pub(super) struct ConnectionTable {
    pub(super) slots: SlotTable<Connection>,
    /// Ends of connections (twice the index, plus 1 for the end) by column and row.
    ends: Places,
    /// The greatest radius that any connection ever had.
    reach: f32,
}

impl ConnectionTable {
    pub(super) fn new() -> Self {
        Self { slots: SlotTable::new(), ends: Places::with_room(0), reach: 0.0 }
    }

    /// The connection at an index.
    #[inline]
    pub(super) fn get(&self, index: u32) -> Option<&Connection> {
        self.slots.get(index)
    }

    /// The greatest radius that any connection ever had.
    pub(super) fn reach(&self) -> f32 {
        self.reach
    }

    /// Puts a connection at its index, which must be empty.
    pub(super) fn put(&mut self, connection: Connection, layout: TileLayout) {
        let index = connection.reference.poly().get();
        self.reach = self.reach.max(connection.definition.radius);
        for (end, (x, z)) in (0..).zip(places_of(&connection, layout)) {
            self.ends.insert(x, z, 2 * index + end);
        }
        self.slots.fill(index, connection.reference.salt(), connection);
    }

    /// Takes out the connection at an index.
    pub(super) fn take(&mut self, index: u32, layout: TileLayout) -> Option<Connection> {
        let connection = self.slots.empty(index)?;
        for (end, (x, z)) in (0..).zip(places_of(&connection, layout)) {
            self.ends.remove(x, z, 2 * index + end);
        }
        Some(connection)
    }

    /// The indices of connections with an end at these columns and rows, in order.
    pub(super) fn near(&self, places: PlaceRange) -> Vec<u32> {
        let places = places.rows().flat_map(|z| places.columns().map(move |x| (x, z)));
        let mut near: Vec<u32> = places.flat_map(|(x, z)| self.ends.at(x, z).map(|end| end / 2)).collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    /// The indices of all connections, in order.
    pub(super) fn indices(&self) -> Vec<u32> {
        self.slots.iter().map(|connection| connection.reference.poly().get()).collect()
    }
}

/// The columns and rows of the positions in a connection's definition.
fn places_of(connection: &Connection, layout: TileLayout) -> [(i32, i32); 2] {
    let definition = connection.definition;
    [definition.start, definition.end].map(|point| layout.column_row(point))
}
