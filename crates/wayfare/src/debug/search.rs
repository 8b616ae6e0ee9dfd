//! Draws a recorded search: its nodes, open and closed, and the parent of each.
//!
//! Sources: the pictures in Mikko Mononen's posts on path planning, Digesting Duck, 2010.

use super::{DebugSink, Role};
use crate::graph::{RecordedSearch, SearchStep};

/// Draws a recorded search as it was at its end: a line from each node to its parent, and a point for each node.
pub fn draw_search<K>(search: &RecordedSearch<K>, sink: &mut impl DebugSink) {
    draw_search_step(&search.at_step(u32::MAX), sink);
}

/// Draws a recorded search in the same way, as it was at one of its steps.
pub fn draw_search_step<K>(step: &SearchStep<'_, K>, sink: &mut impl DebugSink) {
    for node in step.found() {
        if let Some(parent) = step.parent_of(node) {
            sink.line(&[parent.at, node.at], Role::SearchTree);
        }
    }
    for node in step.found() {
        let role = if step.is_closed(node.number) { Role::ClosedNode } else { Role::OpenNode };
        sink.point(node.at, role);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::ShapeList;
    use crate::graph::{SearchNode, SearchObserver, SearchRecord};
    use glam::Vec3;

    #[test]
    fn every_node_has_a_point_and_all_but_the_first_a_line() {
        let mut record = SearchRecord::new();
        record.began();
        for number in 0..3 {
            let at = Vec3::new(number as f32, 0.0, 0.0);
            let parent = (number > 0).then_some(0);
            record.opened(&SearchNode { number, parent, of: (), at, cost: 0.0, total: 0.0 });
        }
        record.closed(0);
        let mut list = ShapeList::new();
        draw_search(&record.searches()[0], &mut list);
        let roles: Vec<Role> = list.shapes().iter().map(|shape| shape.role).collect();
        let lines = [Role::SearchTree; 2];
        assert_eq!(roles, [&lines[..], &[Role::ClosedNode, Role::OpenNode, Role::OpenNode]].concat());
        assert_eq!(list.points(&list.shapes()[1]), [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0)]);
        // At its beginning, only the start is known.
        let step = record.searches()[0].at_step(0);
        assert_eq!((step.found().count(), step.current()), (1, None));
        let mut list = ShapeList::new();
        draw_search_step(&step, &mut list);
        assert_eq!(list.shapes().iter().map(|shape| shape.role).collect::<Vec<_>>(), [Role::OpenNode]);
        assert_eq!(record.searches()[0].at_step(1).current().map(|node| node.number), Some(0));
    }
}
