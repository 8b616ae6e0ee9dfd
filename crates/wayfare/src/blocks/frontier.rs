//! The state shared by both searches of this module: the best path into each item, and which item to expand next.
//!
//! A path no better than the best so far is dropped. A better one replaces it, and its old entry in the open list is
//! skipped when popped. Popped items are closed and not entered again.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968.

use super::Cell;
use super::marks::Marks;
use crate::math::OpenList;
use crate::math::index::NONE;

/// The best path found into a node or a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<T> {
    /// The node or patch.
    pub(super) item: u32,
    /// The state that leads here; [`NONE`] for the first.
    pub(super) parent: u32,
    /// The cell by which the path enters.
    pub(super) entry: Cell,
    /// Cost of the path up to the entry.
    pub(super) cost: f32,
    /// Cost plus the estimated remaining cost.
    pub(super) estimate: f32,
    /// Additional data of the search.
    pub(super) by: T,
}

/// States by number, and the open list of them.
#[derive(Clone, Debug)]
pub(super) struct Frontier<T> {
    states: Vec<(State<T>, bool)>,
    open: OpenList,
    /// The state of each item.
    seen: Marks,
}

impl<T> Default for Frontier<T> {
    fn default() -> Self {
        Self { states: Vec::new(), open: OpenList::default(), seen: Marks::default() }
    }
}

impl<T: Copy> Frontier<T> {
    /// Clears everything and keeps the memory.
    pub(super) fn begin(&mut self) {
        self.states.clear();
        self.open.clear();
        self.seen.clear();
    }

    /// Stores a path into an item if it is the best so far.
    pub(super) fn offer(&mut self, state: State<T>) {
        let index = match self.seen.get(state.item) {
            Some(known) => {
                let (best, closed) = &self.states[known as usize];
                if *closed || state.estimate >= best.estimate {
                    return;
                }
                self.states[known as usize].0 = state;
                known
            }
            None => {
                self.states.push((state, false));
                self.seen.set(state.item, self.states.len() as u32 - 1);
                self.states.len() as u32 - 1
            }
        };
        self.open.push(state.estimate, index);
    }

    /// Closes the most promising state and returns its number.
    pub(super) fn pop(&mut self) -> Option<u32> {
        while let Some((estimate, at)) = self.open.pop() {
            let (state, closed) = &mut self.states[at as usize];
            if !*closed && estimate == state.estimate {
                *closed = true;
                return Some(at);
            }
        }
        None
    }

    /// The state with this number.
    #[inline]
    pub(super) fn state(&self, at: u32) -> &State<T> {
        &self.states[at as usize].0
    }

    /// Whether a path into an item was found.
    #[inline]
    pub(super) fn has_seen(&self, item: u32) -> bool {
        self.seen.get(item).is_some()
    }

    /// Whether an item is closed.
    #[inline]
    pub(super) fn is_closed(&self, item: u32) -> bool {
        self.seen.get(item).is_some_and(|known| self.states[known as usize].1)
    }

    /// The states from this one back to the first.
    pub(super) fn back_from(&self, last: u32) -> impl Iterator<Item = &State<T>> {
        let mut at = last;
        core::iter::from_fn(move || {
            let (state, _) = self.states.get(at as usize).filter(|_| at != NONE)?;
            at = state.parent;
            Some(state)
        })
    }
}
