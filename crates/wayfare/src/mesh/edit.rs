//! Adds, replaces and removes tiles.
//!
//! A slot whose 16-bit salt is exhausted is retired; otherwise a very old reference could match a new tile.
//!
//! Tables are as long as the highest slot, so the highest slot is limited by how many slots were ever used: neither a
//! file nor a caller can make a mesh cost far more than its tiles. A slot that was ever used keeps counting, in files
//! too, so removing tiles never puts a mesh over its limit.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (slots and salts).

use super::slot::slot_limit;
use super::{Change, NavMesh, PolyRef, PreparedTile, StaleReason, StaleTile, Tile, TileRef};
use crate::math::index::TileSlot;
use crate::tile::{Effort, TileCoord, TileData, TileError, TileLayout};
use glam::Vec3;

/// A tile that cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AddTileError {
    /// Its data is unsound.
    #[error(transparent)]
    Tile(#[from] TileError),
    /// There is already a tile at this column, row and layer.
    #[error("there is already a tile at column {}, row {}, layer {} ({tile}): replace it, or use another layer", coord.x, coord.z, coord.layer)]
    PlaceTaken {
        /// The column, row and layer.
        coord: TileCoord,
        /// The tile there.
        tile: TileRef,
    },
    /// The mesh's layout is invalid.
    #[error("the mesh's layout has {value} as {what}: places and sizes must be finite, sizes 0 or more")]
    Layout {
        /// Name of the invalid number.
        what: &'static str,
        /// Its value.
        value: f32,
    },
    /// The slot asked for has a tile.
    #[error("slot {slot} has a tile: remove it first")]
    SlotTaken {
        /// The slot.
        slot: u32,
    },
    /// The requested slot or salt does not exist.
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
    /// The requested slot is much higher than the number of slots in use allows.
    #[error(
        "slot {slot} is too high for so few tiles: tables grow with the highest slot, which must be below {limit} here; use lower slots, or add tiles to those first"
    )]
    SlotFar {
        /// The slot.
        slot: u32,
        /// Slots must be below this one.
        limit: u32,
    },
    /// The tile to be replaced is not there (any more).
    #[error(transparent)]
    Stale(#[from] StaleTile),
    /// All slots have tiles or are retired.
    #[error("all {} slots are taken", PolyRef::TILE_SLOTS)]
    Full,
    /// So many border edges overlap that linking them takes far more work than tiles of that size justify.
    #[error(
        "so many border edges lie on one another that linking the tiles takes more than {limit} steps: leave out tiles and polygons that lie on others"
    )]
    Crowded {
        /// Number of steps allowed; it depends on the size of the tiles.
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
        mesh.check_layout()?;
        let mut effort = Effort::for_bytes(tiles.iter().map(TileData::bytes).sum());
        for tile in tiles {
            let tile = PreparedTile::new(tile);
            let (slot, salt) = mesh.lowest_free().ok_or(AddTileError::Full)?;
            mesh.place(slot, salt, tile);
        }
        mesh.link_all(&mut effort).map_err(|(_, error)| error)?;
        Ok(mesh)
    }

    /// A mesh of a single tile, for instance of a caller's own convex polygons as built by
    /// [`build_tile`](crate::tile::build_tile). The layout is a single place as large as the tile.
    ///
    /// # Errors
    /// [`AddTileError::Tile`] if its data is unsound.
    #[expect(clippy::needless_pass_by_value, reason = "as `add_tile` takes it; a tile is a counted block")]
    pub fn from_tile(tile: TileData) -> Result<Self, AddTileError> {
        let bounds = tile.bounds().or_origin();
        let size = bounds.size().max(Vec3::ONE);
        let layout = TileLayout { origin: bounds.min, tile_width: size.x, tile_depth: size.z };
        Self::from_tiles(layout, vec![tile.at(TileCoord::default())])
    }

    /// Adds a tile in the lowest free slot and links it to its neighbours.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_tile(&mut self, tile: TileData) -> Result<TileRef, AddTileError> {
        self.add_prepared(PreparedTile::new(tile))
    }

    /// Like [`add_tile`](Self::add_tile), for a tile that was prepared beforehand. Cost: linking its borders.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_prepared(&mut self, tile: PreparedTile) -> Result<TileRef, AddTileError> {
        self.check_place(tile.data().coord())?;
        let (slot, salt) = self.lowest_free().ok_or(AddTileError::Full)?;
        self.insert(slot, salt, tile);
        Ok(TileRef::of(salt, slot))
    }

    /// Adds a tile under a given reference, so that old references into it become valid again. Its slot must be below
    /// the [`slot_limit`](Self::slot_limit).
    ///
    /// The caller is responsible for the salt: references made when the slot had the same salt will refer to this tile,
    /// which is right for a tile that returns and wrong for any other. The slot continues from this salt, even if it
    /// had been retired.
    ///
    /// Cost: that of [`add_tile`](Self::add_tile), plus about twenty bytes for every slot up to the highest, used or
    /// not, in each scratch that searches the mesh: up to 1.3 MB for one tile in slot 65,535.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_tile_at(&mut self, at: TileRef, tile: TileData) -> Result<(), AddTileError> {
        self.check_slot(at.slot().get(), at.salt(), self.slot_limit())?;
        self.add_at_any(at, tile)
    }

    /// Like [`add_tile_at`](Self::add_tile_at), for a tile that was prepared beforehand. Cost: linking its borders.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_prepared_at(&mut self, at: TileRef, tile: PreparedTile) -> Result<(), AddTileError> {
        self.check_slot(at.slot().get(), at.salt(), self.slot_limit())?;
        self.add_prepared_at_any(at, tile)
    }

    /// Like [`add_tile_at`](Self::add_tile_at) without the limit: for a mesh that takes over the slots of another.
    pub(crate) fn add_at_any(&mut self, at: TileRef, tile: TileData) -> Result<(), AddTileError> {
        self.add_prepared_at_any(at, PreparedTile::new(tile))
    }

    /// Like [`add_prepared_at`](Self::add_prepared_at) without the limit: for a world of which only some tiles are
    /// loaded.
    pub(crate) fn add_prepared_at_any(&mut self, at: TileRef, tile: PreparedTile) -> Result<(), AddTileError> {
        self.check_slot(at.slot().get(), at.salt(), TileRef::SLOTS)?;
        self.check_place(tile.data().coord())?;
        self.insert(at.slot().get(), at.salt(), tile);
        Ok(())
    }

    /// Copies from another mesh which slots were used, for slots that are empty in both. This mesh may then use every
    /// slot that the other may, and what it saves can be read.
    #[cfg(feature = "clearance")]
    pub(crate) fn use_slots_of(&mut self, other: &Self) {
        for (slot, gap) in other.tiles.slots.gaps() {
            self.tiles.slots.leave_gap(slot, gap);
        }
    }

    /// Upper limit (exclusive) of slots for [`add_tile_at`](Self::add_tile_at): 65,536, or eight times the number of
    /// slots ever used including the new one, if that is more.
    #[must_use]
    pub fn slot_limit(&self) -> u32 {
        slot_limit(self.tiles.slots.used() as usize + 1)
    }

    /// Frees the data derived from a tile for searches; the next query that needs it derives it again. For worlds with
    /// a memory budget; [`Tile::bytes`] gives the size. Answers stay the same. Data that a snapshot shares is freed
    /// only with that snapshot.
    ///
    /// # Errors
    /// [`StaleTile`] if the tile is not there (any more).
    pub fn drop_index(&mut self, tile: TileRef) -> Result<(), StaleTile> {
        self.tile(tile)?;
        if let Some(tile) = self.tiles.slots.get_mut(tile.slot().get()) {
            tile.drop_index();
        }
        Ok(())
    }

    /// Removes a tile and returns its data, with the current area types and flags as its original ones. To restore the
    /// tile later together with what [changed](Self::store_delta), keep the tile as it was added and its
    /// [state](Self::store_tile_state) instead. References to the tile and into it become stale.
    ///
    /// # Errors
    /// [`StaleTile`] if it is not there (any more); the mesh is then unchanged.
    pub fn remove_tile(&mut self, tile: TileRef) -> Result<TileData, StaleTile> {
        self.tile(tile)?;
        self.empty_slot(tile.slot()).ok_or(StaleTile { tile, reason: StaleReason::Removed })
    }

    /// Removes the tile in a slot, whichever it is.
    pub(crate) fn empty_slot(&mut self, slot: TileSlot) -> Option<TileData> {
        let (coord, changed) = self.tile_in(slot).map(|tile| (tile.coord(), tile.tile_ref()))?;
        let mut neighbours = Vec::new();
        self.neighbours_of(coord, slot.get(), &mut neighbours);
        for neighbour in neighbours {
            self.unlink(neighbour.slot, slot.get());
        }
        self.note(Change::TileRemoved(changed));
        let tile = self.tiles.take(slot.get())?;
        self.relink_connections_near(&tile.bounds());
        Some(tile.present_data())
    }

    /// Replaces a tile and returns the old one's data. The new tile keeps the slot, with the next salt, unless the
    /// slot's salts are exhausted.
    ///
    /// # Errors
    /// [`AddTileError`], [`Stale`](AddTileError::Stale) if there is no such tile (any more); the mesh is then
    /// unchanged.
    pub fn replace_tile(&mut self, old: TileRef, tile: TileData) -> Result<(TileRef, TileData), AddTileError> {
        self.tile(old)?;
        self.replace_prepared(old, PreparedTile::new(tile))
    }

    /// Like [`replace_tile`](Self::replace_tile), with a tile that was prepared beforehand. Cost: linking the borders
    /// of both.
    ///
    /// # Errors
    /// [`AddTileError`], [`Stale`](AddTileError::Stale) if there is no such tile (any more); the mesh is then
    /// unchanged.
    pub fn replace_prepared(&mut self, old: TileRef, tile: PreparedTile) -> Result<(TileRef, TileData), AddTileError> {
        if self.tile(old)?.coord() != tile.data().coord() {
            self.check_place(tile.data().coord())?;
        }
        let next = old.salt().checked_add(1).map(|salt| (old.slot().get(), salt));
        let (slot, salt) = next.or_else(|| self.lowest_free()).ok_or(AddTileError::Full)?;
        let is_exchange = slot == old.slot().get() && self.tile(old)?.coord() == tile.data().coord();
        if is_exchange {
            let data = self.exchange(old, salt, tile)?;
            return Ok((TileRef::of(salt, slot), data));
        }
        let data = self.remove_tile(old)?;
        self.insert(slot, salt, tile);
        Ok((TileRef::of(salt, slot), data))
    }

    /// Checks that the layout is valid.
    pub(crate) fn check_layout(&self) -> Result<(), AddTileError> {
        match self.layout.senseless() {
            Some((what, value)) => Err(AddTileError::Layout { what, value }),
            None => Ok(()),
        }
    }

    fn check_place(&self, coord: TileCoord) -> Result<(), AddTileError> {
        self.check_layout()?;
        match self.tile_at(coord) {
            Some(there) => Err(AddTileError::PlaceTaken { coord, tile: there.tile_ref() }),
            None => Ok(()),
        }
    }

    /// Checks that a tile can be put in a slot. `limit` is the [limit](slot_limit) for the number of slots that will be
    /// in use when all tiles are added.
    pub(crate) fn check_slot(&self, slot: u32, salt: u16, limit: u32) -> Result<(), AddTileError> {
        if slot >= PolyRef::TILE_SLOTS || salt == 0 {
            return Err(AddTileError::SlotRange { slot, salt });
        }
        if slot >= limit {
            return Err(AddTileError::SlotFar { slot, limit });
        }
        if self.tile_in(TileSlot::new(slot)).is_some() { Err(AddTileError::SlotTaken { slot }) } else { Ok(()) }
    }

    /// The lowest slot that is neither taken nor retired, with its salt.
    fn lowest_free(&mut self) -> Option<(u32, u16)> {
        Some(self.tiles.slots.lowest_free()).filter(|(slot, _)| *slot < TileRef::SLOTS)
    }

    /// Puts a tile in a free slot, without links.
    pub(crate) fn place(&mut self, slot: u32, salt: u16, tile: PreparedTile) {
        self.place_linked(Tile::new(tile, &self.no_links, slot, salt));
    }

    fn place_linked(&mut self, tile: Tile) {
        self.note(Change::TileAdded(tile.tile_ref()));
        let overhang = self.layout.overhang(tile.coord(), &tile.bounds());
        self.tiles.put(tile, overhang);
    }

    /// Replaces a tile by one at the same place, in the same slot. The links of its neighbours are edited once.
    fn exchange(&mut self, old: TileRef, salt: u16, mut tile: PreparedTile) -> Result<TileData, StaleTile> {
        self.apply_area_rules(&mut tile);
        let mut tile = Tile::new(tile, &self.no_links, old.slot().get(), salt);
        self.link_new(&mut tile);
        self.note(Change::TileRemoved(old));
        let before = self.tiles.take(old.slot().get()).ok_or(StaleTile { tile: old, reason: StaleReason::Removed })?;
        self.relink_connections_near(&before.bounds());
        let bounds = tile.bounds();
        self.place_linked(tile);
        self.relink_connections_near(&bounds);
        Ok(before.present_data())
    }

    fn insert(&mut self, slot: u32, salt: u16, mut tile: PreparedTile) {
        self.apply_area_rules(&mut tile);
        let bounds = tile.data().extent();
        let mut tile = Tile::new(tile, &self.no_links, slot, salt);
        self.link_new(&mut tile);
        self.place_linked(tile);
        self.relink_connections_near(&bounds);
    }
}
