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
//! Cost: near linear in polygons and links; four bytes a polygon.
//!
//! Sources: Robert Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", 1975 (path halving, by index instead
//! of rank so that numbers do not depend on the order of unions).

use super::{NavMesh, PolyRef};
use crate::math::index::{NONE, TileSlot};

/// The connected components of a mesh, as it was when they were computed.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// The nodes of each slot.
    slots: Vec<SlotNodes>,
    /// Component of each node: polygons by slot, then off-mesh connections by index.
    of_node: Vec<u32>,
    connections_at: u32,
    count: u32,
    /// (from, to) components that a one-way connection joins, sorted.
    one_way: Vec<(u32, u32)>,
}

/// The nodes of a slot: one for each polygon of its tile.
#[derive(Clone, Copy, Debug, Default)]
struct SlotNodes {
    first: u32,
    count: u32,
    salt: u16,
}

impl Components {
    /// Computes them.
    #[must_use]
    pub fn of(mesh: &NavMesh) -> Self {
        let mut found = Self::number_nodes(mesh);
        let mut parent: Vec<u32> = (0..found.of_node.len() as u32).collect();
        for tile in mesh.tiles() {
            let first = found.slots[tile.slot().index()].first;
            for poly in 0..tile.poly_count() {
                for edge in tile.graph().edges_of(poly).iter().filter(|edge| edge.as_border().is_none()) {
                    unite(&mut parent, first + poly, first + edge.next);
                }
            }
            for (number, link) in tile.links().numbered() {
                let poly = tile.graph().border()[number as usize].poly;
                if let Some(to) = found.node(link.to) {
                    unite(&mut parent, first + poly, to);
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
        found.number_components(mesh, parent);
        found
    }

    fn number_nodes(mesh: &NavMesh) -> Self {
        let slots = mesh.tiles().last().map_or(0, |tile| tile.slot().index() + 1);
        let mut found = Self { slots: vec![SlotNodes::default(); slots], ..Self::default() };
        let mut nodes = 0;
        for tile in mesh.tiles() {
            let (count, salt) = (tile.poly_count(), tile.salt());
            found.slots[tile.slot().index()] = SlotNodes { first: nodes, count, salt };
            nodes += count;
        }
        found.connections_at = nodes;
        let connections = mesh.connections().last().map_or(0, |c| c.reference().poly().get() + 1);
        found.of_node = vec![NONE; (nodes + connections) as usize];
        found
    }

    /// Numbers components in the order of their first polygons.
    fn number_components(&mut self, mesh: &NavMesh, mut parent: Vec<u32>) {
        for node in 0..self.connections_at {
            let root = root_of(&mut parent, node) as usize;
            // The root is the lowest node of its set, so it is met first.
            if self.of_node[root] == NONE {
                self.of_node[root] = self.count;
                self.count += 1;
            }
            self.of_node[node as usize] = self.of_node[root];
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

    fn node(&self, reference: PolyRef) -> Option<u32> {
        if reference.is_off_mesh() {
            return Some(self.connections_at + reference.poly().get());
        }
        let slot = self.slots.get(reference.slot().index())?;
        let poly = reference.poly().get();
        (slot.salt == reference.salt() && poly < slot.count).then(|| slot.first + poly)
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

    /// The components of the polygons of a slot, by polygon; empty for slots without a tile.
    #[must_use]
    pub fn of_tile(&self, slot: TileSlot) -> &[u32] {
        let nodes = self.slots.get(slot.index()).copied().unwrap_or_default();
        &self.of_node[nodes.first as usize..(nodes.first + nodes.count) as usize]
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
        if from == to || self.one_way.is_empty() {
            return from == to;
        }
        let mut open = vec![from];
        let mut seen = vec![from];
        while let Some(at) = open.pop() {
            let start = self.one_way.partition_point(|(a, _)| *a < at);
            for &(_, next) in self.one_way[start..].iter().take_while(|(a, _)| *a == at) {
                if next == to {
                    return true;
                }
                if let Err(place) = seen.binary_search(&next) {
                    seen.insert(place, next);
                    open.push(next);
                }
            }
        }
        false
    }
}

fn root_of(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        let above = parent[parent[node as usize] as usize];
        parent[node as usize] = above;
        node = above;
    }
    node
}

/// Joins two sets under the lower root.
fn unite(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root_of(parent, a), root_of(parent, b));
    if a != b {
        parent[a.max(b) as usize] = a.min(b);
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
        assert_eq!(
            (islands.of_tile(TileSlot::new(0)), islands.of_tile(TileSlot::new(1))),
            (&[0, 1, 1][..], &[1, 2][..])
        );
        assert!(islands.may_reach(at(0, 1), at(1, 0)) && !islands.may_reach(at(0, 0), at(0, 1)));

        mesh.add_connection(jump(0.5, 2.5, false)).unwrap();
        let two_way = mesh.add_connection(jump(4.5, 6.5, true)).unwrap();
        let joined = Components::of(&mesh);
        assert_eq!((joined.count(), joined.one_way()), (2, &[(0, 1)][..]));
        assert!(joined.may_reach(at(0, 0), at(1, 1)) && !joined.may_reach(at(1, 1), at(0, 0)));
        assert_eq!(joined.component(two_way), joined.component(at(1, 1)));
        mesh.remove_tile(TileSlot::new(0)).unwrap();
        assert_eq!(Components::of(&mesh).component(at(0, 0)), None);
    }
}
