//! A* over whole patches: finds the part of the world in which to search for a path.
//!
//! ```text
//!    P1 ── P2 ── P3          A patch is connected, so an agent that enters it can leave it by any of its links: reachability
//!     |     |     |          among patches is reachability. Lengths are only guessed, from entry to entry in straight lines.
//!    P4 ── P5 ── goal        The search over nodes then stays in the patches found and those beside them, and uses the
//!                            remaining cost from each as its heuristic.
//! ```
//!
//! If the goal is unreachable, this search alone would visit everything that is reachable. So now and then, at growing
//! intervals, it takes a few steps of a flood backwards from the goal: that the goal is in a closed room is found out
//! once the flood has filled the room.
//!
//! Cost: O(links of the patches visited × log of their number), plus building them once.
//!
//! Sources: Adi Botea, Martin Müller, Jonathan Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004, for the idea
//! of two levels; Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014, for building what a search touches.

use super::backward::Backward;
use super::costs::BlockCosts;
use super::distance::{distance, rest};
use super::frontier::{Frontier, State};
use super::marks::Marks;
use super::node::{FORTH, Gate, Patch};
use super::quest::Quest;
use super::store::Store;
use super::world_view::WorldView;
use super::{BlockBox, BlockSource, Cell};
use crate::area::{LimitHit, PathStatus};
use crate::math::index::NONE;

/// Factor by which the remaining cost is overestimated: the result is only a guide.
const EAGERNESS: f32 = 1.2;
/// Width of the band beside the path, in patches.
const RINGS: u32 = 1;

/// Memory of coarse searches, reused from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Coarse {
    frontier: Frontier<()>,
    backward: Backward,
    /// The patches in which to search for the path.
    pub(super) band: Marks,
    /// The patches that this search has connected. Patches that others have connected must not change the result.
    pub(super) connected: Marks,
    ring: Vec<u32>,
    /// The states in the order in which they were closed.
    visited: Vec<u32>,
    /// For the patches on the path, last first: where the next one is entered, and the remaining cost from there.
    ahead: Vec<(Cell, f32)>,
}

/// The result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guide {
    pub(super) status: PathStatus,
    pub(super) limit: Option<LimitHit>,
    pub(super) patches: u32,
    /// If there is no path to the goal: the cell found nearest to it.
    pub(super) nearest: Cell,
}

impl Coarse {
    /// Finds the patches for a request whose start is built, and marks the band around them.
    pub(super) fn run<S: BlockSource + ?Sized>(
        &mut self,
        view: &mut WorldView<'_, S>,
        costs: &BlockCosts,
        quest: &Quest,
    ) -> Guide {
        self.begin(view.store, quest);
        let start = view.store.nodes[view.store.at(quest.start) as usize].area;
        let mut guide = Guide { status: PathStatus::Partial, limit: None, patches: 0, nearest: quest.start };
        let mut next_look_back = 16;
        let mut last = NONE;
        while let Some(at) = self.frontier.pop() {
            let patch = self.frontier.state(at).item;
            guide.patches += 1;
            self.visited.push(at);
            if reaches(view.store, patch, quest.goal) {
                (guide.status, last) = (PathStatus::Complete, at);
                break;
            }
            if guide.patches + self.backward.visited() >= quest.max_nodes.div_ceil(2) {
                guide.limit = Some(LimitHit::Nodes);
                break;
            }
            self.connect(view, patch);
            self.expand(view.store, costs, quest, at);
            if guide.patches == next_look_back {
                next_look_back *= 2;
                let Self { backward, frontier, .. } = self;
                if backward.shut_off(view, costs, start, guide.patches / 8, |patch| frontier.has_seen(patch)) {
                    break;
                }
            }
        }
        guide.patches += self.backward.visited();
        if last == NONE {
            (last, guide.nearest) = self.nearest(view.store, quest);
        }
        self.mark_band(view, last, quest.goal);
        guide
    }

    /// The visited patch with the cell nearest to the goal, and that cell.
    fn nearest(&self, store: &Store, quest: &Quest) -> (u32, Cell) {
        let mut nearest = (0, quest.start);
        let mut least = f32::INFINITY;
        for &at in &self.visited {
            if let Some((near, place)) = nearest_place(store, self.frontier.state(at).item, quest, least) {
                (nearest, least) = ((at, place), near);
            }
        }
        nearest
    }

    fn begin(&mut self, store: &Store, quest: &Quest) {
        self.frontier.begin();
        self.connected.clear();
        self.visited.clear();
        let node = &store.nodes[store.at(quest.start) as usize];
        self.backward.begin(quest.goal);
        let item = node.patch;
        let estimate = EAGERNESS * rest(quest.start, quest.goal);
        self.frontier.offer(State { item, parent: NONE, entry: quest.start, cost: 0.0, estimate, by: () });
    }

    /// Connects a patch for this search.
    pub(super) fn connect<S: BlockSource + ?Sized>(&mut self, view: &mut WorldView<'_, S>, patch: u32) {
        view.connect_patch(patch);
        self.connected.set(patch, 0);
    }

    /// Offers the patches next to that of a state.
    fn expand(&mut self, store: &Store, costs: &BlockCosts, quest: &Quest, at: u32) {
        let state = *self.frontier.state(at);
        let patch = &store.patches[state.item as usize];
        for &Gate { to, entry, areas: [here, there], ways } in &patch.gates {
            if ways & FORTH == 0 || self.frontier.is_closed(to) {
                continue;
            }
            let Some([here, _]) = costs.across(here, there) else { continue };
            let cost = state.cost + distance(state.entry, entry) * here;
            let estimate = cost + EAGERNESS * rest(entry, quest.goal);
            self.frontier.offer(State { item: to, parent: at, entry, cost, estimate, by: () });
        }
    }

    /// Estimated remaining cost from a cell of a patch at this step of the band: through the next patch to the goal, as
    /// the coarse search estimated it.
    pub(super) fn left(&self, step: u32, c: Cell, goal: BlockBox) -> f32 {
        let next = (step as usize).checked_sub(1).and_then(|before| self.ahead.get(before));
        let direct = rest(c, goal);
        next.map_or(direct, |&(entry, left)| direct.max(distance(c, entry) + left))
    }

    /// Marks the patches on the path to a state, and all patches seen beside them.
    fn mark_band<S: BlockSource + ?Sized>(&mut self, view: &mut WorldView<'_, S>, last: u32, goal: BlockBox) {
        self.band.clear();
        self.ring.clear();
        let State { cost, entry, .. } = *self.frontier.state(last);
        let whole = cost + rest(entry, goal);
        self.ahead.clear();
        for state in self.frontier.back_from(last) {
            self.ring.push(state.item);
            self.ahead.push((state.entry, whole - state.cost));
        }
        for i in 0..self.ring.len() {
            self.connect(view, self.ring[i]);
            self.band.set(self.ring[i], i as u32);
        }
        let mut first = 0;
        for _ in 0..RINGS {
            let end = self.ring.len();
            for i in first..end {
                if self.connected.get(self.ring[i]).is_none() {
                    continue;
                }
                let step = self.band.get(self.ring[i]).unwrap_or(0);
                for gate in &view.store.patches[self.ring[i] as usize].gates {
                    if gate.ways & FORTH != 0 && self.band.get(gate.to).is_none() {
                        self.band.set(gate.to, step);
                        self.ring.push(gate.to);
                    }
                }
            }
            first = end;
        }
    }
}

/// Whether a patch has a cell in the goal.
fn reaches(store: &Store, patch: u32, goal: BlockBox) -> bool {
    let Patch { bounds: [low, high], cells, .. } = &store.patches[patch as usize];
    let meets = low.x <= goal.max.x
        && goal.min.x <= high.x
        && low.y <= goal.max.y
        && goal.min.y <= high.y
        && low.z <= goal.max.z
        && goal.min.z <= high.z;
    meets
        && if goal.min == goal.max {
            let node = store.at(goal.min);
            node != NONE && store.nodes[node as usize].patch == patch
        } else {
            cells.iter().any(|&c| goal.contains(c))
        }
}

/// The cell of a patch nearest to the goal, with its distance, if that is less than `least`.
fn nearest_place(store: &Store, patch: u32, quest: &Quest, least: f32) -> Option<(f32, Cell)> {
    let Patch { bounds: [low, high], cells, .. } = &store.patches[patch as usize];
    let goal = quest.goal;
    // The least distance that a cell within the bounds can have. Sums of squares of integers round alike, so it is
    // never too great.
    let apart = |low: i32, high: i32, goal_low: i32, goal_high: i32| {
        (i64::from(goal_low) - i64::from(high)).max(i64::from(low) - i64::from(goal_high)).max(0) as f32
    };
    let x = apart(low.x, high.x, goal.min.x, goal.max.x);
    let y = apart(low.y, high.y, goal.min.y, goal.max.y);
    let z = apart(low.z, high.z, goal.min.z, goal.max.z);
    let bound = (x * x + y * y + z * z).sqrt();
    if bound >= least {
        return None;
    }
    let mut best = None;
    let mut least = least;
    for &c in cells {
        let far = rest(c, goal);
        if far < least {
            (least, best) = (far, Some((far, c)));
            if far <= bound {
                break;
            }
        }
    }
    best
}
