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
//! A state belongs to a geometry: it holds a hash of the tile it was taken from and is refused by any other tile. All forms
//! end with a checksum, so altered or truncated bytes are refused and nothing is changed.
//!
//! Cost: storing and restoring hash the tile's geometry once.
//!
//! Sources: Mikko Mononen, "Saving Game State", Digesting Duck, March 2011.

use super::bytes::{Reader, Truncated, Writer};
use super::way::tile_digest;
use super::{NavMesh, PolyRef, Tile};
use crate::area::{AreaId, PolyFlags};
use crate::math::index::TileSlot;
use crate::tile::TileData;
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
pub(crate) fn original_state(tile: &TileData) -> Vec<PolyState> {
    tile.polys.iter().map(|p| PolyState { flags: p.flags, area: p.area }).collect()
}

const TILE_MAGIC: [u8; 8] = *b"WAYTILE1";
const DELTA_MAGIC: [u8; 8] = *b"WAYDELT1";
const CHECKSUM_BYTES: usize = 8;
/// Head, digest, count and checksum of a tile's state.
const TILE_STATE_BYTES: usize = 8 + 8 + 4 + CHECKSUM_BYTES;

/// A stored state that cannot be restored. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// Not a stored state, or one of another kind or version.
    #[error("these bytes are not a stored state of this kind")]
    Magic,
    /// Truncated, extended or altered.
    #[error("the stored state was cut short or altered")]
    Altered,
    /// A number that means nothing.
    #[error("the stored state has {value} as {what}, which means nothing")]
    Value {
        /// What was read.
        what: &'static str,
        /// The value.
        value: u32,
    },
    /// The slot has no tile.
    #[error("slot {slot} has no tile")]
    NoTile {
        /// The slot.
        slot: u32,
    },
    /// The slot's tile has another salt: it was replaced since.
    #[error("the state is of the tile in slot {slot} with salt {stored}, but the tile there has salt {found}")]
    Replaced {
        /// The slot.
        slot: u32,
        /// Salt when the state was stored.
        stored: u16,
        /// Salt now.
        found: u16,
    },
    /// The tile's geometry is not that of the tile it was taken from.
    #[error("the state is of another tile than the one in slot {slot}: their geometries differ")]
    OtherTile {
        /// The slot.
        slot: u32,
    },
    /// An off-mesh connection is not there (any more).
    #[error("the state is of off-mesh connection {reference}, which is not there")]
    NoConnection {
        /// The connection.
        reference: PolyRef,
    },
}

impl From<Truncated> for RestoreError {
    fn from(_: Truncated) -> Self {
        Self::Altered
    }
}

impl NavMesh {
    /// The size of a tile's stored state in bytes; `None` if the slot is empty.
    #[must_use]
    pub fn tile_state_size(&self, slot: TileSlot) -> Option<usize> {
        self.tile(slot).map(|tile| TILE_STATE_BYTES + 3 * tile.poly_count() as usize)
    }

    /// The state of all polygons of a tile, to be [restored](Self::restore_tile_state) later; `None` if the slot is empty.
    #[must_use]
    pub fn store_tile_state(&self, slot: TileSlot) -> Option<Vec<u8>> {
        let tile = self.tile(slot)?;
        let mut out = Writer { bytes: Vec::with_capacity(self.tile_state_size(slot)?) };
        out.bytes.extend_from_slice(&TILE_MAGIC);
        out.u64(tile_digest(tile.data()));
        out.u32(tile.poly_count());
        tile.states().iter().for_each(|&state| write_state(state, &mut out));
        Some(sealed(out))
    }

    /// Gives the polygons of a tile the state that was [stored](Self::store_tile_state), in whatever slot the tile is now.
    ///
    /// # Errors
    /// [`RestoreError`]; the mesh is then unchanged.
    pub fn restore_tile_state(&mut self, slot: TileSlot, bytes: &[u8]) -> Result<(), RestoreError> {
        let mut reader = unsealed(bytes, TILE_MAGIC)?;
        let tile = self.tile(slot).ok_or(RestoreError::NoTile { slot: slot.get() })?;
        if reader.u64()? != tile_digest(tile.data()) || reader.u32()? != tile.poly_count() {
            return Err(RestoreError::OtherTile { slot: slot.get() });
        }
        let states = (0..tile.poly_count()).map(|_| read_state(&mut reader)).collect::<Result<Vec<_>, _>>()?;
        finished(reader)?;
        self.set_states(slot.get(), states);
        Ok(())
    }

    /// What differs from the state that the tiles and connections were made with, and nothing else. Empty changes take a few
    /// bytes.
    #[must_use]
    pub fn store_delta(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes.extend_from_slice(&DELTA_MAGIC);
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

    /// Gives every polygon and connection the state it had when the delta was [stored](Self::store_delta): what the delta does
    /// not name, the state it was made with.
    ///
    /// # Errors
    /// [`RestoreError`] if the delta is damaged, or names tiles or connections that are not there or not the same; the mesh is
    /// then unchanged.
    pub fn restore_delta(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let mut reader = unsealed(bytes, DELTA_MAGIC)?;
        let mut new: Vec<(u32, Vec<PolyState>)> = Vec::new();
        for _ in 0..reader.u32()? {
            new.push(self.read_tile_delta(&mut reader)?);
        }
        let mut connections = Vec::new();
        for _ in 0..reader.u32()? {
            let bits = reader.u64()?;
            let reference = PolyRef::from_bits(bits).filter(|r| r.is_off_mesh());
            let reference = reference.ok_or(RestoreError::Value { what: "reference", value: bits as u32 })?;
            self.connection(reference).map_err(|_| RestoreError::NoConnection { reference })?;
            connections.push((reference, read_state(&mut reader)?));
        }
        finished(reader)?;
        new.sort_by_key(|(slot, _)| *slot);
        let unnamed = self.tiles().filter(|t| new.binary_search_by_key(&t.slot, |(slot, _)| *slot).is_err());
        let reset: Vec<_> = unnamed
            .filter(|tile| changes_of(tile).next().is_some())
            .map(|tile| (tile.slot, original_state(tile.data())))
            .collect();
        for (slot, states) in new.into_iter().chain(reset) {
            self.set_states(slot, states);
        }
        self.forget_masked();
        let changed = self.connections().filter(|c| c.state() != c.original_state());
        let reset: Vec<_> = changed.map(|c| (c.reference(), c.original_state())).collect();
        for (reference, state) in reset.into_iter().chain(connections) {
            if let Some(connection) = &mut self.connections.write(reference.poly().get()).connection {
                connection.state = state;
            }
        }
        Ok(())
    }

    fn read_tile_delta(&self, reader: &mut Reader<'_>) -> Result<(u32, Vec<PolyState>), RestoreError> {
        let (slot, stored, digest) = (reader.u32()?, reader.u16()?, reader.u64()?);
        let tile = self.tile(TileSlot::new(slot)).ok_or(RestoreError::NoTile { slot })?;
        if tile.salt != stored {
            return Err(RestoreError::Replaced { slot, stored, found: tile.salt });
        }
        if tile_digest(tile.data()) != digest {
            return Err(RestoreError::OtherTile { slot });
        }
        let mut states = original_state(tile.data());
        for _ in 0..reader.u32()? {
            let poly = reader.u32()?;
            let state = states.get_mut(poly as usize).ok_or(RestoreError::Value { what: "polygon", value: poly })?;
            *state = read_state(reader)?;
        }
        Ok((slot, states))
    }

    fn set_states(&mut self, slot: u32, states: Vec<PolyState>) {
        self.forget_masked();
        if let Some(tile) = &mut self.slots.write(slot).tile {
            tile.state = states.into();
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
    let (flags, area) = (PolyFlags(reader.u16()?), reader.u8()?);
    let bad = |_| RestoreError::Value { what: "area type", value: u32::from(area) };
    Ok(PolyState { flags, area: AreaId::new(area).map_err(bad)? })
}

fn sealed(mut out: Writer) -> Vec<u8> {
    let checksum = xxh3_64(&out.bytes);
    out.u64(checksum);
    out.bytes
}

fn unsealed(bytes: &[u8], magic: [u8; 8]) -> Result<Reader<'_>, RestoreError> {
    if !bytes.starts_with(&magic) {
        return Err(RestoreError::Magic);
    }
    let (body, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(RestoreError::Altered)?;
    if xxh3_64(body) != u64::from_le_bytes(*checksum) {
        return Err(RestoreError::Altered);
    }
    body.get(magic.len()..).map(Reader::new).ok_or(RestoreError::Altered)
}

fn finished(reader: Reader<'_>) -> Result<(), RestoreError> {
    if reader.is_empty() { Ok(()) } else { Err(RestoreError::Altered) }
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
        assert_eq!(mesh.restore_tile_state(two, &stored), Err(RestoreError::OtherTile { slot: 2 }));
        assert_eq!(mesh.restore_tile_state(TileSlot::new(9), &stored), Err(RestoreError::NoTile { slot: 9 }));
        assert_eq!(mesh.restore_delta(&stored), Err(RestoreError::Magic));
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
    fn every_prefix_every_altered_byte_and_a_surplus_byte_are_refused() {
        let mut mesh = mesh();
        change(&mut mesh);
        let slot = TileSlot::new(1);
        for (bytes, delta) in [(mesh.store_delta(), true), (mesh.store_tile_state(slot).unwrap(), false)] {
            let mut restore = |b: &[u8]| if delta { mesh.restore_delta(b) } else { mesh.restore_tile_state(slot, b) };
            restore(&bytes).unwrap();
            for length in 0..bytes.len() {
                restore(&bytes[..length]).unwrap_err();
            }
            for at in 0..bytes.len() {
                let mut altered = bytes.clone();
                altered[at] ^= 0x10;
                restore(&altered).unwrap_err();
            }
            restore(&[&bytes[..], &[0]].concat()).unwrap_err();
        }
    }
}
