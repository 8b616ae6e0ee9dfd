//! Where off-mesh connections start and end in a world of which only some tiles are in memory.
//!
//! The tiles that an end may be on follow from its position and radius. When the part of the graph of one of these
//! tiles is needed for the first time, a mesh of just these tiles is made, which attaches the connection exactly as a
//! mesh of the whole world would.
//!
//! Cost: once for each connection, reading the tiles within the radius of its ends, one or two of them as a rule.
//!
//! Sources: none needed.

use super::graph_tile::Stop;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::PolyPoint;
use std::collections::BTreeMap;

/// The ends of connections, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(super) struct WorldConnections {
    /// The connections that may have an end on a tile, by slot.
    near: BTreeMap<u32, Vec<PolyRef>>,
    /// The slots of the tiles that an end of each connection may be on.
    slots: BTreeMap<PolyRef, Vec<u32>>,
    ends: BTreeMap<PolyRef, [Option<PolyPoint>; 2]>,
}

impl WorldConnections {
    /// The connections of a mesh; `slots_around` returns the tiles within a distance of a position.
    pub(super) fn of(mesh: &NavMesh, slots_around: impl Fn(glam::Vec3, f32) -> Vec<u32>) -> Self {
        let mut all = Self::default();
        for connection in mesh.connections() {
            let definition = connection.definition();
            let ends = [definition.start, definition.end];
            let mut slots: Vec<u32> = ends.into_iter().flat_map(|end| slots_around(end, definition.radius)).collect();
            slots.sort_unstable();
            slots.dedup();
            for &slot in &slots {
                all.near.entry(slot).or_default().push(connection.reference());
            }
            all.slots.insert(connection.reference(), slots);
        }
        all
    }

    /// The connections that may have an end on a tile.
    pub(super) fn near(&self, slot: u32) -> &[PolyRef] {
        self.near.get(&slot).map_or(&[], Vec::as_slice)
    }

    /// The tiles that an end of a connection may be on.
    pub(super) fn slots_of(&self, connection: PolyRef) -> impl Iterator<Item = u32> + '_ {
        self.slots.get(&connection).into_iter().flatten().copied()
    }

    /// The ends of a connection, if they are known.
    pub(super) fn ends(&self, connection: PolyRef) -> Option<[Option<PolyPoint>; 2]> {
        self.ends.get(&connection).copied()
    }

    /// Records the ends of a connection.
    pub(super) fn set_ends(&mut self, connection: PolyRef, ends: [Option<PolyPoint>; 2]) {
        self.ends.insert(connection, ends);
    }

    /// Forgets the ends of all connections that may end on a tile.
    pub(super) fn forget(&mut self, slot: u32) {
        for connection in self.near.get(&slot).into_iter().flatten() {
            self.ends.remove(connection);
        }
    }
}

/// The ends on a tile of connections that are attached at both ends.
pub(super) fn stops_on(slot: u32, known: impl Iterator<Item = (PolyRef, [Option<PolyPoint>; 2])>) -> Vec<Stop> {
    let mut stops = Vec::new();
    for (connection, ends) in known {
        let [Some(start), Some(end)] = ends else { continue };
        for (number, [here, there]) in (0..).zip([[start, end], [end, start]]) {
            if here.poly.slot().get() == slot {
                let poly = here.poly.poly().get();
                let beyond = there.poly.slot().get();
                stops.push(Stop { connection, end: number, poly, at: here.point, beyond });
            }
        }
    }
    stops.sort_by_key(|stop| (stop.connection, stop.end));
    stops
}
