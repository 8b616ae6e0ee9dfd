//! A tile in its place in a mesh: its data, what is derived from it, its links, its state.
//!
//! Each of the three lies behind its own counted pointer, so that a snapshot of a mesh costs nothing and an edit copies
//! only the part it changes: opening a door copies a few bytes a polygon of one tile, and no geometry.

use super::{BorderIndex, Link, PolyRef, PolyState, TileLinks, state::original_state};
use crate::math::Aabb;
use crate::math::index::TileSlot;
use crate::tile::{BoundingTree, HalfEdge, Islands, Outline, SearchGraph, SightGraph, TileCoord, TileData, TileError};
use glam::Vec3;
use std::sync::{Arc, OnceLock};

/// What never changes while the tile is in a mesh.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct TileGeometry {
    pub(crate) graph: SearchGraph,
    pub(crate) data: TileData,
    pub(crate) tree: BoundingTree,
    pub(crate) border: BorderIndex,
    pub(crate) islands: Islands,
    /// Derived when an optimal search first comes by.
    pub(crate) sight: OnceLock<SightGraph>,
}

impl TileGeometry {
    /// Derives what a mesh needs. `data` must be valid.
    pub(crate) fn of(data: TileData) -> Self {
        let graph = SearchGraph::of(&data);
        let islands = Islands::of(&data);
        let tree = BoundingTree::with_islands(&data, &islands);
        let border = BorderIndex::of(&data, &graph);
        Self { data, graph, tree, border, islands, sight: OnceLock::new() }
    }
}

/// A tile that is ready to enter a mesh: checked, with everything derived that queries read.
///
/// Preparing is most of the work of adding a tile and needs no mesh, so it can be done on any thread; what remains is to
/// link the borders.
#[derive(Debug)]
pub struct PreparedTile {
    pub(crate) geometry: TileGeometry,
    pub(crate) state: Vec<PolyState>,
}

impl PreparedTile {
    /// Checks a tile and derives its search graph and its bounding tree.
    ///
    /// # Errors
    /// [`TileError`] if the data is unsound.
    pub fn new(data: TileData) -> Result<Self, TileError> {
        data.validate()?;
        let state = original_state(&data);
        Ok(Self { geometry: TileGeometry::of(data), state })
    }

    /// The tile's data.
    #[must_use]
    pub fn data(&self) -> &TileData {
        &self.geometry.data
    }

    /// Gives the data back.
    #[must_use]
    pub fn into_data(self) -> TileData {
        self.geometry.data
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
    /// Without links.
    pub(crate) fn new(prepared: PreparedTile, slot: u32, salt: u16) -> Self {
        let links = Arc::new(TileLinks::none(prepared.geometry.graph.border().len()));
        Self { geometry: Arc::new(prepared.geometry), links, state: prepared.state.into(), slot, salt }
    }

    /// Its data with its present state written into it. Copied only if a snapshot still holds it.
    pub(crate) fn into_data(self) -> TileData {
        let mut data = Arc::try_unwrap(self.geometry).map_or_else(|shared| shared.data.clone(), |own| own.data);
        for (poly, state) in data.polys.iter_mut().zip(self.state.iter()) {
            (poly.flags, poly.area) = (state.flags, state.area);
        }
        data
    }

    /// Whether this is the other tile as it was: same geometry, links and state, held together by both. Tiles that were
    /// made equal by different edits may count as different.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.salt == other.salt
            && Arc::ptr_eq(&self.geometry, &other.geometry)
            && Arc::ptr_eq(&self.links, &other.links)
            && Arc::ptr_eq(&self.state, &other.state)
    }

    /// The slot it is in.
    #[must_use]
    #[inline]
    pub fn slot(&self) -> TileSlot {
        TileSlot::new(self.slot)
    }

    /// The salt of references into it.
    #[must_use]
    #[inline]
    pub fn salt(&self) -> u16 {
        self.salt
    }

    /// Its place in the mesh.
    #[must_use]
    #[inline]
    pub fn coord(&self) -> TileCoord {
        self.geometry.data.coord
    }

    /// Its data, as it was added. Area types and flags in it are those it was made with; see [`state`](Self::state) for
    /// those of now.
    #[must_use]
    #[inline]
    pub fn data(&self) -> &TileData {
        &self.geometry.data
    }

    /// How many polygons it has.
    #[must_use]
    #[inline]
    pub fn poly_count(&self) -> u32 {
        self.geometry.graph.poly_count()
    }

    /// The edges of its polygons that lead somewhere: what a search reads.
    #[must_use]
    #[inline]
    pub fn graph(&self) -> &SearchGraph {
        &self.geometry.graph
    }

    /// What an optimal search reads; derived by the first that asks.
    #[inline]
    pub(crate) fn sight(&self) -> &SightGraph {
        self.geometry.sight.get_or_init(|| SightGraph::of(&self.geometry.data))
    }

    /// The bounding tree over its polygons.
    #[must_use]
    #[inline]
    pub fn tree(&self) -> &BoundingTree {
        &self.geometry.tree
    }

    /// The outline of polygon `poly`.
    #[inline]
    pub(crate) fn outline(&self, poly: u32) -> Outline<'_> {
        self.geometry.graph.outline_of(poly)
    }

    /// Which of its polygons connect within it.
    #[must_use]
    #[inline]
    pub fn islands(&self) -> &Islands {
        &self.geometry.islands
    }

    /// Its links to polygons of other tiles.
    #[must_use]
    #[inline]
    pub fn links(&self) -> &TileLinks {
        &self.links
    }

    /// The exact box around its polygons and detail vertices; [`Aabb::EMPTY`] without polygons.
    #[must_use]
    #[inline]
    pub fn bounds(&self) -> Aabb {
        self.geometry.tree.bounds()
    }

    /// Area type and flags of polygon `poly` now. Panics if there is no such polygon; [`NavMesh::poly`](super::NavMesh::poly)
    /// checks.
    #[must_use]
    #[inline]
    pub fn state(&self, poly: u32) -> PolyState {
        self.state[poly as usize]
    }

    /// Area types and flags of all its polygons now.
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

    /// The links of the border edge that a half-edge of this tile leads over; empty for edges within the tile.
    #[must_use]
    #[inline]
    pub fn links_over(&self, edge: &HalfEdge) -> &[Link] {
        edge.as_border().map_or(&[], |number| self.links.of_border(number))
    }

    /// Every way out of polygon `poly` over its edges, within the tile and beyond, in the order of its corners.
    pub fn portals(&self, poly: u32) -> impl Iterator<Item = Portal> + '_ {
        let graph = &self.geometry.graph;
        graph.range_of(poly).flat_map(move |i| {
            let (edge, corner) = (graph.edges()[i], graph.corners()[i]);
            let inner = edge.as_poly().map(|next| {
                let [a, b] = self.geometry.data.edge(poly, corner);
                Portal { to: self.reference(next), edge: corner, a, b }
            });
            let outer = self.links_over(&edge).iter().map(|l| Portal { to: l.to, edge: l.edge, a: l.a, b: l.b });
            inner.into_iter().chain(outer)
        })
    }
}

/// A way from one polygon into another: the part of an edge through which it leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
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
