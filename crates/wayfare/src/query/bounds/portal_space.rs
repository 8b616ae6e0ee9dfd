//! The mesh as a search space whose nodes are portals, each in the direction in which it is crossed.
//!
//! A search over polygons has a node for each entry into a polygon, at the portal by which it was found first; what a
//! path costs then depends on the order in which polygons are found. With a node for each portal it does not: the
//! cheapest path over the middles of portals is the same for every estimate that is never too high. There are more such
//! nodes, which a close estimate makes up for.
//!
//! ```text
//!   p ──x──> q     the node x, entering q, opens the nodes of all other portals around q
//! ```
//!
//! A portal is opened in one direction only as a rule: if it was reached from the other side for no more, then from
//! there its polygon can be left for no more as well. (This takes a filter that depends on area types and flags alone.)
//!
//! The node of a portal into the goal's polygon includes the last section to the goal. (A path that crosses that
//! polygon to come back into it is never cheaper.)
//!
//! Cost: for every node expanded a few loads for each portal around its polygon, and the bound of those that are new.
//!
//! Sources: Andrew Goldberg, Chris Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", 2005.

use super::cost_bounds::{BoundEstimate, CostBounds};
use crate::graph::{Fringe, Known, Node, Order, Page, SearchObserver, SearchSpace};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{Crossing, PolyPoint, QueryFilter};
use core::ops::ControlFlow;

/// The portals of a mesh, seen through a filter by a search for a goal.
pub(super) struct PortalSpace<'a, F: ?Sized> {
    pub(super) mesh: &'a NavMesh,
    pub(super) bounds: &'a CostBounds,
    pub(super) filter: &'a F,
    pub(super) page: Page,
    /// Start and goal, by the numbers of their polygons.
    pub(super) start_poly: u32,
    pub(super) goal_poly: u32,
    pub(super) goal: PolyPoint,
    pub(super) estimate: &'a BoundEstimate,
    pub(super) is_reached: &'a mut bool,
    /// Whether costs within a polygon are proportional to length.
    pub(super) is_by_state: bool,
}

impl<F: QueryFilter + ?Sized> PortalSpace<'_, F> {
    /// The number of the polygon that a node enters.
    #[inline]
    fn poly_of(&self, node: &Node<PolyRef>) -> u32 {
        let (portal, side) = self.page.key_and_kind(node.entry());
        // The start has a key behind all portals.
        self.bounds.graph.edges.get(portal as usize).map_or(self.start_poly, |edge| edge.sides[side as usize])
    }
}

impl<F: QueryFilter + ?Sized> SearchSpace for PortalSpace<'_, F> {
    type Key = PolyRef;

    #[inline]
    fn expand<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        number: u32,
        node: Node<PolyRef>,
    ) -> ControlFlow<()> {
        let poly = self.poly_of(&node);
        if poly == self.goal_poly {
            fringe.course.best = number;
            *self.is_reached = true;
            return ControlFlow::Break(());
        }
        let graph = &self.bounds.graph;
        let before = fringe.nodes.of(node.parent);
        let (_, state) = graph.polys[poly as usize];
        let (entered_by, _) = self.page.key_and_kind(node.entry());
        for &way in graph.around(poly) {
            let (portal, side) = (way >> 1, way & 1);
            if portal == entered_by {
                continue;
            }
            let entry = self.page.entry(portal, side);
            let known = fringe.nodes.entries.known(entry);
            if known == Known::Closed {
                continue;
            }
            let edge = &graph.edges[portal as usize];
            let via = edge.vias[side as usize];
            let next = edge.sides[side as usize];
            let (next_ref, next_state) = graph.polys[next as usize];
            if known == Known::New && (via == crate::math::index::NONE || !self.filter.passes(next_ref, next_state)) {
                continue;
            }
            let step = Crossing::over(self.mesh, node.of, state, [node.pos, edge.at]).between(before, Some(next_ref));
            let mut cost = node.cost + self.filter.cost(&step).max(0.0);
            let is_behind = |other: u32| fringe.nodes.get(other).cost <= cost;
            if self.is_by_state && fringe.nodes.entries.find(self.page.entry(portal, 1 - side)).is_some_and(is_behind) {
                continue;
            }
            let is_last = next == self.goal_poly;
            if is_last {
                let last = Crossing::over(self.mesh, next_ref, next_state, [edge.at, self.goal.point]);
                cost += self.filter.cost(&last.between(Some(node.of), None)).max(0.0);
            }
            match known {
                Known::Open(other) => {
                    let there = fringe.nodes.get(other);
                    let rest = there.total - there.cost;
                    if cost < there.cost && !fringe.course.is_too_expensive(cost) {
                        fringe.improve(other, (number, via), cost, rest);
                    }
                }
                _ => {
                    if fringe.course.is_too_expensive(cost) {
                        continue;
                    }
                    let rest = if is_last { 0.0 } else { self.estimate.rest(edge.at, self.bounds.costs(portal)) };
                    fringe.open(Node::at(entry, next_ref, edge.at).entered_by(via), number, cost, rest);
                }
            }
        }
        ControlFlow::Continue(())
    }
}
