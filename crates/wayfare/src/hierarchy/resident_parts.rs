//! The parts of the abstract graph of a world of which only some tiles are in memory: each is made when a search
//! reaches it, and joined with those beside it.
//!
//! Cost: a part is read, or derived from its tile, once; joining it makes those of its neighbours.
//!
//! Sources: see [`ResidentWorld`].

use super::TileGraph;
use super::graph_tile::{GraphTile, Join, Stop};
use super::resident_world::{ResidentPart, ResidentWorld};
use super::tile_access::{NotLoaded, NotLoadedReason};
use super::tile_reader::TileReader;
use super::world_connections::stops_on;
use crate::math::index::TileSlot;
use crate::mesh::{PolyRef, TileRef, original_state};
use crate::query::PolyPoint;
use crate::tile::{Side, TileCoord};
use glam::Vec3;
use std::sync::Arc;

/// After how many uses of tiles what failed to be read is tried again.
const TRIED_AGAIN_AFTER: u64 = 256;

impl<S: TileReader> ResidentWorld<S> {
    /// A part, if it is in memory.
    pub(super) fn part(&self, slot: u32) -> Option<&GraphTile> {
        match self.parts.get(slot as usize) {
            Some(ResidentPart::Known(part)) => Some(part),
            _ => None,
        }
    }

    /// Loads a part and joins it with those around it, if that is not done.
    pub(super) fn join_part(&mut self, slot: u32) {
        if self.part(slot).is_some_and(|part| part.is_joined) {
            return;
        }
        if self.known_parts >= self.resident.budget.parts {
            self.forget_parts();
        }
        self.know(slot);
        if self.part(slot).is_some() {
            self.join(slot);
        }
    }

    /// Drops all parts of the graph.
    pub(super) fn forget_parts(&mut self) {
        self.parts.fill(ResidentPart::Unknown);
        self.known_parts = 0;
    }

    /// Drops a part of the graph, and the joins of others with it.
    pub(super) fn forget_part(&mut self, slot: u32) {
        let mut neighbours: Vec<u32> = self.facing(slot).map(|(_, other)| other).collect();
        let connections = self.connections.near(slot).iter();
        neighbours.extend(connections.flat_map(|&connection| self.connections.slots_of(connection)));
        for other in neighbours {
            if let ResidentPart::Known(part) = &mut self.parts[other as usize] {
                part.is_joined = false;
            }
        }
        let forgotten = core::mem::take(&mut self.parts[slot as usize]);
        self.known_parts -= usize::from(!matches!(forgotten, ResidentPart::Unknown));
    }

    /// The tiles beside a tile, each with the side on which it lies.
    fn facing(&self, slot: u32) -> impl Iterator<Item = (Side, u32)> + '_ {
        let coord = self.coords.get(slot as usize).copied();
        Side::ALL.into_iter().flat_map(move |side| {
            let (dx, dz) = side.step();
            let there = coord.and_then(|c| Some((c.z.checked_add(dz)?, c.x.checked_add(dx)?)));
            let slots = there.map_or(0..0, |(z, x)| self.slots_in(z, x..=x));
            slots.map(move |other| (side, other))
        })
    }

    /// Loads a part of the graph, if possible. Whether that is settled: else it is tried again later.
    fn know(&mut self, slot: u32) -> bool {
        let now = self.resident.uses();
        match self.parts.get(slot as usize) {
            Some(ResidentPart::Unknown) => self.known_parts += 1,
            Some(ResidentPart::Failed(again)) if *again <= now => {}
            Some(ResidentPart::Failed(_)) => return false,
            Some(ResidentPart::Known(_) | ResidentPart::Lost) | None => return true,
        }
        let coord = self.coords[slot as usize];
        let stops = self.stops_of(slot);
        self.parts[slot as usize] = match self.make_part(slot, coord, stops) {
            Ok(part) => ResidentPart::Known(Box::new(part)),
            Err(why) => {
                self.note(NotLoaded { coord, slot, why });
                if why == NotLoadedReason::Failed {
                    ResidentPart::Failed(now + TRIED_AGAIN_AFTER)
                } else {
                    ResidentPart::Lost
                }
            }
        };
        !matches!(self.parts[slot as usize], ResidentPart::Failed(_))
    }

    fn make_part(&self, slot: u32, coord: TileCoord, stops: Vec<Stop>) -> Result<GraphTile, NotLoadedReason> {
        let at = TileRef::new(self.salt(slot), slot).ok_or(NotLoadedReason::Missing)?;
        let is_as_stored = stops.is_empty() && !self.changed.contains(&slot);
        let stored = if is_as_stored { self.source.read_graph(coord)? } else { None };
        // A part that cannot be read is derived from the tile.
        if let Some(graph) = stored.and_then(|bytes| TileGraph::from_bytes(&bytes).ok()) {
            return Ok(GraphTile::new(at, coord, Arc::new(graph)));
        }
        let places: Vec<(u32, Vec3)> = stops.iter().map(|stop| (stop.poly, stop.at)).collect();
        let (graph, inside) = match self.mesh.tile_in(TileSlot::new(slot)) {
            Some(tile) => TileGraph::with_stops(tile.data(), tile.states(), &places),
            None => {
                let tile = self.source.read_tile(coord)?;
                let read = original_state(tile.data());
                let left = self.states.get(&slot).filter(|left| left.is_of(tile.data()));
                TileGraph::with_stops(tile.data(), left.map_or(&read, |left| &left.states), &places)
            }
        };
        let mut part = GraphTile::new(at, coord, Arc::new(graph));
        part.inside = Arc::new(inside).into();
        part.stops = stops;
        Ok(part)
    }

    /// The ends of connections on a tile.
    fn stops_of(&mut self, slot: u32) -> Vec<Stop> {
        let near = self.connections.near(slot).to_vec();
        let known: Vec<_> = near.into_iter().map(|connection| (connection, self.ends_of(connection))).collect();
        stops_on(slot, known.into_iter())
    }

    /// Where a connection starts and ends; the tiles need not be in memory.
    fn ends_of(&mut self, connection: PolyRef) -> [Option<PolyPoint>; 2] {
        if let Some(ends) = self.connections.ends(connection) {
            return ends;
        }
        let mut around = self.empty.clone();
        let mut has_all = true;
        for slot in self.connections.slots_of(connection).collect::<Vec<_>>() {
            let coord = self.coords[slot as usize];
            match (self.source.read_tile(coord), TileRef::new(1, slot)) {
                (Ok(tile), Some(at)) => _ = around.add_prepared_at_any(at, tile),
                // If a tile is missing, the connection ends on another one or is not attached.
                (Err(why), _) => {
                    self.note(NotLoaded { coord, slot, why });
                    has_all &= why != NotLoadedReason::Failed;
                }
                (Ok(_), None) => {}
            }
        }
        let ends = around.connection(connection).map_or([None; 2], |connection| connection.ends());
        if has_all {
            self.connections.set_ends(connection, ends);
        }
        ends
    }

    /// Adds the steps over connections that can be entered on a tile. Whether it has all of them.
    fn join_stops(&mut self, slot: u32, joins: &mut Vec<Join>) -> bool {
        let ResidentPart::Known(part) = &self.parts[slot as usize] else { return true };
        let mut has_all = true;
        for stop in part.stops.clone() {
            let connection = self.mesh.connection(stop.connection);
            if !connection.is_ok_and(|connection| stop.end == 0 || connection.definition().two_way) {
                continue;
            }
            has_all &= self.know(stop.beyond);
            let [Some(ResidentPart::Known(here)), Some(ResidentPart::Known(there))] =
                [slot, stop.beyond].map(|slot| self.parts.get(slot as usize))
            else {
                continue;
            };
            let from = here.portal_of_stop(stop.connection, stop.end);
            let to = there.portal_of_stop(stop.connection, 1 - stop.end);
            if let (Some(from), Some(to)) = (from, to) {
                joins.push(Join { from, slot: stop.beyond, to, connection: Some(stop.connection) });
            }
        }
        has_all
    }

    fn join(&mut self, slot: u32) {
        let neighbours: Vec<(Side, u32)> = self.facing(slot).collect();
        let mut has_all = neighbours.iter().fold(true, |has_all, (_, other)| self.know(*other) && has_all);
        let mut joins = Vec::new();
        if let ResidentPart::Known(part) = &self.parts[slot as usize] {
            for &(side, other) in &neighbours {
                if let ResidentPart::Known(other) = &self.parts[other as usize] {
                    part.meet(side, other, &mut joins);
                }
            }
        }
        has_all &= self.join_stops(slot, &mut joins);
        if let ResidentPart::Known(part) = &mut self.parts[slot as usize] {
            part.set_joins(joins);
            part.is_joined = has_all;
        }
    }
}
