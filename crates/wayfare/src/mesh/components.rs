//! Which polygons can be reached from each other at all: connected components.
//!
//! Every polygon is a node, every neighbour and link an edge; two sets that meet become one (union-find). With two-way
//! links alone, two polygons of one component reach each other. One-way off-mesh connections are kept apart: they lead
//! from one component to another, and to know whether a path may exist one follows them from component to component.
//!
//! ```text
//!   (component 0) ══> one way ══> (component 1)      1 cannot be left towards 0
//! ```
//!
//! These are of the ground alone: a closed door does not split a component. "Not reachable" is therefore final for
//! every filter, "reachable" is not. Components of the ground that some flags leave open are [kept beside
//! them](super::kept_masks).
//!
//! Which islands of neighbours the links of a tile join stands with its links, once it was asked for. After an edit
//! that is found anew for the tiles whose links changed, and one pass over the islands of all others joins them.
//!
//! Cost: near linear in the [islands](crate::tile::Islands) of the tiles, and in the links of the tiles that changed,
//! not in polygons; sixteen bytes an island. Where flags count, also in the polygons of those tiles whose state has
//! changed.
//!
//! Sources: Robert Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", 1975.

use super::links::Join;
use super::near_tree::NearTree;
use super::once::once;
use super::tile::TileGeometry;
use super::{Connection, NavMesh, PolyRef, PolyState, Tile};
use crate::area::FlagMask;
use crate::math::index::{NONE, TileSlot};
use crate::tile::Islands;
use crate::tile::islands::{root_of, unite};
use core::ops::Range;
use glam::Vec3;
use std::sync::{Arc, OnceLock};

/// The connected components of a mesh, as it was when they were computed.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// By slot.
    tiles: Vec<TileIslands>,
    /// Component of each node: islands by slot, then off-mesh connections by index.
    of_node: Vec<u32>,
    connections_at: u32,
    count: u32,
    /// The slots in which each component has ground, component after component, and where each begins.
    slots: Vec<u32>,
    first_slot: Vec<u32>,
    /// (from, to) components that a one-way connection joins, sorted.
    one_way: Vec<(u32, u32)>,
    /// The least component that each is joined with, by ways in either direction.
    weak: Vec<u32>,
    /// Once a place far from a component was asked about.
    near: OnceLock<NearTree>,
}

/// The nodes of a slot: one for each island of its tile.
#[derive(Clone, Debug, Default)]
struct TileIslands {
    islands: Option<IslandsOf>,
    first: u32,
    salt: u16,
}

/// The islands of a tile.
#[derive(Clone, Debug)]
enum IslandsOf {
    /// Of all its ground.
    Geometry(Arc<TileGeometry>),
    /// Of the ground that its state leaves open; and whether they are those of all its ground.
    State(Arc<[PolyState]>, Arc<Islands>, bool),
}

impl IslandsOf {
    fn new(tile: &Tile, mask: Option<FlagMask>, before: Option<&Self>) -> Self {
        let Some(mask) = mask else { return Self::Geometry(Arc::clone(&tile.geometry)) };
        match before {
            // A state that is held here is never written to, so the same state is the same ground.
            Some(Self::State(state, islands, whole)) if Arc::ptr_eq(state, &tile.state) => {
                Self::State(Arc::clone(state), Arc::clone(islands), *whole)
            }
            _ => {
                let islands = Islands::of_open(tile.data(), |poly| mask.passes(tile.state(poly).flags));
                let whole = islands.of_polys() == tile.islands().of_polys();
                Self::State(Arc::clone(&tile.state), Arc::new(islands), whole)
            }
        }
    }

    #[inline]
    fn get(&self) -> &Islands {
        match self {
            Self::Geometry(geometry) => geometry.islands(),
            Self::State(_, islands, _) => islands,
        }
    }
}

impl TileIslands {
    /// The node of a polygon.
    #[inline]
    fn node(&self, poly: u32) -> Option<u32> {
        let &island = self.islands.as_ref()?.get().of_polys().get(poly as usize)?;
        if island == NONE { None } else { Some(self.first + island) }
    }

    /// Whether its islands are those of all ground of the tile.
    fn is_whole(&self) -> bool {
        match &self.islands {
            Some(IslandsOf::Geometry(_) | IslandsOf::State(_, _, true)) => true,
            Some(IslandsOf::State(..)) | None => false,
        }
    }

    fn count(&self) -> u32 {
        self.islands.as_ref().map_or(0, |islands| islands.get().count())
    }
}

impl Components {
    /// Computes them. [`NavMesh::components`] does so once for a mesh and keeps them.
    #[must_use]
    pub fn of(mesh: &NavMesh) -> Self {
        Self::compute(mesh, None, None)
    }

    /// Computes those of the ground that a mask leaves open; of tiles that are as they were `before`, the islands are
    /// taken from there.
    pub(super) fn compute(mesh: &NavMesh, mask: Option<FlagMask>, before: Option<&Self>) -> Self {
        let is_open = |connection: &Connection| mask.is_none_or(|mask| mask.passes(connection.state().flags));
        let mut found = Self::number_nodes(mesh, mask, before);
        let mut parent: Vec<u32> = (0..found.of_node.len() as u32).collect();
        for tile in mesh.tiles() {
            found.unite_over_links(mesh, tile, &mut parent);
        }
        for connection in mesh.connections().filter(|c| is_open(c)) {
            let Some([start, end]) = connection.passage(0) else { continue };
            let nodes = [connection.reference(), start.poly, end.poly].map(|r| found.node(r));
            if let [Some(own), Some(start), Some(end)] = nodes {
                // It is entered from its start; what lies beyond may be another component.
                unite(&mut parent, own, start);
                if connection.passage(1).is_some() {
                    unite(&mut parent, own, end);
                }
            }
        }
        found.number_components(mesh, &parent, is_open);
        found.list_slots();
        found
    }

    /// Unites the islands of a tile with those that its links lead to.
    fn unite_over_links(&self, mesh: &NavMesh, tile: &Tile, parent: &mut [u32]) {
        let own = &self.tiles[tile.slot().index()];
        let border = &tile.geometry.border;
        let joins = tile.links().joins(|number, link| {
            let (beyond, poly) = mesh.locate(link.to).ok()?;
            let island = *tile.islands().of_polys().get(border.edge(number).poly as usize)?;
            let other = *beyond.islands().of_polys().get(poly as usize)?;
            Some(Join { island, slot: link.to.slot().get(), other })
        });
        let beyond = |join: &Join| self.tiles.get(join.slot as usize).filter(|tile| tile.is_whole());
        if own.is_whole() && joins.iter().all(|join| beyond(join).is_some()) {
            for join in joins {
                let there = beyond(join).map_or(own.first + join.island, |tile| tile.first + join.other);
                unite(parent, own.first + join.island, there);
            }
            return;
        }
        for (number, link) in tile.links().numbered() {
            let here = own.node(border.edge(number).poly);
            if let (Some(here), Some(there)) = (here, self.node(link.to)) {
                unite(parent, here, there);
            }
        }
    }

    fn number_nodes(mesh: &NavMesh, mask: Option<FlagMask>, before: Option<&Self>) -> Self {
        let slots = mesh.tiles().last().map_or(0, |tile| tile.slot().index() + 1);
        let mut found = Self { tiles: vec![TileIslands::default(); slots], ..Self::default() };
        let mut nodes = 0;
        for tile in mesh.tiles() {
            let slot = tile.slot().index();
            let old = before.and_then(|before| before.tiles.get(slot)?.islands.as_ref());
            let islands = Some(IslandsOf::new(tile, mask, old));
            found.tiles[slot] = TileIslands { islands, first: nodes, salt: tile.salt() };
            nodes += found.tiles[slot].count();
        }
        found.connections_at = nodes;
        let connections = mesh.connections().last().map_or(0, |c| c.reference().poly().get() + 1);
        found.of_node = vec![NONE; (nodes + connections) as usize];
        found
    }

    /// Numbers components in the order of their first polygons.
    fn number_components(&mut self, mesh: &NavMesh, parent: &[u32], is_open: impl Fn(&Connection) -> bool) {
        // A parent is never greater than its child, and connections come last, so what it is part of is known already.
        for (node, &above) in parent.iter().enumerate().take(self.connections_at as usize) {
            let above = above as usize;
            if above == node {
                self.of_node[node] = self.count;
                self.count += 1;
            } else {
                self.of_node[node] = self.of_node[above];
            }
        }
        for connection in mesh.connections().filter(|c| is_open(c)) {
            let Some([start, end]) = connection.passage(0) else { continue };
            let (from, to) = (self.component(start.poly), self.component(end.poly));
            if let Some(own) = self.node(connection.reference()) {
                self.of_node[own as usize] = from.unwrap_or(NONE);
            }
            if let (Some(from), Some(to)) = (from, to)
                && from != to
            {
                self.one_way.push((from, to));
            }
        }
        self.one_way.sort_unstable();
        self.one_way.dedup();
        self.weak = (0..self.count).collect();
        for &(from, to) in &self.one_way {
            unite(&mut self.weak, from, to);
        }
        for component in 0..self.count {
            self.weak[component as usize] = root_of(&mut self.weak, component);
        }
    }

    fn list_slots(&mut self) {
        let islands = &self.of_node[..self.connections_at as usize];
        let mut next = vec![0u32; self.count as usize + 1];
        islands.iter().for_each(|&component| next[component as usize + 1] += 1);
        for k in 1..next.len() {
            next[k] += next[k - 1];
        }
        (self.first_slot, self.slots) = (next.clone(), vec![0; islands.len()]);
        for (slot, tile) in (0u32..).zip(&self.tiles) {
            for &component in &islands[tile.first as usize..(tile.first + tile.count()) as usize] {
                let place = &mut next[component as usize];
                self.slots[*place as usize] = slot;
                *place += 1;
            }
        }
    }

    /// Where the slots stand in which a component has ground: one for each island.
    fn range_of(&self, component: u32) -> Range<usize> {
        let at = |at: u32| self.first_slot.get(at as usize).map_or(self.slots.len(), |&first| first as usize);
        at(component)..at(component.saturating_add(1))
    }

    /// Calls `visit` with the tiles in which a component has ground and that may lie within a squared distance of a
    /// place, mostly the nearest first. It is given and gives back that distance, which may only shrink. `mesh` is the
    /// one that the components are of.
    pub(crate) fn visit_near(
        &self,
        mesh: &NavMesh,
        component: u32,
        to: Vec3,
        within: f32,
        visit: &mut dyn FnMut(&Tile, f32) -> f32,
    ) {
        let ranges = || (0..self.count).map(|component| self.range_of(component));
        let near = once(&self.near, || NearTree::of(mesh, self.slots.clone(), ranges()));
        near.visit(&self.range_of(component), to, within, &mut |slot, within| {
            mesh.tile(TileSlot::new(slot)).map_or(within, |tile| visit(tile, within))
        });
    }

    fn node(&self, reference: PolyRef) -> Option<u32> {
        if reference.is_off_mesh() {
            return Some(self.connections_at + reference.poly().get());
        }
        let tile = self.tiles.get(reference.slot().index()).filter(|tile| tile.salt == reference.salt())?;
        tile.node(reference.poly().get())
    }

    /// Everything but what it was computed from, and nodes at the end that are in no component: connections without
    /// ground may come and go unnoticed.
    #[cfg(test)]
    pub(super) fn numbers(&self) -> impl PartialEq + core::fmt::Debug + '_ {
        let used = self.of_node.iter().rposition(|&component| component != NONE).map_or(0, |last| last + 1);
        (&self.of_node[..used], self.count, &self.slots, &self.one_way, &self.weak)
    }

    /// How many components of ground there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The component of a polygon, or of the ground at which an off-mesh connection begins; `None` for references
    /// unknown when the components were computed.
    #[must_use]
    pub fn component(&self, reference: PolyRef) -> Option<u32> {
        let component = *self.of_node.get(self.node(reference)? as usize)?;
        (component != NONE).then_some(component)
    }

    /// The components of the [islands](crate::tile::Islands) of the tile in a slot; empty for slots without a tile.
    #[must_use]
    #[inline]
    pub fn of_islands(&self, slot: TileSlot) -> &[u32] {
        let (first, count) = self.tiles.get(slot.index()).map_or((0, 0), |tile| (tile.first, tile.count()));
        &self.of_node[first as usize..(first + count) as usize]
    }

    /// The island of each polygon of the tile in a slot, [`NONE`] for closed ones; empty for slots without a tile.
    #[inline]
    pub(crate) fn islands_of(&self, slot: TileSlot) -> &[u32] {
        let islands = self.tiles.get(slot.index()).and_then(|tile| tile.islands.as_ref());
        islands.map_or(&[], |islands| islands.get().of_polys())
    }

    /// The pairs (from, to) of components that are joined by a connection that can be used one way only, sorted.
    #[must_use]
    pub fn one_way(&self) -> &[(u32, u32)] {
        &self.one_way
    }

    /// Whether there may be a way from one polygon to another, by some filter; or, of components that were kept for a
    /// mask, whether there is one. `false` is final. Unknown references and closed polygons: `false`. Cost: none where
    /// both are in one component, or in two that nothing joins; else the components that one-way connections lead to.
    #[must_use]
    pub fn may_reach(&self, from: PolyRef, to: PolyRef) -> bool {
        let (Some(from), Some(to)) = (self.component(from), self.component(to)) else { return false };
        let mut reached = Vec::new();
        from == to
            || self.weak[from as usize] == self.weak[to as usize] && {
                self.reachable_into(from, &mut reached);
                reached.binary_search(&to).is_ok()
            }
    }

    /// All components that can be reached from one, itself included, sorted. Cost: the one-way connections among them,
    /// and a bit for each component there is.
    pub(crate) fn reachable_into(&self, from: u32, reached: &mut Vec<u32>) {
        reached.clear();
        if self.one_way.is_empty() {
            return reached.push(from);
        }
        // Which have been met stands in front, a bit each, as long as this goes on.
        let words = (self.count as usize).div_ceil(32);
        reached.resize(words, 0);
        let is_new = |reached: &mut [u32], component: u32| {
            let (bit, word) = (1 << (component % 32), &mut reached[component as usize / 32]);
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

impl NavMesh {
    /// The connected components of the mesh as it is. Computed when they are first asked for after tiles or connections
    /// came or went (changed flags and areas make no difference), and shared by all clones made since.
    #[must_use]
    #[inline]
    pub fn components(&self) -> &Components {
        once(&self.components, || Components::of(self))
    }

    /// Forgets the components, since what connects may have changed.
    pub(super) fn forget_components(&mut self) {
        self.forget_masked();
        match Arc::get_mut(&mut self.components) {
            Some(own) => drop(own.take()),
            // Clones keep theirs.
            None => self.components = Arc::default(),
        }
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
        let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
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
        assert_eq!(
            (islands.of_islands(TileSlot::new(0)), islands.of_islands(TileSlot::new(1))),
            (&[0, 1][..], &[1, 2][..])
        );
        assert!(islands.may_reach(at(0, 1), at(1, 0)) && !islands.may_reach(at(0, 0), at(0, 1)));

        mesh.add_connection(jump(0.5, 2.5, false)).unwrap();
        let two_way = mesh.add_connection(jump(4.5, 6.5, true)).unwrap();
        let joined = mesh.components().clone();
        assert_eq!((joined.count(), joined.one_way()), (2, &[(0, 1)][..]));
        assert!(joined.may_reach(at(0, 0), at(1, 1)) && !joined.may_reach(at(1, 1), at(0, 0)));
        assert_eq!(joined.component(two_way), joined.component(at(1, 1)));
        let before = mesh.clone();
        mesh.remove_tile(TileSlot::new(0)).unwrap();
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
        let (components, mut reached) = (mesh.components().clone(), vec![7; 9]);
        assert_eq!(components.count(), count);
        for from in [0, 1, 31, 32, 200, count - 1] {
            components.reachable_into(from, &mut reached);
            assert!(reached.iter().copied().eq(from..count), "from {from}: {reached:?}");
        }
    }
}
