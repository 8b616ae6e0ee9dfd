//! The search over the abstract graph: A* from portal to portal near the ends of the path, over whole clusters farther
//! away.
//!
//! The start leads to the portals of its area, at the lengths of real paths; the portals of the goal's area lead to the
//! goal. A length is worth what the filter says of a metre of the area: areas that it closes are not crossed.
//!
//! ```text
//!   S ──> portals of its area ──> across areas, over borders ──> portals of the goal's area ──> G
//!                                    └──> across clusters, from entrance to entrance ──┘
//! ```
//!
//! On open land many paths over portals cost the same, and most of them lead off the straight line, which costs nothing
//! by the middles of portals but does once the string is pulled. So of equals the one nearest to the straight line is
//! preferred.
//!
//! Cost: as A* over polygons, with some ten times fewer nodes; with levels, with the logarithm of the distance. What a
//! tile's areas cost is asked once for each tile that is touched.
//!
//! Sources: Adi Botea, Martin Müller, Jonathan Schaeffer, "Near Optimal Hierarchical Path-Finding" (HPA*), 2004; Peter
//! Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968.

use super::GraphLevels;
use super::abstract_space::{AbstractKey, AbstractSpace, Estimate, is_across_area, is_through_cluster};
use super::area_costs::AreaCosts;
use super::closed_parts::{AbstractNode, ClosedParts};
use super::graph_tile::Join;
use super::tile_access::TileAccess;
use super::whole_clusters::WholeClusters;
use crate::context::Budget;
use crate::graph::{self, Course, Fringe, Node, NodeStore, PageSize, SearchLimits};
use crate::math::OpenList;
use crate::mesh::PolyRef;
use crate::query::QueryFilter;
use glam::Vec3;
use std::sync::Arc;

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
    /// Whether clusters may be crossed as a whole.
    pub(super) by_clusters: bool,
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

/// An abstract path.
#[derive(Clone, Debug)]
pub(super) struct AbstractPath {
    pub(super) steps: Vec<AbstractStep>,
    /// The first so many steps follow each other portal by portal; behind them a cluster is crossed.
    pub(super) near: usize,
    /// The node before the goal.
    pub(super) last: AbstractNode,
    pub(super) cost: f32,
}

/// Memory of searches over an abstract graph.
#[derive(Clone, Debug, Default)]
pub(super) struct AbstractSearch {
    nodes: NodeStore<AbstractKey>,
    open: OpenList,
    costs: AreaCosts,
    joins: Vec<Join>,
    whole: WholeClusters,
    opened: u32,
}

/// The keys of the start and the goal on the page that stands apart.
pub(super) const START: u32 = 0;
pub(super) const GOAL: u32 = 1;

impl AbstractSearch {
    /// Finds the cheapest path, if there is one.
    pub(super) fn run<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
        &mut self,
        world: &mut W,
        task: &AbstractTask<'_>,
        filter: &F,
    ) -> Option<AbstractPath> {
        let levels = if task.by_clusters { levels_for(world, filter) } else { None };
        if let Some(levels) = &levels {
            self.whole.begin(world, levels, task);
        }
        let pages = world.slot_count() + levels.as_ref().map_or(0, |levels| levels.cluster_count());
        let Self { nodes, open, costs, joins, whole, .. } = self;
        nodes.begin(pages);
        costs.begin(world.slot_count());
        let apart = nodes.entries.page_apart(PageSize { keys: 2, kinds: 1 });
        let mut course = Course::within(SearchLimits::default());
        let estimate = Estimate::new(task, filter);
        let mut space = AbstractSpace {
            task,
            filter,
            levels: levels.as_deref(),
            whole,
            costs,
            joins,
            estimate,
            goal: apart.entry(GOAL, 0),
            world,
            opened: 0,
        };
        let mut fringe = Fringe { nodes, open, observer: &mut (), course: &mut course };
        let first = Node::at(apart.entry(START, 0), AbstractKey::of(AbstractNode::START), task.start.at);
        fringe.begin(first, 0.0);
        graph::run(&mut space, &mut fringe, &mut Budget::unlimited());
        self.opened = space.opened;
        let goal = self.nodes.entries.find(apart.entry(GOAL, 0))?;
        self.nodes.is_closed(goal).then(|| self.path_to(goal, world, levels.as_deref()))
    }

    /// How many nodes the last search expanded.
    pub(super) fn opened(&self) -> u32 {
        self.opened
    }

    /// The portals that are crossed on the path to the goal. A node that is passed within its area is none.
    fn path_to<W: TileAccess + ?Sized>(&self, goal: u32, world: &mut W, levels: Option<&GraphLevels>) -> AbstractPath {
        let mut steps = Vec::new();
        // Counted from the goal, as steps are written: those behind the first cluster that is crossed.
        let mut far = 0;
        let mut after = *self.nodes.get(goal);
        let cost = after.cost;
        let last = self.nodes.of(after.parent).map_or(AbstractNode::START, |before| before.node);
        while let Some(here) = self.find(after.parent).filter(|here| here.of.node != AbstractNode::START) {
            let is_passed = here.via == after.via && is_across_area(here.via);
            if !is_passed && let Some(step) = self.step(here, world, levels) {
                steps.push(step);
            }
            if is_through_cluster(here.via) {
                far = steps.len();
            }
            after = *here;
        }
        steps.reverse();
        AbstractPath { near: steps.len() - far, steps, last, cost }
    }

    fn find(&self, number: u32) -> Option<&Node<AbstractKey>> {
        (number < self.nodes.len()).then(|| self.nodes.get(number))
    }

    fn step<W: TileAccess + ?Sized>(
        &self,
        here: &Node<AbstractKey>,
        world: &mut W,
        levels: Option<&GraphLevels>,
    ) -> Option<AbstractStep> {
        let before = self.nodes.of(here.parent)?;
        let (ends, is_left) = match here.of.entrance(levels) {
            // Reached within the cluster, it is left by its first area: the one that it leads out of.
            Some(entrance) => (entrance.ends, is_through_cluster(here.via)),
            None => {
                let tile = world.graph_tile(here.of.node.slot)?;
                let portal = tile.graph.portals().get(here.of.node.portal as usize)?;
                // Reached through its first area it is left by that, and seen from within.
                (portal.ends, here.via == portal.areas[0])
            }
        };
        let [left, right] = ends;
        let ends = if is_left { [left, right] } else { [right, left] };
        let connection = before.connection_to(here.of.node, world, levels);
        Some(AbstractStep { node: here.of.node, before: before.node, ends, connection })
    }
}

/// The levels of a world that a filter costs what they were made for.
fn levels_for<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(world: &W, filter: &F) -> Option<Arc<GraphLevels>> {
    let fits = |levels: &&Arc<GraphLevels>| levels.count() > 0 && levels.are_for(world.mesh(), filter);
    world.levels().iter().find(fits).cloned()
}
