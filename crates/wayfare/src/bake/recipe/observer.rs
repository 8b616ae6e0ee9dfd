//! Observes the products while a tile is made.

use super::{BakeStep, Products};

/// Receives the products after each step: to draw them, to record decisions, to keep one of them.
///
/// Any `FnMut(BakeStep, &Products)` is an observer; `()` observes nothing.
pub trait BakeObserver {
    /// Called after a step. Products of later steps are those of the previous tile.
    fn after(&mut self, step: BakeStep, products: &Products);
}

impl BakeObserver for () {
    fn after(&mut self, _: BakeStep, _: &Products) {}
}

impl<F: FnMut(BakeStep, &Products)> BakeObserver for F {
    fn after(&mut self, step: BakeStep, products: &Products) {
        self(step, products);
    }
}
