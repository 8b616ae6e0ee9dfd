//! A flood from the goal against the walking direction: is the goal closed off?
//!
//! It visits a few patches at a time, breadth first. If the flood runs out before it meets the search from the start,
//! no path leads to the goal. If it meets that search, one does, and the flood stops for good.
//!
//! Cost: at most an eighth of the patches of the search that it accompanies.

use super::costs::BlockCosts;
use super::marks::Marks;
use super::node::BACK;
use super::world_view::WorldView;
use super::{BlockBox, BlockSource, Cell};
use crate::area::AreaId;
use crate::math::index::NONE;

/// No flood starts from goals with more blocks: finding their standing points would cost more than it saves.
const MOST_BLOCKS: u64 = 4096;

/// The flood and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Backward {
    queue: Vec<u32>,
    head: usize,
    seen: Marks,
    goal: Option<BlockBox>,
    met: bool,
}

impl Backward {
    pub(super) fn begin(&mut self, goal: BlockBox) {
        self.queue.clear();
        self.head = 0;
        self.goal = Some(goal);
        self.met = goal.size().iter().fold(1u64, |a, &b| a.saturating_mul(b)) > MOST_BLOCKS;
        self.seen.clear();
    }

    /// Number of patches flooded.
    pub(super) fn visited(&self) -> u32 {
        self.head as u32
    }

    /// Floods up to `total` patches in all. Returns `true` if the goal is closed off from every patch for which `met`
    /// holds. The area in which the search started, `start`, may be crossed even if it must not be entered.
    pub(super) fn shut_off<S: BlockSource + ?Sized>(
        &mut self,
        view: &mut WorldView<'_, S>,
        costs: &BlockCosts,
        start: AreaId,
        total: u32,
        met: impl Fn(u32) -> bool,
    ) -> bool {
        if self.met {
            return false;
        }
        if let Some(goal) = self.goal.take() {
            self.seed(view, costs, start, goal);
        }
        while self.head < total as usize {
            let Some(&patch) = self.queue.get(self.head) else { return true };
            if met(patch) {
                self.met = true;
                return false;
            }
            self.head += 1;
            view.connect_patch(patch);
            for gate in &view.store.patches[patch as usize].gates {
                let [area, from] = gate.areas;
                if gate.ways & BACK != 0 && costs.leads_back(area, from, start) {
                    push(&mut self.queue, &mut self.seen, gate.to);
                }
            }
        }
        false
    }

    fn seed<S: BlockSource + ?Sized>(
        &mut self,
        view: &mut WorldView<'_, S>,
        costs: &BlockCosts,
        start: AreaId,
        goal: BlockBox,
    ) {
        for z in goal.min.z..=goal.max.z {
            for x in goal.min.x..=goal.max.x {
                for y in goal.min.y..=goal.max.y {
                    let node = view.node_at(Cell::new(x, y, z));
                    if node == NONE {
                        continue;
                    }
                    let node = &view.store.nodes[node as usize];
                    if costs.of(node.area).is_some() || node.area == start {
                        push(&mut self.queue, &mut self.seen, node.patch);
                    }
                }
            }
        }
    }
}

fn push(queue: &mut Vec<u32>, seen: &mut Marks, patch: u32) {
    if seen.get(patch).is_none() {
        seen.set(patch, 0);
        queue.push(patch);
    }
}
