//! The caller's world together with what was built of it: the input of searches.

use super::build::{Builder, node_at};
use super::connect::{Connector, connect};
use super::ground::Ground;
use super::store::Store;
use super::{BlockSource, Cell};

/// A world, and what was built of it.
pub(super) struct WorldView<'a, S: ?Sized> {
    pub(super) ground: Ground<'a, S>,
    pub(super) store: &'a mut Store,
    pub(super) builder: &'a mut Builder,
    pub(super) connector: &'a mut Connector,
}

impl<S: BlockSource + ?Sized> WorldView<'_, S> {
    /// The node of a cell, built if necessary; `NONE` if it is not a standing point.
    pub(super) fn node_at(&mut self, c: Cell) -> u32 {
        node_at(self.store, self.builder, &self.ground, c)
    }

    /// Connects the nodes of a patch with their neighbours, unless they are connected.
    pub(super) fn connect_patch(&mut self, patch: u32) {
        connect(self.store, self.builder, self.connector, &self.ground, patch);
    }

    /// Connects the patch of a node.
    pub(super) fn connect(&mut self, node: u32) {
        self.connect_patch(self.store.nodes[node as usize].patch);
    }
}
