//! The nodes of a search in the order of their discovery, and the path back from each of them.
//!
//! ```text
//!   number   0    1    2    3    4         trail(4):  4, 2, 0
//!   parent   –    0    0    1    2
//! ```
//!
//! Cost: a push, a look-up; a trail costs its length. Memory is reused from search to search.
//!
//! Sources: none needed.

use crate::math::index::NONE;

/// A node that knows its parent.
pub(crate) trait Linked {
    /// The number of the previous node; [`NONE`] for the first.
    fn parent(&self) -> u32;
}

/// A growing list of nodes, by number.
#[derive(Clone, Debug)]
pub(crate) struct Arena<N> {
    list: Vec<N>,
}

impl<N> Default for Arena<N> {
    fn default() -> Self {
        Self { list: Vec::new() }
    }
}

impl<N> Arena<N> {
    /// Empties it, keeping its memory.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// Adds a node and returns its number.
    #[inline]
    pub(crate) fn push(&mut self, node: N) -> u32 {
        let number = self.list.len() as u32;
        self.list.push(node);
        number
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &N {
        &self.list[number as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> &mut N {
        &mut self.list[number as usize]
    }

    /// A node, unless the number is [`NONE`].
    #[inline]
    pub(crate) fn find(&self, number: u32) -> Option<&N> {
        self.list.get(number as usize)
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.list.len() as u32
    }
}

impl<N: Linked> Arena<N> {
    /// The nodes from `last` back to the first.
    pub(crate) fn trail(&self, last: u32) -> impl Iterator<Item = &N> {
        let mut number = last;
        core::iter::from_fn(move || {
            if number == NONE {
                return None;
            }
            let node = self.get(number);
            number = node.parent();
            Some(node)
        })
    }
}
