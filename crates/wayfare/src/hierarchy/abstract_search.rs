//! The search over the abstract graph: A* from portal to portal.
//!
//! The start leads to the portals of its area, at the lengths of real paths; the portals of the goal's area lead to the
//! goal. A length is worth what the filter says of a metre of the area: areas that it closes are not crossed.
//!
//! ```text
//!   S ──> portals of its area ──> across areas, over borders ──> portals of the goal's area ──> G
//! ```
//!
//! On open land many paths over portals cost the same, and most of them lead off the straight line, which costs nothing
//! by the middles of portals but does once the string is pulled. So of equals the one nearest to the straight line is
//! preferred.
//!
//! Cost: as A* over polygons, with some ten times fewer nodes. What a tile's areas cost is asked once for each tile
//! that is touched.
//!
//! Sources: Adi Botea, Martin Müller, Jonathan Schaeffer, "Near Optimal Hierarchical Path-Finding" (HPA*), 2004; Peter
//! Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968.

use super::closed_parts::{AbstractNode, ClosedParts};
use super::graph_tile::{GraphTile, Join, poly_of};
use super::tile_access::TileAccess;
use crate::math::OpenList;
use crate::math::index::NONE;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{Crossing, QueryFilter};
use glam::Vec3;

/// Where a path begins or ends, and how far the portals of its tile are.
#[derive(Clone, Debug, Default)]
pub(super) struct Attached {
    pub(super) slot: u32,
    pub(super) at: Vec3,
    /// The area it is in.
    pub(super) area: u32,
    /// The length of the path to each portal of the tile; infinite to those of other areas.
    pub(super) lengths: Vec<f32>,
}

/// What is searched.
pub(super) struct AbstractTask<'a> {
    pub(super) start: &'a Attached,
    pub(super) goal: &'a Attached,
    /// The length of a path inside the area that both are in; infinite if they are in two.
    pub(super) direct: f32,
    pub(super) closed: &'a ClosedParts,
}

/// A portal that a path crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AbstractStep {
    pub(super) node: AbstractNode,
    /// The node before it: not always that of the step before, since nodes that are only passed are no steps.
    pub(super) before: AbstractNode,
    /// Left and right end, as seen by who walks the path.
    pub(super) ends: [Vec3; 2],
    /// The connection over which it is reached, if over one.
    pub(super) connection: Option<PolyRef>,
}

#[derive(Clone, Copy, Debug)]
struct SearchNode {
    node: AbstractNode,
    at: Vec3,
    cost: f32,
    total: f32,
    parent: u32,
    /// The area that was crossed to get here; [`NONE`] over a border.
    area: u32,
    connection: Option<PolyRef>,
    is_closed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Page {
    stamp: u32,
    /// The node of the tile's first portal.
    first: u32,
    /// The factor of its first area.
    factors: u32,
}

/// Memory of searches over an abstract graph.
#[derive(Clone, Debug, Default)]
pub(super) struct AbstractSearch {
    nodes: Vec<SearchNode>,
    /// By slot.
    pages: Vec<Page>,
    /// What a metre costs in each area of the tiles touched; infinite where it is closed.
    factors: Vec<f32>,
    joins: Vec<Join>,
    open: OpenList,
    stamp: u32,
    opened: u32,
}

/// The nodes of the start and the goal.
const START: u32 = 0;
const GOAL: u32 = 1;
/// How much a metre off the straight line counts in the order of what is expanded.
const OFF_LINE: f32 = 1e-3;

impl AbstractSearch {
    /// Finds the cheapest path; the node before the goal. `steps` get the portals that it crosses, in order.
    pub(super) fn run<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
        &mut self,
        world: &mut W,
        task: &AbstractTask<'_>,
        filter: &F,
        steps: &mut Vec<AbstractStep>,
    ) -> Option<AbstractNode> {
        steps.clear();
        self.begin(world, task);
        let estimate = Estimate::new(task, filter);
        self.leave_start(world, (task, filter, &estimate));
        while let Some((total, index)) = self.open.pop() {
            let here = self.nodes[index as usize];
            if here.is_closed || total > here.total {
                continue;
            }
            self.nodes[index as usize].is_closed = true;
            self.opened += 1;
            if index == GOAL {
                self.write_steps(world, steps);
                return self.nodes.get(here.parent as usize).map(|last| last.node);
            }
            self.cross_areas(world, (task, &estimate), index);
            self.cross_joins(world, (task, filter, &estimate), index);
        }
        None
    }

    /// How many nodes the last search expanded.
    pub(super) fn opened(&self) -> u32 {
        self.opened
    }

    fn begin<W: TileAccess + ?Sized>(&mut self, world: &W, task: &AbstractTask<'_>) {
        self.nodes.clear();
        self.factors.clear();
        self.open.clear();
        self.opened = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.pages.fill(Page::default());
            self.stamp = 1;
        }
        let slots = world.slot_count() as usize;
        if self.pages.len() < slots {
            self.pages.resize(slots, Page::default());
        }
        for (end, node) in [(task.start, AbstractNode::START), (task.goal, AbstractNode::GOAL)] {
            self.nodes.push(SearchNode { at: end.at, ..SearchNode::new(node) });
        }
    }

    /// The nodes of a tile and what its areas cost, once for each search.
    fn page<F: QueryFilter + ?Sized>(&mut self, (tile, mesh): (&GraphTile, &NavMesh), filter: &F) -> Page {
        let slot = tile.tile.slot().get();
        let Some(page) = self.pages.get_mut(slot as usize) else { return Page::default() };
        if page.stamp == self.stamp {
            return *page;
        }
        let first = self.nodes.len() as u32;
        *page = Page { stamp: self.stamp, first, factors: self.factors.len() as u32 };
        let page = *page;
        let nodes = (0..).zip(tile.graph.portals());
        self.nodes.extend(nodes.map(|(portal, there)| {
            let node = AbstractNode { slot, portal };
            SearchNode { at: there.middle, ..SearchNode::new(node) }
        }));
        self.factors.extend((0..tile.graph.areas().len()).map(|area| area_cost(mesh, tile, area as u32, filter)));
        page
    }

    fn leave_start<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
        &mut self,
        world: &mut W,
        (task, filter, estimate): (&AbstractTask<'_>, &F, &Estimate),
    ) {
        for end in [task.start, task.goal] {
            let (tile, mesh) = world.graph_tile_and_mesh(end.slot);
            if let Some(tile) = tile {
                self.page((tile, mesh), filter);
            }
        }
        let Some(page) = self.touched(task.start.slot) else { return };
        let factor = self.factor(page, task.start.area);
        for (portal, &length) in (0..).zip(&task.start.lengths) {
            self.reach((task, estimate), START, (page.first + portal, length * factor, task.start.area));
        }
        self.reach((task, estimate), START, (GOAL, task.direct * factor, task.start.area));
    }

    fn touched(&self, slot: u32) -> Option<Page> {
        self.pages.get(slot as usize).copied().filter(|page| page.stamp == self.stamp)
    }

    fn factor(&self, page: Page, area: u32) -> f32 {
        self.factors.get((page.factors as usize).saturating_add(area as usize)).copied().unwrap_or(f32::INFINITY)
    }

    fn cross_areas<W: TileAccess + ?Sized>(
        &mut self,
        world: &mut W,
        (task, estimate): (&AbstractTask<'_>, &Estimate),
        index: u32,
    ) {
        let AbstractNode { slot, portal } = self.nodes[index as usize].node;
        let Some(page) = self.touched(slot) else { return };
        let Some(tile) = world.graph_tile(slot) else { return };
        for edge in tile.graph.edges_of(portal) {
            let cost = edge.length * self.factor(page, edge.area);
            self.reach((task, estimate), index, (page.first + edge.to, cost, edge.area));
        }
        if slot == task.goal.slot
            && let Some(&length) = task.goal.lengths.get(portal as usize)
        {
            let cost = length * self.factor(page, task.goal.area);
            self.reach((task, estimate), index, (GOAL, cost, task.goal.area));
        }
    }

    fn cross_joins<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
        &mut self,
        world: &mut W,
        (task, filter, estimate): (&AbstractTask<'_>, &F, &Estimate),
        index: u32,
    ) {
        let AbstractNode { slot, portal } = self.nodes[index as usize].node;
        let Some(page) = self.touched(slot) else { return };
        let mut joins = core::mem::take(&mut self.joins);
        joins.clear();
        let Some(tile) = world.graph_tile(slot) else { return };
        joins.extend_from_slice(tile.joins_of(portal));
        let area = tile.graph.portals().get(portal as usize).map_or(NONE, |portal| portal.areas[0]);
        let factor = self.factor(page, area);
        for join in &joins {
            if task.closed.has_tile(join.slot) {
                continue;
            }
            let (beyond, mesh) = world.graph_tile_and_mesh(join.slot);
            let Some(beyond) = beyond else { continue };
            let page = self.page((beyond, mesh), filter);
            let there = page.first + join.to;
            let Some(to) = self.nodes.get(there as usize).map(|node| node.at) else { continue };
            let from = self.nodes[index as usize].at;
            let cost = match join.connection {
                Some(connection) => connection_cost(mesh, connection, [from, to], filter),
                None => from.distance(to) * factor,
            };
            if self.reach((task, estimate), index, (there, cost, NONE)) {
                self.nodes[there as usize].connection = join.connection;
            }
        }
        self.joins = joins;
    }

    /// A step to a node; whether it is the best so far.
    fn reach(
        &mut self,
        (task, estimate): (&AbstractTask<'_>, &Estimate),
        from: u32,
        (to, step, area): (u32, f32, u32),
    ) -> bool {
        let here = self.nodes[from as usize];
        let cost = here.cost + step;
        let Some(&there) = self.nodes.get(to as usize) else { return false };
        // Infinite steps and those that are no numbers lead nowhere.
        let is_better = cost.is_finite() && !there.is_closed && cost < there.cost;
        if !is_better || task.closed.has_edge(here.node, there.node) {
            return false;
        }
        let total = cost + if to == GOAL { 0.0 } else { estimate.rest(there.at) };
        let node = SearchNode { cost, total, parent: from, area, connection: None, ..there };
        self.nodes[to as usize] = node;
        self.open.push(total, to);
        true
    }

    /// The portals that are crossed on the path to the goal. A node that is passed within its area is none.
    fn write_steps<W: TileAccess + ?Sized>(&self, world: &mut W, steps: &mut Vec<AbstractStep>) {
        let mut after = self.nodes[GOAL as usize];
        while after.parent != START && after.parent != NONE {
            let here = self.nodes[after.parent as usize];
            let is_passed = here.area != NONE && here.area == after.area;
            let portal = world.graph_tile(here.node.slot).and_then(|tile| {
                let portal = tile.graph.portals().get(here.node.portal as usize)?;
                // Reached through its first area it is left by that, and seen from within.
                let [left, right] = portal.ends;
                Some(if here.area == portal.areas[0] { [left, right] } else { [right, left] })
            });
            if let Some(ends) = portal.filter(|_| !is_passed) {
                let before = self.nodes.get(here.parent as usize).map_or(AbstractNode::START, |before| before.node);
                steps.push(AbstractStep { node: here.node, before, ends, connection: here.connection });
            }
            after = here;
        }
        steps.reverse();
    }
}

impl SearchNode {
    fn new(node: AbstractNode) -> Self {
        let cost = if node == AbstractNode::START { 0.0 } else { f32::INFINITY };
        let at = Vec3::ZERO;
        Self { node, at, cost, total: cost, parent: NONE, area: NONE, connection: None, is_closed: false }
    }
}

/// What the rest of a path costs at least, and how far a node is off the straight line.
struct Estimate {
    goal: Vec3,
    /// From the start to the goal on the plane, of length 1; zero if they are at one place.
    direction: [f32; 2],
    scale: f32,
}

impl Estimate {
    fn new<F: QueryFilter + ?Sized>(task: &AbstractTask<'_>, filter: &F) -> Self {
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

/// What a metre of an area costs; infinite if it is closed. Filters that look at more than area types and flags may
/// close a part of an area alone: then it counts as open, at the least cost.
pub(super) fn area_cost<F: QueryFilter + ?Sized>(mesh: &NavMesh, tile: &GraphTile, area: u32, filter: &F) -> f32 {
    if !filter.is_by_state() {
        return filter.least_cost().max(0.0);
    }
    let Some(area) = tile.graph.areas().get(area as usize) else { return f32::INFINITY };
    let Some(poly) = poly_of(tile.tile, area.poly) else { return f32::INFINITY };
    if !filter.passes(poly, area.state) {
        return f32::INFINITY;
    }
    filter.cost(&Crossing::metre(mesh, poly, area.state)).max(0.0)
}

fn connection_cost<F: QueryFilter + ?Sized>(mesh: &NavMesh, connection: PolyRef, ends: [Vec3; 2], filter: &F) -> f32 {
    let Ok(state) = mesh.state(connection) else { return f32::INFINITY };
    if !filter.passes(connection, state) {
        return f32::INFINITY;
    }
    filter.cost(&Crossing::over(mesh, connection, state, ends)).max(0.0)
}
