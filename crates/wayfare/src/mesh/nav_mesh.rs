//! The mesh: slots with tiles, and the way from places to tiles.
//!
//! Readers share a mesh freely: nothing in it changes under `&NavMesh`. A writer works on its own clone and hands it
//! out when done. What a clone and its original have in common they share: the slot table page by page, and of each
//! tile its geometry, its links and its state separately.
//!
//! A new tile gets the lowest free slot. When a tile leaves, the slot's salt goes up by one, so that old references are
//! recognised; a slot whose 16-bit salt has run out is retired. Slots, salts, links and their order follow from the
//! tiles and their places alone, never from a history that a file does not hold.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (handles); meshes of tiles are
//! Detour's.

use super::kept_components::KeptComponents;
use super::paged::Paged;
use super::places::Places;
use super::slot::Slot;
use super::{Connection, PolyRef, PolyState, PolyView, StaleReason, StaleRef, Tile, TileLinks};
use crate::area::{AreaId, AreaRules, AreaTable, PolyFlags};
use crate::math::Aabb;
use crate::math::index::TileSlot;
use crate::math::rounding::slack;
use crate::tile::{PlaceRange, TileCoord, TileData, TileKeys, TileLayout};
use glam::Vec3;
use std::sync::Arc;

/// A navigation mesh: tiles in slots, linked where they touch, and off-mesh connections between places on them.
#[derive(Clone, Debug)]
pub struct NavMesh {
    pub(super) layout: TileLayout,
    pub(super) user_id: u64,
    pub(super) areas: Arc<AreaTable>,
    pub(super) area_rules: Arc<AreaRules>,
    pub(super) tile_keys: Arc<TileKeys>,
    pub(super) slots: Paged<Slot<Tile>>,
    /// Slots by column and row.
    pub(super) places: Places,
    /// The links of tiles that have none.
    pub(super) no_links: Arc<TileLinks>,
    pub(super) tile_count: u32,
    /// How many slots have or had a tile.
    pub(super) used_slots: u32,
    /// No slot below this one is free.
    pub(super) free_from: u32,
    /// How far tiles reach beyond their rectangle of the layout, along x and z. Only ever grows.
    pub(super) overhang: f32,
    pub(super) connections: Paged<Slot<Connection>>,
    /// Ends of connections (twice the index, plus 1 for the end) by column and row.
    pub(super) connection_ends: Places,
    pub(super) connection_count: u32,
    /// How many indices have or had a connection.
    pub(super) used_connections: u32,
    /// No index below this one is free for a connection.
    pub(super) connections_free_from: u32,
    /// The greatest radius a connection ever had.
    pub(super) connection_reach: f32,
    /// What connects.
    pub(super) ground: KeptComponents,
    /// What connects by the flags of now, for masks that somebody has registered.
    pub(super) masked: Arc<Vec<KeptComponents>>,
}

impl NavMesh {
    /// An empty mesh. With a layout without meaning (a size below zero, a number that is not finite) it takes no tile,
    /// and what is saved of it is refused when it is read.
    #[must_use]
    pub fn new(layout: TileLayout) -> Self {
        Self::with_room(layout, 0)
    }

    /// An empty mesh that expects so many tiles.
    pub(super) fn with_room(layout: TileLayout, tiles: usize) -> Self {
        Self {
            layout,
            user_id: 0,
            areas: Arc::default(),
            area_rules: Arc::default(),
            tile_keys: Arc::default(),
            slots: Paged::filled(Slot::FREE, 0),
            places: Places::with_room(tiles),
            no_links: Arc::default(),
            tile_count: 0,
            used_slots: 0,
            free_from: 0,
            overhang: 0.0,
            connections: Paged::filled(Slot::FREE, 0),
            connection_ends: Places::with_room(0),
            connection_count: 0,
            used_connections: 0,
            connections_free_from: 0,
            connection_reach: 0.0,
            ground: KeptComponents::default(),
            masked: Arc::default(),
        }
    }

    /// Whether `other` is this very mesh or a snapshot of it, and nothing has been changed since: tiles, states,
    /// connections. Meshes that merely look alike count as different. Costs nothing.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.slots.is_shared_with(&other.slots) && self.connections.is_shared_with(&other.connections)
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

    /// What its area types are called and what they cost; empty unless set. Saved with the mesh.
    #[must_use]
    pub fn areas(&self) -> &AreaTable {
        &self.areas
    }

    /// Says what the area types are called and what they cost: [`DefaultFilter::of`](crate::query::DefaultFilter::of)
    /// takes the costs from here.
    pub fn set_areas(&mut self, areas: AreaTable) {
        self.areas = Arc::new(areas);
    }

    /// What its tiles were baked from; empty unless set, and emptied when a tile comes or goes, since it is then no
    /// longer the mesh that was baked. Saved with the mesh.
    #[must_use]
    pub fn tile_keys(&self) -> &TileKeys {
        &self.tile_keys
    }

    /// The tile at a place as it was baked, if it was baked from what `key` stands for: `Some(None)` if it has no
    /// ground, `None` if it must be baked. Changes of state since do not count.
    #[must_use]
    pub fn unchanged_tile(&self, coord: TileCoord, key: u64) -> Option<Option<&TileData>> {
        (self.tile_keys.get(coord) == Some(key)).then(|| self.tile_at(coord).map(Tile::data))
    }

    /// Says what the tiles were baked from.
    pub fn set_tile_keys(&mut self, keys: TileKeys) {
        self.tile_keys = Arc::new(keys);
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
        self.slots.get(slot.get())?.content.as_ref()
    }

    /// All tiles, by slot.
    pub fn tiles(&self) -> impl Iterator<Item = &Tile> {
        self.slots.iter_written().filter_map(|(_, slot)| slot.content.as_ref())
    }

    /// The tile at a column, row and layer.
    #[must_use]
    pub fn tile_at(&self, coord: TileCoord) -> Option<&Tile> {
        self.tiles_at(coord.x, coord.z).find(|tile| tile.coord().layer == coord.layer)
    }

    /// The tiles of all layers at a column and row, by slot.
    pub fn tiles_at(&self, x: i32, z: i32) -> impl Iterator<Item = &Tile> {
        self.places.at(x, z).filter_map(|slot| self.tile(TileSlot::new(slot)))
    }

    /// Calls `visit` with each tile whose polygons' box overlaps or touches `query`. The order depends on the mesh and
    /// the box, and is no part of the contract. Cost: the columns and rows under the box, or all tiles if those are
    /// fewer.
    pub fn tiles_in_box<'a>(&'a self, query: &Aabb, mut visit: impl FnMut(&'a Tile)) {
        let mut consider = |tile: &'a Tile| {
            if tile.bounds().overlaps(query) {
                visit(tile);
            }
        };
        if self.tile_count == 1
            && let Some(only) = self.tile(TileSlot::new(0))
        {
            return consider(only);
        }
        let Some(places) = self.places_of_tiles(query) else { return self.tiles().for_each(consider) };
        for z in places.rows() {
            for x in places.columns() {
                self.tiles_at(x, z).for_each(&mut consider);
            }
        }
    }

    /// How many columns and rows [`tiles_in_box`](Self::tiles_in_box) goes over; `None` if it goes over all tiles.
    pub(crate) fn places_near(&self, query: &Aabb) -> Option<usize> {
        self.places_of_tiles(query).map(|places| places.count() as usize)
    }

    #[inline]
    fn places_of_tiles(&self, query: &Aabb) -> Option<PlaceRange> {
        // A tile that merely touches the box counts, and columns are found by rounded division.
        let far = query.min.abs().max(query.max.abs());
        let reach = Vec3::splat(self.overhang + slack(far.x.max(far.z), 8.0));
        self.places_under(query.min - reach, query.max + reach, self.tile_count)
    }

    /// The columns and rows under a box, unless looking at `count` things one by one is less work.
    #[inline]
    pub(super) fn places_under(&self, low: Vec3, high: Vec3, count: u32) -> Option<PlaceRange> {
        let places = self.layout.places_under(low, high)?;
        match places.count() {
            0 => Some(PlaceRange::NONE), // However far an inverted box reaches along the other axis.
            many => (many <= u64::from(count)).then_some(places),
        }
    }

    /// The box around all tiles; [`Aabb::EMPTY`] without any. Cost: all tiles.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.tiles().fold(Aabb::EMPTY, |all, tile| all.union(tile.bounds()))
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

    /// The off-mesh connection that a reference means.
    ///
    /// # Errors
    /// [`StaleRef`] if it means nothing (any more) or a polygon.
    pub fn connection(&self, reference: PolyRef) -> Result<&Connection, StaleRef> {
        let slot = reference.is_off_mesh().then(|| self.connections.get(reference.poly().get())).flatten();
        let found = slot.and_then(|slot| slot.content.as_ref());
        found.filter(|c| c.reference() == reference).ok_or(StaleRef {
            reference,
            reason: match slot {
                _ if !reference.is_off_mesh() => StaleReason::OtherKind,
                Some(Slot { content: Some(_), .. }) => StaleReason::Replaced,
                _ => StaleReason::Removed,
            },
        })
    }

    /// Whether a reference means a polygon or an off-mesh connection of this mesh.
    #[must_use]
    pub fn is_valid(&self, reference: PolyRef) -> bool {
        self.state(reference).is_ok()
    }

    /// Area type and flags of a polygon or an off-mesh connection now.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn state(&self, reference: PolyRef) -> Result<PolyState, StaleRef> {
        if reference.is_off_mesh() {
            return self.connection(reference).map(Connection::state);
        }
        self.locate(reference).map(|(tile, poly)| tile.state(poly))
    }

    /// Changes the flags of a polygon or an off-mesh connection. Copies the tile's state if another snapshot shares it,
    /// never its geometry.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn set_flags(&mut self, reference: PolyRef, flags: PolyFlags) -> Result<(), StaleRef> {
        self.edit_state(reference, |state| state.flags = flags)
    }

    /// Changes the area type of a polygon or an off-mesh connection. Copies the tile's state if another snapshot shares
    /// it, never its geometry. 0, unwalkable in a bake, is an area like others here: what closes a polygon is its
    /// flags, or an infinite cost.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn set_area(&mut self, reference: PolyRef, area: AreaId) -> Result<(), StaleRef> {
        self.edit_state(reference, |state| state.area = area)
    }

    pub(super) fn edit_state(&mut self, reference: PolyRef, edit: impl FnOnce(&mut PolyState)) -> Result<(), StaleRef> {
        if reference.is_off_mesh() {
            let start = self.connection(reference)?.ends()[0];
            if let Some(start) = start {
                self.touch_state(start.poly.slot().get());
            }
            if let Some(connection) = &mut self.connections.write(reference.poly().get()).content {
                edit(&mut connection.state);
            }
            return Ok(());
        }
        let (tile, poly) = self.locate(reference)?;
        let slot = tile.slot;
        self.touch_state(slot);
        if let Some(tile) = &mut self.slots.write(slot).content {
            edit(&mut Arc::make_mut(&mut tile.state)[poly as usize]);
        }
        Ok(())
    }
}
