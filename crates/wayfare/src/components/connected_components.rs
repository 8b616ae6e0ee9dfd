//! Connected components: which polygons can be reached from each other at all.
//!
//! Every polygon is a node, every neighbour and link an edge; sets that touch are merged (union-find). With two-way
//! links alone, any two polygons of a component can reach each other. One-way off-mesh connections are stored
//! separately: they lead from one component to another, and whether a path may exist is found by following them from
//! component to component.
//!
//! ```text
//!   (component 0) ══> one way ══> (component 1)      1 cannot be left towards 0
//! ```
//!
//! These components ignore flags: a closed door does not split a component. So "not reachable" is final for every
//! filter, "reachable" is not. Components of the polygons that a flag mask passes can be [kept as
//! well](NavMesh::keep_components_for).
//!
//! They are built in two steps: [squares of tiles](super::square) are divided into parts, then the parts of all squares
//! are joined. After an edit the first step is repeated only for the squares it touched; the others are shared with the
//! previous components.
//!
//! Cost: for all squares, nearly linear in islands and links; after an edit, that of the squares it touched plus the
//! parts and borders of all squares. Looking up a polygon's component takes five loads.
//!
//! Sources: Robert Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", 1975.

use super::near_tree::{NearTree, morton};
use super::square::{PartEdge, Square, SquarePlace, SquareTile, place_of};
use crate::area::FlagMask;
use crate::math::disjoint_sets::{number_sets, root_of, unite};
use crate::math::index::{NONE, TileSlot};
use crate::mesh::{Change, MeshVersion, NavMesh, Paged, PolyRef, Tile, TileRef, once};
use crate::tile::distance_to_box;
use glam::Vec3;
use std::sync::{Arc, OnceLock};

/// The connected components of a mesh, for all polygons or only those that a flag mask passes. They describe the
/// version of the mesh from which they were computed, until they are [updated](Self::update).
#[derive(Clone, Debug)]
pub struct Components {
    /// The version of the mesh that they describe.
    version: MeshVersion,
    /// Which polygons are open; `None`: all of them.
    mask: Option<FlagMask>,
    /// In arbitrary order; squares without tiles are kept for reuse.
    squares: Vec<Arc<Square>>,
    /// The squares with tiles, by place: parts and components are numbered in this order.
    order: Vec<u32>,
    /// The square and number of the tile in each slot.
    places: Paged<Standing>,
    /// Number of the first part of each square.
    first_part: Vec<u32>,
    /// Component of each part.
    of_part: Vec<u32>,
    count: u32,
    /// (from, to) components that a one-way connection joins, sorted.
    one_way: Vec<(u32, u32)>,
    /// The lowest component with which each is connected, ignoring the direction of connections.
    weak: Vec<u32>,
    /// Built when a query first asks for a position far from a component.
    near: OnceLock<NearSquares>,
}

/// A square, and a tile's number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standing {
    square: u32,
    at: u32,
}

impl Standing {
    const NOWHERE: Self = Self { square: NONE, at: NONE };
}

/// The squares that contain each component, component after component, and where each list begins.
#[derive(Clone, Debug)]
struct NearSquares {
    tree: NearTree,
    first: Vec<usize>,
}

/// The components of the islands of one tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileComponents<'a> {
    /// The island of each polygon, [`NONE`] for closed ones.
    pub(crate) islands: &'a [u32],
    parts: &'a [u32],
    of_part: &'a [u32],
}

impl<'a> TileComponents<'a> {
    const NONE: Self = Self { islands: &[], parts: &[], of_part: &[] };

    #[inline]
    pub(crate) fn of_island(&self, island: u32) -> Option<u32> {
        self.parts.get(island as usize).map(|&part| self.of_part[part as usize])
    }

    /// Island by island.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + use<'a> {
        let of_part = self.of_part;
        self.parts.iter().map(move |&part| of_part[part as usize])
    }
}

impl Components {
    /// Computes the components of all polygons. [`NavMesh::components`] does this once for all snapshots, and keeps the
    /// result.
    #[must_use]
    pub fn of(mesh: &NavMesh) -> Self {
        Self::compute(mesh, None)
    }

    /// Computes the components of the polygons that a mask passes. A closed polygon is in no component.
    #[must_use]
    pub fn of_open(mesh: &NavMesh, mask: FlagMask) -> Self {
        Self::compute(mesh, Some(mask))
    }

    pub(super) fn compute(mesh: &NavMesh, mask: Option<FlagMask>) -> Self {
        let slots: Vec<u32> = mesh.tiles().map(|tile| tile.slot().get()).collect();
        Self::none(mesh.version().clone(), mask).after(mesh, &slots)
    }

    /// Updates the components to another mesh, usually a later version of the one they describe: then only what is near
    /// changes is recomputed. Gives the same result as computing them from scratch, and works with any mesh.
    pub fn update(&mut self, mesh: &NavMesh) {
        if self.version != *mesh.version() {
            *self = self.updated(mesh);
        }
    }

    /// The components of another version of the mesh.
    pub(super) fn updated(&self, mesh: &NavMesh) -> Self {
        let Ok(changes) = mesh.changes_since(&self.version) else { return Self::compute(mesh, self.mask) };
        let mut touched: Vec<u32> = changes.filter_map(|change| self.touched_by(mesh, change)).collect();
        touched.sort_unstable();
        touched.dedup();
        // If everything has changed, computing from scratch is as fast.
        if touched.len() > mesh.tile_count() as usize {
            return Self::compute(mesh, self.mask);
        }
        self.after(mesh, &touched)
    }

    /// The slot in which a change may affect connectivity.
    fn touched_by(&self, mesh: &NavMesh, change: Change) -> Option<u32> {
        match change {
            Change::TileRemoved(tile) | Change::TileAdded(tile) | Change::TileLinks(tile) => Some(tile.slot().get()),
            Change::TileState(tile) if self.mask.is_some() => Some(tile.slot().get()),
            // It is handled where it begins. If it now begins elsewhere, links have changed there too.
            Change::ConnectionState(connection) if self.mask.is_some() => {
                Some(mesh.connection(connection).ok()?.ends()[0]?.poly.slot().get())
            }
            _ => None,
        }
    }

    /// The version of the mesh that they describe.
    #[must_use]
    pub fn version(&self) -> &MeshVersion {
        &self.version
    }

    /// The mask of open polygons; `None` for components of all polygons.
    #[must_use]
    pub fn mask(&self) -> Option<FlagMask> {
        self.mask
    }

    /// The components of a mesh without tiles.
    fn none(version: MeshVersion, mask: Option<FlagMask>) -> Self {
        Self {
            version,
            mask,
            squares: Vec::new(),
            order: Vec::new(),
            places: Paged::filled(Standing::NOWHERE, 0),
            first_part: Vec::new(),
            of_part: Vec::new(),
            count: 0,
            one_way: Vec::new(),
            weak: Vec::new(),
            near: OnceLock::new(),
        }
    }

    /// The components of the current mesh, if nothing has changed except the tiles in some slots: they were added or
    /// removed, or their links, their state or the connections that begin on them changed.
    fn after(&self, mesh: &NavMesh, touched: &[u32]) -> Self {
        let squares = self.squares.clone();
        let order = self.order.clone();
        let places = self.places.clone();
        let mut new = Self { squares, order, places, ..Self::none(mesh.version().clone(), self.mask) };
        let mut changed: Vec<(SquarePlace, u32)> = Vec::with_capacity(touched.len());
        for &slot in touched {
            changed.extend(self.standing(slot).map(|(square, _)| (self.squares[square as usize].place, slot)));
            changed.extend(mesh.tile_in(TileSlot::new(slot)).map(|tile| (place_of(tile.coord()), slot)));
        }
        changed.sort_unstable();
        changed.dedup();
        for same in changed.chunk_by(|a, b| a.0 == b.0) {
            new.renew_square(mesh, same);
        }
        new.join_squares();
        new
    }

    /// Recomputes a square in which tiles have changed.
    fn renew_square(&mut self, mesh: &NavMesh, changed: &[(SquarePlace, u32)]) {
        let place = changed[0].0;
        let (at, square) = self.square_at(place);
        let old = Arc::clone(&self.squares[square as usize]);
        let is_here = |slot: &u32| mesh.tile_in(TileSlot::new(*slot)).is_some_and(|t| place_of(t.coord()) == place);
        let all = old.tiles.iter().map(|tile| tile.slot).chain(changed.iter().map(|(_, slot)| *slot));
        let mut slots: Vec<u32> = all.filter(is_here).collect();
        slots.sort_unstable();
        slots.dedup();
        let new = Square::of(mesh, self.mask, place, &slots, &old);
        for tile in &old.tiles {
            let is_gone = slots.binary_search(&tile.slot).is_err();
            // It may be in another square now.
            if is_gone && self.standing(tile.slot).is_some_and(|(there, _)| there == square) {
                *self.places.write(tile.slot) = Standing::NOWHERE;
            }
        }
        for (at, tile) in (0u32..).zip(&new.tiles) {
            let standing = Standing { square, at };
            if self.places.get(tile.slot) != Some(&standing) {
                *self.places.write(tile.slot) = standing;
            }
        }
        if new.tiles.is_empty() {
            self.order.remove(at);
        }
        self.squares[square as usize] = Arc::new(new);
    }

    /// The square at a place, as its number in the order and among all; a new one if there is none.
    fn square_at(&mut self, place: SquarePlace) -> (usize, u32) {
        match self.order.binary_search_by_key(&place, |&square| self.squares[square as usize].place) {
            Ok(at) => (at, self.order[at]),
            Err(at) => {
                let is_free = |square: &Arc<Square>| square.tiles.is_empty();
                // When a mesh is processed for the first time, all squares have tiles.
                let free =
                    if self.order.len() < self.squares.len() { self.squares.iter().position(is_free) } else { None };
                let square = free.unwrap_or_else(|| {
                    self.squares.push(Arc::default());
                    self.squares.len() - 1
                }) as u32;
                self.order.insert(at, square);
                (at, square)
            }
        }
    }

    /// Joins the parts of all squares, and numbers components by their first parts.
    fn join_squares(&mut self) {
        let mut parts = 0;
        self.first_part = vec![0; self.squares.len()];
        for &square in &self.order {
            self.first_part[square as usize] = parts;
            parts += self.squares[square as usize].parts;
        }
        let mut of_part: Vec<u32> = (0..parts).collect();
        for (first, square) in self.squares_in_order() {
            for edge in &square.beyond {
                if let Some(there) = self.part_at_end(edge) {
                    unite(&mut of_part, first + edge.part, there);
                }
            }
        }
        self.count = number_sets(&mut of_part);
        let mut one_way = Vec::new();
        for (first, square) in self.squares_in_order() {
            let ends = |part: u32, to: u32| (of_part[(first + part) as usize], of_part[to as usize]);
            let ways = square.one_way.iter().filter_map(|way| Some(ends(way.part, self.part_at_end(way)?)));
            one_way.extend(ways.filter(|(from, to)| from != to));
        }
        one_way.sort_unstable();
        one_way.dedup();
        let mut weak: Vec<u32> = (0..self.count).collect();
        for &(from, to) in &one_way {
            unite(&mut weak, from, to);
        }
        for component in 0..self.count {
            weak[component as usize] = root_of(&mut weak, component);
        }
        (self.of_part, self.one_way, self.weak) = (of_part, one_way, weak);
    }

    /// The squares that have tiles, by place, each with the number of its first part.
    fn squares_in_order(&self) -> impl Iterator<Item = (u32, &Square)> {
        self.order.iter().map(|&square| (self.first_part[square as usize], &*self.squares[square as usize]))
    }

    #[inline]
    fn standing(&self, slot: u32) -> Option<(u32, &SquareTile)> {
        let &Standing { square, at } = self.places.get(slot)?;
        if square == NONE { None } else { Some((square, &self.squares[square as usize].tiles[at as usize])) }
    }

    /// The part of a polygon, numbered across all squares.
    #[inline]
    fn part(&self, slot: u32, poly: u32) -> Option<u32> {
        let (square, tile) = self.standing(slot)?;
        Some(self.first_part[square as usize] + self.squares[square as usize].part(tile, poly)?)
    }

    /// The part to which an edge leads.
    #[inline]
    fn part_at_end(&self, edge: &PartEdge) -> Option<u32> {
        let (square, tile) = self.standing(edge.slot)?;
        Some(self.first_part[square as usize] + self.squares[square as usize].part_at_end(tile, edge)?)
    }

    /// Calls `visit` with the tiles that contain part of a component and may lie within a squared distance of a
    /// position, roughly nearest first. `visit` receives and returns that distance, which may only shrink. `mesh` is
    /// the mesh that the components describe.
    pub(crate) fn visit_near(
        &self,
        mesh: &NavMesh,
        component: u32,
        to: Vec3,
        within: f32,
        visit: &mut dyn FnMut(&Tile, f32) -> f32,
    ) {
        let near = once(&self.near, || self.near_squares(mesh));
        let Some(&[first, end]) = near.first.get(component as usize..component as usize + 2) else { return };
        near.tree.visit(&(first..end), to, within, &mut |square, within| {
            let square = &self.squares[square as usize];
            square.near(mesh).visit(&(0..square.tiles.len()), to, within, &mut |at, within| {
                let slot = TileSlot::new(square.tiles[at as usize].slot);
                let is_own = self.of_tile(slot).iter().any(|own| own == component);
                let tile = mesh.tile_in(slot).filter(|t| is_own && distance_to_box(to, &t.bounds(), 0.0) <= within);
                tile.map_or(within, |tile| visit(tile, within))
            })
        });
    }

    fn near_squares(&self, mesh: &NavMesh) -> NearSquares {
        let mut along: Vec<(u32, u64, u32)> = Vec::new();
        for &number in &self.order {
            let square = &self.squares[number as usize];
            let first = self.first_part[number as usize] as usize;
            let parts = square.parts as usize;
            let curve = morton(square.place.1, square.place.0);
            along.extend(self.of_part[first..first + parts].iter().map(|&component| (component, curve, number)));
        }
        along.sort_unstable();
        along.dedup();
        let mut first = vec![0; self.count as usize + 1];
        along.iter().for_each(|&(component, ..)| first[component as usize + 1] += 1);
        for component in 1..first.len() {
            first[component] += first[component - 1];
        }
        let around = |square: u32| (square, self.squares[square as usize].near(mesh).bounds());
        NearSquares { tree: NearTree::of(along.iter().map(|&(.., square)| around(square))), first }
    }

    /// Queries, polygon by polygon.
    #[cfg(test)]
    pub(super) fn numbers(&self, mesh: &NavMesh) -> impl PartialEq + core::fmt::Debug + '_ {
        let polys = mesh.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly)));
        let components: Vec<Option<u32>> = polys.map(|poly| self.component(poly)).collect();
        (components, self.count, &self.one_way, &self.weak)
    }

    /// How many components there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The component of a polygon; `None` for closed polygons, for off-mesh connections, which belong to no component,
    /// and for references unknown when the components were computed.
    #[must_use]
    pub fn component(&self, reference: PolyRef) -> Option<u32> {
        let slot = reference.slot().get();
        self.standing(slot).filter(|(_, tile)| tile.salt == reference.salt() && !reference.is_off_mesh())?;
        self.part(slot, reference.poly().get()).map(|part| self.of_part[part as usize])
    }

    /// The components of the [islands](crate::tile::Islands) of a tile; none for tiles unknown when the components were
    /// computed.
    pub fn of_islands(&self, tile: TileRef) -> impl Iterator<Item = u32> + '_ {
        let known = self.standing(tile.slot().get()).is_some_and(|(_, there)| there.salt == tile.salt());
        let components = if known { self.of_tile(tile.slot()) } else { TileComponents::NONE };
        components.iter()
    }

    /// Islands and components of the tile in a slot.
    #[inline]
    pub(crate) fn of_tile(&self, slot: TileSlot) -> TileComponents<'_> {
        let Some((square, tile)) = self.standing(slot.get()) else { return TileComponents::NONE };
        let first = self.first_part[square as usize] as usize;
        let square = &self.squares[square as usize];
        let of_part = &self.of_part[first..first + square.parts as usize];
        TileComponents { islands: tile.islands(), parts: square.parts_of(tile), of_part }
    }

    /// The pairs (from, to) of components that are joined by a connection that can be used one way only, sorted.
    #[must_use]
    pub fn one_way(&self) -> &[(u32, u32)] {
        &self.one_way
    }

    /// Whether there may be a path from one polygon to another for some filter; for components kept for a mask, whether
    /// there is one for that mask. `false` is final, and returned for unknown references and closed polygons. Cost:
    /// none if both are in one component, or in two that nothing connects; otherwise the components that one-way
    /// connections lead to.
    #[must_use]
    pub fn may_reach(&self, from: PolyRef, to: PolyRef) -> bool {
        self.component(from).is_some_and(|from| self.may_lead(from, to))
    }

    /// Like [`may_reach`](Self::may_reach), from any polygon of a component.
    pub(crate) fn may_lead(&self, from: u32, to: PolyRef) -> bool {
        let Some(to) = self.component(to) else { return false };
        let mut reached = Vec::new();
        from == to
            || self.weak[from as usize] == self.weak[to as usize] && {
                self.reachable_into(from, &mut reached);
                reached.binary_search(&to).is_ok()
            }
    }

    /// All components that can be reached from one, including itself, sorted. Cost: the one-way connections among them,
    /// and one bit for each existing component.
    pub(crate) fn reachable_into(&self, from: u32, reached: &mut Vec<u32>) {
        reached.clear();
        if self.one_way.is_empty() {
            return reached.push(from);
        }
        // While this runs, one bit per component at the front records which have been visited.
        let words = (self.count as usize).div_ceil(32);
        reached.resize(words, 0);
        let is_new = |reached: &mut [u32], component: u32| {
            let bit = 1 << (component % 32);
            let word = &mut reached[component as usize / 32];
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        };
        is_new(reached, from);
        reached.push(from);
        let mut next = words;
        while let Some(&at) = reached.get(next) {
            next += 1;
            let start = self.one_way.partition_point(|(a, _)| *a < at);
            for &(_, beyond) in self.one_way[start..].iter().take_while(|(a, _)| *a == at) {
                if is_new(reached, beyond) {
                    reached.push(beyond);
                }
            }
        }
        reached.drain(..words);
        reached.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::mesh::OffMeshConnection;
    use crate::tile::test_sketch::sketch;
    use crate::tile::{TileCoord, TileLayout};

    fn jump(from: f32, to: f32, two_way: bool) -> OffMeshConnection {
        let at = |x| Vec3::new(x, 0.0, 0.5);
        let area = AreaId::WALKABLE;
        let flags = PolyFlags::WALK;
        OffMeshConnection { start: at(from), end: at(to), radius: 0.3, two_way, area, flags, user_id: 0 }
    }

    #[test]
    fn islands_are_told_apart_and_one_way_jumps_lead_one_way() {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 1.0 };
        let tile = |x, map| sketch(TileCoord { x, z: 0, layer: 0 }, map);
        let mut mesh = NavMesh::from_tiles(layout, vec![tile(0, "a.aa"), tile(1, "a.a.")]).unwrap();
        let at = |slot, poly| PolyRef::new(1, slot, poly).unwrap();
        let islands = Components::of(&mesh);
        assert_eq!(islands.count(), 3);
        assert_eq!([0, 1, 2].map(|poly| islands.component(at(0, poly))), [Some(0), Some(1), Some(1)]);
        let of_islands = |slot| islands.of_islands(TileRef::new(1, slot).unwrap()).collect::<Vec<_>>();
        assert_eq!((of_islands(0), of_islands(1), of_islands(2)), (vec![0, 1], vec![1, 2], vec![]));
        assert!(islands.may_reach(at(0, 1), at(1, 0)) && !islands.may_reach(at(0, 0), at(0, 1)));

        mesh.add_connection(jump(0.5, 2.5, false)).unwrap();
        let two_way = mesh.add_connection(jump(4.5, 6.5, true)).unwrap();
        let joined = mesh.components().clone();
        assert_eq!((joined.count(), joined.one_way()), (2, &[(0, 1)][..]));
        assert!(joined.may_reach(at(0, 0), at(1, 1)) && !joined.may_reach(at(1, 1), at(0, 0)));
        assert_eq!(joined.component(two_way), None);
        let before = mesh.clone();
        mesh.remove_tile(TileRef::new(1, 0).unwrap()).unwrap();
        assert_eq!((mesh.components().component(at(0, 0)), mesh.components().count()), (None, 1));
        assert_eq!(before.components().count(), 2, "a clone keeps its own");
    }

    /// A stair of islands, each with a drop to the next and one back to the first that is not: everything below is
    /// reached, once.
    #[test]
    fn many_drops_are_followed_each_once() {
        let count = 300u32;
        let map = "a.".repeat(count as usize);
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0 * count as f32, tile_depth: 1.0 };
        let mut mesh = NavMesh::from_tiles(layout, vec![sketch(TileCoord::default(), &map)]).unwrap();
        for island in 0..count {
            // To the next, and over it.
            for beyond in [island + 1, island + 2].into_iter().filter(|beyond| *beyond < count) {
                mesh.add_connection(jump(2.0 * island as f32 + 0.5, 2.0 * beyond as f32 + 0.5, false)).unwrap();
            }
        }
        let components = mesh.components().clone();
        let mut reached = vec![7; 9];
        assert_eq!(components.count(), count);
        for from in [0, 1, 31, 32, 200, count - 1] {
            components.reachable_into(from, &mut reached);
            assert!(reached.iter().copied().eq(from..count), "from {from}: {reached:?}");
        }
    }
}
