//! An observer that stores what it observes.
//!
//! Cost: a node of memory for each node of the search.
//!
//! Sources: none needed.

use super::{SearchNode, SearchObserver, SightCone};

/// Stores all searches that it observes, one after the other, until it is [cleared](Self::clear).
/// [`draw_search`](crate::debug::draw_search) draws them, at their end or at any [step](RecordedSearch::at_step).
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRecord<K> {
    searches: Vec<RecordedSearch<K>>,
}

/// One search.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedSearch<K> {
    nodes: Vec<SearchNode<K>>,
    is_closed: Vec<bool>,
    closed_order: Vec<u32>,
    /// By node, in order.
    cones: Vec<(u32, SightCone)>,
    improvements: u32,
}

impl<K> Default for SearchRecord<K> {
    fn default() -> Self {
        Self { searches: Vec::new() }
    }
}

impl<K> Default for RecordedSearch<K> {
    fn default() -> Self {
        Self { nodes: Vec::new(), is_closed: Vec::new(), closed_order: Vec::new(), cones: Vec::new(), improvements: 0 }
    }
}

impl<K> SearchRecord<K> {
    /// An empty record.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all searches.
    pub fn clear(&mut self) {
        self.searches.clear();
    }

    /// The searches, in the order in which they began.
    #[must_use]
    pub fn searches(&self) -> &[RecordedSearch<K>] {
        &self.searches
    }
}

impl<K> RecordedSearch<K> {
    /// The nodes by number, with their last parent and cost.
    #[must_use]
    pub fn nodes(&self) -> &[SearchNode<K>] {
        &self.nodes
    }

    /// Whether a node was expanded, by number; otherwise it is still open. `false` if there is no such node.
    #[must_use]
    pub fn is_closed(&self, number: u32) -> bool {
        self.is_closed.get(number as usize).copied().unwrap_or(false)
    }

    /// The numbers of the nodes in the order in which they were expanded. Some may be there twice: see
    /// [`SearchObserver`].
    #[must_use]
    pub fn closed_order(&self) -> &[u32] {
        &self.closed_order
    }

    /// What the nodes of a search in any direction see, with their numbers, in order; empty for other searches.
    #[must_use]
    pub fn cones(&self) -> &[(u32, SightCone)] {
        &self.cones
    }

    /// How often a cheaper path to an open node was found.
    #[must_use]
    pub fn improvements(&self) -> u32 {
        self.improvements
    }

    /// The search as it was when so many nodes had been expanded: its beginning is 0, its end any number from the
    /// length of [`closed_order`](Self::closed_order) on. Cost: linear in the nodes.
    #[must_use]
    pub fn at_step(&self, steps: u32) -> SearchStep<'_, K> {
        let expanded = &self.closed_order[..self.closed_order.len().min(steps as usize)];
        let mut is_closed = vec![false; self.nodes.len()];
        expanded.iter().for_each(|&number| is_closed[number as usize] = true);
        SearchStep { search: self, is_closed, last: expanded.last().copied() }
    }

    /// The nodes from one of them back to that of the start.
    pub fn trail(&self, number: u32) -> impl Iterator<Item = &SearchNode<K>> {
        let first = self.nodes.get(number as usize);
        core::iter::successors(first, |node| self.nodes.get(node.parent? as usize))
    }
}

/// A recorded search at one of its steps. Nodes have the parents and costs that they had at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchStep<'a, K> {
    search: &'a RecordedSearch<K>,
    is_closed: Vec<bool>,
    last: Option<u32>,
}

impl<'a, K> SearchStep<'a, K> {
    /// The nodes that are found: those of the start, and those whose parents are expanded.
    pub fn found(&self) -> impl Iterator<Item = &'a SearchNode<K>> + '_ {
        self.search.nodes.iter().filter(|node| node.parent.is_none_or(|parent| self.is_closed(parent)))
    }

    /// Whether a node is expanded, by number.
    #[must_use]
    pub fn is_closed(&self, number: u32) -> bool {
        self.is_closed.get(number as usize).copied().unwrap_or(false)
    }

    /// The node that was expanded last; `None` at the beginning.
    #[must_use]
    pub fn current(&self) -> Option<&'a SearchNode<K>> {
        self.search.nodes.get(self.last? as usize)
    }

    /// The node from which another one was entered; `None` for that of the start.
    #[must_use]
    pub fn parent_of(&self, node: &SearchNode<K>) -> Option<&'a SearchNode<K>> {
        self.search.nodes.get(node.parent? as usize)
    }
}

impl<K: Copy> SearchObserver<K> for SearchRecord<K> {
    fn began(&mut self) {
        self.searches.push(RecordedSearch::default());
    }

    fn opened(&mut self, node: &SearchNode<K>) {
        if let Some(search) = self.searches.last_mut() {
            search.nodes.push(*node);
            search.is_closed.push(false);
        }
    }

    fn saw(&mut self, number: u32, cone: &SightCone) {
        if let Some(search) = self.searches.last_mut() {
            search.cones.push((number, *cone));
        }
    }

    fn improved(&mut self, node: &SearchNode<K>) {
        if let Some(search) = self.searches.last_mut()
            && let Some(kept) = search.nodes.get_mut(node.number as usize)
        {
            *kept = *node;
            search.improvements += 1;
        }
    }

    fn closed(&mut self, number: u32) {
        if let Some(search) = self.searches.last_mut()
            && let Some(is_closed) = search.is_closed.get_mut(number as usize)
        {
            *is_closed = true;
            search.closed_order.push(number);
        }
    }
}
