//! Which polygons can be reached from each other at all: connected components.
//!
//! Every polygon is a node, every neighbour and link an edge; two sets that meet become one (union-find). With two-way links
//! alone, two polygons of one component reach each other. One-way off-mesh connections are kept apart: they lead from one
//! component to another, and who wants to know whether a path may exist follows them from component to component.
//!
//! ```text
//!   (component 0) ══> one way ══> (component 1)      1 cannot be left towards 0
//! ```
//!
//! Filters are not looked at: a closed door does not split a component. "Not reachable" is therefore final for every
//! filter, "reachable" is not.
//!
//! Cost: near linear in the [islands](crate::tile::Islands) of the tiles and the links between them, not in polygons; twelve
//! bytes an island.
//!
//! Sources: Robert Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", 1975.

use super::tile::TileGeometry;
use super::{NavMesh, PolyRef};
use crate::math::index::{NONE, TileSlot};
use crate::tile::islands::unite;
use std::sync::Arc;

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
}

/// The nodes of a slot: one for each island of its tile.
#[derive(Clone, Debug, Default)]
struct TileIslands {
    geometry: Option<Arc<TileGeometry>>,
    first: u32,
    salt: u16,
}

impl TileIslands {
    /// The node of a polygon.
    #[inline]
    fn node(&self, poly: u32) -> Option<u32> {
        Some(self.first + self.geometry.as_ref()?.islands.of_polys().get(poly as usize)?)
    }

    fn count(&self) -> u32 {
        self.geometry.as_ref().map_or(0, |geometry| geometry.islands.count())
    }
}

impl Components {
    /// Computes them. [`NavMesh::components`] does so once for a mesh and keeps them.
    #[must_use]
    pub fn of(mesh: &NavMesh) -> Self {
        let mut found = Self::number_nodes(mesh);
        let mut parent: Vec<u32> = (0..found.of_node.len() as u32).collect();
        for tile in mesh.tiles() {
            let own = &found.tiles[tile.slot().index()];
            for (number, link) in tile.links().numbered() {
                let here = own.node(tile.graph().border()[number as usize].poly);
                if let (Some(here), Some(there)) = (here, found.node(link.to)) {
                    unite(&mut parent, here, there);
                }
            }
        }
        for connection in mesh.connections() {
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
        found.number_components(mesh, &parent);
        found.list_slots();
        found
    }

    fn number_nodes(mesh: &NavMesh) -> Self {
        let slots = mesh.tiles().last().map_or(0, |tile| tile.slot().index() + 1);
        let mut found = Self { tiles: vec![TileIslands::default(); slots], ..Self::default() };
        let mut nodes = 0;
        for tile in mesh.tiles() {
            let geometry = Some(Arc::clone(&tile.geometry));
            found.tiles[tile.slot().index()] = TileIslands { geometry, first: nodes, salt: tile.salt() };
            nodes += tile.geometry.islands.count();
        }
        found.connections_at = nodes;
        let connections = mesh.connections().last().map_or(0, |c| c.reference().poly().get() + 1);
        found.of_node = vec![NONE; (nodes + connections) as usize];
        found
    }

    /// Numbers components in the order of their first polygons.
    fn number_components(&mut self, mesh: &NavMesh, parent: &[u32]) {
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
        for connection in mesh.connections() {
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

    /// The slots in which a component has ground, ascending; once for each island.
    #[must_use]
    pub(crate) fn slots_of(&self, component: u32) -> &[u32] {
        let range = |at: u32| self.first_slot.get(at as usize).map_or(self.slots.len(), |&first| first as usize);
        &self.slots[range(component)..range(component.saturating_add(1))]
    }

    fn node(&self, reference: PolyRef) -> Option<u32> {
        if reference.is_off_mesh() {
            return Some(self.connections_at + reference.poly().get());
        }
        let tile = self.tiles.get(reference.slot().index()).filter(|tile| tile.salt == reference.salt())?;
        tile.node(reference.poly().get())
    }

    /// How many components of ground there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The component of a polygon, or of the ground at which an off-mesh connection begins; `None` for references unknown when
    /// the components were computed.
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

    /// The pairs (from, to) of components that are joined by a connection that can be used one way only, sorted.
    #[must_use]
    pub fn one_way(&self) -> &[(u32, u32)] {
        &self.one_way
    }

    /// Whether there may be a way from one polygon to another, by some filter. `false` is final. Unknown references: `false`.
    #[must_use]
    pub fn may_reach(&self, from: PolyRef, to: PolyRef) -> bool {
        let (Some(from), Some(to)) = (self.component(from), self.component(to)) else { return false };
        let mut reached = Vec::new();
        from == to
            || !self.one_way.is_empty() && {
                self.reachable_into(from, &mut reached);
                reached.binary_search(&to).is_ok()
            }
    }

    /// All components that can be reached from one, itself included, sorted.
    pub(crate) fn reachable_into(&self, from: u32, reached: &mut Vec<u32>) {
        reached.clear();
        reached.push(from);
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            let start = self.one_way.partition_point(|(a, _)| *a < at);
            for &(_, beyond) in self.one_way[start..].iter().take_while(|(a, _)| *a == at) {
                if !reached.contains(&beyond) {
                    reached.push(beyond);
                }
            }
        }
        reached.sort_unstable();
    }
}

impl NavMesh {
    /// The connected components of the mesh as it is. Computed when they are first asked for after tiles or connections came or went
    /// (changed flags and areas make no difference), and shared by all clones made since.
    #[must_use]
    #[inline]
    pub fn components(&self) -> &Components {
        match self.components.get() {
            Some(components) => components,
            None => self.compute_components(),
        }
    }

    /// Threads that come here at once all compute, instead of waiting for one another; one result is kept.
    #[cold]
    fn compute_components(&self) -> &Components {
        let components = Components::of(self);
        self.components.get_or_init(|| components)
    }

    /// Forgets the components, since what connects may have changed.
    pub(super) fn forget_components(&mut self) {
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
    use crate::tile::sketch::sketch;
    use crate::tile::{TileCoord, TileLayout};
    use glam::Vec3;

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
}
