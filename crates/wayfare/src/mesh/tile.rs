//! A tile of a mesh: its data, what is derived from the data, its links and its state.
//!
//! Each of these lies behind its own counted pointer, so that a snapshot of a mesh costs nothing and an edit copies
//! only what it changes: opening a door copies a few bytes a polygon of one tile, and no geometry. Data that only
//! queries read (edge table, grid, bounding tree, islands) is derived by the first query that needs it. So a large
//! world is ready as soon as its tiles are checked and linked, and tiles that are never queried take half the memory.

use super::{PolyRef, PolyState, TileLinks, TileRef, once::once, original_state};
use crate::math::Aabb;
use crate::math::index::TileSlot;
use crate::tile::{BoundingTree, EdgeTable, Islands, IslandsUnder, Outline, PolyGrid, SightGraph, TileCoord, TileData};
use glam::Vec3;
use std::sync::{Arc, OnceLock};

/// The part of a tile that never changes in a mesh, and what is derived from it: derived data can be dropped, and is
/// derived again when needed.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct TileGeometry {
    edges: OnceLock<EdgeTable>,
    pub(crate) data: TileData,
    tree: OnceLock<BoundingTree>,
    grid: OnceLock<PolyGrid>,
    islands: OnceLock<Islands>,
    islands_under: OnceLock<IslandsUnder>,
    /// Only optimal searches need it.
    sight: OnceLock<Box<SightGraph>>,
}

/// How many bytes a tile takes in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileBytes {
    /// Its block with the states of its polygons, and its links.
    pub data: usize,
    /// Data derived from it so far. [`NavMesh::drop_index`](super::NavMesh::drop_index) frees it.
    pub index: usize,
}

impl core::ops::Add for TileBytes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { data: self.data + other.data, index: self.index + other.index }
    }
}

impl TileGeometry {
    /// Without anything derived yet.
    pub(crate) fn of(data: TileData) -> Self {
        Self {
            edges: OnceLock::new(),
            data,
            tree: OnceLock::new(),
            grid: OnceLock::new(),
            islands: OnceLock::new(),
            islands_under: OnceLock::new(),
            sight: OnceLock::new(),
        }
    }

    /// How many bytes the derived data takes.
    fn index_bytes(&self) -> usize {
        let edges = self.edges.get().map_or(0, EdgeTable::bytes)
            + self.sight.get().map_or(0, |sight| size_of::<SightGraph>() + sight.bytes());
        let places = self.tree.get().map_or(0, BoundingTree::bytes) + self.grid.get().map_or(0, PolyGrid::bytes);
        let islands = self.islands.get().map_or(0, Islands::bytes);
        edges + places + islands + self.islands_under.get().map_or(0, IslandsUnder::bytes)
    }

    #[inline]
    pub(crate) fn edges(&self) -> &EdgeTable {
        once(&self.edges, || EdgeTable::of(&self.data))
    }

    #[inline]
    pub(crate) fn tree(&self) -> &BoundingTree {
        once(&self.tree, || {
            let islands = BoundingTree::may_have_large_islands(&self.data).then(|| self.islands());
            BoundingTree::with_islands(&self.data, islands)
        })
    }

    #[inline]
    pub(crate) fn grid(&self) -> &PolyGrid {
        once(&self.grid, || PolyGrid::of(self.tree()))
    }

    #[inline]
    pub(crate) fn sight(&self) -> &SightGraph {
        once(&self.sight, || Box::new(SightGraph::of(&self.data, self.edges().dead_ends()))).as_ref()
    }

    #[inline]
    pub(crate) fn islands(&self) -> &Islands {
        once(&self.islands, || Islands::of(&self.data))
    }

    #[inline]
    fn islands_under(&self) -> &IslandsUnder {
        once(&self.islands_under, || IslandsUnder::of(self.tree(), self.islands()))
    }

    /// Derives the data that queries read, including the tree and its islands.
    fn warm(&self) {
        self.edges();
        self.grid();
        self.islands_under();
    }
}

/// A tile that is ready to be added to a mesh, with the state of its polygons.
///
/// Only linking the borders remains. Other data that queries read is derived by the first query that needs it, at about
/// twenty nanoseconds a corner; [`warm`](Self::warm) derives it in advance.
#[derive(Clone, Debug)]
pub struct PreparedTile {
    pub(crate) geometry: Arc<TileGeometry>,
    pub(crate) state: Arc<[PolyState]>,
}

impl PreparedTile {
    /// A tile whose polygons have their original state.
    #[must_use]
    pub fn new(data: TileData) -> Self {
        let state = original_state(&data);
        Self::with_state(data, state)
    }

    /// A tile whose polygons have the given states, one for each polygon.
    pub(crate) fn with_state(data: TileData, state: Arc<[PolyState]>) -> Self {
        Self { geometry: Arc::new(TileGeometry::of(data)), state }
    }

    /// The same tile with other states, one for each polygon.
    pub(crate) fn in_state(self, state: Arc<[PolyState]>) -> Self {
        Self { state, ..self }
    }

    /// Derives now what the first query would derive otherwise: edge table, grid, bounding tree, islands.
    pub fn warm(&self) {
        self.geometry.warm();
    }

    /// The tile's data.
    #[must_use]
    pub fn data(&self) -> &TileData {
        &self.geometry.data
    }

    /// The bounding tree over its polygons; derived on first use.
    #[must_use]
    pub fn tree(&self) -> &BoundingTree {
        self.geometry.tree()
    }

    /// Returns the data.
    #[must_use]
    pub fn into_data(self) -> TileData {
        self.geometry.data.clone()
    }
}

/// A tile of a mesh.
#[derive(Clone, Debug)]
pub struct Tile {
    pub(crate) geometry: Arc<TileGeometry>,
    pub(crate) links: Arc<TileLinks>,
    pub(crate) state: Arc<[PolyState]>,
    pub(crate) slot: u32,
    pub(crate) salt: u16,
}

impl Tile {
    /// `none` are the empty links that all tiles without links share.
    pub(crate) fn new(prepared: PreparedTile, none: &Arc<TileLinks>, slot: u32, salt: u16) -> Self {
        Self { geometry: prepared.geometry, links: Arc::clone(none), state: prepared.state, slot, salt }
    }

    /// Derives now what the first query would derive otherwise: edge table, grid, bounding tree, islands. Can be
    /// called from several threads at once.
    pub fn warm(&self) {
        self.geometry.warm();
    }

    /// Its data with its current state written into it. Copied only if the state has changed.
    pub(crate) fn present_data(&self) -> TileData {
        let states = &self.state;
        self.geometry.data.with_states(|index, _| (states[index].flags, states[index].area))
    }

    /// Whether this is the same tile as `other`, unchanged: both share the same geometry, links and state. Tiles made
    /// equal by different edits may count as different.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.salt == other.salt
            && self.is_of_same_ground(other)
            && Arc::ptr_eq(&self.links, &other.links)
            && Arc::ptr_eq(&self.state, &other.state)
    }

    /// Whether both share the same geometry; links and states may differ.
    pub(crate) fn is_of_same_ground(&self, other: &Self) -> bool {
        self.geometry.data.is_same_as(&other.geometry.data)
    }

    /// How many bytes it takes in memory. Memory shared with snapshots is counted in each of them.
    #[must_use]
    pub fn bytes(&self) -> TileBytes {
        let own = size_of::<Self>() + size_of::<TileGeometry>() + size_of_val(&*self.state);
        TileBytes { data: own + self.geometry.data.bytes() + self.links.bytes(), index: self.geometry.index_bytes() }
    }

    /// Frees the derived data, unless a snapshot shares it.
    pub(super) fn drop_index(&mut self) {
        self.geometry = Arc::new(TileGeometry::of(self.geometry.data.clone()));
    }

    /// The slot it is in.
    #[must_use]
    #[inline]
    pub fn slot(&self) -> TileSlot {
        TileSlot::new(self.slot)
    }

    /// Its reference.
    #[must_use]
    #[inline]
    pub fn tile_ref(&self) -> TileRef {
        TileRef::of(self.salt, self.slot)
    }

    /// The salt of references into it.
    #[must_use]
    #[inline]
    pub fn salt(&self) -> u16 {
        self.salt
    }

    /// Its column, row and layer in the mesh.
    #[must_use]
    #[inline]
    pub fn coord(&self) -> TileCoord {
        self.geometry.data.coord()
    }

    /// Its data, as it was added. Area types and flags in it are the original ones; [`state`](Self::state) gives the
    /// current ones.
    #[must_use]
    #[inline]
    pub fn data(&self) -> &TileData {
        &self.geometry.data
    }

    /// How many polygons it has.
    #[must_use]
    #[inline]
    pub fn poly_count(&self) -> u32 {
        self.state.len() as u32
    }

    /// The edges of its polygons, as walks and searches read them; derived on first use.
    #[inline]
    pub(crate) fn edges(&self) -> &EdgeTable {
        self.geometry.edges()
    }

    /// What an optimal search reads; derived on first use.
    #[inline]
    pub(crate) fn sight(&self) -> &SightGraph {
        self.geometry.sight()
    }

    /// The bounding tree over its polygons; derived on first use.
    #[must_use]
    #[inline]
    pub fn tree(&self) -> &BoundingTree {
        self.geometry.tree()
    }

    /// A grid of its polygons by position; derived on first use.
    #[inline]
    pub(crate) fn grid(&self) -> &PolyGrid {
        self.geometry.grid()
    }

    /// The islands under the nodes of the tree; derived on first use.
    #[inline]
    pub(crate) fn islands_under(&self) -> &IslandsUnder {
        self.geometry.islands_under()
    }

    /// The outline of polygon `poly`.
    #[inline]
    pub(crate) fn outline(&self, poly: u32) -> Outline<'_> {
        self.geometry.edges().outline_of(poly)
    }

    /// The point on the surface of polygon `poly` directly above or below a point, if the point is over the polygon;
    /// otherwise the horizontally nearest point on its detailed outline.
    #[inline]
    pub(crate) fn place_at(&self, poly: u32, point: Vec3, is_over: bool) -> Vec3 {
        let data = self.data();
        let on_ground = |y: f32| Vec3::new(point.x, y, point.z);
        // The outline has already been read to find what the point is over; its corners save three look-ups.
        match (self.outline(poly).only_block(), is_over) {
            (Some(block), true) => on_ground(data.ground_in(poly, block).height_under(point)),
            (Some(block), false) => data.ground_in(poly, block).closest_on_outline(point),
            (None, true) => on_ground(data.height_under(poly, point)),
            (None, false) => data.closest_on_outline(poly, point),
        }
    }

    /// Which of its polygons are connected within the tile; derived on first use.
    #[must_use]
    #[inline]
    pub fn islands(&self) -> &Islands {
        self.geometry.islands()
    }

    /// Its links to polygons of other tiles.
    #[must_use]
    #[inline]
    pub fn links(&self) -> &TileLinks {
        &self.links
    }

    /// The exact box around its vertices and detail vertices; [`Aabb::EMPTY`] without polygons.
    #[must_use]
    #[inline]
    pub fn bounds(&self) -> Aabb {
        self.geometry.data.extent()
    }

    /// Current area type and flags of polygon `poly`. [`NavMesh::poly`](super::NavMesh::poly) checks whether there is
    /// one.
    ///
    /// # Panics
    /// If there is no such polygon.
    #[must_use]
    #[inline]
    pub fn state(&self, poly: u32) -> PolyState {
        self.state[poly as usize]
    }

    /// Current area types and flags of all its polygons.
    #[must_use]
    #[inline]
    pub fn states(&self) -> &[PolyState] {
        &self.state
    }

    /// The reference of polygon `poly`.
    #[must_use]
    #[inline]
    pub fn reference(&self, poly: u32) -> PolyRef {
        self.base().sibling(poly)
    }

    /// The reference of polygon 0, whether or not there is one.
    #[inline]
    pub(crate) fn base(&self) -> PolyRef {
        PolyRef::first_of(self.salt, self.slot)
    }

    /// Every portal out of polygon `poly` over its edges, within the tile and into others, in the order of its corners;
    /// none if there is no such polygon.
    pub fn portals(&self, poly: u32) -> impl Iterator<Item = PolyPortal> + '_ {
        let first = self.data().corner_range(poly).start as u32;
        let edges = (poly < self.poly_count()).then(|| self.outline(poly).open_edges());
        edges.into_iter().flatten().flat_map(move |(number, edge)| {
            let beyond = edge.beyond();
            let inner = beyond.as_poly().map(|next| {
                let [a, b] = edge.ends();
                PolyPortal { to: self.reference(next), edge: first + number, a, b }
            });
            let over = beyond.as_border().map_or(&[][..], |border| self.links.of_border(border));
            let outer = over.iter().map(|l| PolyPortal { to: l.to, edge: l.edge, a: l.a, b: l.b });
            inner.into_iter().chain(outer)
        })
    }
}

/// The part of an edge through which a path leads from one polygon into another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolyPortal {
    /// The polygon it leads to.
    pub to: PolyRef,
    /// The corner of the first polygon at which the edge begins, as an index into
    /// [`TileData::corners`](crate::tile::TileData::corners).
    pub edge: u32,
    /// The end nearer to that corner.
    pub a: Vec3,
    /// The other end.
    pub b: Vec3,
}
