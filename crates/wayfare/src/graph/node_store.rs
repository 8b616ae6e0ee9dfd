//! The nodes of a search, found by their keys.
//!
//! ```text
//!   key ──> entry ──> node { where, cost so far, total, parent }
//! ```
//!
//! Cost: see [`Entries`] and [`Arena`], of which it consists.
//!
//! Sources: none needed.

use super::{Arena, Entries, Linked};
use crate::math::index::NONE;
use glam::Vec3;

/// A node of a search: a key that was reached, and how.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Node<K> {
    /// The position at which it is reached.
    pub(crate) pos: Vec3,
    /// Its entry. (Not read together with the position: values written one by one must not be read as one vector.)
    entry: u32,
    /// Cost from the start to here.
    pub(crate) cost: f32,
    /// That plus the estimate of the rest, as in the open list; other entries there are outdated.
    pub(crate) total: f32,
    /// The previous node, [`NONE`] for the first.
    pub(crate) parent: u32,
    /// How it was entered from there, as a number defined by the search space.
    pub(crate) via: u32,
    /// Its key.
    pub(crate) of: K,
}

impl<K> Node<K> {
    /// A node with only its key and position set.
    #[inline]
    pub(crate) fn at(entry: u32, of: K, pos: Vec3) -> Self {
        Self { pos, cost: 0.0, total: 0.0, parent: NONE, via: NONE, entry, of }
    }

    /// The same, with the number of how it was entered.
    #[inline]
    pub(crate) fn entered_by(self, via: u32) -> Self {
        Self { via, ..self }
    }

    /// Its entry.
    #[inline]
    pub(crate) fn entry(&self) -> u32 {
        self.entry
    }
}

impl<K> Linked for Node<K> {
    #[inline]
    fn parent(&self) -> u32 {
        self.parent
    }
}

/// The nodes of a search, by number and by entry.
#[derive(Clone, Debug)]
pub(crate) struct NodeStore<K> {
    nodes: Arena<Node<K>>,
    pub(crate) entries: Entries,
}

impl<K> Default for NodeStore<K> {
    fn default() -> Self {
        Self { nodes: Arena::default(), entries: Entries::default() }
    }
}

impl<K: Copy> NodeStore<K> {
    /// Removes all nodes, for a space of `pages` pages.
    #[inline]
    pub(crate) fn begin(&mut self, pages: u32) {
        self.nodes.clear();
        self.entries.begin(pages);
    }

    /// Adds a node whose entry has none.
    #[inline]
    pub(crate) fn push(&mut self, node: Node<K>) -> u32 {
        self.entries.set(node.entry, self.nodes.len());
        self.nodes.push(node)
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &Node<K> {
        self.nodes.get(number)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> &mut Node<K> {
        self.nodes.get_mut(number)
    }

    /// The key of a node; none for [`NONE`]. Costs nothing if the result is not used.
    #[inline]
    pub(crate) fn of(&self, number: u32) -> Option<K> {
        self.nodes.find(number).map(|node| node.of)
    }

    /// The nodes from `last` back to the first.
    pub(crate) fn trail(&self, last: u32) -> impl Iterator<Item = &Node<K>> {
        self.nodes.trail(last)
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len()
    }

    /// Marks a node as expanded.
    #[inline]
    pub(crate) fn close(&mut self, number: u32) {
        let entry = self.nodes.get(number).entry;
        self.entries.close(entry);
    }

    /// Whether a node has been expanded.
    pub(crate) fn is_closed(&self, number: u32) -> bool {
        self.entries.is_closed(self.nodes.get(number).entry)
    }
}
