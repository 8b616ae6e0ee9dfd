//! The search that all path queries share: A*.
//!
//! Each node is a way into a polygon, placed at the middle of the portal it was first entered by, or where a
//! [rule](super::PlaceNodes) says. The open node with
//! the least cost so far plus estimate of the rest is expanded: every way out of its polygon is a candidate, with the
//! cost that the filter gives the straight way between the two middles. The estimate is the straight distance times the
//! least cost a metre, shortened by a thousandth so that rounding cannot make it too long.
//!
//! ```text
//!   .-------.-------.
//!   |   S   |m1    /|      S → m1 → m2 → G: the middles stand for the portals; the string is pulled afterwards
//!   |       |     / |
//!   '-------'----m2-|
//!           | G     |
//!           '-------'
//! ```
//!
//! Where the goal is one point, edges into dead ends without it are left out ([`WaysOn`]). Should the way be closed to
//! the filter, so that the best is the nearest place that can be reached, all reached polygons are expanded once more,
//! dead ends included.
//!
//! What is looked for is a [`Goal`]: a point, a box, the nearest of many points. If it is not reached, the answer leads
//! to the polygon, of all that were reached, that comes nearest to it. Off-mesh connections are nodes like polygons,
//! entered at their ends. Ties are broken by the order of discovery, so the answer depends on the mesh, the question
//! and the filter alone.
//!
//! Cost: for every node expanded a few loads for each way out, and a push for each improvement; no allocation once the
//! scratch is warm. Without a limit, a goal that cannot be reached costs the whole connected part of the mesh.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968; where nodes are placed follows Mikko Mononen, "Navmesh Node Locations", Digesting Duck, August 2010.

use super::outline_place::place_near;
use super::scratch::{Known, Node, Nodes, Via};
use super::search_goal::{Goal, PointGoal};
use super::way_back::write_way;
use super::ways_on::WaysOn;
use super::{
    Crossing, PathRequest, PlaceNodes, PolyPath, PolyPoint, PortalToPlace, QueryFilter, SearchLimits, SearchScratch,
};
use crate::area::{LimitHit, PathStatus};
use crate::context::Budget;
use crate::math::OpenList;
use crate::math::index::NONE;
use crate::mesh::{NavMesh, PolyRef, PolyState, StaleRef, Tile};
use crate::tile::HalfEdge;
use glam::Vec3;

/// What a search sets out to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchTask<G, P> {
    pub(super) start: PolyPoint,
    pub(super) goal: G,
    pub(super) limits: SearchLimits,
    pub(super) placement: P,
}

impl<P> SearchTask<PointGoal, P> {
    /// What a request for a path asks for.
    pub(super) fn to_point<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        request: PathRequest<P>,
        filter: &F,
        scratch: &mut SearchScratch,
    ) -> Result<Self, StaleRef> {
        let goal = PointGoal::of(mesh, &request, filter, scratch)?;
        let PathRequest { start, limits, placement, .. } = request;
        Ok(Self { start, goal, limits, placement })
    }
}

/// A search under way. Its nodes are in the scratch.
#[derive(Clone, Debug)]
pub(super) struct Search<G, P> {
    goal: G,
    limits: SearchLimits,
    placement: P,
    start: Vec3,
    /// The node estimated nearest to the goal, and that estimate; or the goal's node, and where the goal lies.
    best: u32,
    best_estimate: f32,
    reached: Option<Vec3>,
    /// The part of the way's cost that is not counted in the goal's node: within the polygon of the start, or to a goal
    /// that is spread.
    rest: f32,
    estimate_scale: f32,
    limit: Option<LimitHit>,
    /// Whether dead ends are left out, and whether any was.
    skips_dead_ends: bool,
    has_skipped: bool,
    finished: bool,
}

impl<G: Goal, P: PlaceNodes> Search<G, P> {
    pub(super) fn begin<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        task: SearchTask<G, P>,
        filter: &F,
        scratch: &mut SearchScratch,
    ) -> Result<Self, StaleRef> {
        let SearchTask { start, goal, limits, placement } = task;
        let (tile, poly) = mesh.locate(start.poly)?;
        let estimate_scale = filter.least_cost().max(0.0) * 0.999;
        scratch.nodes.begin(mesh);
        scratch.open.clear();
        let page = scratch.nodes.page(tile);
        let first = scratch.nodes.add(page.entry(poly, None), start.poly, start.point);
        let estimate = start.point.distance(goal.aim(start.point)) * estimate_scale;
        scratch.nodes.get_mut(first).total = estimate;
        let is_somewhere = start.point.is_finite();
        if is_somewhere {
            scratch.open.push(estimate, first);
        }
        Ok(Self {
            skips_dead_ends: goal.only_poly().is_some(),
            goal,
            limits,
            placement,
            start: start.point,
            best: first,
            best_estimate: estimate,
            reached: None,
            rest: 0.0,
            estimate_scale,
            limit: None,
            has_skipped: false,
            finished: !is_somewhere,
        })
    }

    /// Expands nodes until the goal is reached, nothing is open or the budget (in nodes) is spent. Whether it has
    /// finished.
    pub(super) fn run<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch,
        budget: &mut Budget,
    ) -> bool {
        // Most searches place nodes in the middle: they are compiled without asking.
        if self.placement.is_middle() {
            self.run_placed::<F, true>(mesh, filter, scratch, budget)
        } else {
            self.run_placed::<F, false>(mesh, filter, scratch, budget)
        }
    }

    fn run_placed<F: QueryFilter + ?Sized, const MIDDLE: bool>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch,
        budget: &mut Budget,
    ) -> bool {
        let SearchScratch { nodes, open, .. } = scratch;
        while !self.finished && budget.spend() {
            let Some((total, index)) = open.pop() else {
                if self.has_skipped && self.limit != Some(LimitHit::Nodes) {
                    // There is no way to the goal. What is nearest to it may lie in a dead end.
                    (self.skips_dead_ends, self.has_skipped) = (false, false);
                    (0..nodes.len() as u32).for_each(|index| open.push(nodes.get(index).total, index));
                    continue;
                }
                self.finished = true;
                break;
            };
            let &Node { pos, cost, total: latest, parent, via, of, .. } = nodes.get(index);
            if total != latest {
                continue; // Outdated: a cheaper way here was found since.
            }
            if G::IS_SPREAD && self.reached.is_some() && total >= nodes.get(self.best).cost + self.rest {
                self.finished = true; // Nothing that is open leads to a nearer goal.
                break;
            }
            nodes.close(index);
            let mut at = Discoveries { nodes, open, index, of, pos, cost, parent, via };
            let slot = of.slot();
            let poly = of.poly().get();
            if slot.get() == PolyRef::OFF_MESH_SLOT {
                self.leave_connection((mesh, filter), &mut at);
                continue;
            }
            let Some(tile) = mesh.tile_in(slot) else { continue };
            if let Some(end) = self.goal.place_in(mesh, slot.get(), poly, pos) {
                let is_counted = !G::IS_SPREAD && parent != NONE;
                let last = || Crossing::over(mesh, of, tile.state(poly), [pos, end]).between(at.before(), None);
                let rest = if is_counted { 0.0 } else { filter.cost(&last()).max(0.0) };
                self.arrive(at.nodes, index, (end, rest));
                if !G::IS_SPREAD {
                    self.finished = true;
                    break;
                }
            }
            self.expand::<F, MIDDLE>((mesh, filter), tile, &mut at);
        }
        self.finished
    }

    /// Takes a way to the goal, unless it is too dear or a cheaper one is known.
    #[inline]
    fn arrive(&mut self, nodes: &Nodes, node: u32, (end, rest): (Vec3, f32)) {
        let cost = nodes.get(node).cost + rest;
        // An infinite cost is no path, as on the last stretch of any other.
        if !cost.is_finite()
            || self.is_too_dear(cost)
            || self.reached.is_some() && cost >= nodes.get(self.best).cost + self.rest
        {
            return;
        }
        // From now on no estimate is better.
        (self.reached, self.rest, self.best, self.best_estimate) = (Some(end), rest, node, f32::NEG_INFINITY);
    }

    /// Tries every way out of a node's polygon but the one back.
    #[inline]
    fn expand<F: QueryFilter + ?Sized, const MIDDLE: bool>(
        &mut self,
        (mesh, filter): (&NavMesh, &F),
        tile: &Tile,
        at: &mut Discoveries<'_>,
    ) {
        let from = at.parent();
        let base = tile.reference(0);
        let graph = tile.graph();
        let states = tile.states();
        let here = (base.sibling(at.of.poly().get()), states[at.of.poly().get() as usize]);
        let page = at.nodes.page(tile);
        let back = if at.of.slot().get() == from.0 { from.1 } else { NONE };
        let ways_on = self.goal.only_poly().filter(|_| self.skips_dead_ends).map(|goal| WaysOn::to(goal, mesh, tile));
        let range = graph.range_of(at.of.poly().get());
        for (number, edge) in range.clone().zip(&graph.edges()[range]) {
            if ways_on.as_ref().is_some_and(|ways_on| !ways_on.has(number, edge)) {
                self.has_skipped = true;
                continue;
            }
            let Some(next) = edge.as_poly() else {
                self.cross_border::<F, MIDDLE>((mesh, filter), (tile, edge), at, (here, from));
                continue;
            };
            if next == back {
                continue;
            }
            let entry = page.entry(next, None);
            match at.nodes.known(entry) {
                Known::Closed => {}
                Known::Open(other) => self.improve((mesh, filter), at, here, (other, Via::edge(number))),
                Known::New => {
                    let there = (base.sibling(next), states[next as usize]);
                    let pos = if MIDDLE {
                        edge.mid
                    } else {
                        let ends = tile.data().edge(at.of.poly().get(), graph.corners()[number]);
                        self.place_node(mesh, at, (there.0, ends))
                    };
                    let place = Node::at(entry, there.0, pos);
                    self.discover((mesh, filter), at, here, (there, place, Via::edge(number)));
                }
            }
        }
        for link in tile.links().connections_of(at.of.poly().get()) {
            let index = link.to.poly().get();
            if (PolyRef::OFF_MESH_SLOT, index) == from {
                continue;
            }
            let Ok(connection) = mesh.connection(link.to) else { continue };
            let Some([entrance, _]) = connection.passage(link.end) else { continue };
            let [entry, _] = at.nodes.off_mesh_entries(mesh, index, link.end);
            let place = Node::at(entry, link.to, entrance.point);
            let there = (link.to, connection.state());
            self.relax((mesh, filter), at, here, (there, place, Via::connection(link.end)));
        }
    }

    /// Tries the ways over a border edge.
    #[inline]
    fn cross_border<F: QueryFilter + ?Sized, const MIDDLE: bool>(
        &mut self,
        (mesh, filter): (&NavMesh, &F),
        (tile, edge): (&Tile, &HalfEdge),
        at: &mut Discoveries<'_>,
        (here, from): ((PolyRef, PolyState), (u32, u32)),
    ) {
        let Some(border) = edge.as_border() else { return };
        let range = tile.links().range_of_border(border);
        for (number, link) in range.clone().zip(&tile.links().all()[range]) {
            let slot = link.to.slot();
            let poly = link.to.poly().get();
            if (slot.get(), poly) == from {
                continue;
            }
            let page = match at.nodes.touched_page(slot.get()) {
                Some(page) => page,
                None => match mesh.tile_in(slot) {
                    Some(beyond) => at.nodes.page(beyond),
                    None => continue,
                },
            };
            let entry = page.entry(poly, edge.side());
            match at.nodes.known(entry) {
                Known::Closed => {}
                Known::Open(other) => self.improve((mesh, filter), at, here, (other, Via::link(number))),
                Known::New => {
                    let Some(beyond) = mesh.tile_in(slot) else { continue };
                    let pos = if MIDDLE {
                        (link.a + link.b) * 0.5
                    } else {
                        self.place_node(mesh, at, (link.to, [link.a, link.b]))
                    };
                    let place = Node::at(entry, link.to, pos);
                    self.discover((mesh, filter), at, here, ((link.to, beyond.state(poly)), place, Via::link(number)));
                }
            }
        }
    }

    /// Where the node of a portal stands that is met for the first time.
    fn place_node(&self, mesh: &NavMesh, at: &Discoveries<'_>, (next, ends): (PolyRef, [Vec3; 2])) -> Vec3 {
        let portal = PortalToPlace { from: at.pos, goal: self.goal.aim(at.pos), ends, poly: at.of, next, mesh };
        portal.at(self.placement.share(&portal))
    }

    /// From the end at which an off-mesh connection was entered to the ground at the other.
    fn leave_connection<F: QueryFilter + ?Sized>(&mut self, (mesh, filter): (&NavMesh, &F), at: &mut Discoveries<'_>) {
        let index = at.of.poly().get();
        let end = at.via.end();
        let Some(connection) = mesh.connection_by_index(index) else { return };
        let Some([_, exit]) = connection.passage(end) else { return };
        let Ok((tile, poly)) = mesh.locate(exit.poly) else { return };
        if (tile.slot().get(), poly) == at.parent() {
            return;
        }
        let [_, entry] = at.nodes.off_mesh_entries(mesh, index, end);
        let place = Node::at(entry, exit.poly, exit.point);
        let here = (connection.reference(), connection.state());
        let there = (exit.poly, tile.state(poly));
        let next = at.nodes.len();
        self.relax((mesh, filter), at, here, (there, place, Via::connection(end)));
        if at.nodes.len() > next {
            at.nodes.note_exit(next as u32);
        }
    }

    /// Considers one way into a polygon or a connection.
    fn relax<F: QueryFilter + ?Sized>(
        &mut self,
        (mesh, filter): (&NavMesh, &F),
        at: &mut Discoveries<'_>,
        here: (PolyRef, PolyState),
        (there, place, via): ((PolyRef, PolyState), Node, Via),
    ) {
        match at.nodes.known(place.entry()) {
            Known::Closed => {}
            Known::Open(other) => self.improve((mesh, filter), at, here, (other, via)),
            Known::New => self.discover((mesh, filter), at, here, (there, place, via)),
        }
    }

    /// A way into a polygon or a connection that has no node yet.
    #[inline(always)]
    fn discover<F: QueryFilter + ?Sized>(
        &mut self,
        (mesh, filter): (&NavMesh, &F),
        at: &mut Discoveries<'_>,
        here: (PolyRef, PolyState),
        (there, mut node, via): ((PolyRef, PolyState), Node, Via),
    ) {
        if !filter.passes(there.0, there.1) {
            return;
        }
        let step = Crossing::over(mesh, here.0, here.1, [at.pos, node.pos]).between(at.before(), Some(there.0));
        let mut cost = at.cost + filter.cost(&step).max(0.0);
        if self.is_too_dear(cost) {
            return;
        }
        let mut estimate = 0.0;
        match self.last_stretch(mesh, &node) {
            Some(end) => {
                let last = Crossing::over(mesh, there.0, there.1, [node.pos, end]).between(Some(here.0), None);
                cost += filter.cost(&last).max(0.0);
                if self.is_too_dear(cost) {
                    return;
                }
            }
            None => estimate = node.pos.distance(self.goal.aim(node.pos)) * self.estimate_scale,
        }
        let total = cost + estimate;
        // Infinite costs end here, too: there is no way after all.
        if !total.is_finite() {
            return;
        }
        if at.nodes.len() >= self.limits.max_nodes as usize {
            self.limit = Some(LimitHit::Nodes);
            return;
        }
        (node.cost, node.total, node.parent, node.via) = (cost, total, at.index, via);
        let index = at.nodes.push(node);
        at.open.push(total, index);
        if estimate < self.best_estimate {
            (self.best, self.best_estimate) = (index, estimate);
        }
    }

    /// Where the way ends that a node is part of, if that is known as soon as the node is.
    #[inline(always)]
    fn last_stretch(&self, mesh: &NavMesh, node: &Node) -> Option<Vec3> {
        if G::IS_SPREAD { None } else { self.goal.place_in(mesh, node.slot(), node.poly(), node.pos) }
    }

    /// Another way to a node that waits to be expanded: it stays in its place, but may cost less to reach.
    #[inline]
    fn improve<F: QueryFilter + ?Sized>(
        &mut self,
        (mesh, filter): (&NavMesh, &F),
        at: &mut Discoveries<'_>,
        here: (PolyRef, PolyState),
        (other, via): (u32, Via),
    ) {
        let before = at.before();
        let node = at.nodes.get_mut(other);
        let step = Crossing::over(mesh, here.0, here.1, [at.pos, node.pos]).between(before, Some(node.of));
        let mut cost = at.cost + filter.cost(&step).max(0.0);
        // (The goal's node counts the way on to the goal as well, and is compared below.)
        if cost >= node.cost {
            return;
        }
        if self.is_too_dear(cost) {
            return;
        }
        let mut estimate = 0.0;
        match self.last_stretch(mesh, node) {
            Some(end) => {
                let state = node.tile(mesh).map(|tile| tile.state(node.poly()));
                let last = |state| Crossing::over(mesh, node.of, state, [node.pos, end]).between(Some(here.0), None);
                cost += state.map_or(0.0, |state| filter.cost(&last(state)).max(0.0));
                if self.is_too_dear(cost) {
                    return;
                }
            }
            None => estimate = node.pos.distance(self.goal.aim(node.pos)) * self.estimate_scale,
        }
        let total = cost + estimate;
        if total < node.total {
            (node.cost, node.total, node.parent, node.via) = (cost, total, at.index, via);
            at.open.push(total, other);
        }
    }

    /// Whether a way costs more than any may; infinity is no way at all and counts as no limit.
    #[inline]
    fn is_too_dear(&mut self, cost: f32) -> bool {
        let is_too_dear = cost > self.limits.max_cost;
        if is_too_dear && cost < f32::INFINITY {
            self.limit = self.limit.or(Some(LimitHit::Distance));
        }
        is_too_dear
    }

    /// Whether there is nothing left to do.
    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }

    /// What it looked for, which may hold memory.
    pub(super) fn into_goal(self) -> G {
        self.goal
    }

    /// Where it began.
    pub(super) fn start(&self) -> Vec3 {
        self.start
    }

    /// Whether the goal was reached.
    pub(super) fn is_reached(&self) -> bool {
        self.reached.is_some() && !self.goal.is_stand_in()
    }

    /// The limit that was hit so far.
    pub(super) fn limit(&self) -> Option<LimitHit> {
        self.limit
    }

    /// Writes down the path to the goal, or to the nearest place so far; nothing if it began nowhere.
    pub(super) fn finish(&self, mesh: &NavMesh, scratch: &SearchScratch, path: &mut PolyPath) {
        if !self.start.is_finite() {
            return;
        }
        let nodes = &scratch.nodes;
        (path.start, path.nodes) = (self.start, nodes.len() as u32);
        let last = if let Some(end) = self.reached {
            path.status = if self.goal.is_stand_in() { PathStatus::Partial } else { PathStatus::Complete };
            path.end = end;
            self.best
        } else {
            let (nearest, end) = self.nearest_to_goal(mesh, nodes);
            (path.status, path.limit, path.end) = (PathStatus::Partial, self.limit, end);
            nearest
        };
        path.cost = nodes.get(last).cost + self.rest;
        write_way(mesh, nodes, last, path);
    }

    /// Of all polygons that were reached the one that comes nearest to the goal, by its node and the place. The node
    /// with the best estimate is a good first guess: nearly all others are farther away on the plane already.
    fn nearest_to_goal(&self, mesh: &NavMesh, nodes: &Nodes) -> (u32, Vec3) {
        let mut best = self.best;
        let mut end = self.start;
        let mut distance = f32::INFINITY;
        let mut consider = |index: u32| {
            let node = nodes.get(index);
            let Some(tile) = node.tile(mesh) else { return };
            if let Some((nearer, place)) = place_near(tile, node.poly(), self.goal.wanted(node.pos), distance)
                && nearer < distance
            {
                (best, end, distance) = (index, place, nearer);
            }
        };
        consider(self.best);
        (0..nodes.len() as u32).for_each(consider);
        (best, end)
    }
}

/// The node under expansion and where its discoveries go.
struct Discoveries<'a> {
    nodes: &'a mut Nodes,
    open: &'a mut OpenList,
    index: u32,
    of: PolyRef,
    pos: Vec3,
    cost: f32,
    parent: u32,
    via: Via,
}

impl Discoveries<'_> {
    /// Slot and polygon that the node was entered from.
    #[inline]
    fn parent(&self) -> (u32, u32) {
        if self.parent == NONE {
            return (NONE, NONE);
        }
        let parent = self.nodes.get(self.parent);
        (parent.slot(), parent.poly())
    }

    /// What the node was entered from.
    #[inline]
    fn before(&self) -> Option<PolyRef> {
        self.nodes.of(self.parent)
    }
}
