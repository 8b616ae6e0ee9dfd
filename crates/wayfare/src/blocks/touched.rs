//! The nodes beside a corridor that a path touches.

use super::marks::Marks;
use super::search::Leg;

/// Nodes, each once, in the order in which a path touches them; those of the corridor are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    known: Marks,
    nodes: Vec<u32>,
}

impl Touched {
    pub(super) fn begin(&mut self, corridor: &[Leg]) {
        self.known.clear();
        self.nodes.clear();
        corridor.iter().for_each(|leg| self.known.set(leg.node, 0));
    }

    pub(super) fn add(&mut self, node: u32) {
        if self.known.get(node).is_none() {
            self.known.set(node, 0);
            self.nodes.push(node);
        }
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> {
        self.nodes.iter().copied()
    }
}
