//! Stores and restores the states of polygons: what can change about them while a game runs.
//!
//! Four forms, for four uses:
//!
//! ```text
//!   tile state   all polygons of one tile                 a tile is streamed out and comes back as it was left
//!   delta        only what differs from the tiles' data   a save game on top of a mesh that ships with the game
//!   world        the same of a world in memory in part    see `ResidentWorld::store_changes`
//!   .way file    everything                               see `NavMesh::to_bytes`
//! ```
//!
//! A state belongs to a geometry: it contains a hash of the tile or connection it was taken from, and cannot be
//! restored to any other. The first three forms begin with their kind, version and length and end with a checksum, so
//! altered or truncated bytes are refused and nothing is changed.
//!
//! ```text
//!   tile state   WAYTILE3, length; digest of the geometry, number of polygons; (flags, area) of each; checksum
//!   delta        WAYDELT3, length; number of tiles; of each slot, salt, digest, number of changes, (polygon, flags, area) of each;
//!                number of connections; (reference, digest, flags, area) of each; checksum
//! ```
//!
//! Cost: storing and restoring hash the tile's geometry once.
//!
//! Sources: Mikko Mononen, "Save Games and All That" and "Detour Serialization API", Digesting Duck, March 2010.

use super::way::tile_digest;
use super::{RestoreError, StateKind};
use crate::area::{AreaId, PolyFlags};
use crate::math::bytes::{Reader, Truncated, Writer};
use crate::math::envelope::{self, Envelope, EnvelopeError};
use crate::mesh::{Connection, NavMesh, PolyRef, PolyState, StaleTile, Tile, TileRef, original_state};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The frame, digest and count of a tile's state.
const TILE_STATE_BYTES: usize = Envelope::LEAST + 8 + 4;

impl StateKind {
    /// Version 1 had no length, version 2 no digests of connections; both can still be read.
    const fn envelope(self) -> Envelope {
        Envelope { name: self.name(), version: 3, sized_since: 2 }
    }
}

pub(crate) fn short(what: &'static str) -> impl Fn(Truncated) -> RestoreError {
    move |Truncated| RestoreError::Short { what }
}

impl NavMesh {
    /// The size of a tile's stored state in bytes.
    ///
    /// # Errors
    /// [`StaleTile`] if it is not there (any more).
    pub fn tile_state_size(&self, tile: TileRef) -> Result<usize, StaleTile> {
        self.tile(tile).map(size_of_state)
    }

    /// The state of all polygons of a tile, to be [restored](Self::restore_tile_state) later.
    ///
    /// # Errors
    /// [`StaleTile`] if it is not there (any more).
    pub fn store_tile_state(&self, tile: TileRef) -> Result<Vec<u8>, StaleTile> {
        let mut bytes = Vec::new();
        self.store_tile_state_into(tile, &mut bytes)?;
        Ok(bytes)
    }

    /// Like [`store_tile_state`](Self::store_tile_state), replacing the content of `bytes`.
    ///
    /// # Errors
    /// [`StaleTile`] if it is not there (any more); `bytes` are then unchanged.
    pub fn store_tile_state_into(&self, tile: TileRef, bytes: &mut Vec<u8>) -> Result<(), StaleTile> {
        let tile = self.tile(tile)?;
        let mut out = begun(StateKind::Tile, bytes);
        out.bytes.reserve_exact(size_of_state(tile) - out.bytes.len());
        out.u64(tile_digest(tile.data()));
        out.u32(tile.poly_count());
        tile.states().iter().for_each(|&state| write_state(state, &mut out));
        *bytes = envelope::seal(out);
        Ok(())
    }

    /// Restores the [stored](Self::store_tile_state) state of a tile's polygons. The tile may now be in any slot.
    ///
    /// # Errors
    /// [`RestoreError`]; the mesh is then unchanged.
    pub fn restore_tile_state(&mut self, tile: TileRef, bytes: &[u8]) -> Result<(), RestoreError> {
        let (mut reader, _) = unsealed(bytes, StateKind::Tile)?;
        let there = self.tile(tile)?;
        let mut numbers = || Ok((reader.u64()?, reader.u32()?));
        let (digest, polys) = numbers().map_err(short("digest and number of polygons"))?;
        check_digest(there, digest)?;
        if polys != there.poly_count() {
            return Err(RestoreError::PolyCount { tile, stored: polys, found: there.poly_count() });
        }
        let states = (0..there.poly_count()).map(|_| read_state(&mut reader)).collect::<Result<_, _>>()?;
        finished(reader)?;
        self.set_states(tile.slot().get(), states);
        Ok(())
    }

    /// Only what differs from the original state of the tiles and connections. Without changes this takes a few bytes.
    #[must_use]
    pub fn store_delta(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.store_delta_into(&mut bytes);
        bytes
    }

    /// Like [`store_delta`](Self::store_delta), replacing the content of `bytes`.
    pub fn store_delta_into(&self, bytes: &mut Vec<u8>) {
        let mut out = begun(StateKind::Delta, bytes);
        let changed: Vec<&Tile> = self.tiles().filter(|tile| changes_of(tile).next().is_some()).collect();
        out.u32(changed.len() as u32);
        for tile in changed {
            out.u32(tile.slot);
            out.u16(tile.salt);
            out.u64(tile_digest(tile.data()));
            out.u32(changes_of(tile).count() as u32);
            for (poly, state) in changes_of(tile) {
                out.u32(poly);
                write_state(state, &mut out);
            }
        }
        write_connections(self, &mut out);
        *bytes = envelope::seal(out);
    }

    /// Restores the state that every polygon and connection had when the delta was [stored](Self::store_delta); those
    /// that the delta does not mention get their original state.
    ///
    /// # Errors
    /// [`RestoreError`] if the delta is damaged, or mentions tiles or connections that do not exist or are not the
    /// same; the mesh is then unchanged.
    pub fn restore_delta(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let (mut reader, version) = unsealed(bytes, StateKind::Delta)?;
        let mut new: Vec<(u32, Arc<[PolyState]>)> = Vec::new();
        for _ in 0..reader.u32().map_err(short("number of tiles"))? {
            let (slot, states) = self.read_tile_delta(&mut reader)?;
            // In order, so that no tile appears twice and takes memory for all of its polygons each time.
            match new.last() {
                Some(&(before, _)) if before >= slot => return Err(RestoreError::Order { slot, before }),
                _ => new.push((slot, states)),
            }
        }
        let connections = read_connections(self, &mut reader, version)?;
        finished(reader)?;
        let unnamed = self.tiles().filter(|t| new.binary_search_by_key(&t.slot, |(slot, _)| *slot).is_err());
        let reset: Vec<_> = unnamed
            .filter(|tile| changes_of(tile).next().is_some())
            .map(|tile| (tile.slot, original_state(tile.data())))
            .collect();
        for (slot, states) in new.into_iter().chain(reset) {
            self.set_states(slot, states);
        }
        set_connections(self, connections);
        Ok(())
    }

    fn read_tile_delta(&self, reader: &mut Reader<'_>) -> Result<(u32, Arc<[PolyState]>), RestoreError> {
        let mut numbers = || Ok((reader.u32()?, reader.u16()?, reader.u64()?, reader.u32()?));
        let (slot, salt, digest, changes) = numbers().map_err(short("next tile"))?;
        let tile = TileRef::new(salt, slot).ok_or(RestoreError::Value { what: "slot, or its salt", value: slot })?;
        let tile = self.tile(tile)?;
        check_digest(tile, digest)?;
        let mut original = original_state(tile.data());
        let states = Arc::make_mut(&mut original);
        for _ in 0..changes {
            let poly = reader.u32().map_err(short("next polygon"))?;
            let state = states.get_mut(poly as usize).ok_or(RestoreError::Value { what: "polygon", value: poly })?;
            *state = read_state(reader)?;
        }
        Ok((slot, original))
    }
}

/// Writes the states of the connections that are not in their original one.
pub(crate) fn write_connections(mesh: &NavMesh, out: &mut Writer) {
    let changed = || mesh.connections().filter(|c| c.state() != c.original_state());
    out.u32(changed().count() as u32);
    for connection in changed() {
        out.u64(connection.reference().to_bits());
        out.u64(connection_digest(connection));
        write_state(connection.state(), out);
    }
}

/// Reads what [`write_connections`] wrote, if the mesh has these connections.
pub(crate) fn read_connections(
    mesh: &NavMesh,
    reader: &mut Reader<'_>,
    version: u8,
) -> Result<Vec<(PolyRef, PolyState)>, RestoreError> {
    let mut connections = Vec::new();
    for _ in 0..reader.u32().map_err(short("number of connections"))? {
        let bits = reader.u64().map_err(short("next connection"))?;
        let reference = PolyRef::from_bits(bits).filter(|r| r.is_off_mesh());
        let reference = reference.ok_or(RestoreError::Value { what: "reference", value: bits as u32 })?;
        let there = mesh.connection(reference).map_err(|_| RestoreError::NoConnection { reference })?;
        let found = connection_digest(there);
        let stored = if version > 2 { reader.u64().map_err(short("digest of a connection"))? } else { found };
        if found != stored {
            return Err(RestoreError::OtherConnection { reference, stored, found });
        }
        connections.push((reference, read_state(reader)?));
    }
    Ok(connections)
}

/// Gives connections their states, and all others their original ones.
pub(crate) fn set_connections(mesh: &mut NavMesh, states: Vec<(PolyRef, PolyState)>) {
    let changed = mesh.connections().filter(|c| c.state() != c.original_state());
    let reset: Vec<_> = changed.map(|c| (c.reference(), c.original_state())).collect();
    for (reference, state) in reset.into_iter().chain(states) {
        let _ = mesh.edit_state(reference, |now| *now = state);
    }
}

fn size_of_state(tile: &Tile) -> usize {
    TILE_STATE_BYTES + 3 * tile.poly_count() as usize
}

/// The polygons whose state is not their original one.
fn changes_of(tile: &Tile) -> impl Iterator<Item = (u32, PolyState)> + '_ {
    let polys = tile.data().polys().iter().zip(tile.states());
    (0u32..).zip(polys).filter(|(_, (p, s))| p.flags != s.flags || p.area != s.area).map(|(poly, (_, s))| (poly, *s))
}

pub(crate) fn write_state(state: PolyState, out: &mut Writer) {
    out.u16(state.flags.0);
    out.u8(state.area.get());
}

pub(crate) fn read_state(reader: &mut Reader<'_>) -> Result<PolyState, RestoreError> {
    let mut numbers = || Ok((PolyFlags(reader.u16()?), reader.u8()?));
    let (flags, area) = numbers().map_err(short("next flags and area type"))?;
    let bad = |_| RestoreError::Value { what: "area type", value: u32::from(area) };
    Ok(PolyState { flags, area: AreaId::new(area).map_err(bad)? })
}

fn check_digest(tile: &Tile, stored: u64) -> Result<(), RestoreError> {
    let found = tile_digest(tile.data());
    if found == stored { Ok(()) } else { Err(RestoreError::OtherTile { tile: tile.tile_ref(), stored, found }) }
}

/// A hash of a connection without its state.
fn connection_digest(connection: &Connection) -> u64 {
    let definition = connection.definition();
    let mut out = Writer::default();
    out.vec3(definition.start);
    out.vec3(definition.end);
    out.f32(definition.radius);
    out.u8(u8::from(definition.two_way));
    out.u32(definition.user_id);
    xxh3_64(&out.bytes)
}

/// Replaces the content of `bytes` by the head, with room for the length.
pub(crate) fn begun(kind: StateKind, bytes: &mut Vec<u8>) -> Writer {
    kind.envelope().begin(core::mem::take(bytes))
}

/// The content between the head and the checksum, and the version, once kind, version, length and checksum are valid.
pub(crate) fn unsealed(bytes: &[u8], wanted: StateKind) -> Result<(Reader<'_>, u8), RestoreError> {
    wanted.envelope().open(bytes).map_err(|error| match error {
        EnvelopeError::Name { found } => {
            match StateKind::ALL.into_iter().find(|kind| found.starts_with(&kind.name())) {
                Some(found) => RestoreError::Kind { found, wanted },
                None => RestoreError::Magic { found },
            }
        }
        EnvelopeError::Version { found, known } => RestoreError::Version { found, known },
        EnvelopeError::Length { have, want } => RestoreError::Length { have, want },
        EnvelopeError::Checksum { have, want } => RestoreError::Checksum { have, want },
    })
}

pub(crate) fn finished(reader: Reader<'_>) -> Result<(), RestoreError> {
    if reader.is_empty() { Ok(()) } else { Err(RestoreError::Surplus { bytes: reader.left() as u64 }) }
}

#[cfg(test)]
mod tests;
