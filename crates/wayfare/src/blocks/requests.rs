//! Requests and changes, collected while a frame runs and worked off between frames.
//!
//! ```text
//!   game ── blocks changed ──►┐                        Changes come first, then requests in the order in which they were
//!   game ── path wanted ─────►│ BlockRequests ──► answers     made, as many as the budget allows; the rest waits.
//! ```
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 ("navigation requests, data change events").

use super::nav::{BlockNav, BlockPath, BlockPathRequest};
use super::{BlockBox, BlockSource};
use crate::context::Budget;
use std::collections::VecDeque;

/// The number of a request, in the order of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockRequestId(u64);

/// A queue of changes and requests, and the answers that nobody has fetched yet.
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

    /// Notes that blocks in a box have changed.
    pub fn changed(&mut self, changed: BlockBox) {
        self.changes.push(changed);
    }

    /// Asks for a path.
    pub fn ask(&mut self, request: BlockPathRequest) -> BlockRequestId {
        let id = BlockRequestId(self.next);
        self.next += 1;
        self.waiting.push_back((id, request));
        id
    }

    /// Takes a request back; `false` if it was answered already.
    pub fn withdraw(&mut self, id: BlockRequestId) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|(waiting, _)| *waiting != id);
        self.waiting.len() < before
    }

    /// Applies all changes, then answers requests until the budget, in nodes looked at, is spent. A request that was
    /// begun is answered to its end; bound it by [`BlockPathRequest::max_nodes`].
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

    /// The next answer, in the order of asking.
    pub fn take_answer(&mut self) -> Option<(BlockRequestId, BlockPath)> {
        self.answers.pop_front()
    }

    /// How many requests wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
