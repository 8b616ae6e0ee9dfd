//! The mesh: slots with tiles, and the way from places to tiles.
//!
//! Readers share a mesh freely: nothing in it changes under `&NavMesh`. A writer works on its own clone and hands it out
//! when done. What a clone and its original have in common they share: the slot table page by page, and of each tile its
//! geometry, its links and its state separately.
//!
//! A new tile gets the lowest free slot. When a tile leaves, the slot's salt goes up by one, so that old references are
//! recognised; a slot whose 16-bit salt has run out is retired. Slots, salts, links and their order follow from the tiles
//! and their places alone, never from a history that a file does not hold.
//!
//! Sources: Mikko Mononen, "Navmesh Handles" and "Tiled Mesh", Digesting Duck, 2009–2011.

use super::connect::{Joint, join};
use super::locations::{END, Locations};
use super::paged::Paged;
use super::{Link, PolyRef, PolyState, PolyView, StaleReason, StaleRef, Tile, TileLinks};
use crate::area::{AreaId, PolyFlags};
use crate::math::Aabb;
use crate::math::index::TileSlot;
use crate::tile::{Side, TileCoord, TileData, TileError, TileLayout};
use std::sync::Arc;

/// A navigation mesh: tiles in slots, linked where they touch.
#[derive(Clone, Debug)]
pub struct NavMesh {
    layout: TileLayout,
    user_id: u64,
    slots: Paged<Slot>,
    locations: Locations,
    tile_count: u32,
    /// No slot below this one is free.
    free_from: u32,
    /// How far tiles reach beyond their rectangle of the layout, along x and z. Only ever grows.
    overhang: f32,
}

/// A place for a tile.
#[derive(Clone, Debug)]
struct Slot {
    tile: Option<Tile>,
    /// Next slot in the chain of tiles at the same place.
    next: u32,
    /// Salt of the tile that is here, or of the next that comes.
    salt: u16,
    retired: bool,
}

const FREE_SLOT: Slot = Slot { tile: None, next: END, salt: 1, retired: false };

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
    /// All slots have tiles or are retired.
    #[error("all {} slots are taken", PolyRef::TILE_SLOTS)]
    Full,
}

impl NavMesh {
    /// An empty mesh.
    #[must_use]
    pub fn new(layout: TileLayout) -> Self {
        Self {
            layout,
            user_id: 0,
            slots: Paged::filled(FREE_SLOT, 0),
            locations: Locations::with_room(16),
            tile_count: 0,
            free_from: 0,
            overhang: 0.0,
        }
    }

    /// A mesh of tiles: tile `i` in slot `i`, each linked once.
    ///
    /// # Errors
    /// The first tile that cannot be added: [`AddTileError`].
    pub fn from_tiles(layout: TileLayout, tiles: Vec<TileData>) -> Result<Self, AddTileError> {
        let mut mesh = Self::new(layout);
        mesh.locations = Locations::with_room(tiles.len() as u32);
        for tile in tiles {
            mesh.check_new(&tile)?;
            let slot = mesh.lowest_free().ok_or(AddTileError::Full)?;
            mesh.place(slot, 1, tile);
        }
        mesh.link_all();
        Ok(mesh)
    }

    /// How the world is cut into tiles.
    #[must_use]
    pub fn layout(&self) -> TileLayout {
        self.layout
    }

    /// A number for the caller's own use, 0 unless set; saved with the mesh.
    #[must_use]
    pub fn user_id(&self) -> u64 {
        self.user_id
    }

    /// Sets the caller's number.
    pub fn set_user_id(&mut self, id: u64) {
        self.user_id = id;
    }

    /// How many tiles it has.
    #[must_use]
    pub fn tile_count(&self) -> u32 {
        self.tile_count
    }

    /// One more than the highest slot that was ever used.
    #[must_use]
    pub fn slot_count(&self) -> u32 {
        self.slots.len()
    }

    /// The tile in a slot.
    #[must_use]
    #[inline]
    pub fn tile(&self, slot: TileSlot) -> Option<&Tile> {
        self.slots.get(slot.get())?.tile.as_ref()
    }

    /// All tiles, by slot.
    pub fn tiles(&self) -> impl Iterator<Item = &Tile> {
        self.slots.iter_written().filter_map(|(_, slot)| slot.tile.as_ref())
    }

    /// The tile at a column, row and layer.
    #[must_use]
    pub fn tile_at(&self, coord: TileCoord) -> Option<&Tile> {
        self.tiles_at(coord.x, coord.z).find(|tile| tile.coord().layer == coord.layer)
    }

    /// The tiles of all layers at a column and row, by slot.
    pub fn tiles_at(&self, x: i32, z: i32) -> impl Iterator<Item = &Tile> {
        let mut next = self.locations.first(x, z);
        core::iter::from_fn(move || {
            let slot = self.slots.get(next)?;
            next = slot.next;
            Some(slot.tile.as_ref())
        })
        .flatten()
        .filter(move |tile| (tile.coord().x, tile.coord().z) == (x, z))
    }

    /// Calls `visit` with each tile whose polygons' box overlaps or touches `query`. The order depends on the mesh and the
    /// box, and is no part of the contract. Cost: the columns and rows under the box, or all tiles if those are fewer.
    pub fn tiles_in_box<'a>(&'a self, query: &Aabb, mut visit: impl FnMut(&'a Tile)) {
        let reach = glam::Vec3::new(self.overhang, 0.0, self.overhang);
        let (low, high) = (self.layout.column_row(query.min - reach), self.layout.column_row(query.max + reach));
        let columns = i64::from(high.0) - i64::from(low.0) + 1;
        let rows = i64::from(high.1) - i64::from(low.1) + 1;
        if columns <= 0 || rows <= 0 {
            return;
        }
        let mut consider = |tile: &'a Tile| {
            if tile.bounds().overlaps(query) {
                visit(tile);
            }
        };
        if columns.saturating_mul(rows) > i64::from(self.tile_count) {
            return self.tiles().for_each(consider);
        }
        for z in low.1..=high.1 {
            for x in low.0..=high.0 {
                self.tiles_at(x, z).for_each(&mut consider);
            }
        }
    }

    /// The box around all tiles; [`Aabb::EMPTY`] without any. Cost: all tiles.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.tiles().fold(Aabb::EMPTY, |all, tile| all.union(tile.bounds()))
    }

    /// Adds a tile in the lowest free slot and links it to its neighbours.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_tile(&mut self, tile: TileData) -> Result<TileSlot, AddTileError> {
        self.check_new(&tile)?;
        let slot = self.lowest_free().ok_or(AddTileError::Full)?;
        let salt = self.slots.get(slot).map_or(1, |s| s.salt);
        self.insert(slot, salt, tile);
        Ok(TileSlot::new(slot))
    }

    /// Adds a tile in a given slot with a given salt, so that references from before stay valid.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged.
    pub fn add_tile_at(&mut self, slot: TileSlot, salt: u16, tile: TileData) -> Result<(), AddTileError> {
        self.check_slot(slot.get(), salt)?;
        self.check_new(&tile)?;
        self.insert(slot.get(), salt, tile);
        Ok(())
    }

    /// Takes a tile out and hands its data back, with the area types and flags of now. References into it are stale from
    /// then on. `None` if the slot is empty.
    pub fn remove_tile(&mut self, slot: TileSlot) -> Option<TileData> {
        self.tile(slot)?;
        let neighbours = self.neighbour_slots(slot.get());
        for (neighbour, _) in neighbours {
            self.unlink(neighbour, slot.get());
        }
        self.unchain(slot.get());
        let place = self.slots.write(slot.get());
        let tile = place.tile.take()?;
        match place.salt.checked_add(1) {
            Some(salt) => place.salt = salt,
            None => place.retired = true,
        }
        self.tile_count -= 1;
        self.free_from = self.free_from.min(slot.get());
        Some(data_with_state(tile))
    }

    /// Puts a tile in the place of another and hands the old one's data back. It keeps the slot, with the next salt, unless
    /// the slot's salts have run out.
    ///
    /// # Errors
    /// [`AddTileError`]; the mesh is then unchanged. [`AddTileError::SlotRange`] if the slot is empty.
    pub fn replace_tile(&mut self, slot: TileSlot, tile: TileData) -> Result<(TileSlot, TileData), AddTileError> {
        let Some(old) = self.tile(slot) else {
            return Err(AddTileError::SlotRange { slot: slot.get(), salt: 0 });
        };
        if old.coord() == tile.coord {
            tile.validate()?;
        } else {
            self.check_new(&tile)?;
        }
        let Some(data) = self.remove_tile(slot) else {
            return Err(AddTileError::SlotRange { slot: slot.get(), salt: 0 });
        };
        let kept = self.slots.get(slot.get()).filter(|s| !s.retired).map(|s| (slot.get(), s.salt));
        let (new, salt) = match kept {
            Some(kept) => kept,
            None => {
                let free = self.lowest_free().ok_or(AddTileError::Full)?;
                (free, self.slots.get(free).map_or(1, |s| s.salt))
            }
        };
        self.insert(new, salt, tile);
        Ok((TileSlot::new(new), data))
    }

    /// The tile and the polygon's index that a reference means.
    ///
    /// # Errors
    /// [`StaleRef`] if it means nothing (any more) or an off-mesh connection.
    #[inline]
    pub fn locate(&self, reference: PolyRef) -> Result<(&Tile, u32), StaleRef> {
        let tile = self.tile(reference.slot()).filter(|tile| tile.salt == reference.salt());
        match tile {
            Some(tile) if reference.poly().get() < tile.poly_count() => Ok((tile, reference.poly().get())),
            _ => Err(self.why_stale(reference)),
        }
    }

    #[cold]
    fn why_stale(&self, reference: PolyRef) -> StaleRef {
        let reason = match self.tile(reference.slot()) {
            _ if reference.is_off_mesh() => StaleReason::OtherKind,
            None => StaleReason::Removed,
            Some(tile) if tile.salt != reference.salt() => StaleReason::Replaced,
            Some(_) => StaleReason::NoSuchPoly,
        };
        StaleRef { reference, reason }
    }

    /// The polygon that a reference means.
    ///
    /// # Errors
    /// [`StaleRef`] if it means nothing (any more) or an off-mesh connection.
    pub fn poly(&self, reference: PolyRef) -> Result<PolyView<'_>, StaleRef> {
        let (tile, poly) = self.locate(reference)?;
        Ok(PolyView::new(tile, poly))
    }

    /// Whether a reference means a polygon of this mesh.
    #[must_use]
    pub fn is_valid(&self, reference: PolyRef) -> bool {
        self.locate(reference).is_ok()
    }

    /// Area type and flags of a polygon now.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn state(&self, reference: PolyRef) -> Result<PolyState, StaleRef> {
        self.locate(reference).map(|(tile, poly)| tile.state(poly))
    }

    /// Changes the flags of a polygon. Copies the tile's state if another snapshot shares it, never its geometry.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn set_flags(&mut self, reference: PolyRef, flags: PolyFlags) -> Result<(), StaleRef> {
        self.edit_state(reference, |state| state.flags = flags)
    }

    /// Changes the area type of a polygon. Copies the tile's state if another snapshot shares it, never its geometry.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn set_area(&mut self, reference: PolyRef, area: AreaId) -> Result<(), StaleRef> {
        self.edit_state(reference, |state| state.area = area)
    }

    fn edit_state(&mut self, reference: PolyRef, edit: impl FnOnce(&mut PolyState)) -> Result<(), StaleRef> {
        let (tile, poly) = self.locate(reference)?;
        let slot = tile.slot;
        if let Some(tile) = &mut self.slots.write(slot).tile {
            edit(&mut Arc::make_mut(&mut tile.state)[poly as usize]);
        }
        Ok(())
    }

    // ---- places ----

    fn check_new(&self, tile: &TileData) -> Result<(), AddTileError> {
        tile.validate()?;
        match self.tile_at(tile.coord) {
            Some(there) => Err(AddTileError::PlaceTaken { coord: tile.coord, slot: there.slot }),
            None => Ok(()),
        }
    }

    fn check_slot(&self, slot: u32, salt: u16) -> Result<(), AddTileError> {
        if slot >= PolyRef::TILE_SLOTS || salt == 0 {
            return Err(AddTileError::SlotRange { slot, salt });
        }
        if self.tile(TileSlot::new(slot)).is_some() { Err(AddTileError::SlotTaken { slot }) } else { Ok(()) }
    }

    /// The lowest slot that is neither taken nor retired.
    fn lowest_free(&mut self) -> Option<u32> {
        while self.slots.get(self.free_from).is_some_and(|s| s.tile.is_some() || s.retired) {
            self.free_from += 1;
        }
        (self.free_from < PolyRef::TILE_SLOTS).then_some(self.free_from)
    }

    /// Puts a checked tile in a free slot, without links.
    fn place(&mut self, slot: u32, salt: u16, data: TileData) {
        let tile = Tile::new(data, slot, salt);
        self.overhang = self.overhang.max(self.layout.overhang(tile.coord(), &tile.bounds()));
        let entry = self.slots.write(slot);
        (entry.salt, entry.retired, entry.tile) = (salt, false, Some(tile));
        self.tile_count += 1;
        if self.tile_count > self.locations.room() {
            self.rebuild_locations();
        } else {
            self.chain(slot);
        }
    }

    fn insert(&mut self, slot: u32, salt: u16, data: TileData) {
        self.place(slot, salt, data);
        let neighbours = self.neighbour_slots(slot);
        self.set_links(slot, self.links_of(slot));
        for (neighbour, _) in neighbours {
            self.relink(neighbour, slot);
        }
    }

    /// Enters a slot into the chain of its place, which stays sorted by slot.
    fn chain(&mut self, slot: u32) {
        let Some(coord) = self.tile(TileSlot::new(slot)).map(Tile::coord) else { return };
        let mut before = END;
        let mut next = self.locations.first(coord.x, coord.z);
        while next < slot {
            (before, next) = (next, self.slots.get(next).map_or(END, |s| s.next));
        }
        self.slots.write(slot).next = next;
        match before {
            END => *self.locations.first_mut(coord.x, coord.z) = slot,
            before => self.slots.write(before).next = slot,
        }
    }

    fn unchain(&mut self, slot: u32) {
        let Some(coord) = self.tile(TileSlot::new(slot)).map(Tile::coord) else { return };
        let after = core::mem::replace(&mut self.slots.write(slot).next, END);
        let mut at = self.locations.first(coord.x, coord.z);
        if at == slot {
            *self.locations.first_mut(coord.x, coord.z) = after;
            return;
        }
        while at != END {
            let next = self.slots.get(at).map_or(END, |s| s.next);
            if next == slot {
                self.slots.write(at).next = after;
                return;
            }
            at = next;
        }
    }

    fn rebuild_locations(&mut self) {
        self.locations = Locations::with_room(self.tile_count.saturating_mul(2));
        let coords: Vec<(u32, TileCoord)> = self.tiles().map(|t| (t.slot, t.coord())).collect();
        // From the last slot to the first, each in front of its chain: chains come out sorted.
        for &(slot, coord) in coords.iter().rev() {
            let next = core::mem::replace(self.locations.first_mut(coord.x, coord.z), slot);
            self.slots.write(slot).next = next;
        }
    }

    // ---- links ----

    /// The slots of all tiles that may touch the tile in `slot`, each with the side over which; once for every side where
    /// they lie over each other.
    fn neighbour_slots(&self, slot: u32) -> Vec<(u32, Side)> {
        let Some(tile) = self.tile(TileSlot::new(slot)) else { return Vec::new() };
        let coord = tile.coord();
        let mut found = Vec::new();
        for side in Side::ALL {
            let (dx, dz) = side.step();
            for other in self.tiles_at(coord.x.wrapping_add(dx), coord.z.wrapping_add(dz)) {
                found.push((other.slot, side));
            }
            for other in self.tiles_at(coord.x, coord.z).filter(|other| other.slot != slot) {
                found.push((other.slot, side));
            }
        }
        found
    }

    /// All links of the tile in `slot`, found anew.
    fn links_of(&self, slot: u32) -> Vec<(u32, Link)> {
        let mut found = Vec::new();
        for (other, side) in self.neighbour_slots(slot) {
            self.links_between(slot, other, side, &mut found);
        }
        found
    }

    fn links_between(&self, slot: u32, other: u32, side: Side, out: &mut Vec<(u32, Link)>) {
        let (Some(tile), Some(other)) = (self.tile(TileSlot::new(slot)), self.tile(TileSlot::new(other))) else {
            return;
        };
        let mut joints: Vec<Joint> = Vec::new();
        join(&self.layout, side, &tile.geometry, &other.geometry, &mut joints);
        let (border, beyond) = (tile.graph().border(), other.graph().border());
        out.extend(joints.iter().map(|j| {
            let to = other.reference(beyond[j.there as usize].poly);
            (j.here, Link { to, edge: border[j.here as usize].corner, a: j.a, b: j.b })
        }));
    }

    fn set_links(&mut self, slot: u32, links: Vec<(u32, Link)>) {
        if let Some(tile) = &mut self.slots.write(slot).tile {
            tile.links = Arc::new(TileLinks::new(tile.geometry.graph.border().len(), links));
        }
    }

    /// Links a tile to a neighbour that has just come.
    fn relink(&mut self, slot: u32, neighbour: u32) {
        let Some(tile) = self.tile(TileSlot::new(slot)) else { return };
        let mut links: Vec<_> = tile.links.numbered().filter(|(_, l)| l.to.slot().get() != neighbour).collect();
        let kept = links.len();
        for (other, side) in self.neighbour_slots(slot) {
            if other == neighbour {
                self.links_between(slot, other, side, &mut links);
            }
        }
        if links.len() > kept || kept < tile.links.all().len() {
            self.set_links(slot, links);
        }
    }

    /// Drops the links of a tile to a neighbour that leaves.
    fn unlink(&mut self, slot: u32, neighbour: u32) {
        let Some(tile) = self.tile(TileSlot::new(slot)) else { return };
        let links: Vec<_> = tile.links.numbered().filter(|(_, l)| l.to.slot().get() != neighbour).collect();
        if links.len() < tile.links.all().len() {
            self.set_links(slot, links);
        }
    }

    /// Finds the links of all tiles anew.
    fn link_all(&mut self) {
        let slots: Vec<u32> = self.tiles().map(|t| t.slot).collect();
        for slot in slots {
            let links = self.links_of(slot);
            if !links.is_empty() {
                self.set_links(slot, links);
            }
        }
    }
}

/// A tile's data with its present state written into it. Copied only if a snapshot still holds it.
fn data_with_state(tile: Tile) -> TileData {
    let mut data = Arc::try_unwrap(tile.geometry).map_or_else(|shared| shared.data.clone(), |own| own.data);
    for (poly, state) in data.polys.iter_mut().zip(tile.state.iter()) {
        (poly.flags, poly.area) = (state.flags, state.area);
    }
    data
}
