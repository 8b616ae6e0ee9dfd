//! Tiles come and go.
//!
//! A slot whose 16-bit salt has run out is retired, since a reference from long ago would otherwise mean a tile of
//! today.
//!
//! Tables go up to the highest slot, so how high slots go is bounded by how many were ever used: no file and no caller
//! can make a mesh cost far more than its tiles do. A slot once used counts for ever, in files too, so a mesh never
//! outgrows its bound by losing tiles.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (slots and salts).

use super::{NavMesh, PolyRef, PreparedTile, Tile};
use crate::math::Aabb;
use crate::math::index::TileSlot;
use crate::tile::{Effort, TileCoord, TileData, TileError, TileKeys, TileLayout};
use glam::Vec3;

/// A tile that cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AddTileError {
    /// Its data is unsound.
    #[error(transparent)]
    Tile(#[from] TileError),
    /// There is a tile at the same column, row and layer.
    #[error("there is already a tile at column {}, row {}, layer {} (slot {slot}): replace it, or use another layer", coord.x, coord.z, coord.layer)]
    PlaceTaken {
        /// The place.
        coord: TileCoord,
        /// The slot of the tile there.
        slot: u32,
    },
    /// The mesh has a layout without meaning.
    #[error("the mesh's layout has {value} as {what}: places and sizes must be finite, sizes 0 or more")]
    Layout {
        /// Which number.
        what: &'static str,
        /// The number.
        value: f32,
    },
    /// The slot asked for has a tile.
    #[error("slot {slot} has a tile: remove it first")]
    SlotTaken {
        /// The slot.
        slot: u32,
    },
    /// The slot or salt asked for does not exist.
    #[error(
        "slot {slot} with salt {salt} is out of range: slots are below {}, salts are 1 or more",
        PolyRef::TILE_SLOTS
    )]
    SlotRange {
        /// The slot.
        slot: u32,
        /// The salt.
        salt: u16,
    },
    /// The slot asked for is much higher than the mesh has slots in use.
    #[error(
        "slot {slot} is too high for so few tiles: tables grow with the highest slot, which must be below {limit} here; use lower slots, or add tiles to those first"
    )]
    SlotFar {
        /// The slot.
        slot: u32,
        /// Slots must be below this one.
        limit: u32,
    },
    /// The slot to be replaced has no tile.
    #[error("slot {slot} has no tile: add one instead")]
    SlotEmpty {
        /// The slot.
        slot: u32,
    },
    /// All slots have tiles or are retired.
    #[error("all {} slots are taken", PolyRef::TILE_SLOTS)]
    Full,
    /// So many border edges lie on one another that linking them takes far more work than tiles of that size can be
    /// worth.
    #[error(
        "so many border edges lie on one another that linking the tiles takes more than {limit} steps: leave out tiles and polygons that lie on others"
    )]
    Crowded {
        /// Steps that may be taken; they go by the size of the tiles.
        limit: u64,
    },
}

impl NavMesh {
    /// A mesh of tiles: tile `i` in slot `i`, each linked once.
    ///
    /// # Errors
    /// The first tile that cannot be added: [`AddTileError`].
    pub fn from_tiles(layout: TileLayout, tiles: Vec<TileData>) -> Result<Self, AddTileError> {
        let mut mesh = Self::with_room(layout, tiles.len());
        let mut effort = Effort::for_bytes(tiles.iter().map(TileData::byte_size).sum());
        for tile in tiles {
            let tile = PreparedTile::new(tile)?;
            let (slot, salt) = mesh.lowest_free().ok_or(AddTileError::Full)?;
            mesh.check_layout()?;
            mesh.place(slot, salt, tile);
        }
        mesh.link_all(&mut effort).map_err(|(_, error)| error)?;
        Ok(mesh)
    }

    /// A mesh of one tile that stands alone: of a caller's own convex polygons, for instance, as
    /// [`build_tile`](crate::tile::build_tile) takes them. The layout is one place as large as the tile.
    ///
    /// # Errors
    /// [`AddTileError::Tile`] if its data is unsound.
    pub fn from_tile(tile: TileData) -> Result<Self, AddTileError> {
        let bounds = if tile.bounds.is_empty() { Aabb { min: Vec3::ZERO, max: Vec3::ZERO } } else { tile.bounds };
        let size = bounds.size().max(Vec3::ONE);
        let layout = TileLayout { origin: bounds.min, tile_width: size.x, tile_depth: size.z };
        Self::from_tiles(layout, vec![TileData { coord: TileCoord::default(), ..tile }])
    }

    /// Adds a tile in the lowest free slot and links it to its neighbours.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_tile(&mut self, tile: TileData) -> Result<TileSlot, AddTileError> {
        self.add_prepared(PreparedTile::new(tile)?)
    }

    /// As [`add_tile`](Self::add_tile), for a tile that was prepared elsewhere. Cost: its borders.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_prepared(&mut self, tile: PreparedTile) -> Result<TileSlot, AddTileError> {
        self.check_place(tile.data().coord)?;
        let (slot, salt) = self.lowest_free().ok_or(AddTileError::Full)?;
        self.insert(slot, salt, tile);
        Ok(TileSlot::new(slot))
    }

    /// Adds a tile in a given slot with a given salt, so that references from before stay valid. The slot must be below
    /// the [`slot_limit`](Self::slot_limit).
    ///
    /// The caller answers for the salt: with one that the slot has had, references from that time mean this tile, which
    /// is right for a tile that comes back and wrong for another. The slot goes on from there, also one whose salts had
    /// run out.
    ///
    /// Cost: as [`add_tile`](Self::add_tile), and about twenty bytes for every slot up to the highest, used or not, in
    /// each scratch that searches it. Up to 1.3 MB, then, for one tile in slot 65,535.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_tile_at(&mut self, slot: TileSlot, salt: u16, tile: TileData) -> Result<(), AddTileError> {
        self.check_slot(slot.get(), salt, self.slot_limit())?;
        self.add_at_any(slot, salt, tile)
    }

    /// As [`add_tile_at`](Self::add_tile_at), for a tile that was prepared elsewhere. Cost: its borders.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_prepared_at(&mut self, slot: TileSlot, salt: u16, tile: PreparedTile) -> Result<(), AddTileError> {
        self.check_slot(slot.get(), salt, self.slot_limit())?;
        self.check_place(tile.data().coord)?;
        self.insert(slot.get(), salt, tile);
        Ok(())
    }

    /// As [`add_tile_at`](Self::add_tile_at), also for slots beyond the limit: for a mesh whose slots are those of
    /// another.
    pub(crate) fn add_at_any(&mut self, slot: TileSlot, salt: u16, tile: TileData) -> Result<(), AddTileError> {
        self.check_slot(slot.get(), salt, PolyRef::TILE_SLOTS)?;
        let tile = PreparedTile::new(tile)?;
        self.check_place(tile.data().coord)?;
        self.insert(slot.get(), salt, tile);
        Ok(())
    }

    /// Takes over from another mesh which slots were used, of those that are empty in both: slots that it may use can
    /// then be used here, and what is saved here can be read.
    pub(crate) fn use_slots_of(&mut self, other: &Self) {
        for (slot, theirs) in other.slots.iter_written().filter(|(_, s)| s.is_gap()) {
            let own = self.slots.write(slot);
            if own.content.is_none() {
                self.used_slots += u32::from(!own.is_used());
                own.continue_from(theirs.salt, theirs.retired);
            }
        }
    }

    /// What slots that tiles are [added at](Self::add_tile_at) must be below: 65,536, or eight times as many as there
    /// will be slots that have or had a tile, if that is more.
    #[must_use]
    pub fn slot_limit(&self) -> u32 {
        slot_limit(self.used_slots as usize + 1)
    }

    /// Takes a tile out and hands its data back, with the area types and flags of now as those it was made with: who
    /// wants it back with what [changed](Self::store_delta) keeps the tile as it was added, and its
    /// [state](Self::store_tile_state). References into it are stale from then on. `None` if the slot is empty.
    pub fn remove_tile(&mut self, slot: TileSlot) -> Option<TileData> {
        let coord = self.tile(slot)?.coord();
        let mut neighbours = Vec::new();
        self.neighbours_of(coord, slot.get(), &mut neighbours);
        for neighbour in neighbours {
            self.unlink(neighbour.slot, slot.get());
        }
        self.places.remove(coord.x, coord.z, slot.get());
        self.touch(slot.get());
        let tile = self.slots.write(slot.get()).empty()?;
        self.tile_count -= 1;
        self.forget_tile_keys();
        self.free_from = self.free_from.min(slot.get());
        self.relink_connections_near(&tile.bounds());
        Some(tile.into_data())
    }

    /// Puts a tile in the place of another and hands the old one's data back. It keeps the slot, with the next salt,
    /// unless the slot's salts have run out.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn replace_tile(&mut self, slot: TileSlot, tile: TileData) -> Result<(TileSlot, TileData), AddTileError> {
        self.tile(slot).ok_or(AddTileError::SlotEmpty { slot: slot.get() })?;
        self.replace_prepared(slot, PreparedTile::new(tile)?)
    }

    /// As [`replace_tile`](Self::replace_tile), by a tile that was prepared elsewhere. Cost: the borders of both.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn replace_prepared(
        &mut self,
        slot: TileSlot,
        tile: PreparedTile,
    ) -> Result<(TileSlot, TileData), AddTileError> {
        let missing = AddTileError::SlotEmpty { slot: slot.get() };
        let old = self.tile(slot).ok_or(missing)?.coord();
        if old != tile.data().coord {
            self.check_place(tile.data().coord)?;
        }
        let last_salt = self.tile(slot).is_some_and(|old| old.salt == u16::MAX);
        let elsewhere = if last_salt { Some(self.lowest_free().ok_or(AddTileError::Full)?) } else { None };
        let data = self.remove_tile(slot).ok_or(missing)?;
        let kept = (slot.get(), self.slots.get(slot.get()).map_or(1, |s| s.salt));
        let (new, salt) = elsewhere.unwrap_or(kept);
        self.insert(new, salt, tile);
        Ok((TileSlot::new(new), data))
    }

    /// Whether tiles can be laid out at all.
    pub(super) fn check_layout(&self) -> Result<(), AddTileError> {
        match self.layout.senseless() {
            Some((what, value)) => Err(AddTileError::Layout { what, value }),
            None => Ok(()),
        }
    }

    fn check_place(&self, coord: TileCoord) -> Result<(), AddTileError> {
        self.check_layout()?;
        match self.tile_at(coord) {
            Some(there) => Err(AddTileError::PlaceTaken { coord, slot: there.slot }),
            None => Ok(()),
        }
    }

    /// Whether a tile can come to a slot. `limit` is the [limit](slot_limit) for as many slots as will be in use when
    /// all tiles are there.
    pub(super) fn check_slot(&self, slot: u32, salt: u16, limit: u32) -> Result<(), AddTileError> {
        if slot >= PolyRef::TILE_SLOTS || salt == 0 {
            return Err(AddTileError::SlotRange { slot, salt });
        }
        if slot >= limit {
            return Err(AddTileError::SlotFar { slot, limit });
        }
        if self.tile(TileSlot::new(slot)).is_some() { Err(AddTileError::SlotTaken { slot }) } else { Ok(()) }
    }

    /// The lowest slot that is neither taken nor retired, with its salt.
    fn lowest_free(&mut self) -> Option<(u32, u16)> {
        let mut salt = 1;
        while let Some(slot) = self.slots.get(self.free_from) {
            if slot.is_free() {
                salt = slot.salt;
                break;
            }
            self.free_from += 1;
        }
        (self.free_from < PolyRef::TILE_SLOTS).then_some((self.free_from, salt))
    }

    /// Puts a tile in a free slot, without links.
    pub(super) fn place(&mut self, slot: u32, salt: u16, tile: PreparedTile) {
        self.place_linked(Tile::new(tile, &self.no_links, slot, salt));
    }

    fn place_linked(&mut self, tile: Tile) {
        let (slot, salt, coord) = (tile.slot, tile.salt, tile.coord());
        self.touch(slot);
        self.overhang = self.overhang.max(self.layout.overhang(coord, &tile.bounds()));
        let entry = self.slots.write(slot);
        self.used_slots += u32::from(!entry.is_used());
        entry.fill(tile, salt);
        self.tile_count += 1;
        self.places.insert(coord.x, coord.z, slot);
    }

    fn insert(&mut self, slot: u32, salt: u16, mut tile: PreparedTile) {
        self.apply_area_rules(&mut tile);
        let bounds = tile.geometry.bounds;
        let mut tile = Tile::new(tile, &self.no_links, slot, salt);
        self.link_new(&mut tile);
        self.place_linked(tile);
        self.forget_tile_keys();
        self.relink_connections_near(&bounds);
    }

    fn forget_tile_keys(&mut self) {
        if !self.tile_keys.is_empty() {
            self.set_tile_keys(TileKeys::EMPTY);
        }
    }
}

/// What slots must be below where `used` of them have or had a tile.
pub(super) fn slot_limit(used: usize) -> u32 {
    /// Slots that may always be used: their tables cost 4 MB at most.
    const ALWAYS: u32 = 1 << 16;
    /// Slots for each that is used.
    const EACH: usize = 8;
    let limit = u32::try_from(used.saturating_mul(EACH)).unwrap_or(u32::MAX);
    limit.clamp(ALWAYS, PolyRef::TILE_SLOTS)
}
