//! The loop of every search: the node whose turn it is is taken out and expanded, until the goal is reached, nothing is
//! open, or the budget is spent.
//!
//! ```text
//!   open list ──pop──> outdated? ──yes──> next
//!                         │ no
//!                         └──> closed ──> the space expands it ──> opens and improves others
//! ```
//!
//! A search is a [`SearchSpace`] over a [`Fringe`]. One whose nodes are of another shape implements [`BestFirst`]
//! itself, and shares the loop.
//!
//! Cost: for each node a pop and what its expansion costs.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968; skipping outdated entries instead of moving them: see [`OpenList`](crate::math::OpenList).

use super::{Course, Fringe, Node, Order, SearchObserver};
use crate::context::Budget;
use core::ops::ControlFlow;

/// What is searched: where a node leads, and what that costs.
pub(crate) trait SearchSpace {
    /// What nodes stand for.
    type Key: Copy;

    /// Whether it may find cheaper paths to open nodes. If not, none is outdated, and entries are not closed: nodes are
    /// new or known.
    const IMPROVES: bool = true;

    /// Opens and improves what node `number` leads to; or breaks off, if the search is over.
    fn expand<Q: Order, O: SearchObserver<Self::Key>>(
        &mut self,
        fringe: &mut Fringe<'_, Self::Key, Q, O>,
        number: u32,
        node: Node<Self::Key>,
    ) -> ControlFlow<()>;

    /// Whether nothing that is open matters any more, since the least total is this.
    #[inline]
    fn is_enough<Q: Order, O: SearchObserver<Self::Key>>(
        &self,
        fringe: &Fringe<'_, Self::Key, Q, O>,
        total: f32,
    ) -> bool {
        let _ = (fringe, total);
        false
    }

    /// Nothing is open. Whether the space has opened something after all.
    #[inline]
    fn reopen<Q: Order, O: SearchObserver<Self::Key>>(&mut self, fringe: &mut Fringe<'_, Self::Key, Q, O>) -> bool {
        let _ = fringe;
        false
    }
}

/// A search that takes its open nodes one after the other.
pub(crate) trait BestFirst {
    /// How far it has come.
    fn course(&mut self) -> &mut Course;

    /// Takes out the node whose turn it is, with its total.
    fn pop(&mut self) -> Option<(f32, u32)>;

    /// Expands a node, unless it is outdated; or breaks off, if the search is over.
    fn visit(&mut self, total: f32, number: u32) -> ControlFlow<()>;

    /// Nothing is open. Whether it has opened something after all.
    #[inline]
    fn reopen(&mut self) -> bool {
        false
    }
}

/// Expands nodes until the search is over or the budget, in nodes, is spent. Whether it is over.
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
            return ControlFlow::Continue(()); // A cheaper way here was found since.
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
