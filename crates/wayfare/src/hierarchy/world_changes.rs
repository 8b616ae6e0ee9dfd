//! Stores and restores what has changed in a world of which only some tiles are in memory.
//!
//! A delta of the mesh would know the tiles in memory alone. Here the doors of all tiles are stored, and which tiles
//! are in memory, so that afterwards the mesh is the same to the byte: a saved crowd goes on over it.
//!
//! ```text
//!   WAYWRLD3, length; digest of the list of tiles
//!     salts: number; (slot, salt) of each           slots whose tile was refreshed
//!     changed: number; slots                        tiles that have changed since the levels were made
//!     states: number; (slot, digest of the geometry, number of polygons, (flags, area) of each) of each
//!     connections: as in a delta
//!     in memory: number; slots, the least recently used first
//!   checksum
//! ```
//!
//! Cost: storing hashes the changed tiles in memory and the list of all tiles; three bytes for each polygon of a
//! changed tile, and four for each tile in memory. Restoring reads the tiles that were in memory.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010.

use super::resident_world::{LeftState, ResidentWorld};
use super::tile_reader::TileReader;
use crate::format::{
    RestoreError, StateKind, begun, finished, read_connections, read_state, set_connections, short, unsealed,
    write_connections, write_state,
};
use crate::math::bytes::{Reader, Writer};
use crate::math::envelope;
use crate::mesh::{PolyRef, PolyState};
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// What was stored.
struct Changes {
    salts: BTreeMap<u32, u16>,
    changed: BTreeSet<u32>,
    states: BTreeMap<u32, LeftState>,
    connections: Vec<(PolyRef, PolyState)>,
    in_memory: Vec<u32>,
}

impl<S: TileReader> ResidentWorld<S> {
    /// What has changed: the flags of polygons of all tiles, whether they are in memory or not, and of off-mesh
    /// connections; how often tiles were [refreshed](Self::refresh); and which tiles are in memory. Without the tiles
    /// themselves. To save a crowd that walks on [`mesh`](super::TileAccess::mesh), store both.
    #[must_use]
    pub fn store_changes(&self) -> Vec<u8> {
        let mut out = begun(StateKind::World, &mut Vec::new());
        out.u64(self.digest_of_places());
        out.u32(self.salts.len() as u32);
        for (&slot, &salt) in &self.salts {
            out.u32(slot);
            out.u16(salt);
        }
        out.u32(self.changed.len() as u32);
        self.changed.iter().for_each(|&slot| out.u32(slot));
        let mut states = self.states.clone();
        for tile in self.mesh.tiles() {
            match LeftState::of(tile) {
                Some(left) => _ = states.insert(tile.slot().get(), left),
                None => _ = states.remove(&tile.slot().get()),
            }
        }
        out.u32(states.len() as u32);
        for (slot, LeftState { digest, states }) in states {
            out.u32(slot);
            out.u64(digest);
            out.u32(states.len() as u32);
            states.iter().for_each(|&state| write_state(state, &mut out));
        }
        write_connections(&self.mesh, &mut out);
        let in_memory = self.resident.by_use();
        out.u32(in_memory.len() as u32);
        in_memory.into_iter().for_each(|slot| out.u32(slot));
        envelope::seal(out)
    }

    /// Restores what was [stored](Self::store_changes) of a world with the same tiles. Everything that is not mentioned
    /// returns to the state that the source gives it. The tiles that were in memory are read again, as many as the
    /// budget allows; those that cannot be read are reported by [`take_events`](Self::take_events). No tile is pinned
    /// afterwards. If the source now gives a tile with another geometry, that has its own state.
    ///
    /// # Errors
    /// [`RestoreError`]; the world is then unchanged.
    pub fn restore_changes(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let (reader, version) = unsealed(bytes, StateKind::World)?;
        let Changes { salts, changed, states, connections, in_memory } = self.read_changes(reader, version)?;
        for slot in self.resident.by_use() {
            self.drop_tile(slot);
        }
        (self.salts, self.states) = (salts, states);
        // Levels that are in memory may be older than some changes here.
        self.changed_for_good.extend(&changed);
        self.changed.extend(changed);
        self.forget_parts();
        set_connections(&mut self.mesh, connections);
        for slot in in_memory {
            let _ = self.load_one(slot);
        }
        Ok(())
    }

    fn read_changes(&self, mut reader: Reader<'_>, version: u8) -> Result<Changes, RestoreError> {
        let stored = reader.u64().map_err(short("digest of the list of tiles"))?;
        let found = self.digest_of_places();
        if stored != found {
            return Err(RestoreError::OtherWorld { stored, found });
        }
        let mut salts = BTreeMap::new();
        for _ in 0..count(&mut reader)? {
            let slot = self.slot_after(salts.last_key_value().map(|(&slot, _)| slot), &mut reader)?;
            salts.insert(slot, reader.u16().map_err(short("salt"))?);
        }
        let mut changed = BTreeSet::new();
        for _ in 0..count(&mut reader)? {
            changed.insert(self.slot_after(changed.last().copied(), &mut reader)?);
        }
        let mut states = BTreeMap::new();
        for _ in 0..count(&mut reader)? {
            let slot = self.slot_after(states.last_key_value().map(|(&slot, _)| slot), &mut reader)?;
            let mut numbers = || Ok((reader.u64()?, reader.u32()?));
            let (digest, polys) = numbers().map_err(short("digest and number of polygons"))?;
            let polys = (0..polys).map(|_| read_state(&mut reader)).collect::<Result<_, _>>()?;
            states.insert(slot, LeftState { digest, states: polys });
        }
        let connections = read_connections(&self.mesh, &mut reader, version)?;
        let mut in_memory = Vec::new();
        let mut once = BTreeSet::new();
        for _ in 0..count(&mut reader)? {
            in_memory.push(self.slot_after(None, &mut reader)?);
        }
        if let Some(&slot) = in_memory.iter().find(|slot| !once.insert(**slot)) {
            return Err(RestoreError::Value { what: "slot", value: slot });
        }
        finished(reader)?;
        Ok(Changes { salts, changed, states, connections, in_memory })
    }

    /// The next slot, which must be higher than the one before.
    fn slot_after(&self, before: Option<u32>, reader: &mut Reader<'_>) -> Result<u32, RestoreError> {
        let slot = reader.u32().map_err(short("next slot"))?;
        if slot as usize >= self.coords.len() {
            return Err(RestoreError::Value { what: "slot", value: slot });
        }
        match before {
            Some(before) if before >= slot => Err(RestoreError::Order { slot, before }),
            _ => Ok(slot),
        }
    }

    /// A hash of where the tiles are: slots follow from it.
    fn digest_of_places(&self) -> u64 {
        let mut out = Writer::default();
        for coord in &self.coords {
            out.i32(coord.x);
            out.i32(coord.z);
            out.u32(coord.layer);
        }
        xxh3_64(&out.bytes)
    }
}

fn count(reader: &mut Reader<'_>) -> Result<u32, RestoreError> {
    reader.u32().map_err(short("next number"))
}
