//! The search over the abstract graph: A* from portal to portal near the ends of the path, over whole clusters farther
//! away.
//!
//! The start is connected to the portals of its area, by the lengths of real paths, and so is the goal. A length is
//! multiplied by the filter's cost of a metre in the area; areas that the filter closes are not crossed.
//!
//! ```text
//!   S ──> portals of its area ──> across areas, over borders ──> portals of the goal's area ──> G
//!                                    └──> across clusters, from entrance to entrance ──┘
//! ```
//!
//! On open ground many paths over portals cost the same, and most of them stray from the straight line: that makes no
//! difference between the middles of portals, but the straightened path is longer. So among equals the path nearest to
//! the straight line is preferred.
//!
//! Cost: as A* over polygons with about a tenth of the nodes; with levels it grows with the logarithm of the distance.
//! The filter is asked once for each area of each tile that the search reaches.
//!
//! Sources: Adi Botea, Martin Müller, Jonathan Schaeffer, "Near Optimal Hierarchical Path-Finding" (HPA*), 2004; Peter
//! Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968.

use super::GraphLevels;
use super::abstract_space::{AbstractKey, AbstractSpace, Estimate, is_across_area, is_through_cluster};
use super::abstract_task::{AbstractTask, GOAL, START};
use super::area_costs::AreaCosts;
use super::closed_parts::AbstractNode;
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

/// A portal on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AbstractStep {
    pub(super) node: AbstractNode,
    /// The previous node, which is not always that of the previous step: nodes that are only passed are not steps.
    pub(super) before: AbstractNode,
    /// Left and right end, as seen along the path.
    pub(super) ends: [Vec3; 2],
    /// The off-mesh connection that leads to it, if any.
    pub(super) connection: Option<PolyRef>,
}

/// An abstract path.
#[derive(Clone, Debug)]
pub(super) struct AbstractPath {
    pub(super) steps: Vec<AbstractStep>,
    /// How many steps at the beginning are consecutive portals; after them a cluster is crossed.
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

    /// The number of nodes that the last search expanded.
    pub(super) fn opened(&self) -> u32 {
        self.opened
    }

    /// The portals that the path to the goal crosses. A node that is only passed within its area is left out.
    fn path_to<W: TileAccess + ?Sized>(&self, goal: u32, world: &mut W, levels: Option<&GraphLevels>) -> AbstractPath {
        let mut steps = Vec::new();
        // Steps after the first cluster that is crossed; steps are written starting at the goal.
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
            // If it was reached through the cluster, it is left through its first area.
            Some(entrance) => (entrance.ends, is_through_cluster(here.via)),
            None => {
                let tile = world.graph_tile(here.of.node.slot)?;
                let portal = tile.graph.portals().get(here.of.node.portal as usize)?;
                // If it was reached through its first area, it is crossed as seen from there.
                (portal.ends, here.via == portal.areas[0])
            }
        };
        let [left, right] = ends;
        let ends = if is_left { [left, right] } else { [right, left] };
        let connection = before.connection_to(here.of.node, world, levels);
        Some(AbstractStep { node: here.of.node, before: before.node, ends, connection })
    }
}

/// The levels of a world that were made for a filter of the same costs.
fn levels_for<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(world: &W, filter: &F) -> Option<Arc<GraphLevels>> {
    let fits = |levels: &&Arc<GraphLevels>| levels.count() > 0 && levels.are_for(world.mesh(), filter);
    world.levels().iter().find(fits).cloned()
}
