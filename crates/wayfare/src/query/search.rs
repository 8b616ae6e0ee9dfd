//! The search that all path queries share: A*.
//!
//! Each node is a way into a polygon, placed at the middle of the portal it was first entered by. The open node with the
//! least cost so far plus estimate of the rest is expanded: every way out of its polygon is a candidate, with the cost that
//! the filter gives the straight way between the two middles. The estimate is the straight distance times the least cost a
//! metre, shortened by a thousandth so that rounding cannot make it too long.
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
//! What is looked for is a [`Goal`]: a point, a box, the nearest of many points. If it is not reached, the answer leads to
//! the polygon, of all that were reached, that comes nearest to it. Off-mesh connections are nodes like polygons, entered at their
//! ends. Ties are broken by the order of discovery, so the answer depends on the mesh, the question and the filter alone.
//!
//! Cost: for every node expanded a few loads for each way out, and a push for each improvement; no allocation once the
//! scratch is warm. Without a limit, a goal that cannot be reached costs the whole connected part of the mesh.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968; where nodes are placed follows Mikko Mononen, "Detour Node Placement", Digesting Duck, 2010–2011.

use super::scratch::{Node, Nodes, Page, Via};
use super::{PolyPath, PolyPoint, QueryFilter, SearchLimits, SearchScratch};
use crate::area::{LimitHit, PathStatus};
use crate::context::Budget;
use crate::math::funnel::Portal;
use crate::math::index::{NONE, TileSlot};
use crate::math::plane::distance_squared;
use crate::math::{OpenList, segment};
use crate::mesh::{NavMesh, PolyRef, PolyState, StaleRef, Tile};
use crate::tile::{Side, TileData};
use glam::Vec3;

/// What a search looks for.
pub(super) trait Goal {
    /// The point of the goal nearest to `p`: its distance is the estimate of the rest of the way.
    fn aim(&self, p: Vec3) -> Vec3;

    /// Where the goal lies in polygon `poly` of the tile in `slot`, for who comes from `from`; `None` if it does not.
    fn place_in(&self, tile: &TileData, slot: u32, poly: u32, from: Vec3) -> Option<Vec3>;
}

/// One point on the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointGoal {
    pub(super) slot: u32,
    pub(super) poly: u32,
    pub(super) point: Vec3,
}

impl PointGoal {
    pub(super) fn new(mesh: &NavMesh, place: PolyPoint) -> Result<Self, StaleRef> {
        let (tile, poly) = mesh.locate(place.poly)?;
        Ok(Self { slot: tile.slot().get(), poly, point: place.point })
    }
}

impl Goal for PointGoal {
    #[inline]
    fn aim(&self, _: Vec3) -> Vec3 {
        self.point
    }

    #[inline]
    fn place_in(&self, _: &TileData, slot: u32, poly: u32, _: Vec3) -> Option<Vec3> {
        ((slot, poly) == (self.slot, self.poly)).then_some(self.point)
    }
}

/// A search under way. Its nodes are in the scratch.
#[derive(Clone, Debug)]
pub(super) struct Search<G> {
    goal: G,
    limits: SearchLimits,
    start: Vec3,
    /// The node estimated nearest to the goal, and that estimate; or the goal's node, and where the goal lies.
    best: u32,
    best_estimate: f32,
    reached: Option<Vec3>,
    estimate_scale: f32,
    limit: Option<LimitHit>,
    finished: bool,
}

impl<G: Goal> Search<G> {
    pub(super) fn begin<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        (start, goal): (PolyPoint, G),
        limits: SearchLimits,
        filter: &F,
        scratch: &mut SearchScratch,
    ) -> Result<Self, StaleRef> {
        let (tile, poly) = mesh.locate(start.poly)?;
        let estimate_scale = filter.least_cost().max(0.0) * 0.999;
        scratch.nodes.begin(mesh);
        scratch.open.clear();
        let page = scratch.nodes.page(tile);
        let first = scratch.nodes.add(page.entry(poly, None), page.slot, poly, start.point);
        let estimate = start.point.distance(goal.aim(start.point)) * estimate_scale;
        scratch.nodes.get_mut(first).total = estimate;
        scratch.open.push(estimate, first);
        Ok(Self {
            goal,
            limits,
            start: start.point,
            best: first,
            best_estimate: estimate,
            reached: None,
            estimate_scale,
            limit: None,
            finished: false,
        })
    }

    /// Expands nodes until the goal is reached, nothing is open or the budget (in nodes) is spent. Whether it has finished.
    pub(super) fn run<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch,
        budget: &mut Budget,
    ) -> bool {
        let SearchScratch { nodes, open, .. } = scratch;
        while !self.finished && budget.spend() {
            let Some((total, index)) = open.pop() else {
                self.finished = true;
                break;
            };
            let node = *nodes.get(index);
            if total != node.total {
                continue; // Outdated: a cheaper way here was found since.
            }
            if node.slot == PolyRef::OFF_MESH_SLOT {
                self.leave_connection(mesh, filter, &mut Discoveries { nodes, open, node, index });
                continue;
            }
            let Some(tile) = mesh.tile(TileSlot::new(node.slot)) else { continue };
            self.reached = self.goal.place_in(tile.data(), node.slot, node.poly, node.pos);
            if self.reached.is_some() {
                self.best = index;
                self.finished = true;
                break;
            }
            self.expand(mesh, filter, tile, &mut Discoveries { nodes, open, node, index });
        }
        self.finished
    }

    /// Tries every way out of a node's polygon but the one back.
    #[inline]
    fn expand<F: QueryFilter + ?Sized>(&mut self, mesh: &NavMesh, filter: &F, tile: &Tile, at: &mut Discoveries<'_>) {
        let from = at.parent();
        let base = tile.reference(0);
        let (graph, states) = (tile.graph(), tile.states());
        let here = (base.sibling(at.node.poly), states[at.node.poly as usize]);
        let page = at.nodes.page(tile);
        let back = if page.slot == from.0 { from.1 } else { NONE };
        let range = graph.range_of(at.node.poly);
        for (number, edge) in range.clone().zip(&graph.edges()[range]) {
            let Some(border) = edge.as_border() else {
                if edge.next != back {
                    let into = Entrance {
                        entry: page.entry(edge.next, None),
                        slot: page.slot,
                        poly: edge.next,
                        via: Via::edge(number),
                        pos: edge.mid,
                        here,
                        there: (base.sibling(edge.next), states[edge.next as usize]),
                    };
                    self.relax(filter, at, Some(tile), &into);
                }
                continue;
            };
            let corner = graph.corners()[number];
            let side = tile.data().neighbours[corner as usize].as_border();
            for number in tile.links().range_of_border(border) {
                let link = &tile.links().all()[number];
                let (slot, poly) = (link.to.slot(), link.to.poly().get());
                let Some(beyond) = mesh.tile(slot) else { continue };
                if (slot.get(), poly) != from {
                    let way = Way { via: Via::link(number), middle: (link.a + link.b) * 0.5, side, poly };
                    let page = at.nodes.page(beyond);
                    self.enter(filter, at, here, (beyond, page), &way);
                }
            }
        }
        for link in tile.links().connections_of(at.node.poly) {
            let index = link.to.poly().get();
            let Ok(connection) = mesh.connection(link.to) else { continue };
            let Some([entrance, _]) = connection.passage(link.end) else { continue };
            if (PolyRef::OFF_MESH_SLOT, index) != from {
                let entry = at.nodes.off_mesh_entry(mesh, index, link.end);
                let into = Entrance {
                    entry,
                    slot: PolyRef::OFF_MESH_SLOT,
                    poly: index,
                    via: Via::connection(link.end),
                    pos: entrance.point,
                    here,
                    there: (link.to, connection.state()),
                };
                self.relax(filter, at, None, &into);
            }
        }
    }

    /// From the end at which an off-mesh connection was entered to the ground at the other.
    fn leave_connection<F: QueryFilter + ?Sized>(&mut self, mesh: &NavMesh, filter: &F, at: &mut Discoveries<'_>) {
        let Some(connection) = mesh.connection_by_index(at.node.poly) else { return };
        let Some([_, exit]) = connection.passage(at.node.via.end()) else { return };
        let Ok((tile, poly)) = mesh.locate(exit.poly) else { return };
        let page = at.nodes.page(tile);
        if (page.slot, poly) == at.parent() {
            return;
        }
        let into = Entrance {
            entry: page.entry(poly, None),
            slot: page.slot,
            poly,
            via: Via::connection(at.node.via.end()),
            pos: exit.point,
            here: (connection.reference(), connection.state()),
            there: (exit.poly, tile.state(poly)),
        };
        self.relax(filter, at, Some(tile), &into);
    }

    /// Considers one way over an edge into a polygon.
    #[inline(always)]
    fn enter<F: QueryFilter + ?Sized>(
        &mut self,
        filter: &F,
        at: &mut Discoveries<'_>,
        here: (PolyRef, PolyState),
        (tile, page): (&Tile, Page),
        way: &Way,
    ) {
        let into = Entrance {
            entry: page.entry(way.poly, way.side),
            slot: page.slot,
            poly: way.poly,
            via: way.via,
            pos: way.middle,
            here,
            there: (tile.reference(way.poly), tile.state(way.poly)),
        };
        self.relax(filter, at, Some(tile), &into);
    }

    /// Considers one way into a polygon or a connection (which has no tile).
    #[inline(always)]
    fn relax<F: QueryFilter + ?Sized>(
        &mut self,
        filter: &F,
        at: &mut Discoveries<'_>,
        tile: Option<&Tile>,
        into: &Entrance,
    ) {
        if !filter.passes(into.there.0, into.there.1) {
            return;
        }
        let known = at.nodes.find(into.entry);
        let (pos, known_cost) = match known {
            Some(index) => {
                let node = at.nodes.get(index);
                (node.pos, node.cost)
            }
            None => (into.pos, f32::INFINITY),
        };
        let mut cost = at.node.cost + filter.cost(at.node.pos, pos, into.here.0, into.here.1).max(0.0);
        // A node stays in its place, so a way that costs no less brings nothing. Infinite costs, too, end here. (The goal's
        // node counts the way on to the goal as well, and is compared below.)
        if cost >= known_cost || cost == f32::INFINITY {
            return;
        }
        if cost > self.limits.max_cost {
            self.limit = self.limit.or(Some(LimitHit::Distance));
            return;
        }
        let end = tile.and_then(|tile| self.goal.place_in(tile.data(), into.slot, into.poly, pos));
        let estimate = if let Some(end) = end {
            cost += filter.cost(pos, end, into.there.0, into.there.1).max(0.0);
            0.0
        } else {
            pos.distance(self.goal.aim(pos)) * self.estimate_scale
        };
        let total = cost + estimate;
        if !total.is_finite() || known.is_some_and(|index| at.nodes.get(index).total <= total) {
            return;
        }
        let index = match known {
            Some(index) => index,
            None if at.nodes.len() >= self.limits.max_nodes as usize => {
                self.limit = Some(LimitHit::Nodes);
                return;
            }
            None => at.nodes.add(into.entry, into.slot, into.poly, pos),
        };
        let node = at.nodes.get_mut(index);
        (node.cost, node.total, node.parent, node.via) = (cost, total, at.index, into.via);
        at.open.push(total, index);
        if estimate < self.best_estimate {
            (self.best, self.best_estimate) = (index, estimate);
        }
    }

    /// Whether there is nothing left to do.
    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Where it began.
    pub(super) fn start(&self) -> Vec3 {
        self.start
    }

    /// Whether the goal was reached.
    pub(super) fn is_reached(&self) -> bool {
        self.reached.is_some()
    }

    /// The limit that was hit so far.
    pub(super) fn limit(&self) -> Option<LimitHit> {
        self.limit
    }

    /// Writes down the path to the goal, or to the nearest place so far.
    pub(super) fn finish(&self, mesh: &NavMesh, scratch: &SearchScratch, path: &mut PolyPath) {
        let nodes = &scratch.nodes;
        (path.start, path.nodes) = (self.start, nodes.len() as u32);
        let last = if let Some(end) = self.reached {
            (path.status, path.end) = (PathStatus::Complete, end);
            self.best
        } else {
            let (nearest, end) = self.nearest_to_goal(mesh, nodes);
            (path.status, path.limit, path.end) = (PathStatus::Partial, self.limit, end);
            nearest
        };
        path.cost = nodes.get(last).cost;
        if path.status == PathStatus::Complete && nodes.get(last).parent == NONE {
            path.cost = path.start.distance(path.end);
        }
        write_way(mesh, nodes, last, path);
    }

    /// Of all polygons that were reached the one that comes nearest to the goal, by its node and the place. The node with the
    /// best estimate is a good first guess: nearly all others are farther away on the plane already.
    fn nearest_to_goal(&self, mesh: &NavMesh, nodes: &Nodes) -> (u32, Vec3) {
        let (mut best, mut end, mut distance) = (self.best, self.start, f32::INFINITY);
        let mut consider = |index: u32| {
            let node = nodes.get(index);
            let Some(data) = mesh.tile(TileSlot::new(node.slot)).map(Tile::data) else { return };
            let aim = self.goal.aim(node.pos);
            if is_farther(data.points_of(node.poly), aim, distance) {
                return;
            }
            // Path points have the heights of polygon edges, so this one has, too, unless it is right above or below.
            let (on_plane, mut place) = nearest_on_outline(data.points_of(node.poly), aim);
            if data.is_over(node.poly, aim) {
                place = Vec3::new(aim.x, data.height_at(node.poly, aim).unwrap_or(place.y), aim.z);
            } else if on_plane >= distance {
                return;
            }
            let nearer = place.distance_squared(aim);
            if nearer < distance {
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
    node: Node,
    index: u32,
}

impl Discoveries<'_> {
    /// Slot and polygon that the node was entered from.
    #[inline]
    fn parent(&self) -> (u32, u32) {
        if self.node.parent == NONE {
            return (NONE, NONE);
        }
        let parent = self.nodes.get(self.node.parent);
        (parent.slot, parent.poly)
    }
}

/// A way over an edge.
struct Way {
    via: Via,
    middle: Vec3,
    /// The side of the tile that it leads over.
    side: Option<Side>,
    poly: u32,
}

/// A way from one polygon or connection into another.
struct Entrance {
    entry: u32,
    slot: u32,
    poly: u32,
    via: Via,
    pos: Vec3,
    here: (PolyRef, PolyState),
    there: (PolyRef, PolyState),
}

/// Whether some edge of a convex polygon has `p` so far outside that the whole polygon is farther away than the root of
/// `distance_squared`: for most polygons the first edge or two tell.
#[inline]
fn is_farther(points: impl DoubleEndedIterator<Item = Vec3> + Clone, p: Vec3, distance_squared: f32) -> bool {
    let Some(mut from) = points.clone().next_back() else { return true };
    // A little beyond, so that rounding never rejects a nearer one.
    let reach = distance_squared * 1.0001;
    for to in points {
        let (dx, dz) = (to.x - from.x, to.z - from.z);
        let outside = dx * (p.z - from.z) - dz * (p.x - from.x);
        if outside > 0.0 && outside * outside > reach * (dx * dx + dz * dz) {
            return true;
        }
        from = to;
    }
    false
}

/// The point of the outline through `points` nearest to `p` on the plane, after its squared distance there.
fn nearest_on_outline(points: impl DoubleEndedIterator<Item = Vec3> + Clone, p: Vec3) -> (f32, Vec3) {
    let mut best = (f32::INFINITY, p);
    let Some(mut from) = points.clone().next_back() else { return best };
    for to in points {
        let place = segment::closest_point(p, from, to);
        let distance = distance_squared(p, place);
        if distance < best.0 {
            best = (distance, place);
        }
        from = to;
    }
    best
}

/// Appends the polygons and portals from the first node to node `last`.
pub(super) fn write_way(mesh: &NavMesh, nodes: &Nodes, last: u32, path: &mut PolyPath) {
    let mut index = last;
    while index != NONE {
        let node = nodes.get(index);
        let Some(reference) = reference_of(mesh, node) else { break };
        path.polys.push(reference);
        if node.parent != NONE {
            path.portals.push(portal_into(mesh, nodes.get(node.parent), node));
        }
        index = node.parent;
    }
    path.polys.reverse();
    path.portals.reverse();
}

/// Writes down the way to a node: polygons, portals and cost; it ends where the node's polygon is entered.
pub(super) fn way_to(mesh: &NavMesh, nodes: &Nodes, node: u32, path: &mut PolyPath) {
    write_way(mesh, nodes, node, path);
    (path.cost, path.end) = (nodes.get(node).cost, nodes.get(node).pos);
}

/// Cuts a path before the first polygon that is not in `mesh`, and returns that one. The path then ends at the last portal
/// before it.
pub(super) fn cut_where_stale(mesh: &NavMesh, path: &mut PolyPath) -> Option<StaleRef> {
    let (at, stale) = (0_usize..).zip(&path.polys).find_map(|(at, &poly)| Some((at, mesh.state(poly).err()?)))?;
    path.status = if at == 0 { PathStatus::None } else { PathStatus::Partial };
    if let Some(portal) = at.checked_sub(1).and_then(|before| path.portals.get(before)) {
        path.end = (portal.left + portal.right) * 0.5;
    }
    path.polys.truncate(at);
    path.portals.truncate(at.saturating_sub(1));
    Some(stale)
}

/// The polygon or connection of a node.
pub(super) fn reference_of(mesh: &NavMesh, node: &Node) -> Option<PolyRef> {
    if node.slot == PolyRef::OFF_MESH_SLOT {
        return mesh.connection_by_index(node.poly).map(|c| c.reference());
    }
    mesh.tile(TileSlot::new(node.slot)).map(|tile| tile.reference(node.poly))
}

/// The portal by which `node` was entered from `before`; a single point at the ends of connections.
fn portal_into(mesh: &NavMesh, before: &Node, node: &Node) -> Portal {
    let point = Portal { left: node.pos, right: node.pos };
    if node.slot == PolyRef::OFF_MESH_SLOT || before.slot == PolyRef::OFF_MESH_SLOT {
        // The node's own place may be older than this way in: ask the connection.
        let of_connection = if node.slot == PolyRef::OFF_MESH_SLOT { (node, 0) } else { (before, 1) };
        let passage = mesh.connection_by_index(of_connection.0.poly).and_then(|c| c.passage(node.via.end()));
        return passage
            .map_or(point, |ends| Portal { left: ends[of_connection.1].point, right: ends[of_connection.1].point });
    }
    let Some(tile) = mesh.tile(TileSlot::new(before.slot)) else { return point };
    let [left, right] = match node.via.as_link() {
        Ok(link) => {
            let link = &tile.links().all()[link];
            [link.a, link.b]
        }
        Err(edge) => tile.data().edge(before.poly, tile.graph().corners()[edge]),
    };
    Portal { left, right }
}
