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

use super::slot::slot_limit;
use super::{Change, NavMesh, PolyRef, PreparedTile, StaleReason, StaleTile, Tile, TileRef};
use crate::math::Aabb;
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
    /// There is a tile at the same column, row and layer.
    #[error("there is already a tile at column {}, row {}, layer {} ({tile}): replace it, or use another layer", coord.x, coord.z, coord.layer)]
    PlaceTaken {
        /// The place.
        coord: TileCoord,
        /// The tile there.
        tile: TileRef,
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
    /// The tile to be replaced is not there (any more).
    #[error(transparent)]
    Stale(#[from] StaleTile),
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
        let mut effort = Effort::for_bytes(tiles.iter().map(TileData::bytes).sum());
        for tile in tiles {
            let tile = PreparedTile::new(tile);
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
    #[expect(clippy::needless_pass_by_value, reason = "as `add_tile` takes it; a tile is a counted block")]
    pub fn from_tile(tile: TileData) -> Result<Self, AddTileError> {
        let bounds = if tile.bounds().is_empty() { Aabb { min: Vec3::ZERO, max: Vec3::ZERO } } else { tile.bounds() };
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

    /// As [`add_tile`](Self::add_tile), for a tile that was prepared elsewhere. Cost: its borders.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_prepared(&mut self, tile: PreparedTile) -> Result<TileRef, AddTileError> {
        self.check_place(tile.data().coord())?;
        let (slot, salt) = self.lowest_free().ok_or(AddTileError::Full)?;
        self.insert(slot, salt, tile);
        Ok(TileRef::of(salt, slot))
    }

    /// Adds a tile under a given reference, so that those from before stay valid. Its slot must be below the
    /// [`slot_limit`](Self::slot_limit).
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
    pub fn add_tile_at(&mut self, at: TileRef, tile: TileData) -> Result<(), AddTileError> {
        self.check_slot(at.slot().get(), at.salt(), self.slot_limit())?;
        self.add_at_any(at, tile)
    }

    /// As [`add_tile_at`](Self::add_tile_at), for a tile that was prepared elsewhere. Cost: its borders.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_prepared_at(&mut self, at: TileRef, tile: PreparedTile) -> Result<(), AddTileError> {
        self.check_slot(at.slot().get(), at.salt(), self.slot_limit())?;
        self.add_prepared_at_any(at, tile)
    }

    /// As [`add_tile_at`](Self::add_tile_at), also for slots beyond the limit: for a mesh whose slots are those of
    /// another.
    pub(crate) fn add_at_any(&mut self, at: TileRef, tile: TileData) -> Result<(), AddTileError> {
        self.add_prepared_at_any(at, PreparedTile::new(tile))
    }

    /// As [`add_prepared_at`](Self::add_prepared_at), also for slots beyond the limit: for a world of which only some
    /// tiles are here.
    pub(crate) fn add_prepared_at_any(&mut self, at: TileRef, tile: PreparedTile) -> Result<(), AddTileError> {
        self.check_slot(at.slot().get(), at.salt(), TileRef::SLOTS)?;
        self.check_place(tile.data().coord())?;
        self.insert(at.slot().get(), at.salt(), tile);
        Ok(())
    }

    /// Takes over from another mesh which slots were used, of those that are empty in both: slots that it may use can
    /// then be used here, and what is saved here can be read.
    #[cfg(feature = "clearance")]
    pub(crate) fn use_slots_of(&mut self, other: &Self) {
        for (slot, gap) in other.tiles.slots.gaps() {
            self.tiles.slots.leave_gap(slot, gap);
        }
    }

    /// What slots that tiles are [added at](Self::add_tile_at) must be below: 65,536, or eight times as many as there
    /// will be slots that have or had a tile, if that is more.
    #[must_use]
    pub fn slot_limit(&self) -> u32 {
        slot_limit(self.tiles.slots.used() as usize + 1)
    }

    /// Frees what was derived from a tile for searches: it is derived again by the first that asks. For worlds that
    /// keep to a budget of memory; [`Tile::bytes`] says how much there is. Answers stay the same. What a snapshot
    /// holds stays as long as that does.
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

    /// Takes a tile out and hands its data back, with the area types and flags of now as those it was made with: who
    /// wants it back with what [changed](Self::store_delta) keeps the tile as it was added, and its
    /// [state](Self::store_tile_state). References to it and into it are stale from then on.
    ///
    /// # Errors
    /// [`StaleTile`] if it is not there (any more); the mesh is then unchanged.
    pub fn remove_tile(&mut self, tile: TileRef) -> Result<TileData, StaleTile> {
        self.tile(tile)?;
        self.empty_slot(tile.slot()).ok_or(StaleTile { tile, reason: StaleReason::Removed })
    }

    /// Takes out whatever tile is in a slot.
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

    /// Puts a tile in the place of another and hands the old one's data back. It keeps the slot, with the next salt,
    /// unless the slot's salts have run out.
    ///
    /// # Errors
    /// [`AddTileError`], [`Stale`](AddTileError::Stale) if there is no such tile (any more); the mesh is then
    /// unchanged.
    pub fn replace_tile(&mut self, old: TileRef, tile: TileData) -> Result<(TileRef, TileData), AddTileError> {
        self.tile(old)?;
        self.replace_prepared(old, PreparedTile::new(tile))
    }

    /// As [`replace_tile`](Self::replace_tile), by a tile that was prepared elsewhere. Cost: the borders of both.
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
        let data = self.remove_tile(old)?;
        self.insert(slot, salt, tile);
        Ok((TileRef::of(salt, slot), data))
    }

    /// Whether tiles can be laid out at all.
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

    /// Whether a tile can come to a slot. `limit` is the [limit](slot_limit) for as many slots as will be in use when
    /// all tiles are there.
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

    fn insert(&mut self, slot: u32, salt: u16, mut tile: PreparedTile) {
        self.apply_area_rules(&mut tile);
        let bounds = tile.data().extent();
        let mut tile = Tile::new(tile, &self.no_links, slot, salt);
        self.link_new(&mut tile);
        self.place_linked(tile);
        self.relink_connections_near(&bounds);
    }
}
