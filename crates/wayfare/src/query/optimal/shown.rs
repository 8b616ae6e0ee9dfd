//! What an observer is shown of a node of an optimal search.
//!
//! Cost: one lookup of the tile, only if there is an observer.
//!
//! Sources: none needed.

use super::cone::{Cone, ConeSide};
use super::expand::Expansion;
use super::memory::{Node, Root};
use super::path::portal_of;
use crate::graph::{SearchNode, SearchObserver, SightCone};
use crate::math::funnel::Portal;
use crate::math::index::NONE;
use crate::math::plane::xz;
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
        let portal = (!node.is_inside()).then(|| portal_of(ground.tile, &node));
        let at = if let Some(portal) = &portal {
            portal.middle()
        } else {
            let place = Vec3::new(root.at.x, ground.tile.data().center_of(poly).y, root.at.y);
            ground.tile.data().closest_point(poly, place).point
        };
        let cone = portal.map(|portal| seen_through(&node, root, &portal));
        let parent = (node.parent != NONE).then_some(node.parent);
        let of = ground.tile.reference(poly);
        self.observer.opened(&SearchNode { number, parent, of, at, cost: root.length as f32, total });
        if let Some(cone) = cone {
            self.observer.saw(number, &cone);
        }
    }
}

/// What a node sees of its portal.
fn seen_through(node: &Node, root: &Root, portal: &Portal) -> SightCone {
    let [left, right] =
        [(node.bounds[0], node.left), (node.bounds[1], node.right)].map(|(bound, at)| ConeSide { bound, at });
    let seen = Cone::new(root.at, root.before, left, right).interval(xz(portal.left), xz(portal.right));
    let at = |share: f64| portal.left.lerp(portal.right, share.clamp(0.0, 1.0) as f32);
    let root = Vec3::new(root.at.x, portal.middle().y, root.at.y);
    SightCone { root, left: at(seen.low), right: at(seen.high) }
}
