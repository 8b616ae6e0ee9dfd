//! Where off-mesh connections begin and end in a world of which only some tiles are in memory.
//!
//! Which tiles an end may be on follows from its place and the radius. On which of them it is, and where, says a mesh
//! of these tiles alone, the first time that one of their parts of the graph is needed: as in a mesh of the whole
//! world.
//!
//! Cost: for each connection, once, a read of the tiles within the radius of its ends: one or two for most.
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
    ends: BTreeMap<PolyRef, [Option<PolyPoint>; 2]>,
}

impl WorldConnections {
    /// Those of a mesh; `slots_around` says which tiles are within a distance of a place.
    pub(super) fn of(mesh: &NavMesh, slots_around: impl Fn(glam::Vec3, f32) -> Vec<u32>) -> Self {
        let mut near: BTreeMap<u32, Vec<PolyRef>> = BTreeMap::new();
        for connection in mesh.connections() {
            let definition = connection.definition();
            for slot in
                [definition.start, definition.end].into_iter().flat_map(|end| slots_around(end, definition.radius))
            {
                let here = near.entry(slot).or_default();
                if here.last() != Some(&connection.reference()) {
                    here.push(connection.reference());
                }
            }
        }
        Self { near, ends: BTreeMap::new() }
    }

    /// The connections that may have an end on a tile.
    pub(super) fn near(&self, slot: u32) -> &[PolyRef] {
        self.near.get(&slot).map_or(&[], Vec::as_slice)
    }

    /// The tiles that an end of a connection may be on.
    pub(super) fn slots_of(&self, connection: PolyRef) -> impl Iterator<Item = u32> + '_ {
        self.near.iter().filter(move |(_, near)| near.contains(&connection)).map(|(slot, _)| *slot)
    }

    /// The ends of a connection, if they are known.
    pub(super) fn ends(&self, connection: PolyRef) -> Option<[Option<PolyPoint>; 2]> {
        self.ends.get(&connection).copied()
    }

    /// Takes up the ends of a connection.
    pub(super) fn set_ends(&mut self, connection: PolyRef, ends: [Option<PolyPoint>; 2]) {
        self.ends.insert(connection, ends);
    }

    /// Forgets where connections end that may end on a tile.
    pub(super) fn forget(&mut self, slot: u32) {
        for connection in self.near.get(&slot).into_iter().flatten() {
            self.ends.remove(connection);
        }
    }
}

/// The ends of connections on a tile, of those that lead somewhere.
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
