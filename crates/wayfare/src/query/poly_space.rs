//! The polygons of a mesh as a search space: which nodes can be reached from a node, and at what cost.
//!
//! ```text
//!   .-------.-------.
//!   |   S   |m1    /|      S → m1 → m2 → G: a node for each entrance, at the middle of the portal, or where a
//!   |       |     / |      rule says; off-mesh connections are nodes like polygons, entered at their ends
//!   '-------'----m2-|
//!           | G     |
//!           '-------'
//! ```
//!
//! Cost: for every node expanded a few loads per portal; the filter is asked for the cost of each portal that leads to
//! a new or open node.
//!
//! Sources: where nodes are placed follows Mikko Mononen, "Navmesh Node Locations", Digesting Duck, August 2010.

use super::mesh_nodes::Exits;
use super::search_goal::Goal;
use super::useful_edges::UsefulEdges;
use super::via::Via;
use super::{Crossing, PlaceNodes, PortalToPlace, QueryFilter};
use crate::area::LimitHit;
use crate::graph::{Fringe, Known, Node, Order, SearchObserver, SearchSpace};
use crate::math::index::NONE;
use crate::mesh::{Connection, NavMesh, PolyPoint, PolyRef, PolyState, Tile};
use crate::tile::Beyond;
use core::ops::ControlFlow;
use glam::Vec3;

/// What a search looks for, and how much of it is found.
#[derive(Clone, Debug)]
pub(super) struct Pursuit<G, P> {
    pub(super) goal: G,
    pub(super) placement: P,
    /// The position of the goal once it is reached, at the best node.
    pub(super) reached: Option<Vec3>,
    /// The part of the path's cost that is not included in the goal's node: within the polygon of the start, or to a
    /// goal that spans several polygons.
    pub(super) rest: f32,
    pub(super) estimate_scale: f32,
    /// Whether dead ends are skipped, and whether any was.
    pub(super) skips_dead_ends: bool,
    pub(super) has_skipped: bool,
}

/// A mesh as seen by a search through a filter. `MIDDLE`: nodes are in the middle of portals, and no rule is called.
pub(super) struct PolySpace<'a, F: ?Sized, G, P, const MIDDLE: bool> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a F,
    pub(super) pursuit: &'a mut Pursuit<G, P>,
    pub(super) exits: &'a mut Exits,
}

/// The node being expanded.
#[derive(Clone, Copy)]
struct Expanded<'n> {
    number: u32,
    node: &'n Node<PolyRef>,
    /// Flags and area type of its polygon or connection.
    state: PolyState,
    /// The polygon from which it was entered.
    before: Option<PolyRef>,
}

impl Expanded<'_> {
    /// Whether a portal leads back to where it was entered from.
    #[inline]
    fn is_back(&self, to: PolyRef) -> bool {
        self.before.is_some_and(|before| (before.slot(), before.poly()) == (to.slot(), to.poly()))
    }
}

/// The polygon or connection that a portal leads into.
struct Entering {
    state: PolyState,
    node: Node<PolyRef>,
}

impl<F, G, P, const MIDDLE: bool> SearchSpace for PolySpace<'_, F, G, P, MIDDLE>
where
    F: QueryFilter + ?Sized,
    G: Goal,
    P: PlaceNodes,
{
    type Key = PolyRef;

    #[inline]
    fn expand<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        number: u32,
        node: Node<PolyRef>,
    ) -> ControlFlow<()> {
        let before = fringe.nodes.of(node.parent);
        if node.slot() == PolyRef::OFF_MESH_SLOT {
            self.leave_connection(fringe, (number, &node), before);
            return ControlFlow::Continue(());
        }
        let Some(tile) = node.tile(self.mesh) else { return ControlFlow::Continue(()) };
        let at = Expanded { number, node: &node, state: tile.states()[node.poly() as usize], before };
        if let Some(end) = self.pursuit.goal.place_in(self.mesh, node.slot(), node.poly(), node.pos) {
            self.arrive(fringe, &at, end);
            if !G::IS_SPREAD {
                return ControlFlow::Break(());
            }
            let mut nth = 0;
            while let Some(end) = self.pursuit.goal.nth_place_in(node.slot(), node.poly(), nth) {
                self.arrive(fringe, &at, end);
                nth += 1;
            }
        }
        self.leave_poly(fringe, tile, &at);
        ControlFlow::Continue(())
    }

    /// No open node leads to a nearer goal.
    #[inline]
    fn is_enough<Q: Order, O: SearchObserver<PolyRef>>(&self, fringe: &Fringe<'_, PolyRef, Q, O>, total: f32) -> bool {
        G::IS_SPREAD
            && self.pursuit.reached.is_some()
            && total >= fringe.nodes.get(fringe.course.best).cost + self.pursuit.rest
    }

    /// There is no path to the goal. The nearest reachable position may lie in a dead end.
    fn reopen<Q: Order, O: SearchObserver<PolyRef>>(&mut self, fringe: &mut Fringe<'_, PolyRef, Q, O>) -> bool {
        if !self.pursuit.has_skipped || fringe.course.limit == Some(LimitHit::Nodes) {
            return false;
        }
        (self.pursuit.skips_dead_ends, self.pursuit.has_skipped) = (false, false);
        fringe.reopen_all();
        true
    }
}

impl<F, G, P, const MIDDLE: bool> PolySpace<'_, F, G, P, MIDDLE>
where
    F: QueryFilter + ?Sized,
    G: Goal,
    P: PlaceNodes,
{
    /// Accepts a path to the goal, unless it costs too much or a cheaper one was found.
    #[inline]
    fn arrive<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        at: &Expanded<'_>,
        end: Vec3,
    ) {
        let is_counted = !G::IS_SPREAD && at.node.parent != NONE;
        let rest = if is_counted { 0.0 } else { self.step(at, at.node.pos, end, None) };
        let cost = at.node.cost + rest;
        let course = &mut *fringe.course;
        // An infinite cost means no path, here as on any other section.
        if !cost.is_finite()
            || course.is_too_expensive(cost)
            || self.pursuit.reached.is_some() && cost >= fringe.nodes.get(course.best).cost + self.pursuit.rest
        {
            return;
        }
        (self.pursuit.reached, self.pursuit.rest) = (Some(end), rest);
        // From now on no estimate is better.
        (course.best, course.best_estimate) = (at.number, f32::NEG_INFINITY);
    }

    /// The filter's cost from one point to another over the polygon of the node.
    #[inline(always)]
    fn step(&self, at: &Expanded<'_>, from: Vec3, to: Vec3, next: Option<PolyRef>) -> f32 {
        let crossing = Crossing::over(self.mesh, at.node.of, at.state, [from, to]);
        self.filter.cost(&crossing.between(at.before, next)).max(0.0)
    }

    /// Tries every portal of a node's polygon except the one back.
    #[inline]
    fn leave_poly<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        tile: &Tile,
        at: &Expanded<'_>,
    ) {
        let base = tile.reference(0);
        let states = tile.states();
        let poly = at.node.poly();
        let page = fringe.nodes.page(tile);
        let back = at.before.filter(|before| before.slot() == at.node.of.slot()).map_or(NONE, |b| b.poly().get());
        let goal = self.pursuit.goal.only_poly().filter(|_| self.pursuit.skips_dead_ends);
        let useful_edges = goal.map(|goal| UsefulEdges::to(goal, self.mesh, (tile, poly)));
        tile.outline(poly).for_each_open_edge(|number, edge| {
            let beyond = edge.beyond();
            if useful_edges.as_ref().is_some_and(|useful_edges| !useful_edges.has(beyond)) {
                self.pursuit.has_skipped = true;
                return;
            }
            let Some(next) = beyond.as_poly() else {
                self.cross_border(fringe, tile, beyond, at);
                return;
            };
            if next == back {
                return;
            }
            let entry = page.entry_of(next, None);
            match fringe.nodes.entries.known(entry) {
                Known::Closed => {}
                Known::Open(other) => self.improve(fringe, at, other, Via::edge(number)),
                Known::New => {
                    let to = base.sibling(next);
                    let pos = if MIDDLE { edge.middle() } else { self.place_node(at, (to, edge.ends())) };
                    let node = Node::at(entry, to, pos).entered_by(Via::edge(number).0);
                    self.discover(fringe, at, Entering { state: states[next as usize], node });
                }
            }
        });
        for link in tile.links().connections_of(poly) {
            self.enter_connection(fringe, at, link.to, link.end);
        }
        let mut nth = 0;
        while let Some(to) = self.pursuit.goal.nth_arrival(at.node.of, nth) {
            self.enter_connection(fringe, at, to, 1);
            nth += 1;
        }
    }

    /// Tries an off-mesh connection, entered at one of its ends.
    #[inline]
    fn enter_connection<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        at: &Expanded<'_>,
        to: PolyRef,
        end: u32,
    ) {
        if at.is_back(to) {
            return;
        }
        let Ok(connection) = self.mesh.connection(to) else { return };
        let Some([entrance, _]) = self.passage(connection, end) else { return };
        let [entry, _] = fringe.nodes.off_mesh_entries(self.mesh, to.poly().get(), end);
        let node = Node::at(entry, to, entrance.point).entered_by(Via::connection(end).0);
        self.relax(fringe, at, Entering { state: connection.state(), node });
    }

    /// Both ends of a connection, starting with the one at which the search enters it. `None` if agents may not use it
    /// in that direction.
    #[inline]
    fn passage(&self, connection: &Connection, end: u32) -> Option<[PolyPoint; 2]> {
        if self.pursuit.goal.is_backwards() {
            let [entered, left] = connection.passage(1 - end)?;
            return Some([left, entered]);
        }
        connection.passage(end)
    }

    /// Tries the links over a border edge.
    #[inline]
    fn cross_border<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        tile: &Tile,
        beyond: Beyond,
        at: &Expanded<'_>,
    ) {
        let Some(border) = beyond.as_border() else { return };
        let range = tile.links().range_of_border(border);
        for (number, link) in range.clone().zip(&tile.links().all()[range]) {
            let slot = link.to.slot();
            let poly = link.to.poly().get();
            if at.is_back(link.to) {
                continue;
            }
            let Some(page) = fringe.nodes.page_in(self.mesh, slot) else { continue };
            let entry = page.entry_of(poly, beyond.side());
            match fringe.nodes.entries.known(entry) {
                Known::Closed => {}
                Known::Open(other) => self.improve(fringe, at, other, Via::link(number)),
                Known::New => {
                    let Some(other) = self.mesh.tile_in(slot) else { continue };
                    let pos =
                        if MIDDLE { (link.a + link.b) * 0.5 } else { self.place_node(at, (link.to, [link.a, link.b])) };
                    let node = Node::at(entry, link.to, pos).entered_by(Via::link(number).0);
                    self.discover(fringe, at, Entering { state: other.state(poly), node });
                }
            }
        }
    }

    /// Position of the node of a portal that is met for the first time.
    fn place_node(&self, at: &Expanded<'_>, (next, ends): (PolyRef, [Vec3; 2])) -> Vec3 {
        let goal = self.pursuit.goal.aim(at.node.pos);
        let portal = PortalToPlace { from: at.node.pos, goal, ends, poly: at.node.of, next, mesh: self.mesh };
        portal.at(self.pursuit.placement.share(&portal))
    }

    /// From the end at which an off-mesh connection was entered to the surface at the other.
    fn leave_connection<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        (number, node): (u32, &Node<PolyRef>),
        before: Option<PolyRef>,
    ) {
        let index = node.poly();
        let end = node.via().end();
        let Some(connection) = self.mesh.connection_by_index(index) else { return };
        let Some([_, exit]) = self.passage(connection, end) else { return };
        let Ok((tile, poly)) = self.mesh.locate(exit.poly) else { return };
        let at = Expanded { number, node, state: connection.state(), before };
        if at.is_back(exit.poly) {
            return;
        }
        let [_, entry] = fringe.nodes.off_mesh_entries(self.mesh, index, end);
        let ground = Node::at(entry, exit.poly, exit.point).entered_by(Via::connection(end).0);
        let next = fringe.nodes.len();
        self.relax(fringe, &at, Entering { state: tile.state(poly), node: ground });
        if fringe.nodes.len() > next {
            self.exits.push(exit.poly, next);
        }
    }

    /// Considers one entrance to a polygon or a connection.
    fn relax<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        at: &Expanded<'_>,
        beyond: Entering,
    ) {
        match fringe.nodes.entries.known(beyond.node.entry()) {
            Known::Closed => {}
            Known::Open(other) => self.improve(fringe, at, other, Via(beyond.node.via)),
            Known::New => self.discover(fringe, at, beyond),
        }
    }

    /// An entry into a polygon or a connection that has no node yet.
    #[inline(always)]
    fn discover<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        at: &Expanded<'_>,
        Entering { state, node }: Entering,
    ) {
        if !self.filter.passes(node.of, state) {
            return;
        }
        let cost = at.node.cost + self.step(at, at.node.pos, node.pos, Some(node.of));
        if fringe.course.is_too_expensive(cost) {
            return;
        }
        let Some((cost, estimate)) = self.with_rest(fringe, at, &node, cost, || Some(state)) else { return };
        fringe.open(node, at.number, cost, estimate);
    }

    /// Another path to a node that is still open: it keeps its position, but may become cheaper to reach.
    #[inline]
    fn improve<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        at: &Expanded<'_>,
        other: u32,
        via: Via,
    ) {
        let node = *fringe.nodes.get(other);
        let cost = at.node.cost + self.step(at, at.node.pos, node.pos, Some(node.of));
        // (The goal's node includes the cost from there to the goal, and is compared below.)
        if cost >= node.cost || fringe.course.is_too_expensive(cost) {
            return;
        }
        let state = || node.tile(self.mesh).map(|tile| tile.state(node.poly()));
        let Some((cost, estimate)) = self.with_rest(fringe, at, &node, cost, state) else { return };
        fringe.improve(other, (at.number, via.0), cost, estimate);
    }

    /// The cost up to a node, including the last section to the goal if it lies in the node's polygon, and the estimate
    /// of the rest. `None` if it is too expensive.
    #[inline(always)]
    fn with_rest<Q: Order, O: SearchObserver<PolyRef>>(
        &self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        at: &Expanded<'_>,
        node: &Node<PolyRef>,
        cost: f32,
        state: impl FnOnce() -> Option<PolyState>,
    ) -> Option<(f32, f32)> {
        // If the goal spans several polygons, a path through this polygon may lead to a nearer one.
        let goal = &self.pursuit.goal;
        let end = if G::IS_SPREAD { None } else { goal.place_in(self.mesh, node.slot(), node.poly(), node.pos) };
        let Some(end) = end else {
            return Some((cost, node.pos.distance(goal.aim(node.pos)) * self.pursuit.estimate_scale));
        };
        let last = |state| Crossing::over(self.mesh, node.of, state, [node.pos, end]).between(Some(at.node.of), None);
        let cost = cost + state().map_or(0.0, |state| self.filter.cost(&last(state)).max(0.0));
        if fringe.course.is_too_expensive(cost) { None } else { Some((cost, 0.0)) }
    }
}
