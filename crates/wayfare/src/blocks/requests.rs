//! A queue of path requests and block changes, collected during a frame and processed between frames.
//!
//! ```text
//!   game ── blocks changed ──►┐                        Changes are applied first, then requests are answered in order,
//!   game ── path wanted ─────►│ BlockRequests ──► answers     as many as the budget allows; the others wait.
//! ```
//!
//! An agent takes part with [`BlockCorridor::needs_path`](super::BlockCorridor::needs_path) and
//! [`follow`](super::BlockCorridor::follow).
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 ("navigation requests, data change events").

use super::nav::{BlockNav, BlockPath, BlockPathRequest};
use super::{BlockBox, BlockSource};
use crate::context::Budget;
use std::collections::VecDeque;

/// The number of a request, in the order of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockRequestId(u64);

impl BlockRequestId {
    /// The id as a number, to store it or to pass it to another language; never 0.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0 + 1
    }

    /// From the number that [`to_bits`](Self::to_bits) gave; `None` for 0.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match bits.checked_sub(1) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }
}

/// A queue of changes and requests, with the results that were not fetched yet.
#[derive(Clone, Debug, Default)]
pub struct BlockRequests {
    changes: Vec<BlockBox>,
    waiting: VecDeque<(BlockRequestId, BlockPathRequest)>,
    answers: VecDeque<(BlockRequestId, BlockPath)>,
    next: u64,
}

impl BlockRequests {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records that blocks in a box have changed.
    pub fn changed(&mut self, changed: BlockBox) {
        self.changes.push(changed);
    }

    /// Requests a path.
    pub fn ask(&mut self, request: BlockPathRequest) -> BlockRequestId {
        let id = BlockRequestId(self.next);
        self.next += 1;
        self.waiting.push_back((id, request));
        id
    }

    /// Cancels a request; `false` if it was answered already.
    pub fn withdraw(&mut self, id: BlockRequestId) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|(waiting, _)| *waiting != id);
        self.waiting.len() < before
    }

    /// Applies all changes, then processes requests until the budget, in visited nodes, is used up. A request that was
    /// started is finished, whatever it costs: what bounds one update is the budget and one request's
    /// [`max_nodes`](BlockPathRequest::max_nodes) together.
    pub fn update<S: BlockSource + ?Sized>(&mut self, nav: &mut BlockNav, world: &S, budget: Budget) {
        self.changes.drain(..).for_each(|changed| nav.invalidate(changed));
        let mut left = budget.left();
        while left > 0 {
            let Some((id, request)) = self.waiting.pop_front() else { break };
            let path = nav.find_path(world, &request);
            left = left.saturating_sub(u64::from(path.visited).max(1));
            self.answers.push_back((id, path));
        }
    }

    /// The next result, in the order of requests.
    pub fn take_answer(&mut self) -> Option<(BlockRequestId, BlockPath)> {
        self.answers.pop_front()
    }

    /// Number of requests in the queue.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
