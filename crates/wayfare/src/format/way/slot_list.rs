//! Saves a mesh without its tiles: which tile is in which slot, with which salt and state.
//!
//! A game whose tiles are in files of their own, or are baked again when it starts, need not save them a second time.
//! It saves a list instead: for each slot the reference, the tile's place, the game's own number for it, and a digest
//! of its data; then what has changed in the tiles, slots that are empty but were used, off-mesh connections and area
//! types. To restore, it returns the tiles one by one, and gets a mesh in which every reference means what it did.
//!
//! ```text
//!   WAYSLOT1, length | layout, user's number | tiles: slot, salt, place, resource, digest | delta | mesh part | checksum
//!                                                                          └──> the game loads the tile ──> mesh
//! ```
//!
//! Cost: saving hashes each tile once; restoring hashes and links them.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010.

use super::read::read_mesh_part;
use super::read_error::ReadError;
use super::tile_digest;
use super::write::mesh_part;
use crate::format::RestoreError;
use crate::math::bytes::{Reader, Truncated};
use crate::math::envelope::{self, Envelope, EnvelopeError};
use crate::mesh::{AddTileError, NavMesh, Tile, TileRef};
use crate::tile::{TileCoord, TileData, TileLayout};

const ENVELOPE: Envelope = Envelope::first(*b"WAYSLOT");

/// The content of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotEntry {
    /// The tile's reference.
    pub tile: TileRef,
    /// Its column, row and layer.
    pub coord: TileCoord,
    /// The game's own number for the resource from which it is loaded.
    pub resource: u64,
    /// A hash of its original data: another tile is refused.
    pub digest: u64,
}

/// A mesh without its tiles: see [`of`](Self::of) and [`restore`](Self::restore).
///
/// ```
/// use wayfare::format::MeshSlots;
/// use wayfare::input::{AgentSettings, TriMesh};
/// use wayfare::mesh::NavMesh;
/// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]].map(Into::into);
/// # let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let mesh = NavMesh::bake(&level, &AgentSettings::default())?;
/// // The game's tiles, by numbers of its own.
/// let files = [mesh.tiles().next().unwrap().data().clone()];
///
/// let saved = MeshSlots::of(&mesh, |_| 0).to_bytes();
/// let slots = MeshSlots::from_bytes(&saved)?;
/// let again = slots.restore(|entry| files.get(entry.resource as usize).cloned())?;
/// assert_eq!(again.to_bytes(), mesh.to_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSlots {
    layout: TileLayout,
    user_id: u64,
    tiles: Vec<SlotEntry>,
    /// What has changed in the tiles, as [`NavMesh::store_delta`] writes it.
    delta: Vec<u8>,
    /// The parts of the mesh other than its tiles.
    beside: Vec<u8>,
}

/// Why a mesh cannot be restored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SlotListError {
    /// They begin differently.
    #[error("these are not the slots of a mesh in this version of the format, which begin with WAYSLOT1")]
    Magic,
    /// They were cut short, or something was appended.
    #[error("the list of slots has {have} bytes, but should have {want}: it was cut short or something was appended")]
    Length {
        /// Number of bytes present.
        have: u64,
        /// Number of bytes expected.
        want: u64,
    },
    /// A byte was altered.
    #[error("the list of slots was altered: its checksum is wrong; get a fresh copy")]
    Checksum,
    /// An invalid number.
    #[error("the list of slots has an invalid {what}: it was not written by this library")]
    Value {
        /// What it was read as.
        what: &'static str,
    },
    /// The game has no tile for a slot.
    #[error("tile {} is missing: nothing was loaded for resource {}", entry.tile, entry.resource)]
    Missing {
        /// Its entry.
        entry: SlotEntry,
    },
    /// The game has loaded another tile than the one that was saved.
    #[error("resource {} is another tile than {} was: load the one with digest {:016x}", entry.resource, entry.tile, entry.digest)]
    OtherTile {
        /// Its entry.
        entry: SlotEntry,
    },
    /// A tile cannot be added.
    #[error("tile {tile} does not go into the mesh: {error}")]
    Tile {
        /// The tile.
        tile: TileRef,
        /// Why not.
        error: AddTileError,
    },
    /// The data other than the tiles is invalid.
    #[error(transparent)]
    Beside(#[from] ReadError),
    /// The states are invalid.
    #[error(transparent)]
    State(#[from] RestoreError),
}

impl MeshSlots {
    /// Describes a mesh without its tiles; `resource` returns the game's number for loading each of them.
    #[must_use]
    pub fn of(mesh: &NavMesh, mut resource: impl FnMut(&Tile) -> u64) -> Self {
        let entry = |tile: &Tile| SlotEntry {
            tile: tile.tile_ref(),
            coord: tile.coord(),
            resource: resource(tile),
            digest: tile_digest(tile.data()),
        };
        Self {
            layout: mesh.layout(),
            user_id: mesh.user_id(),
            tiles: mesh.tiles().map(entry).collect(),
            delta: mesh.store_delta(),
            beside: mesh_part(mesh),
        }
    }

    /// The tiles to load, by slot.
    #[must_use]
    pub fn tiles(&self) -> &[SlotEntry] {
        &self.tiles
    }

    /// Restores the mesh: `load` returns the tile of each entry, as it was when it was added to the mesh.
    ///
    /// # Errors
    /// [`SlotListError`].
    pub fn restore(&self, mut load: impl FnMut(&SlotEntry) -> Option<TileData>) -> Result<NavMesh, SlotListError> {
        let mut mesh = NavMesh::with_room(self.layout, self.tiles.len());
        mesh.set_user_id(self.user_id);
        for &entry in &self.tiles {
            let data = load(&entry).ok_or(SlotListError::Missing { entry })?;
            if tile_digest(&data) != entry.digest || data.coord() != entry.coord {
                return Err(SlotListError::OtherTile { entry });
            }
            mesh.add_at_any(entry.tile, data).map_err(|error| SlotListError::Tile { tile: entry.tile, error })?;
        }
        read_mesh_part(&mut mesh, self.tiles.len(), &mut Reader::new(&self.beside))?;
        mesh.restore_delta(&self.delta)?;
        Ok(mesh)
    }

    /// The list as bytes, for [`from_bytes`](Self::from_bytes).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.to_bytes_into(&mut bytes);
        bytes
    }

    /// Like [`to_bytes`](Self::to_bytes), replacing the content of `bytes`.
    pub fn to_bytes_into(&self, bytes: &mut Vec<u8>) {
        let mut out = ENVELOPE.begin(core::mem::take(bytes));
        out.vec3(self.layout.origin);
        out.f32(self.layout.tile_width);
        out.f32(self.layout.tile_depth);
        out.u64(self.user_id);
        out.u32(self.tiles.len() as u32);
        for SlotEntry { tile, coord, resource, digest } in &self.tiles {
            out.u64(tile.to_bits());
            out.i32(coord.x);
            out.i32(coord.z);
            out.u32(coord.layer);
            out.u64(*resource);
            out.u64(*digest);
        }
        out.u64(self.delta.len() as u64);
        out.bytes.extend_from_slice(&self.delta);
        out.bytes.extend_from_slice(&self.beside);
        *bytes = envelope::seal(out);
    }

    /// Reads a list that was [stored](Self::to_bytes).
    ///
    /// # Errors
    /// [`SlotListError`]; data other than the tiles is only checked by [`restore`](Self::restore).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SlotListError> {
        let (mut from, _) = ENVELOPE.open(bytes)?;
        let from = &mut from;
        let short = |what| move |Truncated| SlotListError::Value { what };
        let mut head = || {
            let origin = from.vec3()?;
            let layout = TileLayout { origin, tile_width: from.f32()?, tile_depth: from.f32()? };
            Ok((layout, from.u64()?, from.u32()?))
        };
        let (layout, user_id, count) = head().map_err(short("head"))?;
        let mut tiles: Vec<SlotEntry> = Vec::new();
        for _ in 0..count {
            let mut entry = || {
                let bits = from.u64()?;
                let coord = TileCoord { x: from.i32()?, z: from.i32()?, layer: from.u32()? };
                Ok((bits, coord, from.u64()?, from.u64()?))
            };
            let (bits, coord, resource, digest) = entry().map_err(short("number of tiles"))?;
            let tile = TileRef::from_bits(bits).ok_or(SlotListError::Value { what: "tile" })?;
            if tiles.last().is_some_and(|last| last.tile.slot() >= tile.slot()) {
                return Err(SlotListError::Value { what: "order of tiles" });
            }
            tiles.push(SlotEntry { tile, coord, resource, digest });
        }
        let length = from.u64().map_err(short("length of states"))?;
        let length = usize::try_from(length).map_err(|_| SlotListError::Value { what: "length of states" })?;
        let delta = from.take(length).map_err(short("length of states"))?.to_vec();
        Ok(Self { layout, user_id, tiles, delta, beside: from.peek().to_vec() })
    }
}

impl From<EnvelopeError> for SlotListError {
    fn from(error: EnvelopeError) -> Self {
        match error {
            EnvelopeError::Name { .. } | EnvelopeError::Version { .. } => Self::Magic,
            EnvelopeError::Length { have, want } => Self::Length { have, want },
            EnvelopeError::Checksum { .. } => Self::Checksum,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, AreaInfo, AreaTable, PolyFlags};
    use crate::math::Rng;
    use crate::mesh::OffMeshConnection;
    use crate::tile::test_sketch::sketch;
    use glam::Vec3;

    /// A mesh after much has happened to it, and the tiles as a game has them.
    fn lived(seed: u64) -> (NavMesh, Vec<TileData>) {
        let mut rng = Rng::new(seed);
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 3.0, tile_depth: 3.0 };
        let files: Vec<TileData> =
            (0..9).map(|i| sketch(TileCoord { x: i % 3, z: i / 3, layer: 0 }, "aaa\na.a\naaa")).collect();
        let mut mesh = NavMesh::from_tiles(layout, files.clone()).unwrap();
        mesh.set_user_id(seed);
        let area = AreaInfo { area: AreaId::from_low_bits(3), name: "mud".into(), cost: 2.0 };
        mesh.set_areas(AreaTable::new(vec![area]).unwrap());
        for _ in 0..60 {
            let tiles: Vec<TileRef> = mesh.tiles().map(Tile::tile_ref).collect();
            let one = tiles.get(rng.below(9) as usize).copied();
            match (rng.below(5), one) {
                (0, Some(one)) => drop(mesh.remove_tile(one).unwrap()),
                (1, _) => drop(mesh.add_tile(files[rng.below(9) as usize].clone())),
                (2, _) => {
                    let mut place = || Vec3::new(9.0 * rng.unit(), 0.0, 9.0 * rng.unit());
                    let jump = OffMeshConnection {
                        start: place(),
                        end: place(),
                        radius: 0.5,
                        two_way: true,
                        area: AreaId::WALKABLE,
                        flags: PolyFlags::WALK,
                        user_id: 4,
                    };
                    mesh.add_connection(jump).unwrap();
                }
                (3, _) => {
                    let first = mesh.connections().next().map(|jump| jump.reference());
                    let _ = first.map(|first| mesh.remove_connection(first));
                }
                (_, Some(one)) => {
                    let poly = mesh.tile(one).unwrap().reference(rng.below(8));
                    mesh.set_flags(poly, PolyFlags(rng.below(4) as u16)).unwrap();
                }
                _ => {}
            }
        }
        (mesh, files)
    }

    #[test]
    fn with_its_tiles_it_is_the_same_mesh_to_the_byte() {
        for seed in 0..40 {
            let (mesh, files) = lived(seed);
            let number = |tile: &Tile| files.iter().position(|file| file.coord() == tile.coord()).unwrap() as u64;
            let slots = MeshSlots::of(&mesh, number);
            let bytes = slots.to_bytes();
            assert!(bytes.len() < mesh.to_bytes().len() || mesh.tile_count() < 2, "no geometry is in it");
            let read = MeshSlots::from_bytes(&bytes).unwrap();
            assert_eq!(read, slots);
            let again = read.restore(|entry| files.get(entry.resource as usize).cloned()).unwrap();
            assert!(again.to_bytes() == mesh.to_bytes(), "seed {seed}");
            assert_eq!(again.check(), []);
        }
    }

    #[test]
    fn tiles_that_are_missing_or_others_are_named() {
        let (mesh, files) = lived(3);
        let slots = MeshSlots::of(&mesh, |tile| u64::from(tile.slot().get()));
        let entry = slots.tiles()[1];
        let of = |entry: &SlotEntry| files.iter().find(|file| file.coord() == entry.coord).cloned();
        let missing = slots.restore(|asked| of(asked).filter(|_| *asked != entry));
        assert_eq!(missing.err(), Some(SlotListError::Missing { entry }));
        let mut other = of(&entry).unwrap().to_builder();
        other.verts[0].y += 0.5;
        let other = other.build().unwrap();
        let swapped = slots.restore(|asked| if *asked == entry { Some(other.clone()) } else { of(asked) });
        assert_eq!(swapped.err(), Some(SlotListError::OtherTile { entry }));
    }

    #[test]
    fn damage_is_noticed() {
        let (mesh, _) = lived(5);
        let bytes = MeshSlots::of(&mesh, |_| 0).to_bytes();
        for cut in 0..bytes.len() {
            assert!(MeshSlots::from_bytes(&bytes[..cut]).is_err());
        }
        for at in 0..bytes.len() {
            let mut worse = bytes.clone();
            worse[at] ^= 4;
            assert!(MeshSlots::from_bytes(&worse).is_err(), "{at}");
        }
    }
}
