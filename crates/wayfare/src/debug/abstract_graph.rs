//! Draws the abstract graph of a mesh.

use super::{DebugSink, Role};
use crate::hierarchy::AbstractGraph;

/// Draws the nodes of an abstract graph, and the edges between them: within areas, and to other tiles.
pub fn draw_abstract_graph(graph: &AbstractGraph, sink: &mut impl DebugSink) {
    for tile in graph.tiles() {
        let portals = tile.graph().portals();
        for (number, portal) in (0..).zip(portals) {
            // Each edge once.
            for edge in tile.graph().edges_of(number).iter().filter(|edge| edge.to > number) {
                sink.line(&[portal.middle, portals[edge.to as usize].middle], Role::SearchTree);
            }
        }
    }
    for ends in graph.joins().filter(|[from, to]| from != to) {
        sink.line(&ends, Role::SearchTree);
    }
    for portal in graph.tiles().flat_map(|tile| tile.graph().portals()) {
        sink.point(portal.middle, Role::OpenNode);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::{ShapeKind, ShapeList};
    use crate::query::test_maps::mesh;

    #[test]
    fn every_node_is_a_point() {
        let mesh = mesh(&[((0, 0), "aa\naa"), ((1, 0), "aa\naa")]);
        let graph = AbstractGraph::new(&mesh);
        let mut shapes = ShapeList::new();
        draw_abstract_graph(&graph, &mut shapes);
        let points = shapes.shapes().iter().filter(|shape| shape.kind == ShapeKind::Point).count();
        assert_eq!(points as u64, graph.size().nodes);
        assert!(shapes.shapes().iter().any(|shape| shape.kind == ShapeKind::Line));
    }
}
