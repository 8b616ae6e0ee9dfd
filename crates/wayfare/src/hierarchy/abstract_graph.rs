//! The abstract graph of a mesh: the parts of all its tiles, joined, and updated as the mesh changes.
//!
//! ```text
//!   mesh ──> one part per tile ──> joined by the mesh's links        feed of changes ──> only the parts of those tiles
//! ```
//!
//! A tile that is rebuilt, or whose flags or area types change (a door), gets a new part, and its neighbours are joined
//! with it again. Nothing else is touched.
//!
//! Cost: some tens of microseconds per tile, for all tiles at first and then for those that change.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010; updating the
//! parts one by one follows Adi Botea, Martin Müller, Jonathan Schaeffer, "Near Optimal Hierarchical Path-Finding"
//! (HPA*), 2004.

use super::graph_tile::{GraphTile, Join, Stop};
use super::{GraphLevels, InMemory, TileGraph};
use crate::math::index::{NONE, TileSlot};
use crate::mesh::{Change, MeshVersion, NavMesh, PolyRef, Tile};
use crate::plan::SharedFilter;
use crate::query::QueryFilter as _;
use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The abstract graph of a mesh in memory.
#[derive(Clone, Debug, Default)]
pub struct AbstractGraph {
    /// By slot.
    tiles: Vec<Option<GraphTile>>,
    seen: MeshVersion,
    /// The ends of connections, by the slot of their tile.
    stops: Vec<(u32, Stop)>,
    /// The levels above the tiles, each for different filters.
    levels: Vec<Arc<GraphLevels>>,
}

/// The size of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphSize {
    /// Tiles.
    pub tiles: u64,
    /// Contiguous areas.
    pub areas: u64,
    /// Nodes: portals.
    pub nodes: u64,
    /// Edges within areas and steps between tiles; each direction counts.
    pub edges: u64,
    /// Bytes of the parts, as stored.
    pub bytes: u64,
}

/// What changes of the mesh affect directly.
#[derive(Default)]
struct Affected {
    /// The slots of tiles that need new parts.
    remade: BTreeSet<u32>,
    /// Those of tiles whose parts need to be joined anew.
    rejoined: BTreeSet<u32>,
    /// Connections with other flags or another area type.
    restated: BTreeSet<PolyRef>,
    have_ends_changed: bool,
}

impl Affected {
    fn by(changes: impl IntoIterator<Item = Change>) -> Self {
        let mut affected = Self::default();
        for change in changes {
            match change {
                Change::TileAdded(tile) | Change::TileRemoved(tile) | Change::TileState(tile) => {
                    affected.remade.insert(tile.slot().get());
                }
                Change::TileLinks(tile) => {
                    affected.rejoined.insert(tile.slot().get());
                }
                Change::ConnectionAdded(_) | Change::ConnectionRemoved(_) | Change::ConnectionEnds(_) => {
                    affected.have_ends_changed = true;
                }
                Change::ConnectionState(connection) => {
                    affected.restated.insert(connection);
                }
                Change::TileAnnounced(_) => {}
            }
        }
        affected
    }
}

impl AbstractGraph {
    /// Builds the graph of a mesh.
    #[must_use]
    pub fn new(mesh: &NavMesh) -> Self {
        let seen = mesh.version().clone();
        let mut graph = Self { tiles: Vec::new(), seen, stops: stops_by_slot(mesh), levels: Vec::new() };
        for tile in mesh.tiles() {
            graph.make_part(tile);
        }
        let slots: BTreeSet<u32> = mesh.tiles().map(|tile| tile.slot().get()).collect();
        graph.join(mesh, &slots);
        graph
    }

    /// Updates it to a later version of its mesh; for another mesh, rebuilds it. Returns how many parts were built.
    ///
    /// Cost: some tens of microseconds for each tile that has changed, and up to a millisecond for the levels above it.
    pub fn update(&mut self, mesh: &NavMesh) -> u32 {
        if self.seen == *mesh.version() {
            return 0;
        }
        let Ok(changes) = mesh.changes_since(&self.seen) else {
            let filters = self.levels.iter().filter_map(|levels| levels.filter.clone()).collect::<Vec<_>>();
            *self = Self::new(mesh);
            filters.into_iter().for_each(|filter| self.add_levels(mesh, filter));
            return mesh.tile_count();
        };
        let Affected { mut remade, mut rejoined, restated, have_ends_changed } = Affected::by(changes);
        if have_ends_changed {
            let before = core::mem::replace(&mut self.stops, stops_by_slot(mesh));
            let before = by_slot(&before);
            let after = by_slot(&self.stops);
            let slots = before.keys().chain(after.keys()).copied();
            remade.extend(slots.filter(|slot| before.get(slot) != after.get(slot)));
        }
        // A one-way connection is known only to the tile of its start. The costs of connections are in the levels.
        let is_affected = |stop: &Stop| remade.contains(&stop.beyond) || restated.contains(&stop.connection);
        rejoined.extend(self.stops.iter().filter(|(_, stop)| is_affected(stop)).map(|(slot, _)| *slot));
        for &slot in &remade {
            rejoined.extend(self.neighbours_of(slot));
            match mesh.tile_in(TileSlot::new(slot)) {
                Some(tile) => self.make_part(tile),
                None => {
                    if let Some(place) = self.tiles.get_mut(slot as usize) {
                        *place = None;
                    }
                }
            }
            rejoined.extend(mesh.tile_in(TileSlot::new(slot)).into_iter().flat_map(linked_slots));
        }
        rejoined.extend(&remade);
        self.join(mesh, &rejoined);
        self.seen = mesh.version().clone();
        let mut levels = core::mem::take(&mut self.levels);
        for levels in &mut levels {
            Arc::make_mut(levels).update(&mut InMemory::new(mesh, self), &rejoined);
        }
        self.levels = levels;
        remade.len() as u32
    }

    /// Adds levels above the tiles for a filter. Searches with this filter, or with any of the same costs, then cross
    /// whole clusters of tiles in the middle of a path, so that a path across a large world takes hardly longer than
    /// one across a small one. [`update`](Self::update) updates the levels too.
    ///
    /// Does nothing if the filter depends on more than area types and flags (see
    /// [`is_by_state`](crate::query::QueryFilter::is_by_state)), if it already has levels, or if the mesh is too small
    /// to gain from them: 64 tiles or fewer.
    pub fn add_levels(&mut self, mesh: &NavMesh, filter: SharedFilter) {
        self.add_so_many_levels(mesh, filter, GraphLevels::worth(self.tiles().count()));
    }

    pub(super) fn add_so_many_levels(&mut self, mesh: &NavMesh, filter: SharedFilter, count: u32) {
        let has_them = self.levels.iter().any(|levels| levels.are_for(mesh, &filter));
        if count == 0 || has_them || !filter.is_by_state() {
            return;
        }
        let slots: BTreeSet<u32> = self.tiles().map(|tile| tile.tile.slot().get()).collect();
        let levels = GraphLevels::of_world(&mut InMemory::new(mesh, self), filter, &slots, count);
        self.levels.push(Arc::new(levels));
    }

    /// The levels above the tiles, in the order in which they were added.
    #[must_use]
    pub fn levels(&self) -> &[Arc<GraphLevels>] {
        &self.levels
    }

    fn make_part(&mut self, tile: &Tile) {
        let slot = tile.slot().index();
        let stops = stops_of(&self.stops, slot as u32);
        let places: Vec<(u32, Vec3)> = stops.iter().map(|stop| (stop.poly, stop.at)).collect();
        let (graph, inside) = TileGraph::with_stops(tile.data(), tile.states(), &places);
        let mut part = GraphTile::new(tile.tile_ref(), tile.coord(), Arc::new(graph));
        part.inside = Arc::new(inside).into();
        part.stops = stops;
        if self.tiles.len() <= slot {
            self.tiles.resize(slot + 1, None);
        }
        self.tiles[slot] = Some(part);
    }

    /// The slots that a part is joined with.
    fn neighbours_of(&self, slot: u32) -> Vec<u32> {
        self.tile_in(slot).map_or_else(Vec::new, |tile| tile.joins.iter().map(|join| join.slot).collect())
    }

    fn join(&mut self, mesh: &NavMesh, slots: &BTreeSet<u32>) {
        for &slot in slots {
            let Some(tile) = mesh.tile_in(TileSlot::new(slot)) else { continue };
            let joins = self.joins_by_links(mesh, tile);
            if let Some(Some(part)) = self.tiles.get_mut(slot as usize) {
                part.set_joins(joins);
            }
        }
    }

    fn joins_by_links(&self, mesh: &NavMesh, tile: &Tile) -> Vec<Join> {
        let mut joins = Vec::new();
        let Some(part) = self.tile_in(tile.slot().get()) else { return joins };
        let Some(inside) = part.inside.get() else { return joins };
        for (border, link) in tile.links().numbered() {
            let from = inside.portal_of(border);
            let slot = link.to.slot().get();
            let there = self.tile_in(slot).and_then(|there| there.inside.get());
            let to = there.map_or(NONE, |there| there.portal_of(link.there));
            if from != NONE && to != NONE {
                joins.push(Join { from, slot, to, connection: None });
            }
        }
        for stop in &part.stops {
            let Ok(connection) = mesh.connection(stop.connection) else { continue };
            let Some([_, exit]) = connection.passage(stop.end) else { continue };
            let slot = exit.poly.slot().get();
            let from = part.portal_of_stop(stop.connection, stop.end);
            let to = self.tile_in(slot).and_then(|there| there.portal_of_stop(stop.connection, 1 - stop.end));
            if let (Some(from), Some(to)) = (from, to) {
                joins.push(Join { from, slot, to, connection: Some(stop.connection) });
            }
        }
        joins
    }

    /// The part of the tile in a slot.
    #[must_use]
    #[inline]
    pub(super) fn tile_in(&self, slot: u32) -> Option<&GraphTile> {
        self.tiles.get(slot as usize)?.as_ref()
    }

    /// All its tiles, by slot.
    pub fn tiles(&self) -> impl Iterator<Item = &GraphTile> {
        self.tiles.iter().flatten()
    }

    /// The steps between nodes of different tiles, and over off-mesh connections: the positions of both nodes.
    pub fn joins(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        self.tiles().flat_map(move |tile| {
            tile.joins.iter().filter_map(move |join| {
                let to = self.tile_in(join.slot)?.graph.portals().get(join.to as usize)?;
                Some([tile.graph.portals().get(join.from as usize)?.middle, to.middle])
            })
        })
    }

    /// Its size. Cost: encodes every part.
    #[must_use]
    pub fn size(&self) -> GraphSize {
        let mut size = GraphSize::default();
        for tile in self.tiles() {
            size.tiles += 1;
            size.areas += tile.graph.areas().len() as u64;
            size.nodes += tile.graph.portals().len() as u64;
            size.edges += u64::from(tile.graph.edge_count()) + tile.joins.len() as u64;
            size.bytes += tile.graph.to_bytes().len() as u64;
        }
        size
    }
}

impl<'a> InMemory<'a> {
    /// A mesh with its graph.
    #[must_use]
    pub fn new(mesh: &'a NavMesh, graph: &'a AbstractGraph) -> Self {
        Self { mesh, tiles: &graph.tiles, levels: &graph.levels }
    }
}

/// The ends of all connections that are attached at both ends, by the slot of their tile, then by connection.
fn stops_by_slot(mesh: &NavMesh) -> Vec<(u32, Stop)> {
    let mut stops = Vec::new();
    for connection in mesh.connections() {
        let [Some(start), Some(end)] = connection.ends() else { continue };
        for (number, place) in [start, end].into_iter().enumerate() {
            let poly = place.poly.poly().get();
            let beyond = [end, start][number].poly.slot().get();
            let connection = connection.reference();
            let stop = Stop { connection, end: number as u32, poly, at: place.point, beyond };
            stops.push((place.poly.slot().get(), stop));
        }
    }
    stops.sort_by_key(|(slot, stop)| (*slot, stop.connection, stop.end));
    stops
}

fn by_slot(stops: &[(u32, Stop)]) -> BTreeMap<u32, &[(u32, Stop)]> {
    stops.chunk_by(|a, b| a.0 == b.0).map(|of_slot| (of_slot[0].0, of_slot)).collect()
}

fn stops_of(stops: &[(u32, Stop)], slot: u32) -> Vec<Stop> {
    let first = stops.partition_point(|(other, _)| *other < slot);
    stops[first..].iter().take_while(|(other, _)| *other == slot).map(|(_, stop)| *stop).collect()
}

/// The slots that a tile's links lead to.
fn linked_slots(tile: &Tile) -> impl Iterator<Item = u32> + '_ {
    tile.links().all().iter().map(|link| link.to.slot().get())
}
