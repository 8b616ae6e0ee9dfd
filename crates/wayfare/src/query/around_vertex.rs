//! Where a ray goes on that passes exactly through a vertex: over the polygons around it, breadth-first, to the first
//! that has more of its way.
//!
//! ```text
//!    .-------.-------.
//!    |   B   | ,-'D  |      from A through the vertex into D, by way of B or C, whichever is open
//!    |     ,-V-------|
//!    | ,-' A |   C   |
//!    '-------'-------'
//! ```
//!
//! Cost: the corners of the polygons around the vertex.
//!
//! Sources: none needed.

use super::line_walk::Entered;
use super::scratch::SearchMemory;
use super::{PolyPoint, QueryFilter, flood};
use crate::graph::{Fringe, Known, Node, Order, SearchObserver, SearchSpace};
use crate::math::predicates::{LineXz, orient_xz};
use crate::mesh::{NavMesh, PolyRef, Tile};
use core::ops::ControlFlow;
use glam::Vec3;

/// The polygons around a vertex.
pub(super) struct AroundVertex<'a, 'f, F: ?Sized> {
    mesh: &'a NavMesh,
    filter: &'f F,
    line: LineXz,
    vertex: Vec3,
    /// Where the ray goes on, and the node of the polygon before.
    found: Option<(Entered<'a>, u32)>,
}

impl<'a, 'f, F: QueryFilter + ?Sized> AroundVertex<'a, 'f, F> {
    /// The ray along `line` leaves a polygon exactly at a vertex: the polygon around it in which it goes on, if there
    /// is one. Those in between are written to `polys`.
    pub(super) fn cross(
        (mesh, filter): (&'a NavMesh, &'f F),
        line: LineXz,
        (at, vertex): (Entered<'a>, Vec3),
        memory: &mut SearchMemory,
        polys: &mut Vec<PolyRef>,
    ) -> Option<Entered<'a>> {
        let SearchMemory { nodes, queue, .. } = memory;
        let place = PolyPoint { poly: at.reference(), point: vertex };
        let mut space = Self { mesh, filter, line, vertex, found: None };
        flood::run((mesh, place), &mut space, (&mut *nodes, queue, &mut ())).ok()?;
        let (next, last) = space.found?;
        let start = polys.len();
        flood::write_polys(nodes, last, polys);
        // The first is where we stand already.
        polys.remove(start);
        Some(next)
    }

    fn touches(&self, p: Vec3) -> bool {
        (p.x, p.z) == (self.vertex.x, self.vertex.z)
    }

    /// Whether the ray, having come to the vertex of a polygon, has more of its way in that polygon: the direction
    /// points into the corner or along one of its edges.
    fn goes_on(&self, tile: &Tile, poly: u32) -> bool {
        tile.outline(poly).edges().all(|edge| {
            let is_there = self.touches(edge.start) || self.touches(edge.end);
            !is_there || orient_xz(edge.start, edge.end, self.line.to()) <= 0.0
        })
    }
}

impl<F: QueryFilter + ?Sized> SearchSpace for AroundVertex<'_, '_, F> {
    type Key = PolyRef;
    const IMPROVES: bool = false;

    fn expand<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        number: u32,
        node: Node<PolyRef>,
    ) -> ControlFlow<()> {
        let Some(tile) = node.tile(self.mesh) else { return ControlFlow::Break(()) };
        flood::for_each_way(self.mesh, (tile, node.poly()), |way| {
            if self.found.is_some() || !(self.touches(way.a) || self.touches(way.b)) || !way.passes(self.filter) {
                return;
            }
            let entry = way.entry(fringe.nodes);
            if fringe.nodes.entries.known(entry) == Known::New {
                fringe.open_unlimited(way.node(entry, fringe.observer), number, node.cost + 1.0);
                if self.goes_on(way.tile, way.poly) {
                    self.found = Some((Entered::new(way.tile, way.poly), number));
                }
            }
        });
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
