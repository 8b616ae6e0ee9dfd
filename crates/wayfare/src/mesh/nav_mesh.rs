//! The mesh: tiles in slots, and how to find them by position.
//!
//! Any number of readers can share a mesh: nothing in it changes under `&NavMesh`. A writer edits its own clone and
//! publishes it when done. A clone and its original share whatever has not changed: the slot table page by page, and
//! the geometry, the links and the state of each tile separately.
//!
//! A new tile gets the lowest free slot. When a tile is removed, the slot's salt is increased by one, so that old
//! references are recognised; a slot whose 16-bit salt is exhausted is retired. Slots, salts, links and their order
//! follow from the tiles and their places alone, never from a history that a file does not hold.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (handles); meshes of tiles are
//! Detour's.

use super::beside::BesideVersion;
use super::change_feed::ChangeFeed;
use super::connection_table::ConnectionTable;
use super::tile_table::TileTable;
use super::{
    Change, Connection, PolyRef, PolyState, PolyView, StaleReason, StaleRef, StaleTile, Tile, TileBytes, TileLinks,
    TileRef,
};
use crate::area::{AreaId, AreaRules, AreaTable, PolyFlags};
use crate::math::Aabb;
use crate::math::index::TileSlot;
use crate::math::rounding::slack;
use crate::tile::{PlaceRange, TileCoord, TileLayout};
use glam::Vec3;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A navigation mesh: tiles in slots, linked where they touch, and off-mesh connections between positions on them.
#[derive(Clone, Debug)]
pub struct NavMesh {
    pub(super) layout: TileLayout,
    pub(super) user_id: u64,
    pub(super) areas: Arc<AreaTable>,
    pub(super) area_rules: Arc<AreaRules>,
    pub(super) tiles: TileTable,
    pub(super) connections: ConnectionTable,
    /// The links shared by all tiles that have none.
    pub(super) no_links: Arc<TileLinks>,
    /// What has changed.
    pub(super) feed: ChangeFeed,
    /// Tiles that were announced to be replaced or removed soon.
    pub(super) announced: Arc<BTreeSet<TileRef>>,
    /// Data that other modules derive from the mesh.
    pub(super) beside: BesideVersion,
}

impl NavMesh {
    /// An empty mesh. With an invalid layout (a negative size, a number that is not finite) it accepts no tile, and a
    /// saved copy cannot be read.
    #[must_use]
    pub fn new(layout: TileLayout) -> Self {
        Self::with_room(layout, 0)
    }

    /// An empty mesh with room for this many tiles.
    pub(crate) fn with_room(layout: TileLayout, tiles: usize) -> Self {
        Self {
            layout,
            user_id: 0,
            areas: Arc::default(),
            area_rules: Arc::default(),
            tiles: TileTable::with_room(tiles),
            connections: ConnectionTable::new(),
            no_links: Arc::default(),
            feed: ChangeFeed::default(),
            announced: Arc::default(),
            beside: BesideVersion::default(),
        }
    }

    /// Whether `other` is this same mesh or a snapshot of it, with nothing changed since: tiles, states, connections.
    /// Meshes that merely look alike count as different. Costs nothing.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.tiles.slots.is_shared_with(&other.tiles.slots)
            && self.connections.slots.is_shared_with(&other.connections.slots)
    }

    /// How the world is divided into tiles.
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
        self.note_unlisted();
        self.user_id = id;
    }

    /// Names and costs of its area types; empty unless set. Saved with the mesh.
    #[must_use]
    pub fn areas(&self) -> &AreaTable {
        &self.areas
    }

    /// Sets the names and costs of the area types. [`DefaultFilter::of`](crate::query::DefaultFilter::of) takes the
    /// costs from here.
    pub fn set_areas(&mut self, areas: AreaTable) {
        self.note_unlisted();
        self.areas = Arc::new(areas);
    }

    /// How many bytes its tiles take in memory. Memory shared with snapshots is counted in each of them.
    #[must_use]
    pub fn bytes(&self) -> TileBytes {
        self.tiles().map(Tile::bytes).fold(TileBytes::default(), |all, tile| all + tile)
    }

    /// How many tiles it has.
    #[must_use]
    pub fn tile_count(&self) -> u32 {
        self.tiles.slots.count()
    }

    /// One more than the highest slot that was ever used.
    #[must_use]
    pub fn slot_count(&self) -> u32 {
        self.tiles.slots.len()
    }

    /// The tile that a reference identifies.
    ///
    /// # Errors
    /// [`StaleTile`] if it is not there (any more).
    #[inline]
    pub fn tile(&self, tile: TileRef) -> Result<&Tile, StaleTile> {
        match self.tile_in(tile.slot()) {
            Some(there) if there.salt == tile.salt() => Ok(there),
            Some(_) => Err(StaleTile { tile, reason: StaleReason::Replaced }),
            None => Err(StaleTile { tile, reason: StaleReason::Removed }),
        }
    }

    /// The tile that is in a slot now, if any.
    #[inline]
    pub(crate) fn tile_in(&self, slot: TileSlot) -> Option<&Tile> {
        self.tiles.get(slot.get())
    }

    /// All tiles, by slot.
    pub fn tiles(&self) -> impl Iterator<Item = &Tile> {
        self.tiles.slots.iter()
    }

    /// The tile at a column, row and layer.
    #[must_use]
    pub fn tile_at(&self, coord: TileCoord) -> Option<&Tile> {
        self.tiles_at(coord.x, coord.z).find(|tile| tile.coord().layer == coord.layer)
    }

    /// The tiles of all layers at a column and row, by slot.
    pub fn tiles_at(&self, x: i32, z: i32) -> impl Iterator<Item = &Tile> {
        self.tiles.at(x, z)
    }

    /// Calls `visit` with each tile whose bounding box overlaps or touches `query`. The order depends on the mesh and
    /// the box and may change. Cost: the columns and rows under the box, or all tiles if those are fewer.
    pub fn tiles_in_box<'a>(&'a self, query: &Aabb, mut visit: impl FnMut(&'a Tile)) {
        let mut consider = |tile: &'a Tile| {
            if tile.bounds().overlaps(query) {
                visit(tile);
            }
        };
        if self.tile_count() == 1
            && let Some(only) = self.tile_in(TileSlot::new(0))
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

    /// How many columns and rows [`tiles_in_box`](Self::tiles_in_box) visits; `None` if it visits all tiles.
    pub(crate) fn places_near(&self, query: &Aabb) -> Option<usize> {
        self.places_of_tiles(query).map(|places| places.count() as usize)
    }

    #[inline]
    fn places_of_tiles(&self, query: &Aabb) -> Option<PlaceRange> {
        // A tile that merely touches the box counts, and columns are computed by a division that rounds.
        let far = query.min.abs().max(query.max.abs());
        let reach = Vec3::splat(self.tiles.overhang() + slack(far.x.max(far.z), 8.0));
        self.places_under(query.min - reach, query.max + reach, self.tile_count())
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

    /// The tile and the index of the polygon that a reference identifies.
    ///
    /// # Errors
    /// [`StaleRef`] if it identifies nothing (any more) or an off-mesh connection.
    #[inline]
    pub fn locate(&self, reference: PolyRef) -> Result<(&Tile, u32), StaleRef> {
        let tile = self.tile_in(reference.slot()).filter(|tile| tile.salt == reference.salt());
        match tile {
            Some(tile) if reference.poly().get() < tile.poly_count() => Ok((tile, reference.poly().get())),
            _ => Err(self.why_stale(reference)),
        }
    }

    #[cold]
    fn why_stale(&self, reference: PolyRef) -> StaleRef {
        let reason = match self.tile_in(reference.slot()) {
            _ if reference.is_off_mesh() => StaleReason::OtherKind,
            None => StaleReason::Removed,
            Some(tile) if tile.salt != reference.salt() => StaleReason::Replaced,
            Some(_) => StaleReason::NoSuchPoly,
        };
        StaleRef { reference, reason }
    }

    /// The polygon that a reference identifies.
    ///
    /// # Errors
    /// [`StaleRef`] if it identifies nothing (any more) or an off-mesh connection.
    pub fn poly(&self, reference: PolyRef) -> Result<PolyView<'_>, StaleRef> {
        let (tile, poly) = self.locate(reference)?;
        Ok(PolyView::new(tile, poly))
    }

    /// The off-mesh connection that a reference identifies.
    ///
    /// # Errors
    /// [`StaleRef`] if it identifies nothing (any more) or a polygon.
    pub fn connection(&self, reference: PolyRef) -> Result<&Connection, StaleRef> {
        let there = reference.is_off_mesh().then(|| self.connections.get(reference.poly().get())).flatten();
        there.filter(|c| c.reference() == reference).ok_or(StaleRef {
            reference,
            reason: match there {
                _ if !reference.is_off_mesh() => StaleReason::OtherKind,
                Some(_) => StaleReason::Replaced,
                None => StaleReason::Removed,
            },
        })
    }

    /// Whether a reference identifies a polygon or an off-mesh connection of this mesh.
    #[must_use]
    pub fn is_valid(&self, reference: PolyRef) -> bool {
        self.state(reference).is_ok()
    }

    /// The current area type and flags of a polygon or an off-mesh connection.
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
    /// it, never its geometry. Area 0, unwalkable in a bake, is an ordinary area here: only flags or an infinite cost
    /// close a polygon.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn set_area(&mut self, reference: PolyRef, area: AreaId) -> Result<(), StaleRef> {
        self.edit_state(reference, |state| state.area = area)
    }

    pub(crate) fn edit_state(&mut self, reference: PolyRef, edit: impl FnOnce(&mut PolyState)) -> Result<(), StaleRef> {
        if reference.is_off_mesh() {
            self.connection(reference)?;
            self.note(Change::ConnectionState(reference));
            if let Some(connection) = self.connections.slots.get_mut(reference.poly().get()) {
                edit(&mut connection.state);
            }
            return Ok(());
        }
        let (tile, poly) = self.locate(reference)?;
        let slot = tile.slot;
        let changed = tile.tile_ref();
        self.note(Change::TileState(changed));
        if let Some(tile) = self.tiles.slots.get_mut(slot) {
            edit(&mut Arc::make_mut(&mut tile.state)[poly as usize]);
        }
        Ok(())
    }
}
