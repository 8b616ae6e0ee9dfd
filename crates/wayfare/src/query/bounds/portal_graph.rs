//! The mesh as a graph of portals, in flat lists.
//!
//! ```text
//!    .-------.-------.
//!    |   p   x   q   |      portal x, sides [p, q]: crossed from p to q it enters side 1, from q to p side 0
//!    '-------'-------'
//!   portals  [ middle, sides, how each is entered ]
//!   polygons [ reference, state ]  first [0 . 2 . 5 …]  around [ x y | x z w | … ]    portals around each polygon
//! ```
//!
//! Off-mesh connections stand behind the polygons: each is entered and left over a portal at its ends.
//!
//! Cost: made in one pass over the mesh and a sort of its edges; some 60 bytes a portal.
//!
//! Sources: none needed.

use crate::math::index::NONE;
use crate::mesh::{NavMesh, PolyRef, PolyState};
use crate::query::via::Via;
use glam::Vec3;

/// A portal: what two polygons share.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedEdge {
    /// Where paths cross it.
    pub(super) at: Vec3,
    /// The two polygons.
    pub(super) sides: [u32; 2],
    /// How each is entered from the other, as a [`Via`]; [`NONE`] if it cannot be.
    pub(super) vias: [u32; 2],
}

/// The portals of a mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct PortalGraph {
    pub(super) edges: Vec<SharedEdge>,
    pub(super) polys: Vec<(PolyRef, PolyState)>,
    /// Where the portals around each polygon begin, and the end.
    first: Vec<u32>,
    /// Portals, each with the side that is entered from here as the lowest bit.
    around: Vec<u32>,
    /// The first polygon of each slot.
    bases: Vec<u32>,
    /// The number of each connection, by its index.
    connections: Vec<u32>,
}

/// One direction of a portal.
#[derive(Clone, Copy)]
struct OneWay {
    from: u32,
    to: u32,
    at: Vec3,
    via: u32,
}

impl OneWay {
    /// Equal for both directions of a portal, except for the last number.
    fn key(&self) -> (u32, u32, [u32; 3], bool) {
        let bits = self.at.to_array().map(f32::to_bits);
        (self.from.min(self.to), self.from.max(self.to), bits, self.from > self.to)
    }
}

impl PortalGraph {
    pub(super) fn of(mesh: &NavMesh) -> Self {
        let mut graph = Self::default();
        graph.number_polys(mesh);
        let mut ways = graph.ways_in_tiles(mesh);
        graph.ways_over_connections(mesh, &mut ways);
        ways.sort_unstable_by_key(OneWay::key);
        for pair in ways.chunk_by(|a, b| (a.key().0, a.key().1, a.key().2) == (b.key().0, b.key().1, b.key().2)) {
            let first = pair[0];
            let sides = [first.from.min(first.to), first.from.max(first.to)];
            let via = |side: usize| pair.iter().find(|way| way.to == sides[side]).map_or(NONE, |way| way.via);
            graph.edges.push(SharedEdge { at: first.at, sides, vias: [via(0), via(1)] });
        }
        graph.list_around();
        graph
    }

    fn number_polys(&mut self, mesh: &NavMesh) {
        self.bases = vec![NONE; mesh.slot_count() as usize];
        for tile in mesh.tiles() {
            self.bases[tile.slot().index()] = self.polys.len() as u32;
            self.polys.extend((0..tile.poly_count()).map(|poly| (tile.reference(poly), tile.state(poly))));
        }
        self.connections = vec![NONE; mesh.connection_slots() as usize];
        for connection in mesh.connections() {
            let reference = connection.reference();
            self.connections[reference.poly().index()] = self.polys.len() as u32;
            self.polys.push((reference, connection.state()));
        }
    }

    fn ways_in_tiles(&self, mesh: &NavMesh) -> Vec<OneWay> {
        let mut ways = Vec::new();
        for tile in mesh.tiles() {
            let base = self.bases[tile.slot().index()];
            for poly in 0..tile.poly_count() {
                let from = base + poly;
                for (number, edge) in tile.outline(poly).open_edges() {
                    let beyond = edge.beyond();
                    if let Some(next) = beyond.as_poly() {
                        ways.push(OneWay { from, to: base + next, at: edge.middle(), via: Via::edge(number).0 });
                    }
                    let Some(border) = beyond.as_border() else { continue };
                    let links = tile.links().range_of_border(border);
                    for (number, link) in links.clone().zip(&tile.links().all()[links]) {
                        let Some(to) = self.poly(link.to) else { continue };
                        ways.push(OneWay { from, to, at: (link.a + link.b) * 0.5, via: Via::link(number).0 });
                    }
                }
            }
        }
        ways
    }

    fn ways_over_connections(&self, mesh: &NavMesh, ways: &mut Vec<OneWay>) {
        for connection in mesh.connections() {
            let Some(middle) = self.poly(connection.reference()) else { continue };
            for end in [0, 1] {
                let Some([entrance, exit]) = connection.passage(end) else { continue };
                let (Some(from), Some(to)) = (self.poly(entrance.poly), self.poly(exit.poly)) else { continue };
                let via = Via::connection(end).0;
                ways.push(OneWay { from, to: middle, at: entrance.point, via });
                ways.push(OneWay { from: middle, to, at: exit.point, via });
            }
        }
    }

    fn list_around(&mut self) {
        let mut first = vec![0; self.polys.len() + 1];
        for poly in self.edges.iter().flat_map(|edge| edge.sides) {
            first[poly as usize + 1] += 1;
        }
        for poly in 0..self.polys.len() {
            first[poly + 1] += first[poly];
        }
        let mut next = first.clone();
        self.around = vec![0; 2 * self.edges.len()];
        for (number, edge) in (0..).zip(&self.edges) {
            for side in [0, 1] {
                let place = &mut next[edge.sides[1 - side as usize] as usize];
                self.around[*place as usize] = number << 1 | side;
                *place += 1;
            }
        }
        self.first = first;
    }

    /// The number of a polygon or a connection.
    pub(super) fn poly(&self, poly: PolyRef) -> Option<u32> {
        let number = if poly.is_off_mesh() {
            *self.connections.get(poly.poly().index())?
        } else {
            self.bases.get(poly.slot().index()).filter(|base| **base != NONE)? + poly.poly().get()
        };
        self.polys.get(number as usize).is_some_and(|(other, _)| *other == poly).then_some(number)
    }

    /// The portals around a polygon: twice the portal's number, plus the side that is entered from here.
    #[inline]
    pub(super) fn around(&self, poly: u32) -> &[u32] {
        &self.around[self.first[poly as usize] as usize..self.first[poly as usize + 1] as usize]
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let lists = size_of_val(&*self.edges) + size_of_val(&*self.polys) + size_of_val(&*self.first);
        lists + size_of_val(&*self.around) + size_of_val(&*self.bases) + size_of_val(&*self.connections)
    }
}
