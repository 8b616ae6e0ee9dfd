//! Looking on while a tile is made.

use super::{BakeStep, Products};

/// Is shown the products after each step: to draw them, to note what became of a place, to keep one of them.
///
/// Any `FnMut(BakeStep, &Products)` is one; `()` looks at nothing.
pub trait BakeObserver {
    /// Called when a step is done. Products of later steps are those of the tile before.
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
