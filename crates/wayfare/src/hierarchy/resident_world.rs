//! A world of which only some tiles are in memory, with the abstract graph over all of them.
//!
//! ```text
//!   source ──> the part of the graph of each tile that a search reaches     small, kept
//!          └─> the tiles of the corridors that are refined                  large, evicted to stay within a budget
//! ```
//!
//! Every tile has a slot and a salt from the beginning, and gets the same ones whenever it is loaded: references to its
//! polygons, and corridors over them, are valid again as soon as it is back. Changed flags (doors) are kept while it is
//! away. What has changed can be [stored](ResidentWorld::store_changes).
//!
//! Cost: a tile is read, checked and linked when it is needed; apart from that a search costs the same as in memory.
//! About thirty bytes for each tile of the world, and the parts of the graph that searches have reached.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour" and "Save Games and All That", Digesting
//! Duck, March 2010.

use super::GraphLevels;
use super::graph_tile::GraphTile;
use super::level_bytes::LevelTiles;
use super::resident::{Resident, ResidentBudget, ResidentStats};
use super::tile_access::{NotLoaded, NotLoadedReason, TileAccess};
use super::tile_reader::TileReader;
use super::world_connections::WorldConnections;
use crate::area::PolyFlags;
use crate::format::tile_digest;
use crate::math::Aabb;
use crate::math::index::TileSlot;
use crate::mesh::{NavMesh, PolyRef, PolyState, PreparedTile, StaleRef, Tile, TileRef, original_state};
use crate::query::{PolyPoint, QueryFilter, Rank, find_ranked};
use crate::tile::{TileCoord, TileData};
use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};
use std::sync::{Arc, OnceLock};

/// The salt of a slot whose salts are used up.
const RETIRED: u16 = 0;

/// The order of slots: row by row, the same as when the whole store is loaded.
fn order(coord: &TileCoord) -> (i32, i32, u32) {
    (coord.z, coord.x, coord.layer)
}

/// Tiles in the order of their slots.
pub(super) fn row_by_row(mut coords: Vec<TileCoord>) -> Vec<TileCoord> {
    coords.sort_unstable_by_key(order);
    coords.dedup();
    coords.truncate(TileRef::SLOTS as usize);
    coords
}

/// The state of a part of the graph.
#[derive(Clone, Debug, Default)]
pub(super) enum ResidentPart {
    #[default]
    Unknown,
    Known(Box<GraphTile>),
    /// It cannot be read.
    Lost,
    /// It could not be read, and is tried again at this count of uses.
    Failed(u64),
}

/// The state in which a tile was left.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LeftState {
    /// A hash of the tile's geometry: another tile in its place has its own state.
    pub(super) digest: u64,
    pub(super) states: Arc<[PolyState]>,
}

impl LeftState {
    /// The state of a tile that is in memory, if it is not its original one.
    pub(super) fn of(tile: &Tile) -> Option<Self> {
        let is_original = tile.states() == &original_state(tile.data())[..];
        (!is_original).then(|| Self { digest: tile_digest(tile.data()), states: Arc::from(tile.states()) })
    }

    pub(super) fn is_of(&self, tile: &TileData) -> bool {
        self.states.len() == tile.polys().len() && self.digest == tile_digest(tile)
    }
}

/// A world whose tiles are loaded when they are needed.
#[derive(Clone, Debug)]
pub struct ResidentWorld<S> {
    pub(super) source: S,
    pub(super) mesh: NavMesh,
    /// The mesh without tiles, of which a copy is made wherever some are looked at on their own.
    pub(super) empty: NavMesh,
    /// Column, row and layer of each tile, by slot.
    pub(super) coords: Vec<TileCoord>,
    pub(super) parts: Vec<ResidentPart>,
    pub(super) resident: Resident,
    /// The states of tiles whose flags were changed and that are not in memory; of others, those they came with.
    pub(super) states: BTreeMap<u32, LeftState>,
    /// The salts of tiles that have changed in the source: one more for each change. All others have salt 1.
    pub(super) salts: BTreeMap<u32, u16>,
    /// The levels above the tiles, once a search has needed them.
    levels: OnceLock<Vec<Arc<GraphLevels>>>,
    /// The tiles that have changed since the levels were made.
    pub(super) changed: BTreeSet<u32>,
    /// Those of them that have changed otherwise than in the flags of their polygons.
    pub(super) changed_for_good: BTreeSet<u32>,
    /// How many parts are in memory.
    pub(super) known_parts: usize,
    pub(super) connections: WorldConnections,
    /// One for each tile and reason.
    events: BTreeMap<(u32, NotLoadedReason), NotLoaded>,
}

impl<S: TileReader> ResidentWorld<S> {
    /// A world of which no tile is in memory yet. Cost: reads and sorts the list of tiles.
    #[must_use]
    pub fn new(source: S, budget: ResidentBudget) -> Self {
        let coords = row_by_row(source.coords());
        let mesh = source.empty_mesh();
        let parts = vec![ResidentPart::Unknown; coords.len()];
        let resident = Resident::new(budget);
        let mut world = Self {
            source,
            empty: mesh.clone(),
            mesh,
            coords,
            parts,
            resident,
            states: BTreeMap::new(),
            salts: BTreeMap::new(),
            levels: OnceLock::new(),
            changed: BTreeSet::new(),
            changed_for_good: BTreeSet::new(),
            known_parts: 0,
            connections: WorldConnections::default(),
            events: BTreeMap::new(),
        };
        world.connections = WorldConnections::of(&world.mesh, |center, radius| world.tiles_around(center, radius));
        world
    }

    /// The source of its tiles.
    #[must_use]
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The source, for changing it: call [`refresh`](Self::refresh) for each tile that has changed.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// The slot of a tile, which is the same whether it is loaded or not.
    #[must_use]
    pub fn slot_at(&self, coord: TileCoord) -> Option<u32> {
        self.coords.binary_search_by_key(&order(&coord), order).ok().map(|slot| slot as u32)
    }

    /// Column, row and layer of each tile, by slot.
    #[must_use]
    pub fn coords(&self) -> &[TileCoord] {
        &self.coords
    }

    /// The number of its tiles.
    #[must_use]
    pub fn tile_count(&self) -> usize {
        self.coords.len()
    }

    /// The slots of the tiles in memory, in ascending order.
    pub fn resident_slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.resident.slots()
    }

    /// Statistics of loading so far.
    #[must_use]
    pub fn stats(&self) -> ResidentStats {
        self.resident.stats
    }

    /// The tiles and parts of the graph that could not be loaded since the last call, by slot, each once.
    pub fn take_events(&mut self) -> Vec<NotLoaded> {
        core::mem::take(&mut self.events).into_values().collect()
    }

    pub(super) fn note(&mut self, event: NotLoaded) {
        self.events.insert((event.slot, event.why), event);
    }

    /// Loads a tile and keeps it in memory until it is [unpinned](Self::unpin) as often as it was pinned.
    ///
    /// # Errors
    /// [`NotLoaded`].
    pub fn pin(&mut self, slot: u32) -> Result<(), NotLoaded> {
        self.load(&[slot])?;
        self.resident.pin(slot, true);
        Ok(())
    }

    /// Allows a pinned tile to be evicted again, once it was called as often as [`pin`](Self::pin).
    pub fn unpin(&mut self, slot: u32) {
        self.resident.pin(slot, false);
    }

    /// The tiles under the square around a circle, row by row: for [loading](Self::prefetch) those around an agent.
    #[must_use]
    pub fn tiles_around(&self, center: impl Into<Vec3>, radius: f32) -> Vec<u32> {
        let center = center.into();
        let reach = Vec3::new(radius, 0.0, radius);
        self.slots_under(center - reach, center + reach)
    }

    /// Loads tiles in advance, in the given order, until the budget has no room for more of them. Tiles that cannot be
    /// loaded are left out. Returns how many were read.
    pub fn prefetch(&mut self, slots: impl IntoIterator<Item = u32>) -> u32 {
        let mut wanted: Vec<u32> = Vec::new();
        let mut count = 0;
        for slot in slots {
            if let Err(at) = wanted.binary_search(&slot) {
                wanted.insert(at, slot);
                let before = self.resident.stats.loaded;
                let loaded = self.load_among(slot, &wanted);
                count += u32::from(self.resident.stats.loaded > before);
                if loaded.is_err_and(|event| event.why == NotLoadedReason::NoRoom) {
                    break;
                }
            }
        }
        count
    }

    /// Adds a tile that the caller has read and prepared, perhaps on another thread. Does nothing if it is in memory.
    ///
    /// # Errors
    /// [`NotLoaded`].
    pub fn put(&mut self, slot: u32, tile: PreparedTile) -> Result<(), NotLoaded> {
        if self.resident.touch(slot) {
            return Ok(());
        }
        let coord = self.coords.get(slot as usize).copied().filter(|coord| *coord == tile.data().coord());
        let Some(coord) = coord else {
            return Err(NotLoaded { coord: tile.data().coord(), slot, why: NotLoadedReason::Missing });
        };
        self.place(slot, coord, tile, &[slot])
    }

    /// Changes the flags of a polygon of a loaded tile, which are kept while the tile is evicted, or of an off-mesh
    /// connection.
    ///
    /// # Errors
    /// [`StaleRef`] if the tile is not loaded.
    pub fn set_flags(&mut self, poly: PolyRef, flags: PolyFlags) -> Result<(), StaleRef> {
        self.mesh.set_flags(poly, flags)?;
        if poly.is_off_mesh() {
            // Levels hold the costs of connections; parts do not.
            let slots: Vec<u32> = self.connections.slots_of(poly).collect();
            self.changed.extend(&slots);
            self.changed_for_good.extend(slots);
            return Ok(());
        }
        let slot = poly.slot().get();
        let is_as_made = !self.changed_for_good.contains(&slot)
            && self.mesh.tile_in(poly.slot()).is_some_and(|tile| tile.states() == &original_state(tile.data())[..]);
        if is_as_made {
            self.changed.remove(&slot)
        } else {
            self.changed.insert(slot)
        };
        self.forget_part(slot);
        Ok(())
    }

    /// Call this if a tile has changed in the source: it is evicted, and references to its polygons become stale. If it
    /// is [pinned](Self::pin), it is loaded again. After 65,535 refreshes of a tile its references are used up, and it
    /// counts as missing.
    ///
    /// Returns whether the world has the tile: one that came into the source after the world was made is not known to
    /// it, and needs a new world.
    pub fn refresh(&mut self, coord: TileCoord) -> bool {
        let Some(slot) = self.slot_at(coord) else { return false };
        self.evict(slot);
        self.states.remove(&slot);
        self.changed.insert(slot);
        self.changed_for_good.insert(slot);
        self.forget_part(slot);
        // Connections may end elsewhere now, so stops on other tiles may change.
        let near = self.connections.near(slot).iter();
        let others: Vec<u32> = near.flat_map(|&connection| self.connections.slots_of(connection)).collect();
        self.connections.forget(slot);
        others.into_iter().for_each(|other| self.forget_part(other));
        // After the last salt the slot is retired, like those of a mesh: its tile is missing from then on.
        let next = if self.salt(slot) == RETIRED { RETIRED } else { self.salt(slot).wrapping_add(1) };
        self.salts.insert(slot, next);
        if self.resident.is_pinned(slot) {
            // The event is recorded.
            let _ = self.load_one(slot);
        }
        true
    }

    pub(super) fn salt(&self, slot: u32) -> u16 {
        self.salts.get(&slot).copied().unwrap_or(1)
    }

    /// The nearest position on the mesh within a box around a point. Loads the tiles under the box, as many at a time
    /// as the budget allows.
    pub fn nearest<F: QueryFilter + ?Sized>(
        &mut self,
        point: impl Into<Vec3>,
        half_extents: impl Into<Vec3>,
        filter: &F,
    ) -> Option<PolyPoint> {
        let point: Vec3 = point.into();
        let half_extents: Vec3 = half_extents.into();
        let slots = self.slots_under(point - half_extents, point + half_extents);
        let at_once = self.resident.budget.tiles.clamp(1, 64);
        let search_box = Aabb::from_center(point, half_extents);
        let mut best: Option<(Rank, PolyPoint)> = None;
        let mut next = 0;
        while next < slots.len() && best.is_none_or(|(rank, _)| !rank.is_least()) {
            let first = next;
            while next < slots.len() && next - first < at_once {
                // A tile that cannot be loaded contains no position; the event is recorded.
                if let Err(event) = self.load_among(slots[next], &slots[first..=next])
                    && event.why == NotLoadedReason::NoRoom
                {
                    if next > first {
                        // Those that are loaded are looked at, and then make room.
                        break;
                    }
                    self.note(event);
                }
                next += 1;
            }
            let Some((rank, found)) = find_ranked(&self.mesh, point, &search_box, filter) else { continue };
            if best.is_none_or(|(than, _)| rank.is_before(&than)) {
                best = Some((rank, found.place()));
            }
        }
        best.map(|(_, place)| place)
    }

    fn slots_under(&self, low: Vec3, high: Vec3) -> Vec<u32> {
        let Some(places) = self.mesh.layout().places_under(low, high) else { return Vec::new() };
        // A box may have more rows than there are tiles.
        if places.count() > self.coords.len() as u64 {
            let is_under = |slot: &u32| {
                let coord = self.coords[*slot as usize];
                places.rows().contains(&coord.z) && places.columns().contains(&coord.x)
            };
            return (0..self.coords.len() as u32).filter(is_under).collect();
        }
        let mut slots = Vec::new();
        for z in places.rows() {
            slots.extend(self.slots_in(z, places.columns()));
        }
        slots
    }

    /// The slots of the tiles of a row in these columns, which are consecutive.
    pub(super) fn slots_in(&self, z: i32, columns: RangeInclusive<i32>) -> Range<u32> {
        let first = self.coords.partition_point(|coord| (coord.z, coord.x) < (z, *columns.start()));
        let end = self.coords.partition_point(|coord| (coord.z, coord.x) <= (z, *columns.end()));
        first as u32..end.max(first) as u32
    }

    /// Loads a tile.
    pub(super) fn load_one(&mut self, slot: u32) -> Result<(), NotLoaded> {
        self.load_among(slot, &[slot])
    }

    /// Loads one of several wanted tiles, which are sorted.
    fn load_among(&mut self, slot: u32, wanted: &[u32]) -> Result<(), NotLoaded> {
        if self.resident.touch(slot) {
            return Ok(());
        }
        let Some(&coord) = self.coords.get(slot as usize) else {
            return Err(NotLoaded { coord: TileCoord::default(), slot, why: NotLoadedReason::Missing });
        };
        let lost = |why| NotLoaded { coord, slot, why };
        let result =
            self.source.read_tile(coord).map_err(lost).and_then(|read| {
                if read.data().coord() == coord { Ok(read) } else { Err(lost(NotLoadedReason::Broken)) }
            });
        let tile = match result {
            Ok(tile) => tile,
            Err(event) => {
                self.note(event);
                return Err(event);
            }
        };
        self.place(slot, coord, tile, wanted)
    }

    fn place(&mut self, slot: u32, coord: TileCoord, tile: PreparedTile, wanted: &[u32]) -> Result<(), NotLoaded> {
        let bytes = tile.data().bytes();
        let lost = |why| NotLoaded { coord, slot, why };
        loop {
            match self.resident.to_evict(1, bytes, wanted) {
                Ok(None) => break,
                Ok(Some(other)) => self.evict(other),
                Err(()) => return Err(lost(NotLoadedReason::NoRoom)),
            }
        }
        let tile = match self.states.get(&slot) {
            Some(left) if left.is_of(tile.data()) => tile.in_state(Arc::clone(&left.states)),
            _ => tile,
        };
        let at = TileRef::new(self.salt(slot), slot).ok_or(lost(NotLoadedReason::Missing))?;
        self.mesh.add_prepared_at_any(at, tile).map_err(|_| lost(NotLoadedReason::Broken))?;
        self.resident.insert(slot, bytes);
        Ok(())
    }

    fn evict(&mut self, slot: u32) {
        let Some(tile) = self.mesh.tile_in(TileSlot::new(slot)) else { return };
        match LeftState::of(tile) {
            Some(left) => _ = self.states.insert(slot, left),
            None => _ = self.states.remove(&slot),
        }
        self.drop_tile(slot);
    }

    /// Removes a tile from memory. The mesh then is as if it had never had it: salts are counted here.
    pub(super) fn drop_tile(&mut self, slot: u32) {
        if self.mesh.empty_slot(TileSlot::new(slot)).is_some() {
            self.mesh.forget_slot_gap(slot);
            self.resident.remove(slot);
        }
    }
}

impl<S: TileReader> TileAccess for ResidentWorld<S> {
    fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    fn slot_count(&self) -> u32 {
        self.coords.len() as u32
    }

    fn coord_of(&mut self, slot: u32) -> Option<TileCoord> {
        self.coords.get(slot as usize).copied()
    }

    fn levels(&self) -> &[Arc<GraphLevels>] {
        self.levels.get_or_init(|| {
            let Some((bytes, digest)) = self.source.read_levels() else { return Vec::new() };
            let tiles = LevelTiles { coords: &self.coords, digest: &digest };
            GraphLevels::from_bytes(&bytes, tiles, self.mesh.layout()).map(Arc::new).into_iter().collect()
        })
    }

    fn changed_since_levels(&self) -> &BTreeSet<u32> {
        &self.changed
    }

    fn graph_tile_and_mesh(&mut self, slot: u32) -> (Option<&GraphTile>, &NavMesh) {
        self.join_part(slot);
        (self.part(slot), &self.mesh)
    }

    fn load(&mut self, slots: &[u32]) -> Result<(), NotLoaded> {
        let mut wanted = slots.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.iter().try_for_each(|&slot| self.load_among(slot, &wanted))
    }
}
