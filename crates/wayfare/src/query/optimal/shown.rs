//! What an observer sees of a node of the search in any direction.
//!
//! Cost: a look at the tile, only where somebody looks.
//!
//! Sources: none needed.

use super::expand::Expansion;
use super::path::portal_of;
use crate::graph::{SearchNode, SearchObserver};
use crate::math::index::NONE;
use crate::mesh::PolyRef;
use crate::query::QueryFilter;
use glam::Vec3;

impl<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>> Expansion<'_, '_, F, O> {
    /// Shows a new node: the polygon that it enters, in the middle of the portal; or where its root lies, in the
    /// polygon itself.
    #[cold]
    pub(super) fn show_opened(&mut self, number: u32, total: f32) {
        let node = *self.memory.nodes.get(number);
        let Some(ground) = self.ground(node.page) else { return };
        let root = &self.memory.roots[node.root as usize];
        let poly = if node.is_inside() { node.entry } else { ground.sight.poly_of(node.entry) };
        let at = if node.is_inside() {
            let place = Vec3::new(root.at.x, ground.tile.data().center_of(poly).y, root.at.y);
            ground.tile.data().closest_point(poly, place).point
        } else {
            portal_of(ground.tile, &node).middle()
        };
        let parent = (node.parent != NONE).then_some(node.parent);
        let of = ground.tile.reference(poly);
        self.observer.opened(&SearchNode { number, parent, of, at, cost: root.length as f32, total });
    }
}
