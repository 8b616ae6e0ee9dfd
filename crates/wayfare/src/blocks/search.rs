//! A* over nodes that builds and connects the nodes it touches.
//!
//! ```text
//!   EMPTY     BUILT     CONNECTED      The search takes the most promising node, connects its patch (which builds the
//!     .         o          o—o         neighbouring patches), and follows its links. What it never comes near stays
//!                                      empty.
//! ```
//!
//! Each node stores the best path into it, and where that enters: where the straight line to the goal would. The cost
//! of a path is its length from entry to entry, times the costs of areas. Lengths are improved afterwards (see
//! `tube.rs`), so the search may be greedy: it needs a good corridor, not the best.
//!
//! Over long distances there would still be many nodes. So the search stays within a band of patches found by a search
//! over whole patches, and takes its heuristic from there (see `coarse.rs`). That search also detects unreachable
//! goals.
//!
//! Cost: O(n log n) in the nodes visited, plus building them once. Paths depend on the blocks alone, not on what was
//! built before.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968; Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014.

use super::coarse::Coarse;
use super::costs::BlockCosts;
use super::crossing::cross;
use super::distance::{distance, rest};
use super::frontier::{Frontier, State};
use super::marks::Marks;
use super::node::{FORTH, NodeLink};
use super::quest::Quest;
use super::store::Store;
use super::world_view::WorldView;
use super::{BlockBox, BlockSource, Cell};
use crate::area::{LimitHit, PathStatus};
use crate::math::index::NONE;

/// Factor by which the remaining cost is overestimated: fewer nodes are visited, and paths can be longer by this factor
/// but hardly ever are.
const EAGERNESS: f32 = 1.25;

/// Memory of searches, reused from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// Nodes, with the links that lead into them.
    frontier: Frontier<NodeLink>,
    coarse: Coarse,
    /// The corridor found, node by node.
    pub(super) corridor: Vec<Leg>,
}

/// A section of a corridor: a node, its entry, and the link by which it is left unless the path ends there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) node: u32,
    pub(super) entry: Cell,
    pub(super) out: Option<NodeLink>,
}

/// The result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) status: PathStatus,
    pub(super) limit: Option<LimitHit>,
    pub(super) nodes: u32,
    /// The end of the path.
    pub(super) end: Cell,
}

impl Search {
    /// Finds a corridor from a standing point to a box. The node of the start must be built.
    pub(super) fn run<S: BlockSource + ?Sized>(
        &mut self,
        view: &mut WorldView<'_, S>,
        costs: &BlockCosts,
        quest: &Quest,
    ) -> Found {
        let guide = self.coarse.run(view, costs, quest);
        let mut quest = *quest;
        if guide.status != PathStatus::Complete {
            quest.goal = BlockBox::of(guide.nearest);
        }
        quest.max_nodes = quest.max_nodes.saturating_sub(guide.patches).max(1);
        let (nodes, last) = self.run_in_band(view, costs, &quest);
        self.trace(last);
        let state = self.frontier.state(last);
        let end = goal_in(view.store, state, quest.goal);
        let (status, limit) = match end {
            Some(_) => (guide.status, guide.limit),
            None => (PathStatus::Partial, Some(LimitHit::Nodes)),
        };
        Found { status, limit, nodes: guide.patches + nodes, end: end.unwrap_or(state.entry) }
    }

    /// The patches that the search has connected.
    pub(super) fn connected(&self) -> &Marks {
        &self.coarse.connected
    }

    /// Searches within the patches of the coarse search, which contain a path. Returns the number of visited nodes and
    /// the last state; if the limit was reached first, the one nearest to the goal.
    fn run_in_band<S: BlockSource + ?Sized>(
        &mut self,
        view: &mut WorldView<'_, S>,
        costs: &BlockCosts,
        quest: &Quest,
    ) -> (u32, u32) {
        self.begin(view.store, quest);
        let mut nodes = 0;
        let mut nearest = (f32::INFINITY, 0);
        while let Some(at) = self.frontier.pop() {
            let state = *self.frontier.state(at);
            nodes += 1;
            if goal_in(view.store, &state, quest.goal).is_some() {
                return (nodes, at);
            }
            let left = rest(state.entry, quest.goal);
            if left < nearest.0 {
                nearest = (left, at);
            }
            if nodes >= quest.max_nodes {
                break;
            }
            self.coarse.connect(view, view.store.nodes[state.item as usize].patch);
            self.expand(view.store, costs, quest, at);
        }
        (nodes, nearest.1)
    }

    fn begin(&mut self, store: &Store, quest: &Quest) {
        self.frontier.begin();
        let item = store.at(quest.start);
        let by = NodeLink { to: item, side: 0, first: 0, last: 0, ways: 0 };
        let estimate = EAGERNESS * rest(quest.start, quest.goal);
        self.frontier.offer(State { item, parent: NONE, entry: quest.start, cost: 0.0, estimate, by });
    }

    /// Offers the links from a state's node.
    fn expand(&mut self, store: &Store, costs: &BlockCosts, quest: &Quest, at: u32) {
        let state = *self.frontier.state(at);
        let area = store.nodes[state.item as usize].area;
        for &link in store.links(state.item) {
            if link.ways & FORTH == 0 || link.to == state.item || self.frontier.is_closed(link.to) {
                continue;
            }
            let to = &store.nodes[link.to as usize];
            let Some(step) = self.coarse.band.get(to.patch) else { continue };
            let Some([here, there]) = costs.across(area, to.area) else { continue };
            let entry = cross(store, state.item, link, state.entry, quest.goal);
            // Half of the step across the border is in the other node.
            let cost = state.cost + distance(state.entry, entry) * here + 0.5 * (there - here);
            let estimate = cost + EAGERNESS * self.coarse.left(step, entry, quest.goal);
            self.frontier.offer(State { item: link.to, parent: at, entry, cost, estimate, by: link });
        }
    }

    /// Lists the nodes from the first to that of the state.
    fn trace(&mut self, last: u32) {
        self.corridor.clear();
        let mut out = None;
        for state in self.frontier.back_from(last) {
            self.corridor.push(Leg { node: state.item, entry: state.entry, out });
            out = Some(state.by);
        }
        self.corridor.reverse();
    }
}

/// The cell of the goal in a state's node that is nearest to its entry.
fn goal_in(store: &Store, state: &State<NodeLink>, goal: BlockBox) -> Option<Cell> {
    let node = &store.nodes[state.item as usize];
    let x0 = node.x.max(goal.min.x);
    let x1 = node.last_x().min(goal.max.x);
    let z0 = node.z.max(goal.min.z);
    let z1 = node.last_z().min(goal.max.z);
    let mut best: Option<(f32, Cell)> = None;
    for z in z0..=z1 {
        for x in x0..=x1 {
            let c = Cell::new(x, store.height(state.item, x, z), z);
            let far = distance(state.entry, c);
            if goal.contains(c) && best.is_none_or(|(least, _)| far < least) {
                best = Some((far, c));
            }
        }
    }
    best.map(|(_, c)| c)
}
