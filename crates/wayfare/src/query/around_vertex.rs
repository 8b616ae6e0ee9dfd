//! Continues a ray that passes exactly through a vertex: searches the polygons around the vertex, breadth-first, for
//! the first one in which the ray continues.
//!
//! ```text
//!    .-------.-------.
//!    |   B   | ,-'D  |      from A through the vertex into D, via B or C, whichever is open
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
    /// The polygon in which the ray continues, and the node before it.
    found: Option<(Entered<'a>, u32)>,
}

impl<'a, 'f, F: QueryFilter + ?Sized> AroundVertex<'a, 'f, F> {
    /// The ray along `line` leaves a polygon exactly at a vertex. Finds the polygon around the vertex in which it
    /// continues, if there is one; the polygons in between are written to `polys`.
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
        // The first is the polygon that the ray is leaving.
        polys.remove(start);
        Some(next)
    }

    fn touches(&self, p: Vec3) -> bool {
        (p.x, p.z) == (self.vertex.x, self.vertex.z)
    }

    /// Whether the ray continues in a polygon from this vertex: whether the direction points into the corner or along
    /// one of its edges. The vertex may also lie within an edge, where it is a corner of a polygon of another tile.
    fn goes_on(&self, tile: &Tile, poly: u32) -> bool {
        tile.outline(poly).edges().all(|edge| {
            let is_corner = self.touches(edge.start) || self.touches(edge.end);
            // Not to the right of an edge around which the polygon lies: on it.
            let is_there = is_corner || orient_xz(edge.start, edge.end, self.vertex) >= 0.0;
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
        flood::for_each_adjacent(self.mesh, (tile, node.poly()), |adjacent| {
            if self.found.is_some()
                || !(self.touches(adjacent.a) || self.touches(adjacent.b))
                || !adjacent.passes(self.filter)
            {
                return;
            }
            let entry = adjacent.entry(fringe.nodes);
            if fringe.nodes.entries.known(entry) == Known::New {
                fringe.open_unlimited(adjacent.node(entry, fringe.observer), number, node.cost + 1.0);
                if self.goes_on(adjacent.tile, adjacent.poly) {
                    self.found = Some((Entered::new(adjacent.tile, adjacent.poly), number));
                }
            }
        });
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
