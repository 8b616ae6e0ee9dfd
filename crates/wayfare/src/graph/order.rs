//! The order in which the open nodes of a search are expanded.
//!
//! ```text
//!   OpenList     cheapest first: A*, Dijkstra                      (a heap)
//!   InHand       the same; the cheapest new node stays in hand     (heap and one place)
//!   FirstFound   first found, first expanded: breadth-first        (a queue)
//! ```
//!
//! Cost: logarithmic for the heap; nothing for the node in hand if it is expanded next; constant for the queue.
//!
//! Sources: Edward Moore, "The Shortest Path Through a Maze", 1959 (breadth-first); keeping the cheapest successor out
//! of the heap is folklore.

use crate::math::OpenList;

/// The open nodes of a search.
pub(crate) trait Order {
    /// Empties it, keeping its memory.
    fn clear(&mut self);

    /// Adds a node by its total.
    fn push(&mut self, total: f32, node: u32);

    /// Removes the next node to expand, and returns it with its total.
    fn pop(&mut self) -> Option<(f32, u32)>;
}

impl Order for OpenList {
    #[inline]
    fn clear(&mut self) {
        OpenList::clear(self);
    }

    #[inline]
    fn push(&mut self, total: f32, node: u32) {
        OpenList::push(self, total, node);
    }

    #[inline]
    fn pop(&mut self) -> Option<(f32, u32)> {
        OpenList::pop(self)
    }
}

/// Cheapest first. The cheapest node found since the last removal is often the next: it is kept outside the heap.
#[derive(Clone, Debug, Default)]
pub(crate) struct InHand {
    /// All others; searches that keep none outside the heap have theirs here too.
    pub(crate) list: OpenList,
    hand: Option<(f32, u32)>,
}

impl InHand {
    /// The least total of all entries, including outdated ones, whose nodes have a lower one by now.
    pub(crate) fn peek_total(&self) -> Option<f32> {
        let in_hand = self.hand.map(|(total, _)| total);
        [in_hand, self.list.peek_cost()].into_iter().flatten().min_by(f32::total_cmp)
    }
}

impl Order for InHand {
    #[inline]
    fn clear(&mut self) {
        self.list.clear();
        self.hand = None;
    }

    #[inline]
    fn push(&mut self, total: f32, node: u32) {
        match self.hand {
            Some((other, _)) if other <= total => self.list.push(total, node),
            Some((other, kept)) => {
                self.list.push(other, kept);
                self.hand = Some((total, node));
            }
            None => self.hand = Some((total, node)),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(f32, u32)> {
        match self.hand.take() {
            None => self.list.pop(),
            Some((total, node)) if self.list.peek_cost().is_none_or(|other| total <= other) => Some((total, node)),
            Some((total, node)) => {
                self.list.push(total, node);
                self.list.pop()
            }
        }
    }
}

/// First found, first expanded. Totals are ignored.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstFound {
    queue: Vec<(f32, u32)>,
    next: usize,
}

impl Order for FirstFound {
    #[inline]
    fn clear(&mut self) {
        self.queue.clear();
        self.next = 0;
    }

    #[inline]
    fn push(&mut self, total: f32, node: u32) {
        self.queue.push((total, node));
    }

    #[inline]
    fn pop(&mut self) -> Option<(f32, u32)> {
        let &found = self.queue.get(self.next)?;
        self.next += 1;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    /// Between equal totals the hand may go first; the totals come out as from the list alone.
    #[test]
    fn the_hand_changes_no_total() {
        let mut rng = Rng::new(11);
        let mut plain = OpenList::default();
        let mut in_hand = InHand::default();
        for node in 0..5_000 {
            if rng.below(3) > 0 {
                let total = rng.below(50) as f32 * 0.5;
                plain.push(total, node);
                in_hand.push(total, node);
            } else {
                assert_eq!(in_hand.pop().map(|(total, _)| total), plain.pop().map(|(total, _)| total));
            }
        }
    }

    #[test]
    fn what_was_found_first_comes_first() {
        let mut open = FirstFound::default();
        (0..3).for_each(|node| open.push(9.0 - node as f32, node));
        assert_eq!(core::iter::from_fn(|| open.pop()).map(|(_, node)| node).collect::<Vec<_>>(), [0, 1, 2]);
        open.push(0.0, 7);
        assert_eq!(open.pop(), Some((0.0, 7)));
        open.clear();
        assert_eq!(open.pop(), None);
    }
}
