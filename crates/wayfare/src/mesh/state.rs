//! What may change about a polygon while a game runs, apart from its geometry; stored and restored.
//!
//! Three forms, for three uses:
//!
//! ```text
//!   tile state   all polygons of one tile                 a tile is streamed out and comes back as it was left
//!   delta        only what differs from the tiles' data   a save game on top of a mesh that ships with the game
//!   .way file    everything                               see `NavMesh::to_bytes`
//! ```
//!
//! A state belongs to a geometry: it holds a hash of the tile it was taken from and is refused by any other tile. The
//! first two forms begin with their kind, their version and their length and end with a checksum, so altered or
//! truncated bytes are refused and nothing is changed.
//!
//! ```text
//!   tile state   WAYTILE2, length; digest of the geometry, number of polygons; (flags, area) of each; checksum
//!   delta        WAYDELT2, length; number of tiles; of each slot, salt, digest, number of changes, (polygon, flags, area) of each;
//!                number of connections; (reference, flags, area) of each; checksum
//! ```
//!
//! Cost: storing and restoring hash the tile's geometry once.
//!
//! Sources: Mikko Mononen, "Saving Game State", Digesting Duck, March 2011.

use super::bytes::{Reader, Truncated, Writer};
use super::way::tile_digest;
use super::{NavMesh, PolyRef, RestoreError, Tile};
use crate::area::{AreaId, PolyFlags};
use crate::math::index::TileSlot;
use crate::tile::TileData;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Area type and flags of a polygon as they are now. Read together by every filter, so they stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct PolyState {
    /// Abilities needed to cross it.
    pub flags: PolyFlags,
    /// Area type.
    pub area: AreaId,
}

const _: () = assert!(size_of::<PolyState>() == 4);

/// The state that the tile was made with.
pub(crate) fn original_state(tile: &TileData) -> Arc<[PolyState]> {
    tile.polys.iter().map(|p| PolyState { flags: p.flags, area: p.area }).collect()
}

/// A form of stored state: the first seven bytes, before the digit of the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// Of [one tile](NavMesh::store_tile_state).
    Tile,
    /// A [delta](NavMesh::store_delta) of a whole mesh.
    Delta,
}

impl StateKind {
    const ALL: [Self; 2] = [Self::Tile, Self::Delta];

    const fn name(self) -> [u8; 7] {
        match self {
            Self::Tile => *b"WAYTILE",
            Self::Delta => *b"WAYDELT",
        }
    }
}

impl core::fmt::Display for StateKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Tile => "the state of one tile",
            Self::Delta => "the delta of a mesh",
        })
    }
}

/// The version that is written. The first had no length, and is still read.
const VERSION: u8 = 2;
const MAGIC_BYTES: usize = 8;
const CHECKSUM_BYTES: usize = 8;
/// Magic, length and checksum.
const FRAME_BYTES: usize = MAGIC_BYTES + 8 + CHECKSUM_BYTES;
/// The frame, digest and count of a tile's state.
const TILE_STATE_BYTES: usize = FRAME_BYTES + 8 + 4;

fn short(what: &'static str) -> impl Fn(Truncated) -> RestoreError {
    move |Truncated| RestoreError::Short { what }
}

impl NavMesh {
    /// The size of a tile's stored state in bytes; `None` if the slot is empty.
    #[must_use]
    pub fn tile_state_size(&self, slot: TileSlot) -> Option<usize> {
        self.tile(slot).map(|tile| TILE_STATE_BYTES + 3 * tile.poly_count() as usize)
    }

    /// The state of all polygons of a tile, to be [restored](Self::restore_tile_state) later; `None` if the slot is
    /// empty.
    #[must_use]
    pub fn store_tile_state(&self, slot: TileSlot) -> Option<Vec<u8>> {
        let tile = self.tile(slot)?;
        let mut out = begun(StateKind::Tile);
        out.bytes.reserve_exact(self.tile_state_size(slot)? - out.bytes.len());
        out.u64(tile_digest(tile.data()));
        out.u32(tile.poly_count());
        tile.states().iter().for_each(|&state| write_state(state, &mut out));
        Some(sealed(out))
    }

    /// Gives the polygons of a tile the state that was [stored](Self::store_tile_state), in whatever slot the tile is
    /// now.
    ///
    /// # Errors
    /// [`RestoreError`]; the mesh is then unchanged.
    pub fn restore_tile_state(&mut self, slot: TileSlot, bytes: &[u8]) -> Result<(), RestoreError> {
        let mut reader = unsealed(bytes, StateKind::Tile)?;
        let tile = self.tile(slot).ok_or(RestoreError::NoTile { slot: slot.get() })?;
        let mut numbers = || Ok((reader.u64()?, reader.u32()?));
        let (digest, polys) = numbers().map_err(short("digest and number of polygons"))?;
        check_digest(tile, digest)?;
        if polys != tile.poly_count() {
            return Err(RestoreError::PolyCount { slot: slot.get(), stored: polys, found: tile.poly_count() });
        }
        let states = (0..tile.poly_count()).map(|_| read_state(&mut reader)).collect::<Result<_, _>>()?;
        finished(reader)?;
        self.set_states(slot.get(), states);
        Ok(())
    }

    /// What differs from the state that the tiles and connections were made with, and nothing else. Empty changes take
    /// a few bytes.
    #[must_use]
    pub fn store_delta(&self) -> Vec<u8> {
        let mut out = begun(StateKind::Delta);
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
        let changed = || self.connections().filter(|c| c.state() != c.original_state());
        out.u32(changed().count() as u32);
        for connection in changed() {
            out.u64(connection.reference().to_bits());
            write_state(connection.state(), &mut out);
        }
        sealed(out)
    }

    /// Gives every polygon and connection the state it had when the delta was [stored](Self::store_delta): what the
    /// delta does not name, the state it was made with.
    ///
    /// # Errors
    /// [`RestoreError`] if the delta is damaged, or names tiles or connections that are not there or not the same; the
    /// mesh is then unchanged.
    pub fn restore_delta(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let mut reader = unsealed(bytes, StateKind::Delta)?;
        let mut new: Vec<(u32, Arc<[PolyState]>)> = Vec::new();
        for _ in 0..reader.u32().map_err(short("number of tiles"))? {
            let (slot, states) = self.read_tile_delta(&mut reader)?;
            // In order, so that no tile comes twice and takes memory for all of its polygons each time.
            match new.last() {
                Some(&(before, _)) if before >= slot => return Err(RestoreError::Order { slot, before }),
                _ => new.push((slot, states)),
            }
        }
        let mut connections = Vec::new();
        for _ in 0..reader.u32().map_err(short("number of connections"))? {
            let bits = reader.u64().map_err(short("next connection"))?;
            let reference = PolyRef::from_bits(bits).filter(|r| r.is_off_mesh());
            let reference = reference.ok_or(RestoreError::Value { what: "reference", value: bits as u32 })?;
            self.connection(reference).map_err(|_| RestoreError::NoConnection { reference })?;
            connections.push((reference, read_state(&mut reader)?));
        }
        finished(reader)?;
        let unnamed = self.tiles().filter(|t| new.binary_search_by_key(&t.slot, |(slot, _)| *slot).is_err());
        let reset: Vec<_> = unnamed
            .filter(|tile| changes_of(tile).next().is_some())
            .map(|tile| (tile.slot, original_state(tile.data())))
            .collect();
        for (slot, states) in new.into_iter().chain(reset) {
            self.set_states(slot, states);
        }
        let changed = self.connections().filter(|c| c.state() != c.original_state());
        let reset: Vec<_> = changed.map(|c| (c.reference(), c.original_state())).collect();
        for (reference, state) in reset.into_iter().chain(connections) {
            let _ = self.edit_state(reference, |now| *now = state);
        }
        Ok(())
    }

    fn read_tile_delta(&self, reader: &mut Reader<'_>) -> Result<(u32, Arc<[PolyState]>), RestoreError> {
        let mut numbers = || Ok((reader.u32()?, reader.u16()?, reader.u64()?, reader.u32()?));
        let (slot, stored, digest, changes) = numbers().map_err(short("next tile"))?;
        let tile = self.tile(TileSlot::new(slot)).ok_or(RestoreError::NoTile { slot })?;
        if tile.salt != stored {
            return Err(RestoreError::Replaced { slot, stored, found: tile.salt });
        }
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

    fn set_states(&mut self, slot: u32, states: Arc<[PolyState]>) {
        self.touch_state(slot);
        if let Some(tile) = &mut self.slots.write(slot).tile {
            tile.state = states;
        }
    }
}

/// The polygons whose state is not the one they were made with.
fn changes_of(tile: &Tile) -> impl Iterator<Item = (u32, PolyState)> + '_ {
    let polys = tile.data().polys.iter().zip(tile.states());
    (0u32..).zip(polys).filter(|(_, (p, s))| p.flags != s.flags || p.area != s.area).map(|(poly, (_, s))| (poly, *s))
}

fn write_state(state: PolyState, out: &mut Writer) {
    out.u16(state.flags.0);
    out.u8(state.area.get());
}

fn read_state(reader: &mut Reader<'_>) -> Result<PolyState, RestoreError> {
    let mut numbers = || Ok((PolyFlags(reader.u16()?), reader.u8()?));
    let (flags, area) = numbers().map_err(short("next flags and area type"))?;
    let bad = |_| RestoreError::Value { what: "area type", value: u32::from(area) };
    Ok(PolyState { flags, area: AreaId::new(area).map_err(bad)? })
}

fn check_digest(tile: &Tile, stored: u64) -> Result<(), RestoreError> {
    let found = tile_digest(tile.data());
    if found == stored { Ok(()) } else { Err(RestoreError::OtherTile { slot: tile.slot, stored, found }) }
}

/// The magic, and room for the length.
fn begun(kind: StateKind) -> Writer {
    let mut out = Writer::default();
    out.bytes.extend_from_slice(&kind.name());
    out.u8(b'0' + VERSION);
    out.u64(0);
    out
}

fn sealed(mut out: Writer) -> Vec<u8> {
    let length = (out.bytes.len() + CHECKSUM_BYTES) as u64;
    out.bytes[MAGIC_BYTES..MAGIC_BYTES + 8].copy_from_slice(&length.to_le_bytes());
    let checksum = xxh3_64(&out.bytes);
    out.u64(checksum);
    out.bytes
}

/// What lies between the head and the checksum, once kind, version, length and checksum are right.
fn unsealed(bytes: &[u8], wanted: StateKind) -> Result<Reader<'_>, RestoreError> {
    let have = bytes.len() as u64;
    let too_short = RestoreError::Length { have, want: FRAME_BYTES as u64 };
    let (&magic, rest) = bytes.split_first_chunk::<MAGIC_BYTES>().ok_or(too_short)?;
    let [name @ .., digit] = magic;
    let kind = StateKind::ALL.into_iter().find(|kind| kind.name() == name);
    let (kind, found) = kind.zip(digit.checked_sub(b'0')).ok_or(RestoreError::Magic { found: magic })?;
    if kind != wanted {
        return Err(RestoreError::Kind { found: kind, wanted });
    }
    if found == 0 || found > VERSION {
        return Err(RestoreError::Version { found, known: VERSION });
    }
    let mut rest = Reader::new(rest);
    if found > 1 {
        let want = rest.u64().map_err(|Truncated| too_short)?;
        if want != have {
            return Err(RestoreError::Length { have, want });
        }
    }
    let body = rest.left().checked_sub(CHECKSUM_BYTES).ok_or(too_short)?;
    let body = rest.take(body).map_err(|Truncated| too_short)?;
    let want = rest.u64().map_err(|Truncated| too_short)?;
    let have = xxh3_64(&bytes[..bytes.len() - CHECKSUM_BYTES]);
    if have == want { Ok(Reader::new(body)) } else { Err(RestoreError::Checksum { have, want }) }
}

fn finished(reader: Reader<'_>) -> Result<(), RestoreError> {
    if reader.is_empty() { Ok(()) } else { Err(RestoreError::Surplus { bytes: reader.left() as u64 }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::test_sketch::sketch;
    use crate::tile::{TileCoord, TileLayout};
    use glam::Vec3;

    fn mesh() -> NavMesh {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 1.0 };
        let tile = |x, map| sketch(TileCoord { x, z: 0, layer: 0 }, map);
        let mut mesh = NavMesh::from_tiles(layout, vec![tile(0, "ab"), tile(1, "cd"), tile(2, "ef")]).unwrap();
        let jump = crate::mesh::OffMeshConnection {
            start: Vec3::new(0.5, 0.0, 0.5),
            end: Vec3::new(5.5, 0.0, 0.5),
            radius: 0.2,
            two_way: true,
            area: AreaId::WALKABLE,
            flags: PolyFlags::WALK,
            user_id: 0,
        };
        mesh.add_connection(jump).unwrap();
        mesh
    }

    fn change(mesh: &mut NavMesh) {
        mesh.set_flags(PolyRef::new(1, 1, 1).unwrap(), PolyFlags(0x700)).unwrap();
        mesh.set_area(PolyRef::new(1, 2, 0).unwrap(), AreaId::new(40).unwrap()).unwrap();
        mesh.set_flags(PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap(), PolyFlags::NONE).unwrap();
    }

    #[test]
    fn a_delta_brings_back_exactly_what_was_changed() {
        let (mut changed, fresh) = (mesh(), mesh());
        change(&mut changed);
        let delta = changed.store_delta();
        assert!(delta.len() < 100, "{} bytes", delta.len());
        let mut again = fresh.clone();
        again.set_flags(PolyRef::new(1, 0, 0).unwrap(), PolyFlags::NONE).unwrap();
        again.restore_delta(&delta).unwrap();
        assert_eq!(again.to_bytes(), changed.to_bytes());
        again.restore_delta(&fresh.store_delta()).unwrap();
        assert_eq!(again.to_bytes(), fresh.to_bytes());
    }

    #[test]
    fn a_tile_comes_back_as_it_was_left() {
        let mut mesh = mesh();
        let before = mesh.clone();
        change(&mut mesh);
        let slot = TileSlot::new(1);
        let stored = mesh.store_tile_state(slot).unwrap();
        assert_eq!(Some(stored.len()), mesh.tile_state_size(slot));
        let data = before.tile(slot).unwrap().data().clone();
        let (slot, _) = mesh.replace_tile(slot, data).unwrap();
        assert_ne!(mesh.store_tile_state(slot).unwrap(), stored);
        mesh.restore_tile_state(slot, &stored).unwrap();
        assert_eq!(mesh.store_tile_state(slot).unwrap(), stored);
        assert_eq!(before.tile(slot).unwrap().state(1).flags, PolyFlags::WALK, "the snapshot must not change");
    }

    #[test]
    fn a_state_is_refused_where_it_does_not_belong() {
        let mut mesh = mesh();
        change(&mut mesh);
        let (one, two) = (TileSlot::new(1), TileSlot::new(2));
        let stored = mesh.store_tile_state(one).unwrap();
        let digests = [one, two].map(|slot| tile_digest(mesh.tile(slot).unwrap().data()));
        let other = RestoreError::OtherTile { slot: 2, stored: digests[0], found: digests[1] };
        assert_eq!(mesh.restore_tile_state(two, &stored), Err(other));
        assert_eq!(mesh.restore_tile_state(TileSlot::new(9), &stored), Err(RestoreError::NoTile { slot: 9 }));
        let kind = RestoreError::Kind { found: StateKind::Tile, wanted: StateKind::Delta };
        assert_eq!(mesh.restore_delta(&stored), Err(kind));
        let delta = mesh.store_delta();
        let data = mesh.tile(one).unwrap().data().clone();
        mesh.replace_tile(one, data).unwrap();
        let bytes = mesh.to_bytes();
        assert_eq!(mesh.restore_delta(&delta), Err(RestoreError::Replaced { slot: 1, stored: 1, found: 2 }));
        mesh.remove_tile(one);
        assert_eq!(mesh.restore_delta(&delta), Err(RestoreError::NoTile { slot: 1 }));
        assert_ne!(mesh.to_bytes(), bytes);
    }

    #[test]
    fn every_prefix_every_altered_byte_and_a_surplus_byte_are_refused_with_numbers() {
        let mut mesh = mesh();
        change(&mut mesh);
        let slot = TileSlot::new(1);
        for (bytes, delta) in [(mesh.store_delta(), true), (mesh.store_tile_state(slot).unwrap(), false)] {
            let mut restore = |b: &[u8]| if delta { mesh.restore_delta(b) } else { mesh.restore_tile_state(slot, b) };
            restore(&bytes).unwrap();
            let whole = bytes.len() as u64;
            for have in 0..bytes.len() {
                let want = if have < MAGIC_BYTES + 8 { FRAME_BYTES as u64 } else { whole };
                let cut = RestoreError::Length { have: have as u64, want };
                assert_eq!(restore(&bytes[..have]), Err(cut));
            }
            for at in 0..bytes.len() {
                let mut altered = bytes.clone();
                altered[at] ^= 0x10;
                let error = restore(&altered).unwrap_err();
                let named = match at {
                    0..7 => matches!(error, RestoreError::Magic { found } if found[..] == altered[..8]),
                    7 => matches!(error, RestoreError::Magic { .. } | RestoreError::Version { .. }),
                    8..16 => matches!(error, RestoreError::Length { have, .. } if have == whole),
                    _ => matches!(error, RestoreError::Checksum { have, want } if have != want),
                };
                assert!(named, "byte {at}: {error}");
                assert!(error.to_string().len() > 30);
            }
            let more = RestoreError::Length { have: whole + 1, want: whole };
            assert_eq!(restore(&[&bytes[..], &[0]].concat()), Err(more));
            let mut newer = bytes.clone();
            newer[7] = b'3';
            assert_eq!(restore(&newer), Err(RestoreError::Version { found: 3, known: 2 }));
        }
    }

    /// The bytes with their length and their checksum set right again.
    fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - CHECKSUM_BYTES);
        sealed(Writer { bytes })
    }

    #[test]
    fn intact_bytes_that_promise_other_than_they_hold_are_refused() {
        let mut mesh = mesh();
        change(&mut mesh);
        let slot = TileSlot::new(1);
        let (state, delta) = (mesh.store_tile_state(slot).unwrap(), mesh.store_delta());
        let end = state.len() - CHECKSUM_BYTES;
        let without = |count: usize| resealed([&state[..end - count], &[0; 8]].concat());
        assert_eq!(mesh.restore_tile_state(slot, &resealed(state.clone())), Ok(()));
        let flags = RestoreError::Short { what: "next flags and area type" };
        assert_eq!(mesh.restore_tile_state(slot, &without(1)), Err(flags));
        let numbers = RestoreError::Short { what: "digest and number of polygons" };
        assert_eq!(mesh.restore_tile_state(slot, &without(end - 20)), Err(numbers));
        let more = resealed([&state[..end], &[0; 13]].concat());
        assert_eq!(mesh.restore_tile_state(slot, &more), Err(RestoreError::Surplus { bytes: 5 }));
        let mut polys = state.clone();
        polys[24] = 3;
        let count = RestoreError::PolyCount { slot: 1, stored: 3, found: 2 };
        assert_eq!(mesh.restore_tile_state(slot, &resealed(polys)), Err(count));
        let mut area = state;
        area[28 + 2] = 64;
        let value = RestoreError::Value { what: "area type", value: 64 };
        assert_eq!(mesh.restore_tile_state(slot, &resealed(area)), Err(value));
        for (length, what) in [(16, "number of tiles"), (20, "next tile"), (39, "next polygon")] {
            let cut = resealed([&delta[..length], &[0; 8]].concat());
            assert_eq!(mesh.restore_delta(&cut), Err(RestoreError::Short { what }));
        }
        let last = delta.len() - CHECKSUM_BYTES - 11;
        for (length, what) in [(last - 2, "number of connections"), (last, "next connection")] {
            let cut = resealed([&delta[..length], &[0; 8]].concat());
            assert_eq!(mesh.restore_delta(&cut), Err(RestoreError::Short { what }));
        }
        // The record of the first tile again in the place of the second's.
        let tile = 20..20 + 18 + 7;
        let twice = resealed([&delta[..tile.end], &delta[tile.clone()], &delta[tile.end + tile.len()..]].concat());
        assert_eq!(mesh.restore_delta(&twice), Err(RestoreError::Order { slot: 1, before: 1 }));
        mesh.remove_connection(PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap()).unwrap();
        let reference = PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap();
        assert_eq!(mesh.restore_delta(&delta), Err(RestoreError::NoConnection { reference }));
    }

    /// The first version had no length.
    #[test]
    fn states_of_the_first_version_are_read() {
        let mut mesh = mesh();
        change(&mut mesh);
        let (slot, changed) = (TileSlot::new(1), mesh.to_bytes());
        let first = |bytes: &[u8]| {
            let mut old = [&bytes[..7], b"1", &bytes[16..bytes.len() - CHECKSUM_BYTES]].concat();
            let checksum = xxh3_64(&old);
            old.extend_from_slice(&checksum.to_le_bytes());
            old
        };
        let (state, delta) = (first(&mesh.store_tile_state(slot).unwrap()), first(&mesh.store_delta()));
        let mut fresh = self::mesh();
        fresh.restore_tile_state(slot, &state).unwrap();
        assert_eq!(fresh.store_tile_state(slot), mesh.store_tile_state(slot));
        fresh.restore_delta(&delta).unwrap();
        assert_eq!(fresh.to_bytes(), changed);
        let cut = fresh.restore_delta(&delta[..delta.len() - 1]);
        assert!(matches!(cut, Err(RestoreError::Checksum { .. })), "{cut:?}");
    }
}
