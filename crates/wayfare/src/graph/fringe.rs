//! Opens new nodes of a search, and finds cheaper paths to open ones.
//!
//! ```text
//!   known(entry)   New     ──> open      the first path there
//!                  Open(n) ──> improve   perhaps a cheaper one
//!                  Closed  ──> nothing   no path there is cheaper
//! ```
//!
//! What is looked up, and when, is left to the space: a cost is only computed if it is needed.
//!
//! Cost: a node and a push.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968.

use super::{Course, Node, NodeStore, Order, SearchNode, SearchObserver};
use crate::math::index::NONE;

/// Everything that a search changes while it expands a node.
pub(crate) struct Fringe<'s, K, Q, O> {
    pub(crate) nodes: &'s mut NodeStore<K>,
    pub(crate) open: &'s mut Q,
    pub(crate) observer: &'s mut O,
    pub(crate) course: &'s mut Course,
}

impl<K: Copy, Q: Order, O: SearchObserver<K>> Fringe<'_, K, Q, O> {
    /// Begins with a node, once the store [has begun](NodeStore::begin).
    #[inline]
    pub(crate) fn begin(&mut self, mut first: Node<K>, estimate: f32) {
        self.open.clear();
        self.observer.began();
        first.total = estimate;
        self.course.best = self.nodes.push(first);
        self.course.best_estimate = estimate;
        self.open.push(estimate, self.course.best);
        self.show_opened(self.course.best);
    }

    /// Opens a node whose entry has none, entered from node `parent`. `None` if the node limit is reached, or if the
    /// cost is infinite: then there is no path.
    #[inline(always)]
    pub(crate) fn open(&mut self, mut node: Node<K>, parent: u32, cost: f32, estimate: f32) -> Option<u32> {
        let total = cost + estimate;
        if !total.is_finite() || self.course.is_full(self.nodes.len()) {
            return None;
        }
        node.cost = cost;
        let number = self.add(node, parent, total);
        if estimate < self.course.best_estimate {
            (self.course.best, self.course.best_estimate) = (number, estimate);
        }
        Some(number)
    }

    /// The same for searches without a particular goal and without limits.
    #[inline(always)]
    pub(crate) fn open_unlimited(&mut self, mut node: Node<K>, parent: u32, cost: f32) {
        node.cost = cost;
        self.add(node, parent, cost);
    }

    #[inline(always)]
    fn add(&mut self, mut node: Node<K>, parent: u32, total: f32) -> u32 {
        (node.total, node.parent) = (total, parent);
        let number = self.nodes.push(node);
        self.open.push(total, number);
        self.show_opened(number);
        number
    }

    /// Changes an open node's parent to `parent`, entered by `via`, if that is cheaper. The node keeps its position.
    #[inline(always)]
    pub(crate) fn improve(&mut self, number: u32, (parent, via): (u32, u32), cost: f32, estimate: f32) {
        let total = cost + estimate;
        let node = self.nodes.get_mut(number);
        if total < node.total {
            (node.cost, node.total, node.parent, node.via) = (cost, total, parent, via);
            self.open.push(total, number);
            if self.observer.is_watching() {
                let shown = self.shown(number);
                self.observer.improved(&shown);
            }
        }
    }

    /// Opens all nodes once more, including closed ones.
    pub(crate) fn reopen_all(&mut self) {
        (0..self.nodes.len()).for_each(|number| self.open.push(self.nodes.get(number).total, number));
    }

    #[inline]
    fn show_opened(&mut self, number: u32) {
        if self.observer.is_watching() {
            let shown = self.shown(number);
            self.observer.opened(&shown);
        }
    }

    fn shown(&self, number: u32) -> SearchNode<K> {
        let &Node { pos, cost, total, parent, of, .. } = self.nodes.get(number);
        SearchNode { number, parent: (parent != NONE).then_some(parent), of, at: pos, cost, total }
    }
}
