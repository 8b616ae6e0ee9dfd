//! The main loop of every search: the next node is removed from the open list and expanded, until the goal is reached,
//! no node is open, or the budget is used up.
//!
//! ```text
//!   open list ──pop──> outdated? ──yes──> next
//!                         │ no
//!                         └──> closed ──> the space expands it ──> opens and improves others
//! ```
//!
//! A search is a [`SearchSpace`] over a [`Fringe`]. A search with another kind of nodes implements [`BestFirst`]
//! itself, and shares the loop.
//!
//! Cost: for each node a pop and its expansion.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968; skipping outdated entries instead of moving them: see [`OpenList`](crate::math::OpenList).

use super::{Course, Fringe, Node, Order, SearchObserver};
use crate::context::Budget;
use core::ops::ControlFlow;

/// A search space: where a node leads, and at what cost.
pub(crate) trait SearchSpace {
    /// What nodes represent.
    type Key: Copy;

    /// Whether it may find cheaper paths to open nodes. If not, none is outdated, and entries are not closed: a node is
    /// either new or known.
    const IMPROVES: bool = true;

    /// Opens and improves the nodes that node `number` leads to; or breaks, if the search is finished.
    fn expand<Q: Order, O: SearchObserver<Self::Key>>(
        &mut self,
        fringe: &mut Fringe<'_, Self::Key, Q, O>,
        number: u32,
        node: Node<Self::Key>,
    ) -> ControlFlow<()>;

    /// Whether no open node matters any more, given the lowest total.
    #[inline]
    fn is_enough<Q: Order, O: SearchObserver<Self::Key>>(
        &self,
        fringe: &Fringe<'_, Self::Key, Q, O>,
        total: f32,
    ) -> bool {
        let _ = (fringe, total);
        false
    }

    /// Called when no node is open. Returns whether the space has opened another.
    #[inline]
    fn reopen<Q: Order, O: SearchObserver<Self::Key>>(&mut self, fringe: &mut Fringe<'_, Self::Key, Q, O>) -> bool {
        let _ = fringe;
        false
    }
}

/// A search that expands its open nodes one after the other.
pub(crate) trait BestFirst {
    /// Its progress.
    fn course(&mut self) -> &mut Course;

    /// Removes the next node to expand, and returns it with its total.
    fn pop(&mut self) -> Option<(f32, u32)>;

    /// Expands a node, unless it is outdated; or breaks, if the search is finished.
    fn visit(&mut self, total: f32, number: u32) -> ControlFlow<()>;

    /// Called when no node is open. Returns whether another was opened.
    #[inline]
    fn reopen(&mut self) -> bool {
        false
    }
}

/// Expands nodes until the search is finished or the budget, in nodes, is used up. Returns whether it is finished.
#[inline]
pub(crate) fn run_best_first(search: &mut impl BestFirst, budget: &mut Budget) -> bool {
    if search.course().is_finished {
        return true;
    }
    while budget.spend() {
        let is_over = match search.pop() {
            Some((total, number)) => search.visit(total, number).is_break(),
            None => !search.reopen(),
        };
        if is_over {
            search.course().is_finished = true;
            return true;
        }
    }
    false
}

/// The same for a space and its fringe.
#[inline]
pub(crate) fn run<S: SearchSpace, Q: Order, O: SearchObserver<S::Key>>(
    space: &mut S,
    fringe: &mut Fringe<'_, S::Key, Q, O>,
    budget: &mut Budget,
) -> bool {
    run_best_first(&mut OverSpace { space, fringe }, budget)
}

struct OverSpace<'a, 's, S: SearchSpace, Q, O> {
    space: &'a mut S,
    fringe: &'a mut Fringe<'s, S::Key, Q, O>,
}

impl<S: SearchSpace, Q: Order, O: SearchObserver<S::Key>> BestFirst for OverSpace<'_, '_, S, Q, O> {
    #[inline(always)]
    fn course(&mut self) -> &mut Course {
        self.fringe.course
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(f32, u32)> {
        self.fringe.open.pop()
    }

    #[inline(always)]
    fn visit(&mut self, total: f32, number: u32) -> ControlFlow<()> {
        let node = self.fringe.nodes.get(number);
        if S::IMPROVES && total != node.total {
            return ControlFlow::Continue(()); // A cheaper path to this node was found since.
        }
        let node = *node;
        if self.space.is_enough(self.fringe, total) {
            return ControlFlow::Break(());
        }
        if S::IMPROVES {
            self.fringe.nodes.close(number);
        }
        self.fringe.observer.closed(number);
        self.space.expand(self.fringe, number, node)
    }

    #[inline(always)]
    fn reopen(&mut self) -> bool {
        self.space.reopen(self.fringe)
    }
}
