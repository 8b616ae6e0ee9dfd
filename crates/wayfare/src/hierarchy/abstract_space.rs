//! The abstract graph as a space to be searched: portals near the ends of a path, entrances of clusters farther away.
//!
//! A tile that lies in a cluster which may be crossed as a whole is crossed with the largest such cluster, at a stored
//! cost; any other tile is crossed portal by portal. Steps between portals of two tiles connect both kinds, since the
//! entrances of a level are also entrances of all levels below.
//!
//! Cost: for every node expanded, the edges of its portal, or one edge for each entrance of the cluster.
//!
//! Sources: see [`GraphLevels`].

use super::GraphLevels;
use super::abstract_task::AbstractTask;
use super::area_costs::{AreaCosts, connection_cost, cost_in};
use super::closed_parts::AbstractNode;
use super::cluster::Entrance;
use super::graph_tile::Join;
use super::tile_access::TileAccess;
use super::whole_clusters::WholeClusters;
use crate::graph::{Fringe, Known, Node, Order, PageSize, SearchObserver, SearchSpace};
use crate::math::index::NONE;
use crate::mesh::PolyRef;
use crate::query::QueryFilter;
use core::ops::ControlFlow;
use glam::Vec3;

/// What a node represents: a portal and, if its cluster is crossed as a whole, an entrance of that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AbstractKey {
    pub(super) node: AbstractNode,
    /// The level of the cluster; [`NONE`] for a portal that is no entrance here.
    level: u32,
    cluster: u32,
    entrance: u32,
}

/// How a node was entered, if not across an area, whose number would stand here: over a border or a connection, or
/// through a cluster.
const OVER_BORDER: u32 = NONE - 1;
const THROUGH_CLUSTER: u32 = NONE - 2;

/// Whether a node was entered through a cluster.
pub(super) fn is_through_cluster(via: u32) -> bool {
    via == THROUGH_CLUSTER
}

/// Whether a node was entered across an area.
pub(super) fn is_across_area(via: u32) -> bool {
    via < THROUGH_CLUSTER
}

impl AbstractKey {
    /// A portal that is crossed by itself.
    pub(super) fn of(node: AbstractNode) -> Self {
        Self { node, level: NONE, cluster: NONE, entrance: NONE }
    }

    /// The entrance that it represents, if any.
    pub(super) fn entrance(self, levels: Option<&GraphLevels>) -> Option<Entrance> {
        let level = levels?.levels.get(self.level as usize)?;
        level.cluster(self.cluster)?.chosen.portals.get(self.entrance as usize).copied()
    }

    /// The off-mesh connection that leads from here to another node, if any.
    pub(super) fn connection_to<W: TileAccess + ?Sized>(
        self,
        to: AbstractNode,
        world: &mut W,
        levels: Option<&GraphLevels>,
    ) -> Option<PolyRef> {
        if let Some(level) = levels.and_then(|levels| levels.levels.get(self.level as usize)) {
            let exits = level.cluster(self.cluster)?.chosen.exits_of(self.entrance);
            return exits.iter().find(|exit| exit.to == to)?.connection;
        }
        let tile = world.graph_tile(self.node.slot)?;
        let joins = tile.joins_of(self.node.portal);
        joins.iter().find(|join| (join.slot, join.to) == (to.slot, to.portal))?.connection
    }
}

/// An abstract graph as seen by a search, through a filter.
pub(super) struct AbstractSpace<'a, W: ?Sized, F: ?Sized> {
    pub(super) world: &'a mut W,
    pub(super) task: &'a AbstractTask<'a>,
    pub(super) filter: &'a F,
    pub(super) levels: Option<&'a GraphLevels>,
    pub(super) whole: &'a WholeClusters,
    pub(super) costs: &'a mut AreaCosts,
    pub(super) joins: &'a mut Vec<Join>,
    pub(super) estimate: Estimate,
    /// The entry of the goal.
    pub(super) goal: u32,
    pub(super) opened: u32,
}

/// A step to a node.
#[derive(Clone, Copy)]
struct NodeStep {
    key: AbstractKey,
    entry: u32,
    at: Vec3,
    cost: f32,
    via: u32,
}

impl<W: TileAccess + ?Sized, F: QueryFilter + ?Sized> SearchSpace for AbstractSpace<'_, W, F> {
    type Key = AbstractKey;

    #[inline]
    fn expand<Q: Order, O: SearchObserver<AbstractKey>>(
        &mut self,
        fringe: &mut Fringe<'_, AbstractKey, Q, O>,
        number: u32,
        node: Node<AbstractKey>,
    ) -> ControlFlow<()> {
        self.opened += 1;
        let here = (number, &node);
        match node.of.node {
            AbstractNode::GOAL => return ControlFlow::Break(()),
            AbstractNode::START => self.leave_start(fringe, here),
            _ if node.of.level != NONE => self.cross_cluster(fringe, here),
            _ => {
                self.cross_areas(fringe, here);
                self.cross_joins(fringe, here);
            }
        }
        ControlFlow::Continue(())
    }
}

impl<W: TileAccess + ?Sized, F: QueryFilter + ?Sized> AbstractSpace<'_, W, F> {
    fn leave_start<Q: Order, O: SearchObserver<AbstractKey>>(
        &mut self,
        fringe: &mut Fringe<'_, AbstractKey, Q, O>,
        here: (u32, &Node<AbstractKey>),
    ) {
        let task = self.task;
        let slot = task.start.slot;
        let (Some(tile), mesh) = self.world.graph_tile_and_mesh(slot) else { return };
        let factor = cost_in(self.costs.of(tile, mesh, self.filter), task.start.area);
        let keys = tile.graph.portals().len() as u32;
        let page = fringe.nodes.entries.page(slot, |_| PageSize { keys, kinds: 1 });
        let places: Vec<Vec3> = tile.graph.portals().iter().map(|portal| portal.middle).collect();
        for ((portal, &length), at) in (0..).zip(&task.start.lengths).zip(places) {
            let key = AbstractKey::of(AbstractNode { slot, portal });
            let step = NodeStep { key, entry: page.entry(portal, 0), at, cost: length * factor, via: task.start.area };
            self.reach(fringe, here, step);
        }
        self.reach_goal(fringe, here, (task.direct * factor, task.start.area));
    }

    fn reach_goal<Q: Order, O: SearchObserver<AbstractKey>>(
        &mut self,
        fringe: &mut Fringe<'_, AbstractKey, Q, O>,
        here: (u32, &Node<AbstractKey>),
        (cost, via): (f32, u32),
    ) {
        let key = AbstractKey::of(AbstractNode::GOAL);
        self.reach(fringe, here, NodeStep { key, entry: self.goal, at: self.task.goal.at, cost, via });
    }

    fn cross_areas<Q: Order, O: SearchObserver<AbstractKey>>(
        &mut self,
        fringe: &mut Fringe<'_, AbstractKey, Q, O>,
        here: (u32, &Node<AbstractKey>),
    ) {
        let AbstractNode { slot, portal } = here.1.of.node;
        let (Some(tile), mesh) = self.world.graph_tile_and_mesh(slot) else { return };
        let costs = self.costs.of(tile, mesh, self.filter);
        let keys = tile.graph.portals().len() as u32;
        let page = fringe.nodes.entries.page(slot, |_| PageSize { keys, kinds: 1 });
        let goal = &self.task.goal;
        let to_goal = goal.lengths.get(portal as usize).filter(|_| slot == goal.slot);
        let to_goal = to_goal.map(|&length| (length * cost_in(costs, goal.area), goal.area));
        for edge in tile.graph.edges_of(portal) {
            let cost = edge.length * cost_in(costs, edge.area);
            let Some(at) = tile.graph.portals().get(edge.to as usize).map(|portal| portal.middle) else { continue };
            let key = AbstractKey::of(AbstractNode { slot, portal: edge.to });
            let step = NodeStep { key, entry: page.entry(edge.to, 0), at, cost, via: edge.area };
            reach((self.task, &self.estimate), fringe, here, step);
        }
        if let Some(to_goal) = to_goal {
            self.reach_goal(fringe, here, to_goal);
        }
    }

    fn cross_joins<Q: Order, O: SearchObserver<AbstractKey>>(
        &mut self,
        fringe: &mut Fringe<'_, AbstractKey, Q, O>,
        here: (u32, &Node<AbstractKey>),
    ) {
        let AbstractNode { slot, portal } = here.1.of.node;
        let (Some(tile), mesh) = self.world.graph_tile_and_mesh(slot) else { return };
        let area = tile.graph.portals().get(portal as usize).map_or(NONE, |portal| portal.areas[0]);
        let factor = cost_in(self.costs.of(tile, mesh, self.filter), area);
        let mut joins = core::mem::take(self.joins);
        joins.clear();
        joins.extend_from_slice(tile.joins_of(portal));
        for join in &joins {
            let to = AbstractNode { slot: join.slot, portal: join.to };
            let Some((key, entry, at)) = self.place(fringe, to) else { continue };
            let from = here.1.pos;
            let cost = match join.connection {
                Some(connection) => connection_cost(self.world.mesh(), connection, [from, at], self.filter),
                None => from.distance(at) * factor,
            };
            self.reach(fringe, here, NodeStep { key, entry, at, cost, via: OVER_BORDER });
        }
        *self.joins = joins;
    }

    fn cross_cluster<Q: Order, O: SearchObserver<AbstractKey>>(
        &mut self,
        fringe: &mut Fringe<'_, AbstractKey, Q, O>,
        here: (u32, &Node<AbstractKey>),
    ) {
        let key = here.1.of;
        let Some(levels) = self.levels else { return };
        let Some(cluster) = levels.levels.get(key.level as usize).and_then(|level| level.cluster(key.cluster)) else {
            return;
        };
        let keys = cluster.chosen.portals.len() as u32;
        // A node reached through the cluster was reached by the cheapest path through it: going on within it gains
        // nothing.
        if !is_through_cluster(here.1.via) {
            let page = levels.page_of(self.world.slot_count(), (key.level, key.cluster));
            let page = fringe.nodes.entries.page(page, |_| PageSize { keys, kinds: 1 });
            for ((entrance, portal), &cost) in (0..).zip(&cluster.chosen.portals).zip(cluster.costs_from(key.entrance))
            {
                let there = AbstractKey { node: portal.node, entrance, ..key };
                let entry = page.entry(entrance, 0);
                self.reach(fringe, here, NodeStep { key: there, entry, at: portal.at, cost, via: THROUGH_CLUSTER });
            }
        }
        for exit in cluster.chosen.exits_of(key.entrance) {
            let Some((key, entry, at)) = self.place(fringe, exit.to) else { continue };
            self.reach(fringe, here, NodeStep { key, entry, at, cost: exit.cost, via: OVER_BORDER });
        }
    }

    /// The node for a portal beyond a border; `None` if the search does not use that portal.
    fn place<Q: Order, O: SearchObserver<AbstractKey>>(
        &mut self,
        fringe: &mut Fringe<'_, AbstractKey, Q, O>,
        node: AbstractNode,
    ) -> Option<(AbstractKey, u32, Vec3)> {
        if let Some(levels) = self.levels
            && let Some((level, cluster)) = self.whole.around(levels, node.slot)
        {
            let chosen = &levels.levels.get(level as usize)?.cluster(cluster)?.chosen;
            let entrance = chosen.find(node)?;
            let keys = chosen.portals.len() as u32;
            let page = levels.page_of(self.world.slot_count(), (level, cluster));
            let page = fringe.nodes.entries.page(page, |_| PageSize { keys, kinds: 1 });
            let at = chosen.portals[entrance as usize].at;
            return Some((AbstractKey { node, level, cluster, entrance }, page.entry(entrance, 0), at));
        }
        if self.task.closed.has_tile(node.slot) {
            return None;
        }
        let portals = self.world.graph_tile(node.slot)?.graph.portals();
        let at = portals.get(node.portal as usize)?.middle;
        let keys = portals.len() as u32;
        let page = fringe.nodes.entries.page(node.slot, |_| PageSize { keys, kinds: 1 });
        Some((AbstractKey::of(node), page.entry(node.portal, 0), at))
    }

    #[inline]
    fn reach<Q: Order, O: SearchObserver<AbstractKey>>(
        &self,
        fringe: &mut Fringe<'_, AbstractKey, Q, O>,
        here: (u32, &Node<AbstractKey>),
        step: NodeStep,
    ) {
        reach((self.task, &self.estimate), fringe, here, step);
    }
}

/// Opens or improves the node at the end of a step, if the step makes it cheaper to reach.
#[inline]
fn reach<Q: Order, O: SearchObserver<AbstractKey>>(
    (task, estimate): (&AbstractTask<'_>, &Estimate),
    fringe: &mut Fringe<'_, AbstractKey, Q, O>,
    here: (u32, &Node<AbstractKey>),
    step: NodeStep,
) {
    let (number, node) = here;
    let cost = node.cost + step.cost;
    // An infinite cost, or one that is not a number, means that there is no step.
    if !cost.is_finite() || task.closed.has_edge(node.of.node, step.key.node) {
        return;
    }
    let rest = if step.key.node == AbstractNode::GOAL { 0.0 } else { estimate.rest(step.at) };
    match fringe.nodes.entries.known(step.entry) {
        Known::Closed => {}
        Known::Open(other) => fringe.improve(other, (number, step.via), cost, rest),
        Known::New => {
            fringe.open(Node::at(step.entry, step.key, step.at).entered_by(step.via), number, cost, rest);
        }
    }
}

/// The least cost of the rest of a path, plus a little for the distance from the straight line.
pub(super) struct Estimate {
    goal: Vec3,
    /// From the start to the goal on the plane, of length 1; zero if they coincide.
    direction: [f32; 2],
    scale: f32,
}

/// How much a metre of distance from the straight line adds to the estimate.
const OFF_LINE: f32 = 1e-3;

impl Estimate {
    pub(super) fn new<F: QueryFilter + ?Sized>(task: &AbstractTask<'_>, filter: &F) -> Self {
        let line = task.goal.at - task.start.at;
        let length = (line.x * line.x + line.z * line.z).sqrt();
        let direction = if length > 0.0 { [line.x / length, line.z / length] } else { [0.0; 2] };
        Self { goal: task.goal.at, direction, scale: filter.least_cost().max(0.0) * 0.999 }
    }

    #[inline]
    fn rest(&self, at: Vec3) -> f32 {
        let off = (at.x - self.goal.x) * self.direction[1] - (at.z - self.goal.z) * self.direction[0];
        (at.distance(self.goal) + off.abs() * OFF_LINE) * self.scale
    }
}
