//! Draws what the nodes of a search in any direction see.
//!
//! Sources: the figures of Michael Cui, Daniel Harabor, Alban Grastien, "Compromise-free Pathfinding on a Navigation
//! Mesh", 2017.

use super::{DebugSink, Role};
use crate::graph::RecordedSearch;

/// Draws the cones of a recorded search in any direction: each from its root to the part of the portal that is seen,
/// coloured by the order in which they were opened.
pub fn draw_sight_cones<K>(search: &RecordedSearch<K>, sink: &mut impl DebugSink) {
    let last = search.nodes().len().max(2) - 1;
    for (number, cone) in search.cones() {
        sink.polygon(&[cone.root, cone.left, cone.right], Role::Value(*number as f32 / last as f32));
        sink.line(&[cone.left, cone.right], Role::SearchTree);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::ShapeList;
    use crate::graph::{SearchObserver, SearchRecord, SightCone};
    use glam::Vec3;

    #[test]
    fn every_cone_is_a_triangle_and_its_portal() {
        let mut record = SearchRecord::<()>::new();
        record.began();
        record.saw(3, &SightCone { root: Vec3::ZERO, left: Vec3::X, right: Vec3::Z });
        let mut list = ShapeList::new();
        draw_sight_cones(&record.searches()[0], &mut list);
        let [cone, portal] = list.shapes() else { panic!("two shapes") };
        assert_eq!(list.points(cone), [Vec3::ZERO, Vec3::X, Vec3::Z]);
        assert_eq!(list.points(portal), [Vec3::X, Vec3::Z]);
    }
}
